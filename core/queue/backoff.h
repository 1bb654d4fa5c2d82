// Backoff computes how long a pod waits after a failed attempt before its next one (spec 03 §5).
// Counterpart: backend/queue/backoff_queue.go, v1.36.
#pragma once

#include <cstdint>

#include "core/framework/queued_pod_info.h"

namespace stowage {

class Backoff {
 public:
  // Durations are in microseconds. `has_windows`: expiries are truncated to whole seconds, so that
  // pods of the same second are popped by priority. `counts_failures`: attempts that ended neither
  // in a rejection nor in one of the last consecutive errors do not count.
  Backoff(int64_t initial_us, int64_t max_us, bool has_windows, bool counts_failures)
      : initial_us_(initial_us),
        max_us_(max_us),
        has_windows_(has_windows),
        counts_failures_(counts_failures) {}

  // The end of the pod's backoff, which is also stored in the pod. Without backoff: the zero
  // Instant.
  Instant ExpirationOf(QueuedPodInfo& pod) const;
  bool IsBackingOff(QueuedPodInfo& pod, Instant now) const;

 private:
  uint32_t CountOf(const QueuedPodInfo& pod) const;
  int64_t DurationUs(uint32_t count) const;

  int64_t initial_us_;
  int64_t max_us_;
  bool has_windows_;
  bool counts_failures_;
};

// The last whole second at or before `time`.
Instant FloorToSecond(Instant time);

}  // namespace stowage
