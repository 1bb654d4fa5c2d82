// Backoff says how long a pod that came back has to wait before it is tried again (spec 03 §5).
// Counterpart: backend/queue/backoff_queue.go, v1.36.
#pragma once

#include <cstdint>

#include "core/framework/queued_pod_info.h"

namespace stowage {

class Backoff {
 public:
  // `has_windows`: ends are cut to whole seconds, so that pods of one second come out by priority.
  Backoff(int64_t initial_us, int64_t max_us, bool has_windows)
      : initial_us_(initial_us), max_us_(max_us), has_windows_(has_windows) {}

  // The end of the pod's backoff, remembered in it; of a pod without one, the beginning of time.
  Instant ExpirationOf(QueuedPodInfo& pod) const;
  bool IsBackingOff(QueuedPodInfo& pod, Instant now) const;

 private:
  int64_t DurationUs(uint32_t count) const;

  int64_t initial_us_;
  int64_t max_us_;
  bool has_windows_;
};

// The whole second at or before it.
Instant FloorToSecond(Instant time);

}  // namespace stowage
