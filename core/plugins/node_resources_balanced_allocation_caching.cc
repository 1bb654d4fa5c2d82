// NodeResourcesBalancedAllocation's code for the verdict cache and the chunk form.
#include <bit>
#include <span>

#include "core/base/simd.h"
#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/extended_resources.h"
#include "core/plugins/node_resources_balanced_allocation.h"
#include "core/plugins/row_pairs.h"
#include "core/plugins/use_columns.h"

namespace stowage {
namespace {

TwoDoubles Fractions(TwoInts amounts, TwoDoubles allocatable) {
  return AtMost(ToDoubles(amounts) / allocatable, 1);
}

// Balance, with the closed form of the standard deviation of two fractions.
TwoDoubles TwoBalances(TwoDoubles first, TwoDoubles second) {
  TwoDoubles deviations = Absolute((first - second) / Both(2.0));
  return Truncated((Both(1.0) - deviations) * Both(double{kMaxNodeScore}));
}

}  // namespace

STOWAGE_SIMD bool NodeResourcesBalancedAllocation::ScoreColumns(const UseColumns& uses,
                                                                ChunkScores* scores) const {
  if (uses.columns().size() != 2) return false;
  const UseColumns::Column& a = uses.columns()[0];
  const UseColumns::Column& b = uses.columns()[1];
  const bool is_change = features_.behaviour.balanced_allocation_scores_change;
  AmountCheck check;
  for (size_t row = 0; row < uses.num_rows(); row += kPair) {
    auto has_a = LoadTwo<TwoInts>(a.allocatable + row);
    auto has_b = LoadTwo<TwoInts>(b.allocatable + row);
    auto used_a = LoadTwo<TwoInts>(a.allocated + row);
    auto used_b = LoadTwo<TwoInts>(b.allocated + row);
    check.See(has_a, used_a);
    check.See(has_b, used_b);
    TwoDoubles all_a = ToDoubles(has_a);
    TwoDoubles all_b = ToDoubles(has_b);
    TwoDoubles score = TwoBalances(Fractions(used_a + Both(a.request), all_a),
                                   Fractions(used_b + Both(b.request), all_b));
    if (is_change) {
      score -= TwoBalances(Fractions(used_a, all_a), Fractions(used_b, all_b));
      constexpr double kHalf = kMaxNodeScore / 2;
      score = Both(kHalf) + Truncated((Both(kHalf) + score) / Both(2.0));
    }
    StoreTwo(ToInts(score), scores->data() + row);
  }
  return check.Passes();
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
  if (!is_best_effort && std::popcount(candidates) >= UseColumns::kMinCandidates) {
    UseColumns uses(chunk);
    bool are_scored =
        allocation_.AddTo(&uses, chunk.table, stored->requests) && ScoreColumns(uses, scores);
    if (are_scored) return Status::Success();
  }
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
