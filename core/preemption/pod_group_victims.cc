#include "core/preemption/pod_group_victims.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/api/pod_helpers.h"
#include "core/base/stable_sort.h"
#include "core/preemption/disruption_budgets.h"

namespace stowage {
namespace {

int32_t PriorityOf(const PodGroup& group) { return group.spec.priority.value_or(0); }

// Null if the pod belongs to no group, or the group is unknown.
PodGroupRef GroupOf(const Handle& handle, const Pod& pod) {
  if (!pod.spec.scheduling_group) return nullptr;
  return handle.listers().GetPodGroup(pod.metadata.namespace_, PodGroupNameOf(pod));
}

// Whether a pod of lower priority already makes room for the group.
bool HasTerminatingVictim(const Handle& handle, int32_t priority, std::span<const PodRef> pods) {
  std::set<Symbol> nominated;
  for (const PodRef& pod : pods) nominated.insert(pod->status.nominated_node_name);
  for (const Symbol& name : nominated) {
    const NodeInfo* node = handle.snapshot().Get(name);
    if (node == nullptr) continue;
    for (const PodInfoRef& running : node->pods()) {
      if (!IsTerminatingByPreemption(*running->pod)) continue;
      PodGroupRef group = GroupOf(handle, *running->pod);
      if ((group ? PriorityOf(*group) : PodPriority(*running->pod)) < priority) return true;
    }
  }
  return false;
}

// Pods of a group that is disrupted as a whole are one unit, with the group's priority. The
// reference leaves the order of the units open; here it is that of their first pods on the nodes.
std::vector<PreemptionUnit> UnitsBelow(const Handle& handle, int32_t priority) {
  std::vector<PreemptionUnit> units;
  std::map<ObjectKey, size_t> of_groups;
  for (const NodeInfo* node : handle.snapshot().nodes()) {
    for (const PodInfoRef& pod : node->pods()) {
      PodGroupRef group = GroupOf(handle, *pod->pod);
      bool is_whole = group != nullptr && IsDisruptedAsAWhole(*group);
      int32_t own = is_whole ? PriorityOf(*group) : PodPriority(*pod->pod);
      if (own >= priority) continue;
      size_t at = units.size();
      if (is_whole) at = of_groups.emplace(ObjectKey::Of(group->metadata), at).first->second;
      if (at == units.size()) units.push_back({{}, own});
      units[at].pods.push_back(pod);
    }
  }
  return units;
}

// Single pods of groups rank as groups of one pod. Of a group, the first pod's start time counts.
bool IsMoreImportant(const PreemptionUnit& a, const PreemptionUnit& b, const Instant& now) {
  if (a.priority != b.priority) return a.priority > b.priority;
  const Pod& first_of_a = *a.pods.front()->pod;
  const Pod& first_of_b = *b.pods.front()->pod;
  bool is_group = first_of_a.spec.scheduling_group.has_value();
  if (is_group != first_of_b.spec.scheduling_group.has_value()) return is_group;
  if (a.pods.size() != b.pods.size()) return a.pods.size() > b.pods.size();
  return PodStartTime(first_of_a, now) < PodStartTime(first_of_b, now);
}

}  // namespace

Result<std::vector<PreemptionUnit>, Status> FindPodGroupVictims(const Handle& handle,
                                                                const PodGroup& group,
                                                                std::span<const PodRef> pods) {
  auto is_never = [](const PodRef& pod) { return pod->spec.preemption_policy == "Never"; };
  if (std::ranges::any_of(pods, is_never)) {
    return Status::Unschedulable("not eligible due to preemptionPolicy=Never.");
  }
  const int32_t priority = PriorityOf(group);
  if (HasTerminatingVictim(handle, priority, pods)) {
    return Status::Unschedulable("not eligible due to a terminating pod on the nominated node.");
  }
  std::vector<PreemptionUnit> units = UnitsBelow(handle, priority);
  if (units.empty()) {
    return Status::UnschedulableAndUnresolvable(
        "No preemption victims found for incoming preemptor");
  }
  StableSort(&units, [now = handle.now()](const PreemptionUnit& a, const PreemptionUnit& b) {
    return IsMoreImportant(a, b, now);
  });
  for (size_t rank = 0; rank < units.size(); ++rank) units[rank].rank = rank;
  DisruptionBudgets(handle.listers().PodDisruptionBudgets()).MarkViolating(&units);
  StableSort(&units, [](const PreemptionUnit& a, const PreemptionUnit& b) {
    return a.violates && !b.violates;
  });
  return units;
}

}  // namespace stowage
