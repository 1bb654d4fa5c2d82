#include "core/plugins/default_preemption.h"

#include <utility>

#include "core/preemption/pod_group_victims.h"

namespace stowage {
namespace {

struct HeldPreemptions final : public Plugin::State {
  Executor::Preemptions preemptions;
};

}  // namespace

DefaultPreemption::DefaultPreemption(const PluginContext& context)
    : handle_(context.handle),
      features_(context.features),
      evaluator_(context.handle, context.Args<DefaultPreemptionArgs>(), context.features),
      executor_(context.handle, kName, context.features.behaviour) {}

void DefaultPreemption::SwapTaskState(std::unique_ptr<State>* held) {
  if (*held == nullptr) *held = std::make_unique<HeldPreemptions>();
  executor_.SwapPreemptions(&static_cast<HeldPreemptions&>(**held).preemptions);
}

Status DefaultPreemption::PreEnqueue(const Pod& pod) const {
  if (!features_.scheduler_async_preemption) return Status::Success();
  bool is_of_group = features_.workload_aware_preemption && pod.spec.scheduling_group;
  PodGroupRef group;
  if (is_of_group) {
    group = handle_.listers().GetPodGroup(pod.metadata.namespace_, PodGroupNameOf(pod));
    if (group == nullptr) return Status::Success();
  }
  const Symbol& uid = is_of_group ? group->metadata.uid : pod.metadata.uid;
  if (!executor_.IsRunningPreemption(uid)) return Status::Success();
  return Status::UnschedulableAndUnresolvable(
      is_of_group ? "waiting for the preemption for this pod group to be finished"
                  : "waiting for the preemption for this pod to be finished");
}

Task<Status> DefaultPreemption::PostFilter(CycleState& state, const Pod& pod,
                                           const NodeToStatus& statuses, PostFilterResult* result) {
  PreemptionOutcome outcome;
  if (std::string_view reason = WhyNotEligible(pod); !reason.empty()) {
    outcome.status = Status::Unschedulable(reason);
  } else {
    outcome = co_await evaluator_.Preempt(state, pod, statuses);
  }
  Status status = outcome.status;
  // An evaluation has no background and evicts no pods.
  if (outcome.report.selected && handle_.background() != nullptr) {
    PodRef current = handle_.listers().GetPod(pod.metadata.namespace_, pod.metadata.name);
    PreparedCandidate candidate{
        {std::move(current)}, *outcome.report.selected, outcome.report.cleared_nominations};
    status = co_await CarryOut(std::move(candidate));
    if (!status.IsSuccess()) outcome.result = {};
  }
  *result = std::move(outcome.result);
  handle_.metrics().Add(Metric::kPreemptionAttempts, {});
  if (std::string message = status.Message(); !message.empty()) {
    status = Status::WithReasons(status.code(), {Symbol("preemption: " + message)});
  }
  outcome.report.message = status.Message();
  handle_.ReportPreemption(std::move(outcome.report));
  co_return status;
}

std::string_view DefaultPreemption::WhyNotEligible(const Pod& pod) const {
  if (!pod.spec.scheduling_group) return {};
  if (features_.topology_aware_workload_scheduling) {
    PodGroupRef group = handle_.listers().GetPodGroup(pod.metadata.namespace_, PodGroupNameOf(pod));
    if (group == nullptr) return "pod group for pod not found";
    if (group->spec.scheduling_constraints) {
      return "not eligible due to placement-based pod group scheduling limitation";
    }
  }
  if (features_.workload_aware_preemption) {
    return "not eligible due to workload aware preemption enabled";
  }
  return {};
}

Result<std::vector<PreemptionUnit>, Status> DefaultPreemption::PodGroupVictims(
    const PodGroup& group, std::span<const PodRef> pods) const {
  return FindPodGroupVictims(handle_, group, pods);
}

Task<Status> DefaultPreemption::PreemptFor(PodGroupRef group, std::vector<PodRef> pods,
                                           std::vector<PodInfoRef> victims) {
  PreemptionVictims selected{Symbol("cluster"), std::move(victims), 0};
  return CarryOut({std::move(pods), std::move(selected), {}, std::move(group)});
}

Task<Status> DefaultPreemption::CarryOut(PreparedCandidate candidate) {
  if (!features_.scheduler_async_preemption) {
    co_return co_await executor_.PrepareCandidate(candidate);
  }
  executor_.PrepareCandidateAsync(std::move(candidate));
  co_return Status::Success();
}

std::vector<ClusterEventWithHint> DefaultPreemption::EventsToRegister() const {
  if (!features_.behaviour.preemption_waits_for_deletions) return EventsOfSilentPlugin(features_);
  if (!features_.scheduler_async_preemption) return {};
  return {{{EventResource::kPod, action::kDelete},
           [](const Pod&, const EventObjects&) { return QueueingHint::kQueueSkip; }}};
}

}  // namespace stowage
