#include "core/scheduler/failure_handler.h"

#include <utility>

namespace stowage {
namespace {

// The API server accepts notes of up to 1 KiB.
constexpr size_t kNoteBytesMax = 1024;
constexpr std::string_view kEllipsis = " ...";

std::string TruncatedNote(const std::string& message) {
  if (message.size() <= kNoteBytesMax) return message;
  return message.substr(0, kNoteBytesMax - kEllipsis.size()) + std::string(kEllipsis);
}

}  // namespace

void FailureHandler::Handle(const QueuedPodRef& queued, SchedulingFailure failure) {
  parts_.metrics.Add(Metric::kScheduleAttempts, {failure.is_rejected ? "unschedulable" : "error",
                                                 queued->pod().spec.scheduler_name.view()});
  queued->unschedulable_plugins = std::move(failure.unschedulable_plugins);
  queued->pending_plugins = std::move(failure.pending_plugins);
  queued->gating_plugin = Symbol();
  queued->gating_message.clear();
  // A copy of the reference: pod_info may be replaced below.
  PodRef attempted = queued->pod_info->pod;
  const ObjectMeta& metadata = attempted->metadata;
  Symbol uid = metadata.uid;
  PodRef live = parts_.store.GetPod(metadata.namespace_, metadata.name);
  bool is_returned = live != nullptr && live->spec.node_name.empty();
  bool is_recreated = is_returned && live->metadata.uid != uid;
  bool is_of_other_scheduler = is_returned && !parts_.handlers.IsResponsibleFor(*live);
  if (is_recreated || is_of_other_scheduler) return parts_.queue.Done(uid);
  if (is_returned) {
    if (live != attempted) queued->pod_info = MakePodInfo(live, parts_.features);
    std::optional<std::string> error = parts_.queue.AddUnschedulableIfNotPresent(queued);
    if (error) {
      parts_.records.WriteInconsistency("AddUnschedulableIfNotPresent", ObjectKey::Of(metadata),
                                        *error);
    }
  }
  parts_.nominator.AddNominatedPod(queued->pod_info, failure.nominated_node_name);
  PodRef pod = queued->pod_info->pod;
  if (parts_.has_event_sink) {
    parts_.api.RecordEvent(
        *pod, pod->spec.scheduler_name,
        {true, "FailedScheduling", "Scheduling", TruncatedNote(failure.message)});
  }
  PodCondition condition;
  condition.type = Symbol("PodScheduled");
  condition.status = Symbol("False");
  condition.reason = Symbol(failure.is_rejected ? "Unschedulable" : "SchedulerError");
  condition.message = std::move(failure.message);
  condition.last_transition_time = parts_.loop.now();
  condition.observed_generation = pod->metadata.generation;
  parts_.loop.Start(PatchStatus(pod, {std::move(condition), failure.nominated_node_name}));
  if (!is_returned) parts_.queue.Done(uid);
}

// The answer is ignored: if the patch fails, the next attempt sends it again.
Task<void> FailureHandler::PatchStatus(PodRef pod, PodStatusPatch patch) {
  co_await parts_.api.PatchPodStatus(parts_.loop, *pod, patch);
}

}  // namespace stowage
