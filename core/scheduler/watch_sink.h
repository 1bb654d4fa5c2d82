// WatchSink receives the changes of a simulated API server.
#pragma once

#include "core/api/decode/objects.h"
#include "core/api/object_key.h"

namespace stowage {

class WatchSink {
 public:
  virtual ~WatchSink() = default;
  virtual void OnPodPut(PodRef pod) = 0;
  virtual void OnPodDeleted(PodRef pod) = 0;
  // The pod's state according to the last of these events; null if there is none.
  virtual PodRef LatestPod(const ObjectKey& key) const = 0;
  // An object of any other kind was added or changed.
  virtual void OnObjectPut(AnyObject object) = 0;
  virtual void OnObjectDeleted(AnyObject object) = 0;
};

}  // namespace stowage
