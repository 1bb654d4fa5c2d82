#include "core/scheduler/schedule_one.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/scheduler/records.h"

namespace stowage {

namespace {

// Upstream lists the nodes whose pods have affinity terms when it refreshes the snapshot, and does
// not update the lists as it places the pods of a group. So the terms of such a pod are seen only
// on a node that was listed before; preferences of the pod itself look at all nodes. Returns
// whether terms were hidden.
bool HideTerms(const NodeInfo& node, Pod* pod) {
  if (!pod->spec.affinity) return false;
  const Affinity& affinity = *pod->spec.affinity;
  const auto& likes = affinity.pod_affinity;
  const auto& dislikes = affinity.pod_anti_affinity;
  bool has_preferences =
      (likes && !likes->preferred.empty()) || (dislikes && !dislikes->preferred.empty());
  if ((likes || dislikes) && node.pods_with_affinity().empty() && !has_preferences) {
    pod->spec.affinity.Mutable().pod_affinity.reset();
    pod->spec.affinity.Mutable().pod_anti_affinity.reset();
    return true;
  }
  bool is_hidden =
      dislikes && !dislikes->required.empty() && node.pods_with_required_anti_affinity().empty();
  if (is_hidden) pod->spec.affinity.Mutable().pod_anti_affinity->required.clear();
  return is_hidden;
}

}  // namespace

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
  if (num_cycles_++ == 0) Cache::ForgetSnapshot(&parts_.snapshot);
  bool is_member = queued->pod().spec.scheduling_group.has_value();
  if (is_member && options_.has_pod_groups) co_return co_await SchedulePodGroup(std::move(queued));
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

// Places the pod for its binding cycle. A failure becomes that of `result`.
void CycleRunner::PrepareForBinding(Attempt* attempt, ScheduleResult* result) {
  Symbol host = result->host;
  std::vector<PermitWait> waits;
  Status status = Place(attempt, host, false, &waits);
  if (status.code() == Code::kWait) {
    attempt->is_waiting = true;
    parts_.waiting_pods.Add(WaitingPod(attempt->assumed->pod, waits, parts_.loop.now()));
  } else if (!status.IsSuccess()) {
    Reject(status, host, result);
  }
}

// Runs Assume, Reserve and Permit. If one of them fails, undoes all of it and returns the failure.
// `is_trial`: for the later pods of its group only.
Status CycleRunner::Place(Attempt* attempt, const Symbol& host, bool is_trial,
                          std::vector<PermitWait>* waits) {
  auto assumed = std::make_shared<Pod>(attempt->queued->pod());
  assumed->spec.node_name = host;
  const Framework& framework = *attempt->profile.framework;
  bool is_changed = framework.ChangeAssumedPod(attempt->state, host, assumed.get());
  if (is_trial && HideTerms(*parts_.snapshot.Get(host), assumed.get())) is_changed = true;
  if (is_changed) {
    attempt->assumed = MakePodInfo(std::move(assumed), framework.features());
  } else {
    attempt->draft = assumed;
    attempt->assumed = WithPod(*attempt->queued->pod_info, std::move(assumed));
  }
  Status status = parts_.cache.AssumePod(attempt->assumed);
  if (!status.IsSuccess()) return status;
  parts_.nominator.DeleteNominatedPod(attempt->assumed->uid());
  const Pod& pod = attempt->pod();
  status = framework.RunReservePluginsReserve(attempt->state, pod, host);
  if (status.IsSuccess()) status = framework.RunPermitPlugins(attempt->state, pod, host, waits);
  if (!status.IsSuccess() && status.code() != Code::kWait) {
    framework.RunReservePluginsUnreserve(attempt->state, pod, host);
    CHECK(parts_.cache.ForgetPod(pod).IsSuccess());
  }
  return status;
}

// Turns `result` into the failure of `node`; a rejection names it as the only available node.
STOWAGE_COLD void CycleRunner::Reject(Status status, const Symbol& node,
                                      ScheduleResult* result) const {
  result->host = Symbol();
  result->status = status;
  result->nominated_node_name = Symbol();
  result->message = status.Message();
  result->ForgetRefusals();
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
