#include "core/scheduler/pod_group_cycle.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/api/pod_helpers.h"
#include "core/base/check.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/scheduler/schedule_one.h"

namespace stowage {
namespace {

constexpr std::string_view kUnschedulable = "pod group is unschedulable";
constexpr std::string_view kWaiting = "pod group is waiting for preemption to complete";

Status GroupUnschedulable(std::string_view reason) {
  return Status::WithReasons(Code::kUnschedulable, {Symbol(kUnschedulable), Symbol(reason)});
}

bool IsTriedBefore(const QueuedPodInfo& a, const QueuedPodInfo& b) {
  int32_t a_priority = PodPriority(a.pod());
  int32_t b_priority = PodPriority(b.pod());
  if (a_priority != b_priority) return a_priority > b_priority;
  if (a.initial_attempt_timestamp != b.initial_attempt_timestamp) {
    return a.initial_attempt_timestamp < b.initial_attempt_timestamp;
  }
  return a.sequence < b.sequence;
}

// The member fails for a reason of the group. What was found out about its nodes stays.
void FailWithGroup(const Status& status, const Symbol& nominated, PodGroupMember* member) {
  member->result.host = Symbol();
  member->result.status = status;
  member->result.message = status.Message();
  member->result.nominated_node_name = nominated;
  member->result.fails_with_group = true;
  bool has_node = member->is_placed && !member->requires_preemption;
  if (has_node) member->result.ForgetRefusals();
}

}  // namespace

// Takes all pods of the group that can be scheduled out of the queue.
std::vector<QueuedPodRef> CycleRunner::PopPodGroup(const QueuedPodRef& first) {
  std::vector<QueuedPodRef> pods{first};
  std::vector<PodRef> siblings;
  const PodGroupState* group = parts_.cache.pod_groups().Get(PodGroupStates::KeyOf(first->pod()));
  if (group == nullptr) return pods;
  for (const auto& [uid, member] : group->members) {
    bool is_queued = member.stage == PodGroupState::Stage::kUnscheduled;
    if (is_queued && uid != first->pod_info->uid()) siblings.push_back(member.pod);
  }
  for (const PodRef& sibling : siblings) {
    Status gated;
    QueuedPodRef queued = parts_.queue.PopSpecific(ObjectKey::Of(sibling->metadata), &gated);
    if (queued != nullptr) pods.push_back(std::move(queued));
  }
  StableSort(&pods, [](const auto& a, const auto& b) { return IsTriedBefore(*a, *b); });
  return pods;
}

Task<void> CycleRunner::SchedulePodGroup(QueuedPodRef first) {
  std::vector<QueuedPodRef> pods;
  for (QueuedPodRef& queued : PopPodGroup(first)) {
    if (MustSkip(queued->pod())) {
      SkipPodSchedule(*queued);
    } else {
      pods.push_back(std::move(queued));
    }
  }
  if (pods.empty()) co_return;
  is_reading_ = true;
  parts_.cache.UpdateSnapshot(&parts_.snapshot);
  std::vector<const NodeInfo*> all(parts_.snapshot.nodes().begin(), parts_.snapshot.nodes().end());
  PodGroupCycle group = NewPodGroupCycle(pods);
  group.status = DifferentSchedulers(group);
  if (group.status.IsSuccess()) {
    co_await TryPodGroup(pods, all, &group);
    const Framework& framework = *group.members.front().attempt.profile.framework;
    bool can_preempt = framework.features().workload_aware_preemption;
    if (can_preempt && group.status.code() == Code::kUnschedulable) {
      co_await PreemptForPodGroup(pods, all, &group);
    }
  }
  // Refusals are written by row, so the list of nodes must be the one of the decision.
  if (!group.placement.nodes.empty()) SetPlacement(group.placement.nodes);
  DecidePodGroup(&group);
  SetPlacement(all);
  is_reading_ = false;
  SubmitPodGroup(&group);
}

// Places the pods on the nodes, or on one placement after the other.
Task<void> CycleRunner::TryPodGroup(const std::vector<QueuedPodRef>& pods,
                                    const std::vector<const NodeInfo*>& all, PodGroupCycle* group) {
  const Framework& framework = *group->members.front().attempt.profile.framework;
  return framework.features().topology_aware_workload_scheduling ? TryPlacements(pods, all, group)
                                                                 : PlacePodGroup(group);
}

PodGroupCycle CycleRunner::NewPodGroupCycle(const std::vector<QueuedPodRef>& pods) const {
  PodGroupCycle group;
  group.key = PodGroupStates::KeyOf(pods.front()->pod());
  group.members.reserve(pods.size());
  for (const QueuedPodRef& queued : pods) {
    group.members.emplace_back(queued, parts_.profiles.Of(queued->pod()));
  }
  return group;
}

void CycleRunner::SetPlacement(const std::vector<const NodeInfo*>& nodes) {
  parts_.cache.RefreshPods(&parts_.snapshot);
  if (nodes.size() != parts_.snapshot.NumNodes()) {
    parts_.cache.SetPlacement(nodes, &parts_.snapshot);
  }
}

// Places the pods on one placement after the other, and leaves the best result in `best`; without
// any, the first.
Task<void> CycleRunner::TryPlacements(const std::vector<QueuedPodRef>& pods,
                                      const std::vector<const NodeInfo*>& all,
                                      PodGroupCycle* best) {
  const Framework& framework = *best->members.front().attempt.profile.framework;
  std::vector<Placement> placements;
  Placement whole{Symbol(), all};
  best->status = framework.RunPlacementGeneratePlugins(best->key, whole, &placements);
  if (!best->status.IsSuccess()) co_return;
  std::optional<PodGroupCycle> first;
  std::vector<PodGroupCycle> feasible;
  for (Placement& placement : placements) {
    SetPlacement(placement.nodes);
    PodGroupCycle tried = NewPodGroupCycle(pods);
    tried.placement = std::move(placement);
    tried.is_trial = best->is_trial;
    co_await PlacePodGroup(&tried);
    SetPlacement(all);
    bool is_error = tried.status.code() == Code::kError;
    if (is_error) {
      *best = std::move(tried);
      co_return;
    }
    if (tried.IsFeasible()) {
      feasible.push_back(std::move(tried));
    } else if (!first) {
      first = std::move(tried);
    }
  }
  if (feasible.empty()) {
    if (first) *best = std::move(*first);
    std::string_view reason = first ? std::string_view(kUnschedulable) : std::string_view();
    best->status = Status::Unschedulable(Format(
        "0/{} placements are available, first placement status: {}", placements.size(), reason));
    co_return;
  }
  size_t chosen = 0;
  Status status = ChoosePlacement(framework, feasible, &chosen);
  *best = std::move(feasible[chosen]);
  if (!status.IsSuccess()) best->status = status;
}

// Of equal scores, the first placement's.
Status CycleRunner::ChoosePlacement(const Framework& framework,
                                    const std::vector<PodGroupCycle>& feasible, size_t* chosen) {
  if (feasible.size() == 1) return Status::Success();
  std::vector<PodGroupAssignments> assignments;
  for (const PodGroupCycle& group : feasible) {
    PodGroupAssignments& one = assignments.emplace_back(PodGroupAssignments{group.placement, {}});
    for (const PodGroupMember& member : group.members) {
      if (member.is_placed) one.pods.push_back(member.attempt.assumed->pod);
    }
  }
  Result<std::vector<int64_t>, Status> scores =
      framework.RunPlacementScorePlugins(feasible.front().key, assignments);
  if (!scores.ok()) return scores.fault();
  *chosen = static_cast<size_t>(std::max_element(scores->begin(), scores->end()) - scores->begin());
  return Status::Success();
}

// An Error if the pods have different schedulers.
Status CycleRunner::DifferentSchedulers(const PodGroupCycle& group) {
  const Symbol* first = nullptr;
  for (const PodGroupMember& member : group.members) {
    const Symbol& name = member.attempt.queued->pod().spec.scheduler_name;
    if (first == nullptr) first = &name;
    if (name == *first) continue;
    return Status::Error(
        Format("all pods in a single pod group should have the same .spec.schedulerName set, "
               "got: \"{}\" and \"{}\"",
               name.view(), first->view()));
  }
  return Status::Success();
}

// Places all pods, and takes them from their nodes again.
Task<void> CycleRunner::PlacePodGroup(PodGroupCycle* group) {
  group->status = Status::Unschedulable(kUnschedulable);
  parts_.cache.pod_groups().BeginTrial(group->key);
  bool requires_preemption = false;
  for (PodGroupMember& member : group->members) {
    co_await PlaceMember(&member, !group->is_trial);
    const Status& status = member.result.status;
    if (!member.is_placed && !status.IsRejected()) {
      group->status = Status::Error(
          Format("failed to schedule other pod from a pod group: {}", status.Message()));
      group->waits_for_preemption = false;
      break;
    }
    if (!member.is_placed) continue;
    requires_preemption = requires_preemption || member.requires_preemption;
    if (!member.permit.IsSuccess()) continue;
    group->status = requires_preemption ? GroupUnschedulable(kWaiting) : Status::Success();
    group->waits_for_preemption = requires_preemption;
  }
  RevertPodGroup(group);
}

// Later members see the pod on its node, or on the node on which it has preempted others.
Task<void> CycleRunner::PlaceMember(PodGroupMember* member, bool has_post_filter) {
  Attempt& attempt = member->attempt;
  ScheduleResult& result = member->result;
  member->is_tried = true;
  CycleOptions options{options_.has_node_detail && has_post_filter, has_post_filter,
                       CycleStamp{num_cycles_, parts_.loop.now()}};
  co_await parts_.cycle.Decide(attempt.profile, attempt.queued->pod(), options, &result);
  Symbol host = result.host;
  if (!result.status.IsSuccess()) {
    host = result.nominated_node_name.value_or(Symbol());
    if (host.empty()) co_return;
    member->requires_preemption = true;
  }
  attempt.state = std::move(result.state);
  attempt.state.set_is_pod_group_cycle(true);
  std::vector<PermitWait> waits;
  member->permit = Place(&attempt, host, true, &waits);
  member->is_placed = member->permit.IsSuccess() || member->permit.code() == Code::kWait;
  if (member->is_placed) {
    parts_.cache.RefreshPods(&parts_.snapshot);
  } else {
    member->requires_preemption = false;
    Reject(member->permit, host, &result);
  }
}

void CycleRunner::RevertPodGroup(PodGroupCycle* group) {
  for (auto member = group->members.rbegin(); member != group->members.rend(); ++member) {
    if (!member->is_placed) continue;
    Attempt& attempt = member->attempt;
    attempt.profile.framework->RunReservePluginsUnreserve(attempt.state, attempt.pod(),
                                                          attempt.node());
    CHECK(parts_.cache.ForgetPod(attempt.pod()).IsSuccess());
  }
  parts_.cache.pod_groups().EndTrial();
}

// Turns the group's status into the result of each pod: those that start are assumed for good.
void CycleRunner::DecidePodGroup(PodGroupCycle* group) {
  bool has_activated = false;
  std::vector<uint64_t> decisions;
  for (PodGroupMember& member : group->members) {
    ScheduleResult& result = member.result;
    bool has_node = member.is_tried && result.status.IsSuccess();
    if (group->status.code() == Code::kError) {
      bool is_its_own = member.is_tried && result.status.code() == Code::kError;
      if (!is_its_own) FailWithGroup(group->status, Symbol(), &member);
    } else if (has_node && group->status.IsSuccess()) {
      // One activation of the rest of the group has the effect of many.
      member.attempt.state.set_is_pod_group_cycle(has_activated);
      has_activated = true;
      PrepareForBinding(&member.attempt, &result);
    } else if (has_node && group->waits_for_preemption) {
      Symbol host = result.host;
      FailWithGroup(group->status, host, &member);
    } else if (has_node || (member.requires_preemption && !group->waits_for_preemption)) {
      FailWithGroup(GroupUnschedulable(member.permit.Message()), Symbol(), &member);
    } else if (!member.is_tried) {
      // There was no placement to try: no node has the topology key.
      FailWithGroup(group->status, Symbol(), &member);
    }
    const QueuedPodInfo& queued = *member.attempt.queued;
    member.attempt.decision = parts_.records.WriteDecision(
        {queued.pod(), queued.attempts, queued.popped_from, {}, result}, parts_.snapshot);
    decisions.push_back(member.attempt.decision);
  }
  parts_.records.WritePodGroupDecision({*group, decisions});
}

void CycleRunner::SubmitPodGroup(PodGroupCycle* group) {
  for (PodGroupMember& member : group->members) {
    ScheduleResult& result = member.result;
    if (result.status.IsSuccess()) {
      parts_.bindings.Start(std::move(member.attempt));
      continue;
    }
    SchedulingFailure failure{result.status.IsRejected(), std::move(result.message)};
    if (!result.fails_with_group) {
      failure.unschedulable_plugins = std::move(result.diagnosis.unschedulable_plugins);
      failure.pending_plugins = std::move(result.diagnosis.pending_plugins);
    }
    failure.nominated_node_name = result.nominated_node_name;
    parts_.failures.Handle(member.attempt.queued, std::move(failure));
  }
  ReportPodGroup(*group);
}

void CycleRunner::ReportPodGroup(const PodGroupCycle& group) {
  const Framework& framework = *group.members.front().attempt.profile.framework;
  bool is_error = group.status.code() == Code::kError;
  std::string_view result = group.status.IsSuccess()     ? "scheduled"
                            : group.waits_for_preemption ? "waiting_on_preemption"
                            : is_error                   ? "error"
                                                         : "unschedulable";
  framework.metrics().Add(Metric::kPodGroupScheduleAttempts,
                          {result, framework.profile_name().view()});
  PodGroupRef object = framework.listers().GetPodGroup(group.key.namespace_, group.key.name);
  if (object == nullptr) return;
  PodCondition condition;
  condition.type = Symbol("PodGroupScheduled");
  condition.status = Symbol(group.status.IsSuccess() ? "True" : "False");
  condition.reason = Symbol(group.status.IsSuccess() ? "Scheduled"
                            : is_error               ? "SchedulerError"
                                                     : "Unschedulable");
  condition.message = group.status.Message();
  condition.last_transition_time = parts_.loop.now();
  condition.observed_generation = object->metadata.generation;
  for (const PodCondition& current : object->status.conditions) {
    if (current.type != condition.type) continue;
    // A group that has started stays so; later pods of it do not count.
    if (current.status == "True" && condition.status != "True") return;
    if (current.status == condition.status) {
      condition.last_transition_time = current.last_transition_time;
    }
    if (current == condition) return;
  }
  parts_.loop.Start(PatchPodGroup(std::move(object), std::move(condition)));
}

Task<void> CycleRunner::PatchPodGroup(PodGroupRef group, PodCondition condition) {
  co_await parts_.api.PatchPodGroupStatus(parts_.loop, *group, condition);
}

}  // namespace stowage
