// TaintToleration's code for the verdict cache and the chunk forms.
#include <algorithm>

#include "core/base/cold.h"
#include "core/plugins/taint_toleration.h"

namespace stowage {

bool TaintToleration::PassesAll(const CycleState&, const Pod&, const NodeTable& table) const {
  return table.have_no_taints();
}

bool TaintToleration::ScoresNothingOn(const CycleState& state, const NodeTable& table) const {
  return state.Read<PreScoreState>() != nullptr && table.have_no_taints();
}

uint64_t TaintToleration::FilterChunk(const CycleState& state, const Pod& pod,
                                      const NodeChunk& chunk, uint64_t candidates,
                                      ChunkStatuses* statuses) const {
  uint64_t tainted = chunk.Select(chunk.table.has_taints(), candidates);
  return (candidates & ~tainted) |
         PerNodeFilter<TaintToleration>::FilterChunk(state, pod, chunk, tainted, statuses);
}

Status TaintToleration::ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                                   uint64_t candidates, ChunkScores* scores) const {
  uint64_t asked = candidates;
  if (state.Read<PreScoreState>() != nullptr) {
    asked = chunk.Select(chunk.table.has_taints(), candidates);
    std::fill_n(scores->begin(), chunk.rows.size(), 0);
    if (asked == 0) return Status::Success();
  }
  return PerNodeScore<TaintToleration>::ScoreChunk(state, pod, chunk, asked, scores);
}

STOWAGE_COLD bool TaintToleration::AppendFragment(const Pod& pod, PodSignature* signature) const {
  signature->AddCount(pod.spec.tolerations.size());
  for (const Toleration& toleration : pod.spec.tolerations) {
    signature->Add(toleration.key);
    signature->Add(toleration.op);
    signature->Add(toleration.value);
    signature->Add(toleration.effect);
  }
  return true;
}

}  // namespace stowage
