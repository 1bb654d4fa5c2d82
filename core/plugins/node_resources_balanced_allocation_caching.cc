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
STOWAGE_SIMD uint64_t NodeResourcesBalancedAllocation::AddByShares(const ChunkShares& uses,
                                                                   int32_t weight,
                                                                   ChunkTotals* totals) const {
  if (uses.columns().size() != 2) return ~uint64_t{0};
  const ChunkShares::Column& a = uses.columns()[0];
  const ChunkShares::Column& b = uses.columns()[1];
  const bool is_change = features_.behaviour.balanced_allocation_scores_change;
  const FourFloats margin = Four(ChunkShares::kMargin);
  constexpr int32_t kHalf = kMaxNodeScore / 2;
  LaneBits sure;
  const size_t num_rows = uses.num_rows();
  for (size_t offset = 0; offset < num_rows; offset += 4) {
    FourFloats left_a = a.LeftOn(offset);
    FourFloats left_b = b.LeftOn(offset);
    RoundedDown balance(Four(float{kMaxNodeScore}) - Absolute(left_a - left_b) * Four(0.5F));
    FourInts scores;
    if (is_change) {
      FourFloats own = LoadLanes<FourFloats>(uses.own() + offset);
      scores = Halved(Nearest(balance.values - own) + Four(kHalf)) + Four(kHalf);
    } else {
      scores = Nearest(balance.values);
    }
    // A fraction counts as 1 at most.
    FourInts are_sure = balance.are_sure & (left_a > margin) & (left_b > margin);
    AddLanes((scores * Four(weight)) & are_sure, totals->data() + offset);
    sure.Add(offset, are_sure);
  }
  return ~sure.bits();
}

bool NodeResourcesBalancedAllocation::AddScores(const CycleState& state, const Pod&,
                                                const NodeChunk& chunk, uint64_t candidates,
                                                int32_t weight, ChunkTotals* totals) const {
  const auto* stored = state.Read<PreScoreState>();
  if (stored == nullptr || stored->devices) return false;
  if (IsBestEffort(stored->requests)) return true;
  uint64_t rest = candidates;
  if (std::popcount(candidates) >= ChunkShares::kMinCandidates) {
    ChunkShares uses(chunk);
    if (allocation_.AddTo(&uses, chunk, stored->requests, BalanceWithoutPod)) {
      rest &= AddByShares(uses, weight, totals);
    }
    if (rest == 0) return true;
  }
  allocation_.ForEachRow(
      chunk, rest, stored->requests, [&](size_t offset, std::span<const ResourceUse> uses) {
        (*totals)[offset] += static_cast<int32_t>(ScoreOf(BalancesOf(uses))) * weight;
      });
  return true;
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
