#include "core/scheduler/simulated_api.h"

#include <utility>

namespace stowage {

void SimulatedApi::Bind(const Pod& pod, const Symbol& node, Instant now) {
  Pod bound = pod;
  bound.spec.node_name = node;
  bound.status.phase = Symbol("Running");
  bound.status.nominated_node_name = Symbol();
  latest_start_ = std::max(latest_start_, now);
  bound.status.start_time = latest_start_;
  handlers_.OnPut(std::make_shared<const Pod>(std::move(bound)));
}

void SimulatedApi::Preempt(const PreemptionReport& preemption, Instant now) {
  CHECK(preemption.selected.has_value());
  for (const PodInfoRef& victim : preemption.selected->pods) Evict(*victim, now);
  for (const PodInfoRef& nominee : preemption.cleared_nominations) {
    SetNomination(*nominee->pod, Symbol());
  }
}

void SimulatedApi::Evict(const PodInfo& victim, Instant now) {
  ObjectKey key = ObjectKey::Of(victim.pod->metadata);
  if (!graceful_deletion_) {
    handlers_.OnDelete(ObjectKind::kPod, key);
    return;
  }
  PodRef current = store_.GetPod(key.namespace_, key.name);
  CHECK(current != nullptr);
  if (current->metadata.deletion_timestamp) return;
  Pod terminating = *current;
  terminating.metadata.deletion_timestamp = now;
  terminating.status.conditions.push_back(
      {Symbol("DisruptionTarget"), Symbol("True"), Symbol("PreemptionByScheduler")});
  handlers_.OnPut(std::make_shared<const Pod>(std::move(terminating)));
}

PodRef SimulatedApi::SetNomination(const Pod& pod, const Symbol& node) {
  PodRef current = store_.GetPod(pod.metadata.namespace_, pod.metadata.name);
  if (current == nullptr || current->status.nominated_node_name == node) return current;
  Pod nominated = *current;
  nominated.status.nominated_node_name = node;
  auto written = std::make_shared<const Pod>(std::move(nominated));
  handlers_.OnPut(written);
  return written;
}

}  // namespace stowage
