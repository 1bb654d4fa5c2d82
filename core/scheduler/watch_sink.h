// WatchSink is where the changes of a simulated API server are watched.
#pragma once

#include "core/api/decode/objects.h"
#include "core/api/object_key.h"

namespace stowage {

class WatchSink {
 public:
  virtual ~WatchSink() = default;
  virtual void OnPodPut(PodRef pod) = 0;
  virtual void OnPodDeleted(PodRef pod) = 0;
  // The pod as the last of these events has it; null when there is none.
  virtual PodRef LatestPod(const ObjectKey& key) const = 0;
  // Of any other kind.
  virtual void OnObjectPut(AnyObject object) = 0;
};

}  // namespace stowage
