// The binding cycle: what happens to a pod after its node is chosen, beside the next scheduling
// cycles (spec 05 §9). Counterpart: bindingCycle of schedule_one.go, v1.36.
#include <fmt/format.h>

#include <utility>

#include "core/scheduler/records.h"
#include "core/scheduler/scheduler.h"

namespace stowage {
namespace {

constexpr std::string_view kPermit = "Permit";
constexpr std::string_view kPreBind = "PreBind";
constexpr std::string_view kBind = "Bind";
// From here on the metrics do not tell attempts apart.
constexpr uint32_t kManyAttempts = 15;

}  // namespace

Task<void> Scheduler::RunBindingCycle(Attempt attempt) {
  const Framework& framework = *attempt.profile.framework;
  const Pod& pod = attempt.pod();
  Status flight;
  if (features_.nominated_node_name_for_expectation) {
    flight = framework.RunPreBindPreFlights(attempt.state, pod, attempt.node());
    if (!flight.IsSuccess() && !flight.IsSkip()) {
      waiting_pods_.Remove(pod.metadata.uid);
      co_return HandleBindingFailure(&attempt, kPreBind, flight);
    }
    if (flight.IsSuccess() || attempt.is_waiting) co_await NominateExpectedNode(attempt);
  }
  if (attempt.is_waiting) {
    Instant start = now_;
    Status permit = co_await waiting_pods_.WaitOn(pod.metadata.uid);
    metrics_.Observe(Metric::kPermitWaitDuration, {CodeName(permit.code())},
                     now_.ToMicros() - start.ToMicros());
    if (!permit.IsSuccess()) co_return HandleBindingFailure(&attempt, kPermit, permit);
  }
  queue_->Done(pod.metadata.uid);
  Status status;
  if (!flight.IsSkip()) {
    pods_in_pre_bind_.Add(pod.metadata.uid);
    status = co_await framework.RunPreBindPlugins(attempt.state, pod, attempt.node());
    std::optional<std::string> cause = pods_in_pre_bind_.Remove(pod.metadata.uid);
    if (cause && status.IsSuccess()) status = Status::Error(*cause);
    if (!status.IsSuccess()) co_return HandleBindingFailure(&attempt, kPreBind, status);
  }
  status = co_await Bind(&attempt);
  if (!status.IsSuccess()) co_return HandleBindingFailure(&attempt, kBind, status);
  // Whoever bound it: in the simulated cluster it is bound now.
  if (simulated_api_ != nullptr) simulated_api_->BindIfUnbound(pod, attempt.node());
  FinishBinding(attempt);
  co_await framework.RunPostBindPlugins(attempt.state, pod, attempt.node());
}

// What plugins do before the binding may take long: others are told where the pod is going. The
// answer is of no consequence.
Task<void> Scheduler::NominateExpectedNode(const Attempt& attempt) {
  PodStatusPatch patch;
  patch.nominated_node_name = attempt.node();
  PodRef pod = attempt.assumed->pod;
  co_await api_->PatchPodStatus(loop_, *pod, patch);
}

// By the first interested extender that binds, else by the Bind plugins.
Task<Status> Scheduler::Bind(Attempt* attempt) {
  if (!extenders_.empty()) return BindByExtenders(attempt);
  const Framework& framework = *attempt->profile.framework;
  return framework.RunBindPlugins(attempt->state, attempt->pod(), attempt->node());
}

Task<Status> Scheduler::BindByExtenders(Attempt* attempt) {
  for (const auto& extender : extenders_) {
    if (!extender->IsBinder() || !extender->IsInterested(attempt->pod())) continue;
    uint64_t call = loop_.Send(extender->BindCall(attempt->pod(), attempt->node()));
    Completion answer = co_await loop_.Answer(call);
    Status status = extender->BindStatus(answer);
    if (status.IsSuccess() || !extender->IsIgnorable()) co_return status;
  }
  co_return co_await attempt->profile.framework->RunBindPlugins(attempt->state, attempt->pod(),
                                                                attempt->node());
}

void Scheduler::CountScheduled(const QueuedPodInfo& queued) {
  if (!metrics_.is_counting()) return;
  metrics_.Add(Metric::kScheduleAttempts, {"scheduled", queued.pod().spec.scheduler_name.view()});
  metrics_.Observe(Metric::kPodSchedulingAttempts, {}, queued.attempts);
  if (queued.was_flushed_from_unschedulable) metrics_.Add(Metric::kPodScheduledAfterFlush, {});
  if (!queued.initial_attempt_timestamp) return;
  int64_t since_us = now_.ToMicros() - queued.initial_attempt_timestamp->ToMicros();
  std::string attempts =
      queued.attempts < kManyAttempts ? fmt::format("{}", queued.attempts) : "15+";
  metrics_.Observe(Metric::kPodSchedulingSliDuration, {attempts}, since_us);
}

void Scheduler::FinishBinding(const Attempt& attempt) {
  const Pod& pod = attempt.pod();
  bindings_under_way_.Remove(pod.metadata.uid);
  CountScheduled(*attempt.queued);
  if (HasEventSink()) {
    api_->RecordEvent(
        pod, pod.spec.scheduler_name,
        {false, "Scheduled", "Binding",
         fmt::format("Successfully assigned {} to {}", PodText(pod), attempt.node().view())});
  }
  records_.WriteBinding({attempt.decision, pod, attempt.node()});
  if (options_.assumed_pod_expiry_us > 0 && cache_.IsAssumedPod(pod.metadata.uid)) {
    Instant until = Instant::FromMicros(now_.ToMicros() + options_.assumed_pod_expiry_us);
    assumed_until_.emplace(until, pod.metadata.uid);
  }
}

void Scheduler::HandleBindingFailure(Attempt* attempt, std::string_view phase,
                                     const Status& status) {
  const Pod& pod = attempt->pod();
  bindings_under_way_.Remove(pod.metadata.uid);
  Failure failure{status.IsRejected(), status.Message()};
  failure.nominated_node_name = Symbol();
  if (phase == kPermit && status.IsRejected()) {
    Diagnosis diagnosis;
    diagnosis.node_to_status = NodeToStatus(1);
    diagnosis.node_to_status.Set(0, status);
    failure.message = FitErrorMessage(1, diagnosis);
    failure.unschedulable_plugins.insert(status.plugin());
  } else if (phase == kPermit) {
    failure.message = fmt::format("waiting on permit for pod: {}", status.Message());
  }
  records_.WriteBinding({attempt->decision, pod, attempt->node(), phase, status});
  attempt->profile.framework->RunReservePluginsUnreserve(attempt->state, pod, attempt->node());
  Status forgotten = cache_.ForgetPod(pod);
  if (!forgotten.IsSuccess()) {
    records_.WriteInconsistency("ForgetPod", ObjectKey::Of(pod.metadata), forgotten.Message());
    return HandleSchedulingFailure(attempt->queued, std::move(failure));
  }
  ClusterEvent event = AssignedPodEvent(action::kDelete);
  EventObjects objects{AnyObject(attempt->assumed->pod), std::nullopt};
  if (!status.IsRejected()) {
    queue_->MoveAllToActiveOrBackoffQueue(event, objects);
    return HandleSchedulingFailure(attempt->queued, std::move(failure));
  }
  // The pod itself must not be moved by its own end.
  HandleSchedulingFailure(attempt->queued, std::move(failure));
  queue_->MoveAllToActiveOrBackoffQueue(event, objects, [&pod](const Pod& waiting) {
    return waiting.metadata.uid != pod.metadata.uid;
  });
}

}  // namespace stowage
