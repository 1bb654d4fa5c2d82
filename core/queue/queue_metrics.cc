// The metrics of SchedulingQueue (spec 08 §3).
#include "core/queue/scheduling_queue.h"

namespace stowage {

void SchedulingQueue::CountIncoming(Place place, std::string_view event) {
  metrics_.Add(Metric::kQueueIncomingPods, {NameOf(place), event});
}

// Counts the pod once for each plugin that rejected it.
void SchedulingQueue::AddToUnschedulablePods(const QueuedPodInfo& pod, int64_t amount) {
  if (!metrics_.is_counting()) return;
  std::set<Symbol> plugins = pod.unschedulable_plugins;
  plugins.insert(pod.pending_plugins.begin(), pod.pending_plugins.end());
  std::string_view profile = pod.pod().spec.scheduler_name.view();
  for (const Symbol& plugin : plugins) {
    metrics_.Add(Metric::kUnschedulablePods, {plugin.view(), profile}, amount);
  }
}

void SchedulingQueue::SetGauges() const {
  auto count = [](size_t number) { return static_cast<int64_t>(number); };
  size_t num_gated = unschedulable_.size() - unschedulable_.NumUngated();
  metrics_.Set(Metric::kPendingPods, {"active"}, count(NumActive()));
  metrics_.Set(Metric::kPendingPods, {"backoff"}, count(NumBackoff()));
  metrics_.Set(Metric::kPendingPods, {"unschedulable"}, count(unschedulable_.NumUngated()));
  metrics_.Set(Metric::kPendingPods, {"gated"}, count(num_gated));
  metrics_.Clear(Metric::kInFlightEvents);
  metrics_.Set(Metric::kInFlightEvents, {"PodPopped"}, count(in_flight_.NumPods()));
  for (const auto& [label, number] : in_flight_.CountEvents()) {
    metrics_.Set(Metric::kInFlightEvents, {label}, number);
  }
}

}  // namespace stowage
