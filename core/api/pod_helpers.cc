#include "core/api/pod_helpers.h"

namespace stowage {

int32_t PodPriority(const Pod& pod) { return pod.spec.priority.value_or(0); }

bool IsAssignedOrNominated(const Pod& pod, bool counts_nominations) {
  return !pod.spec.node_name.empty() ||
         (counts_nominations && !pod.status.nominated_node_name.empty());
}

bool IsTerminating(const Pod& pod) { return pod.metadata.deletion_timestamp.has_value(); }

// Only the first condition of the type counts.
bool IsTerminatingByPreemption(const Pod& pod) {
  if (!IsTerminating(pod)) return false;
  for (const PodCondition& condition : pod.status.conditions) {
    if (condition.type != "DisruptionTarget") continue;
    return condition.status == "True" && condition.reason == "PreemptionByScheduler";
  }
  return false;
}

Instant PodStartTime(const Pod& pod, const Instant& now) {
  return pod.status.start_time.value_or(now);
}

bool MoreImportantPod(const Pod& a, const Pod& b, const Instant& now) {
  if (PodPriority(a) != PodPriority(b)) return PodPriority(a) > PodPriority(b);
  return PodStartTime(a, now) < PodStartTime(b, now);
}

bool IsRestartableInitContainer(const Container& container) {
  return container.restart_policy == "Always";
}

}  // namespace stowage
