#include "core/queue/backoff.h"

namespace stowage {

Instant FloorToSecond(Instant time) { return {time.seconds, 0}; }

int64_t Backoff::DurationUs(uint32_t count) const {
  int64_t duration = initial_us_;
  for (uint32_t doubling = 1; doubling < count; ++doubling) {
    if (duration > max_us_ / 2) return max_us_;
    duration *= 2;
  }
  return duration > max_us_ ? max_us_ : duration;
}

uint32_t Backoff::CountOf(const QueuedPodInfo& pod) const {
  if (!counts_failures_) return pod.attempts;
  return pod.consecutive_errors_count > 0 ? pod.consecutive_errors_count : pod.unschedulable_count;
}

Instant Backoff::ExpirationOf(QueuedPodInfo& pod) const {
  uint32_t count = CountOf(pod);
  if (count == 0 || max_us_ == 0) return Instant();
  if (!pod.backoff_expiration) {
    Instant end = Instant::FromMicros(pod.timestamp.ToMicros() + DurationUs(count));
    pod.backoff_expiration = has_windows_ ? FloorToSecond(end) : end;
  }
  return *pod.backoff_expiration;
}

bool Backoff::IsBackingOff(QueuedPodInfo& pod, Instant now) const {
  Instant expiration = ExpirationOf(pod);
  if (expiration == Instant()) return false;
  return expiration >= (has_windows_ ? FloorToSecond(now) : now);
}

}  // namespace stowage
