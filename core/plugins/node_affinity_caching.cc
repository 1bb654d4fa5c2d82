// NodeAffinity's code for the verdict cache and the chunk form.
#include <bit>
#include <span>

#include "core/base/bitset.h"
#include "core/framework/signers.h"
#include "core/plugins/node_affinity.h"

namespace stowage {
namespace {

// Absent is 0 and empty is 1, because PreFilter and PreScore distinguish them.
template <typename List>
void AppendCount(const List* list, PodSignature* signature) {
  signature->AddCount(list == nullptr ? 0 : list->size() + 1);
}

}  // namespace

uint64_t NodeAffinity::FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                                   uint64_t candidates, ChunkStatuses* statuses) const {
  std::span<const uint8_t> unmet;
  if (!added_required_) unmet = rows_.UnmetBy(pod, chunk);
  if (unmet.empty()) {
    return PerNodeFilter<NodeAffinity>::FilterChunk(state, pod, chunk, candidates, statuses);
  }
  const uint64_t refused = chunk.Select(unmet, candidates);
  if (refused == 0) return candidates;
  // Without added affinity, the pod's own refuses all of them.
  const auto first = static_cast<size_t>(std::countr_zero(refused));
  statuses->Set(refused, Filter(state, pod, chunk.node(first)));
  return candidates & ~refused;
}

bool NodeAffinity::AppendFragment(const Pod& pod, PodSignature* signature) const {
  const LabelMap* labels = pod.spec.node_selector ? &*pod.spec.node_selector : nullptr;
  AppendCount(labels, signature);
  if (labels != nullptr) {
    for (const auto& [key, value] : *labels) {
      signature->Add(key);
      signature->Add(value);
    }
  }
  const NodeAffinitySpec* affinity = NodeAffinityOf(pod);
  const auto* required = affinity != nullptr && affinity->required
                             ? &affinity->required->node_selector_terms
                             : nullptr;
  AppendCount(required, signature);
  if (required != nullptr) {
    for (const NodeSelectorTerm& term : *required) SignNodeSelectorTerm(term, signature);
  }
  const auto* preferred =
      affinity != nullptr && affinity->preferred ? &*affinity->preferred : nullptr;
  AppendCount(preferred, signature);
  if (preferred != nullptr) {
    for (const PreferredSchedulingTerm& term : *preferred) {
      signature->Add(int64_t{term.weight});
      SignNodeSelectorTerm(term.preference, signature);
    }
  }
  return true;
}

}  // namespace stowage
