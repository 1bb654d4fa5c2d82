// What happens to a pod whose attempt failed: back to the queue, with an event and a condition that
// say why (spec 05 §10). Counterpart: handleSchedulingFailure of schedule_one.go, v1.36.
#include <utility>

#include "core/scheduler/scheduler.h"

namespace stowage {
namespace {

// The API server takes notes of 1 KiB.
constexpr size_t kNoteBytesMax = 1024;
constexpr std::string_view kEllipsis = " ...";

std::string TruncatedNote(const std::string& message) {
  if (message.size() <= kNoteBytesMax) return message;
  return message.substr(0, kNoteBytesMax - kEllipsis.size()) + std::string(kEllipsis);
}

}  // namespace

void Scheduler::HandleSchedulingFailure(const QueuedPodRef& queued, Failure failure) {
  metrics_.Add(Metric::kScheduleAttempts, {failure.is_rejected ? "unschedulable" : "error",
                                           queued->pod().spec.scheduler_name.view()});
  queued->unschedulable_plugins = std::move(failure.unschedulable_plugins);
  queued->pending_plugins = std::move(failure.pending_plugins);
  queued->gating_plugin = Symbol();
  queued->gating_message.clear();
  // Held: the queued pod may change its own below.
  PodRef attempted = queued->pod_info->pod;
  const ObjectMeta& metadata = attempted->metadata;
  Symbol uid = metadata.uid;
  PodRef live = store_.GetPod(metadata.namespace_, metadata.name);
  bool is_returned = live != nullptr && live->spec.node_name.empty();
  bool is_another = is_returned && live->metadata.uid != uid;
  bool is_given_away = is_returned && !handlers_->IsResponsibleFor(*live);
  if (is_another || is_given_away) return queue_->Done(uid);
  if (is_returned) {
    if (live != attempted) queued->pod_info = MakePodInfo(live, features_);
    std::optional<std::string> error = queue_->AddUnschedulableIfNotPresent(queued);
    if (error) {
      records_.WriteInconsistency("AddUnschedulableIfNotPresent", ObjectKey::Of(metadata), *error);
    }
  }
  nominator_.AddNominatedPod(queued->pod_info, failure.nominated_node_name);
  PodRef pod = queued->pod_info->pod;
  if (HasEventSink()) {
    api_->RecordEvent(*pod, pod->spec.scheduler_name,
                      {true, "FailedScheduling", "Scheduling", TruncatedNote(failure.message)});
  }
  PodCondition condition;
  condition.type = Symbol("PodScheduled");
  condition.status = Symbol("False");
  condition.reason = Symbol(failure.is_rejected ? "Unschedulable" : "SchedulerError");
  condition.message = std::move(failure.message);
  condition.last_transition_time = now_;
  condition.observed_generation = pod->metadata.generation;
  loop_.Start(PatchStatus(pod, {std::move(condition), failure.nominated_node_name}));
  if (!is_returned) queue_->Done(uid);
}

// A failed patch is of no consequence: the next attempt makes it again.
Task<void> Scheduler::PatchStatus(PodRef pod, PodStatusPatch patch) {
  co_await api_->PatchPodStatus(loop_, *pod, patch);
}

}  // namespace stowage
