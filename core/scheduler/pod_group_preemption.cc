// Workload-aware preemption: pods of lower priority are evicted so that a pod group can start as a
// whole (spec 06 §10).
#include <utility>

#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/scheduler/schedule_one.h"

namespace stowage {

void CycleRunner::HideUnit(const PreemptionUnit& unit, bool is_hidden) {
  for (const PodInfoRef& pod : unit.pods) parts_.cache.HidePod(pod, is_hidden);
  parts_.cache.RefreshPods(&parts_.snapshot);
}

void CycleRunner::EndPreemptionTrial() {
  if (!before_trial_) return;
  parts_.cache.Restore(std::move(*before_trial_), &parts_.snapshot);
  before_trial_.reset();
}

// The group could not be scheduled. Evicts other pods if it can be scheduled without them.
Task<void> CycleRunner::PreemptForPodGroup(const std::vector<QueuedPodRef>& pods,
                                           const std::vector<const NodeInfo*>& all,
                                           PodGroupCycle* group) {
  const Framework& framework = *group->members.front().attempt.profile.framework;
  PodGroupPostFilterPlugin* plugin = framework.pod_group_post_filter();
  PodGroupRef object = framework.listers().GetPodGroup(group->key.namespace_, group->key.name);
  std::vector<PodRef> members;
  for (const QueuedPodRef& queued : pods) members.push_back(queued->pod_info->pod);
  Status status;
  if (plugin == nullptr) {
    status = Status::Unschedulable(
        "default preemption plugin is not registered, workload aware preemption is disabled");
  } else if (object == nullptr) {
    status = Status::Error(
        Format("failed to get pod group object: podgroup.scheduling.k8s.io \"{}\" not found",
               group->key.name.view()));
  } else if (const auto& constraints = object->spec.scheduling_constraints;
             constraints && !constraints->topology.empty()) {
    status = Status::Unschedulable(
        "workload aware preemption is not supported for pod groups with scheduling constraints");
  }
  std::vector<PreemptionUnit> units;
  if (status.IsSuccess()) {
    Result<std::vector<PreemptionUnit>, Status> found = plugin->PodGroupVictims(*object, members);
    if (found.ok()) {
      units = found.Take();
    } else {
      status = found.fault();
    }
  }
  if (status.IsSuccess()) {
    status = co_await SelectVictims(pods, all, &units);
    EndPreemptionTrial();
  }
  if (status.IsSuccess()) {
    group->victims.emplace();
    for (PreemptionUnit& unit : units) {
      group->victims->insert(group->victims->end(), unit.pods.begin(), unit.pods.end());
    }
    status = co_await plugin->PreemptFor(object, std::move(members), *group->victims);
  }
  if (status.IsSuccess()) {
    group->waits_for_preemption = true;
  } else if (status.code() == Code::kError) {
    group->status = status;
  } else {
    std::vector<Symbol> reasons = group->status.reasons();
    reasons.emplace_back(status.Message());
    group->status = Status::WithReasons(Code::kUnschedulable, std::move(reasons));
  }
}

// Leaves the units in `units` that must be evicted, most important first.
Task<Status> CycleRunner::SelectVictims(const std::vector<QueuedPodRef>& pods,
                                        const std::vector<const NodeInfo*>& all,
                                        std::vector<PreemptionUnit>* units) {
  before_trial_ = parts_.cache.Save(parts_.snapshot);
  for (const PreemptionUnit& unit : *units) HideUnit(unit, true);
  std::vector<PreemptionUnit> victims;
  // The first trial is without all of them, each later one with one more.
  for (size_t tried = 0; tried <= units->size(); ++tried) {
    if (tried > 0) HideUnit((*units)[tried - 1], false);
    PodGroupCycle trial = NewPodGroupCycle(pods);
    trial.is_trial = true;
    co_await TryPodGroup(pods, all, &trial);
    if (trial.status.IsSuccess()) continue;
    if (tried == 0) co_return trial.status;
    HideUnit((*units)[tried - 1], true);
    victims.push_back(std::move((*units)[tried - 1]));
  }
  StableSort(&victims,
             [](const PreemptionUnit& a, const PreemptionUnit& b) { return a.rank < b.rank; });
  *units = std::move(victims);
  co_return Status::Success();
}

}  // namespace stowage
