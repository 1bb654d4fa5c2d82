// NodeResourcesBalancedAllocation's code for the verdict cache and the chunk form.
#include <bit>
#include <span>

#include "core/base/lanes.h"
#include "core/base/simd.h"
#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/extended_resources.h"
#include "core/plugins/node_resources_balanced_allocation.h"
#include "core/plugins/use_shares.h"

namespace stowage {
// With the closed form of the standard deviation of two fractions, Balance is 100 less half of the
// difference of what is left in percent. Without the pod it is known.
STOWAGE_SIMD uint64_t NodeResourcesBalancedAllocation::ScoreShares(const ChunkShares& uses,
                                                                   ChunkScores* scores) const {
  if (uses.columns().size() != 2) return ~uint64_t{0};
  const ChunkShares::Column& a = uses.columns()[0];
  const ChunkShares::Column& b = uses.columns()[1];
  const bool is_change = features_.behaviour.balanced_allocation_scores_change;
  const FourFloats margin = Four(ChunkShares::kMargin);
  constexpr float kHalf = kMaxNodeScore / 2;
  LaneBits unsure;
  for (size_t offset = 0; offset < uses.num_rows(); offset += 4) {
    FourFloats left_a = a.LeftOn(offset);
    FourFloats left_b = b.LeftOn(offset);
    FourFloats difference = left_a < left_b ? left_b - left_a : left_a - left_b;
    RoundedDown balance(Four(float{kMaxNodeScore}) - difference * Four(0.5F));
    // A fraction counts as 1 at most.
    FourInts is_full = ~((left_a > margin) & (left_b > margin));
    unsure.Add(offset, balance.are_unsure | is_full);
    FourFloats score = balance.values;
    if (is_change) {
      score = (Four(kHalf) + score - LoadLanes<FourFloats>(uses.own() + offset)) * Four(0.5F);
    }
    FourInts whole = __builtin_convertvector(score, FourInts);
    StoreWidened(is_change ? whole + Four(int32_t{kMaxNodeScore / 2}) : whole,
                 scores->data() + offset);
  }
  return unsure.bits();
}

Status NodeResourcesBalancedAllocation::ScoreChunk(const CycleState& state, const Pod& pod,
                                                   const NodeChunk& chunk, uint64_t candidates,
                                                   ChunkScores* scores) const {
  const auto* stored = state.Read<PreScoreState>();
  if (stored == nullptr || stored->devices) {
    return PerNodeScore<NodeResourcesBalancedAllocation>::ScoreChunk(state, pod, chunk, candidates,
                                                                     scores);
  }
  bool is_best_effort = IsBestEffort(stored->requests);
  uint64_t rest = candidates;
  if (!is_best_effort && std::popcount(candidates) >= ChunkShares::kMinCandidates) {
    ChunkShares uses(chunk);
    if (allocation_.AddTo(&uses, chunk, stored->requests, BalanceWithoutPod)) {
      rest &= ScoreShares(uses, scores);
    }
    if (rest == 0) return Status::Success();
  }
  allocation_.ForEachRow(chunk, rest, stored->requests,
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
