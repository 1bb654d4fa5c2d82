#include "core/scheduler/commands.h"

#include "core/base/check.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

QueuedPodRef ScheduleCommands::Pop() {
  CHECK(!pods_.empty());
  ObjectKey key = std::move(pods_.front());
  pods_.pop_front();
  Status gated;
  std::string_view queue;
  QueuedPodRef waiting = parts_.queue.Find(key, &queue);
  QueuedPodRef queued = parts_.queue.PopSpecific(key, &gated);
  if (queued != nullptr) return queued;
  if (!gated.IsSuccess()) {
    ScheduleResult none;
    parts_.records.WriteDecision({waiting->pod(), waiting->attempts, {}, gated, none},
                                 parts_.snapshot);
  } else {
    parts_.records.WriteSkipped(key, nullptr, "the pod is not pending");
  }
  return nullptr;
}

}  // namespace stowage
