#include "core/scheduler/schedule_one.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/scheduler/records.h"

namespace stowage {

void CycleRunner::Start(QueuedPodRef queued) {
  CHECK(!IsWaiting());
  task_ = ScheduleOne(std::move(queued));
  task_->Start();
}

bool CycleRunner::TakeEnded() {
  if (!task_ || !task_->IsDone()) return false;
  task_.reset();
  return true;
}

Task<void> CycleRunner::ScheduleOne(QueuedPodRef queued) {
  if (num_cycles_++ == 0) parts_.cache.ForgetSnapshot(&parts_.snapshot);
  if (MustSkip(queued->pod())) co_return SkipPodSchedule(*queued);
  ProfileRuntime& profile = parts_.profiles.Of(queued->pod());
  Attempt attempt{queued, profile, CycleState()};
  is_reading_ = true;
  parts_.cache.UpdateSnapshot(&parts_.snapshot);
  CycleOptions options{options_.has_node_detail, true, CycleStamp{num_cycles_, parts_.loop.now()}};
  ScheduleResult result;
  co_await parts_.cycle.Decide(profile, queued->pod(), options, &result);
  if (result.status.IsSuccess()) {
    attempt.state = std::move(result.state);
    PrepareForBinding(&attempt, &result);
  }
  attempt.decision = parts_.records.WriteDecision(
      {queued->pod(), queued->attempts, queued->popped_from, {}, result}, parts_.snapshot);
  is_reading_ = false;
  if (result.status.IsSuccess()) {
    parts_.bindings.Start(std::move(attempt));
    co_return;
  }
  parts_.failures.Handle(queued,
                         {result.status.IsRejected(), std::move(result.message),
                          std::move(result.diagnosis.unschedulable_plugins),
                          std::move(result.diagnosis.pending_plugins), result.nominated_node_name});
}

bool CycleRunner::MustSkip(const Pod& pod) const {
  return pod.metadata.deletion_timestamp || parts_.cache.IsAssumedPod(pod.metadata.uid);
}

STOWAGE_COLD void CycleRunner::SkipPodSchedule(const QueuedPodInfo& queued) {
  const Pod& pod = queued.pod();
  std::string message;
  if (pod.metadata.deletion_timestamp) {
    message = Format("skip schedule deleting pod: {}", PodText(pod));
    if (options_.has_event_sink) {
      parts_.api.RecordEvent(pod, pod.spec.scheduler_name,
                             {true, "FailedScheduling", "Scheduling", message});
    }
  } else {
    message = Format("skip schedule assumed pod: {}", PodText(pod));
  }
  parts_.queue.Done(pod.metadata.uid);
  parts_.records.WriteSkipped(ObjectKey::Of(pod.metadata), &queued, message);
}

// Runs Assume, Reserve and Permit. If one of them fails, undoes all of it and turns `result` into a
// failure.
void CycleRunner::PrepareForBinding(Attempt* attempt, ScheduleResult* result) {
  Symbol host = result->host;
  auto assumed = std::make_shared<Pod>(attempt->queued->pod());
  assumed->spec.node_name = host;
  const Framework& framework = *attempt->profile.framework;
  if (framework.ChangeAssumedPod(attempt->state, host, assumed.get())) {
    attempt->assumed = MakePodInfo(std::move(assumed), framework.features());
  } else {
    attempt->assumed = WithPod(*attempt->queued->pod_info, std::move(assumed));
  }
  Status status = parts_.cache.AssumePod(attempt->assumed);
  if (!status.IsSuccess()) return Reject(status, host, result);
  parts_.nominator.DeleteNominatedPod(attempt->assumed->uid());
  const Pod& pod = attempt->pod();
  status = framework.RunReservePluginsReserve(attempt->state, pod, host);
  std::vector<PermitWait> waits;
  if (status.IsSuccess()) {
    status = framework.RunPermitPlugins(attempt->state, pod, host, &waits);
  }
  if (status.code() == Code::kWait) {
    attempt->is_waiting = true;
    parts_.waiting_pods.Add(WaitingPod(attempt->assumed->pod, waits, parts_.loop.now()));
  } else if (!status.IsSuccess()) {
    framework.RunReservePluginsUnreserve(attempt->state, pod, host);
    CHECK(parts_.cache.ForgetPod(pod).IsSuccess());
    Reject(status, host, result);
  }
}

// Turns `result` into the failure of `node`; a rejection names it as the only available node.
STOWAGE_COLD void CycleRunner::Reject(Status status, const Symbol& node,
                                      ScheduleResult* result) const {
  result->host = Symbol();
  result->status = status;
  result->nominated_node_name = Symbol();
  result->message = status.Message();
  result->diagnosis.ForgetPlugins();
  if (!status.IsRejected()) return;
  result->num_all_nodes = 1;
  result->diagnosis = Diagnosis();
  result->diagnosis.node_to_status = NodeToStatus(parts_.snapshot.NumNodes());
  result->diagnosis.node_to_status.Set(parts_.snapshot.Get(node)->row(), status);
  result->diagnosis.AddPluginStatus(status);
  result->message = FitErrorMessage(1, result->diagnosis);
}

}  // namespace stowage
