#include "core/plugins/default_preemption.h"

#include <utility>

namespace stowage {

DefaultPreemption::DefaultPreemption(const PluginContext& context)
    : handle_(context.handle),
      evaluator_(context.handle, context.Args<DefaultPreemptionArgs>(), context.features),
      features_(context.features) {}

Status DefaultPreemption::PreEnqueue(const Pod&) const { return Status::Success(); }

Task<Status> DefaultPreemption::PostFilter(CycleState& state, const Pod& pod,
                                           const NodeToStatus& statuses, PostFilterResult* result) {
  PreemptionOutcome outcome = co_await evaluator_.Preempt(state, pod, statuses);
  *result = std::move(outcome.result);
  Status status = outcome.status;
  if (std::string message = status.Message(); !message.empty()) {
    status = Status::WithReasons(status.code(), {Symbol("preemption: " + message)});
  }
  outcome.report.message = status.Message();
  handle_.ReportPreemption(std::move(outcome.report));
  co_return status;
}

std::vector<ClusterEventWithHint> DefaultPreemption::EventsToRegister() const {
  if (!features_.scheduler_async_preemption) return {};
  return {{{EventResource::kPod, action::kDelete},
           [](const Pod&, const EventObjects&) { return QueueingHint::kQueueSkip; }}};
}

}  // namespace stowage
