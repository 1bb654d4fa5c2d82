// NodeResourcesBalancedAllocation's code for the verdict cache and the chunk form.
#include <span>

#include "core/base/lanes.h"
#include "core/base/simd.h"
#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/extended_resources.h"
#include "core/plugins/node_resources_balanced_allocation.h"
#include "core/plugins/use_shares.h"

namespace stowage {
namespace {

constexpr int32_t kHalf = kMaxNodeScore / 2;

// With the closed form of the standard deviation of two fractions, Balance is 100 less half of the
// difference of what is left in percent. Without the pod it is known, less half of the range.
struct BalanceOfTwo {
  STOWAGE_SIMD FourScores operator()(size_t offset) const;

  ChunkShares::Column a;
  ChunkShares::Column b;
  const float* own;
  bool is_change;
};

STOWAGE_SIMD FourScores BalanceOfTwo::operator()(size_t offset) const {
  const FourFloats less_a = a.LessOn(offset);
  const FourFloats less_b = b.LessOn(offset);
  const RoundedDown balance(Four(kMaxNodeScore - 0.5F) - Absolute(less_a - less_b) * Four(0.5F));
  // A fraction counts as 1 at most.
  const FourInts are_sure = RoundedDown::AreSure(balance.errors) &
                            (Smaller(less_a, less_b) > Four(ChunkShares::kMargin - 0.5F));
  if (!is_change) return {Nearest(balance.values), are_sure};
  const FourFloats change = balance.values - LoadLanes<FourFloats>(own + offset);
  return {Halved(Nearest(change)) + Four(kHalf), are_sure};
}

}  // namespace

int64_t NodeResourcesBalancedAllocation::OwnOf(std::span<const ResourceUse> uses) {
  return BalancesOf(uses).without_pod - kHalf;
}

STOWAGE_SIMD void NodeResourcesBalancedAllocation::AddByShares(const ChunkShares& uses,
                                                               int32_t weight, int32_t* totals,
                                                               std::span<uint64_t> rest) const {
  if (uses.columns().size() != 2) return;
  const ChunkShares::Column& a = uses.columns()[0];
  const ChunkShares::Column& b = uses.columns()[1];
  const bool is_change = features_.behaviour.balanced_allocation_scores_change;
  uses.AddSure(BalanceOfTwo{a, b, uses.own(), is_change}, weight, totals, rest);
}

bool NodeResourcesBalancedAllocation::AddScores(const CycleState& state, const Pod&,
                                                const NodeChunk& chunk,
                                                std::span<const uint64_t> candidates,
                                                int32_t weight, int32_t* totals) const {
  const auto* stored = state.Read<PreScoreState>();
  if (stored == nullptr || stored->devices) return false;
  if (IsBestEffort(stored->requests)) return true;
  return allocation_.AddScores(
      chunk, candidates, stored->requests, OwnOf, weight, totals,
      [&](const ChunkShares& uses, std::span<uint64_t> rest) {
        AddByShares(uses, weight, totals, rest);
      },
      [&](std::span<const ResourceUse> uses) { return ScoreOf(BalancesOf(uses)); });
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
