// NodeResourcesBalancedAllocation's code for the verdict cache and the chunk form.
#include <span>

#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/extended_resources.h"
#include "core/plugins/node_resources_balanced_allocation.h"

namespace stowage {

Status NodeResourcesBalancedAllocation::ScoreChunk(const CycleState& state, const Pod& pod,
                                                   const NodeChunk& chunk, uint64_t candidates,
                                                   ChunkScores* scores) const {
  const auto* stored = state.Read<PreScoreState>();
  if (stored == nullptr || stored->devices) {
    return PerNodeScore<NodeResourcesBalancedAllocation>::ScoreChunk(state, pod, chunk, candidates,
                                                                     scores);
  }
  bool is_best_effort = IsBestEffort(stored->requests);
  allocation_.ForEachRow(chunk, candidates, stored->requests,
                         [&](size_t offset, std::span<const ResourceUse> uses) {
                           (*scores)[offset] = is_best_effort ? 0 : ScoreOf(BalancesOf(uses));
                         });
  return Status::Success();
}

bool NodeResourcesBalancedAllocation::ReadsDevices(const Pod& pod) const {
  return IsServedByDevices(pod, features_, handle_.dra().extended_resources());
}

bool NodeResourcesBalancedAllocation::AppendFragment(const Pod& pod,
                                                     PodSignature* signature) const {
  auto is_read = [this](const Symbol& name) { return allocation_.Has(name); };
  bool is_written = SignWrittenRequests(pod, is_read, signature);
  signature->AddCount(is_written ? 1 : 0);
  if (is_written) return true;
  for (int64_t amount : RequestsOf(pod)) signature->Add(amount);
  return true;
}

}  // namespace stowage
