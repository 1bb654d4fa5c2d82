// One scheduling cycle: from the queue to a node, and to what its plugins reserve there (spec 05
// §2, §8). Counterpart: schedule_one.go, v1.36.
#include <fmt/format.h>

#include <utility>

#include "core/scheduler/records.h"
#include "core/scheduler/scheduler.h"

namespace stowage {

Task<void> Scheduler::ScheduleOne(QueuedPodRef queued) {
  if (num_cycles_++ == 0) cache_.ForgetSnapshot(&snapshot_);
  if (SkipPodSchedule(*queued)) co_return;
  ProfileRuntime& profile = ProfileOf(queued->pod());
  Attempt attempt{queued, profile, CycleState()};
  is_in_cycle_ = true;
  cache_.UpdateSnapshot(&snapshot_);
  CycleOptions options{options_.has_node_detail, true, CycleStamp{num_cycles_, now_}};
  ScheduleResult result;
  co_await cycle_->Decide(profile, queued->pod(), options, &result);
  if (result.status.IsSuccess()) {
    attempt.state = std::move(result.state);
    PrepareForBinding(&attempt, &result);
  }
  attempt.decision = records_.WriteDecision(
      {queued->pod(), queued->attempts, queued->popped_from, {}, result}, snapshot_);
  is_in_cycle_ = false;
  if (result.status.IsSuccess()) {
    bindings_under_way_.Add(attempt.assumed);
    loop_.Spawn(RunBindingCycle(std::move(attempt)));
    co_return;
  }
  HandleSchedulingFailure(
      queued, {result.status.IsRejected(), std::move(result.message),
               std::move(result.diagnosis.unschedulable_plugins),
               std::move(result.diagnosis.pending_plugins), result.nominated_node_name});
}

bool Scheduler::SkipPodSchedule(const QueuedPodInfo& queued) {
  const Pod& pod = queued.pod();
  std::string message;
  if (pod.metadata.deletion_timestamp) {
    message = fmt::format("skip schedule deleting pod: {}", PodText(pod));
    if (HasEventSink()) {
      api_->RecordEvent(pod, pod.spec.scheduler_name,
                        {true, "FailedScheduling", "Scheduling", message});
    }
  } else if (cache_.IsAssumedPod(pod.metadata.uid)) {
    message = fmt::format("skip schedule assumed pod: {}", PodText(pod));
  } else {
    return false;
  }
  queue_->Done(pod.metadata.uid);
  records_.WriteSkipped(ObjectKey::Of(pod.metadata), &queued, message);
  return true;
}

// Assume, Reserve and Permit. Makes `result` a failure, and undoes all of it, where one objects.
void Scheduler::PrepareForBinding(Attempt* attempt, ScheduleResult* result) {
  Symbol host = result->host;
  auto assumed = std::make_shared<Pod>(attempt->queued->pod());
  assumed->spec.node_name = host;
  attempt->assumed = WithPod(*attempt->queued->pod_info, std::move(assumed));
  Status status = cache_.AssumePod(attempt->assumed);
  if (!status.IsSuccess()) return Reject(status, host, result);
  nominator_.DeleteNominatedPod(attempt->assumed->uid());
  const Framework& framework = *attempt->profile.framework;
  const Pod& pod = attempt->pod();
  status = framework.RunReservePluginsReserve(attempt->state, pod, host);
  std::vector<PermitWait> waits;
  if (status.IsSuccess()) {
    status = framework.RunPermitPlugins(attempt->state, pod, host, &waits);
  }
  if (status.code() == Code::kWait) {
    attempt->is_waiting = true;
    waiting_pods_.Add(WaitingPod(attempt->assumed->pod, waits, now_));
  } else if (!status.IsSuccess()) {
    framework.RunReservePluginsUnreserve(attempt->state, pod, host);
    CHECK(cache_.ForgetPod(pod).IsSuccess());
    Reject(status, host, result);
  }
}

// A rejection is told as that of the one node that was left.
void Scheduler::Reject(Status status, const Symbol& node, ScheduleResult* result) const {
  result->host = Symbol();
  result->status = status;
  result->nominated_node_name = Symbol();
  result->message = status.Message();
  result->diagnosis.ForgetPlugins();
  if (!status.IsRejected()) return;
  result->num_all_nodes = 1;
  result->diagnosis = Diagnosis();
  result->diagnosis.node_to_status = NodeToStatus(snapshot_.NumNodes());
  result->diagnosis.node_to_status.Set(snapshot_.Get(node)->row(), status);
  result->diagnosis.AddPluginStatus(status);
  result->message = FitErrorMessage(1, result->diagnosis);
}

}  // namespace stowage
