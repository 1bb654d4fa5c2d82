#include "core/scheduler/binding_cycle.h"

#include <utility>

#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/scheduler/records.h"

namespace stowage {
namespace {

constexpr std::string_view kPermit = "Permit";
constexpr std::string_view kPreBind = "PreBind";
constexpr std::string_view kBind = "Bind";
// Metrics count attempts from this number on in one bucket.
constexpr uint32_t kManyAttempts = 15;

}  // namespace

void BindingCycles::Start(Attempt&& attempt) {
  CHECK(attempt.assumed != nullptr);
  parts_.bindings_in_flight.Add(attempt.assumed);
  parts_.loop.Spawn(Run(std::move(attempt)));
}

std::optional<Instant> BindingCycles::NextExpiry() const {
  if (assumed_until_.empty()) return std::nullopt;
  return assumed_until_.begin()->first;
}

STOWAGE_COLD void BindingCycles::ExpireAssumedPods(Instant now) {
  while (!assumed_until_.empty() && assumed_until_.begin()->first <= now) {
    Symbol uid = assumed_until_.begin()->second;
    assumed_until_.erase(assumed_until_.begin());
    if (!parts_.cache.IsAssumedPod(uid)) continue;
    PodInfoRef pod = parts_.cache.GetPod(uid);
    CHECK(parts_.cache.ForgetPod(*pod->pod).IsSuccess());
    parts_.records.WriteInconsistency("ExpirePod", ObjectKey::Of(pod->pod->metadata),
                                      "Pod expired");
  }
}

Task<void> BindingCycles::Run(Attempt attempt) {
  const Framework& framework = *attempt.profile.framework;
  const Pod& pod = attempt.pod();
  Status flight;
  if (options_.nominates_expected_node) {
    flight = framework.RunPreBindPreFlights(attempt.state, pod, attempt.node());
    if (!flight.IsSuccess() && !flight.IsSkip()) {
      parts_.waiting_pods.Remove(pod.metadata.uid);
      co_return HandleFailure(&attempt, kPreBind, flight);
    }
    if (flight.IsSuccess() || attempt.is_waiting) co_await NominateExpectedNode(attempt);
  }
  if (attempt.is_waiting) {
    attempt.draft = nullptr;
    Instant start = parts_.loop.now();
    Status permit = co_await parts_.waiting_pods.WaitOn(pod.metadata.uid);
    parts_.metrics.Observe(Metric::kPermitWaitDuration, {CodeName(permit.code())},
                           parts_.loop.now().ToMicros() - start.ToMicros());
    if (!permit.IsSuccess()) co_return HandleFailure(&attempt, kPermit, permit);
  }
  parts_.queue.Done(pod.metadata.uid);
  Status status;
  if (!flight.IsSkip()) {
    attempt.draft = nullptr;
    parts_.pods_in_pre_bind.Add(pod.metadata.uid);
    status = co_await framework.RunPreBindPlugins(attempt.state, pod, attempt.node());
    std::optional<std::string> cause = parts_.pods_in_pre_bind.Remove(pod.metadata.uid);
    if (cause && status.IsSuccess()) status = Status::Error(*cause);
    if (!status.IsSuccess()) co_return HandleFailure(&attempt, kPreBind, status);
  }
  status = co_await Bind(&attempt);
  if (!status.IsSuccess()) co_return HandleFailure(&attempt, kBind, status);
  // An extender may have bound the pod; the simulated API has not seen that binding yet.
  if (parts_.simulated_api != nullptr) parts_.simulated_api->BindIfUnbound(pod, attempt.node());
  Finish(attempt);
  co_await framework.RunPostBindPlugins(attempt.state, pod, attempt.node());
}

// Permit and PreBind may take long, so the expected node is published as the pod's nomination. The
// answer is ignored.
STOWAGE_COLD Task<void> BindingCycles::NominateExpectedNode(const Attempt& attempt) {
  PodStatusPatch patch;
  patch.nominated_node_name = attempt.node();
  PodRef pod = attempt.assumed->pod;
  co_await parts_.api.PatchPodStatus(parts_.loop, *pod, patch);
}

// The first interested extender that binds does it; if there is none, the Bind plugins run.
Task<Status> BindingCycles::Bind(Attempt* attempt) {
  if (!parts_.extenders.empty()) return BindByExtenders(attempt);
  const Framework& framework = *attempt->profile.framework;
  const bool lends = MayLend(*attempt);
  if (lends) parts_.simulated_api->Lend(std::move(attempt->draft), &attempt->queued->pod());
  Task<Status> binding = framework.RunBindPlugins(attempt->state, attempt->pod(), attempt->node());
  if (lends) parts_.simulated_api->EndLoan();
  return binding;
}

// Whether the assumed pod may become the bound one: nothing reads the assumed version from now on.
// The pods of a group were assumed before others of it.
bool BindingCycles::MayLend(const Attempt& attempt) const {
  return parts_.simulated_api != nullptr && attempt.draft != nullptr && !options_.has_event_sink &&
         !attempt.profile.framework->has_post_bind_plugins() &&
         !attempt.pod().spec.scheduling_group;
}

STOWAGE_COLD Task<Status> BindingCycles::BindByExtenders(Attempt* attempt) {
  for (const auto& extender : parts_.extenders) {
    if (!extender->IsBinder() || !extender->IsInterested(attempt->pod())) continue;
    uint64_t call = parts_.loop.Send(extender->BindCall(attempt->pod(), attempt->node()));
    Completion answer = co_await parts_.loop.Answer(call);
    Status status = extender->BindStatus(answer);
    if (status.IsSuccess() || !extender->IsIgnorable()) co_return status;
  }
  co_return co_await attempt->profile.framework->RunBindPlugins(attempt->state, attempt->pod(),
                                                                attempt->node());
}

STOWAGE_COLD void BindingCycles::CountScheduled(const QueuedPodInfo& queued) {
  parts_.metrics.Add(Metric::kScheduleAttempts,
                     {"scheduled", queued.pod().spec.scheduler_name.view()});
  parts_.metrics.Observe(Metric::kPodSchedulingAttempts, {}, queued.attempts);
  if (queued.was_flushed_from_unschedulable)
    parts_.metrics.Add(Metric::kPodScheduledAfterFlush, {});
  if (!queued.initial_attempt_timestamp) return;
  int64_t since_us = parts_.loop.now().ToMicros() - queued.initial_attempt_timestamp->ToMicros();
  std::string attempts = queued.attempts < kManyAttempts ? Format("{}", queued.attempts) : "15+";
  parts_.metrics.Observe(Metric::kPodSchedulingSliDuration, {attempts}, since_us);
}

void BindingCycles::Finish(const Attempt& attempt) {
  const Pod& pod = attempt.pod();
  parts_.bindings_in_flight.Remove(pod.metadata.uid);
  if (parts_.metrics.is_counting()) CountScheduled(*attempt.queued);
  if (options_.has_event_sink) {
    parts_.api.RecordEvent(
        pod, pod.spec.scheduler_name,
        {false, "Scheduled", "Binding",
         Format("Successfully assigned {}/{} to {}", pod.metadata.namespace_.view(),
                pod.metadata.name.view(), attempt.node().view())});
  }
  parts_.records.WriteBinding({attempt.decision, pod, attempt.node()});
  if (options_.assumed_pod_expiry_us > 0 && parts_.cache.IsAssumedPod(pod.metadata.uid)) {
    Instant until =
        Instant::FromMicros(parts_.loop.now().ToMicros() + options_.assumed_pod_expiry_us);
    assumed_until_.emplace(until, pod.metadata.uid);
  }
}

STOWAGE_COLD void BindingCycles::HandleFailure(Attempt* attempt, std::string_view phase,
                                               const Status& status) {
  const Pod& pod = attempt->pod();
  parts_.bindings_in_flight.Remove(pod.metadata.uid);
  SchedulingFailure failure{status.IsRejected(), status.Message()};
  failure.nominated_node_name = Symbol();
  if (phase == kPermit && status.IsRejected()) {
    Diagnosis diagnosis;
    diagnosis.node_to_status = NodeToStatus(1);
    diagnosis.node_to_status.Set(0, status);
    failure.message = FitErrorMessage(1, diagnosis);
    failure.unschedulable_plugins.insert(status.plugin());
  } else if (phase == kPermit) {
    failure.message = Format("waiting on permit for pod: {}", status.Message());
  }
  parts_.records.WriteBinding({attempt->decision, pod, attempt->node(), phase, status});
  attempt->profile.framework->RunReservePluginsUnreserve(attempt->state, pod, attempt->node());
  Status forgotten = parts_.cache.ForgetPod(pod);
  if (!forgotten.IsSuccess()) {
    parts_.records.WriteInconsistency("ForgetPod", ObjectKey::Of(pod.metadata),
                                      forgotten.Message());
    return parts_.failures.Handle(attempt->queued, std::move(failure));
  }
  ClusterEvent event = AssignedPodEvent(action::kDelete);
  EventObjects objects{AnyObject(attempt->assumed->pod), std::nullopt};
  if (!status.IsRejected()) {
    parts_.queue.MoveAllToActiveOrBackoffQueue(event, objects);
    return parts_.failures.Handle(attempt->queued, std::move(failure));
  }
  // The event of its own removal must not move the pod itself.
  parts_.failures.Handle(attempt->queued, std::move(failure));
  parts_.queue.MoveAllToActiveOrBackoffQueue(event, objects, [&pod](const Pod& waiting) {
    return waiting.metadata.uid != pod.metadata.uid;
  });
}

}  // namespace stowage
