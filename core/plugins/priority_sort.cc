#include "core/plugins/priority_sort.h"

#include "core/api/pod_helpers.h"

namespace stowage {

bool PrioritySort::Less(const QueuedPodInfo& a, const QueuedPodInfo& b) const {
  int32_t priority_a = PodPriority(a.pod());
  int32_t priority_b = PodPriority(b.pod());
  return priority_a != priority_b ? priority_a > priority_b : a.timestamp < b.timestamp;
}

std::optional<QueueSortKey> PrioritySort::KeyOf(const QueuedPodInfo& pod) const {
  return QueueSortKey{-int64_t{PodPriority(pod.pod())}, pod.timestamp};
}

}  // namespace stowage
