#include "core/plugins/least_allocated.h"

#include <array>

#include "core/base/format.h"
#include "core/base/simd.h"
#include "core/framework/interface.h"
#include "core/plugins/resource_notes.h"

namespace stowage {
namespace {

int64_t FreePercent(const ResourceUse& use) {
  if (use.requested > use.allocatable) return 0;
  return (use.allocatable - use.requested) * kMaxNodeScore / use.allocatable;
}

// Up to so much weight in all, half of one part is more than what rounding may change.
constexpr int64_t kMaxWeights = int64_t{1} << 31;

}  // namespace

int64_t LeastAllocated::Score(std::span<const ResourceUse> uses) const {
  return WeightedMean(uses, FreePercent);
}

STOWAGE_SIMD bool LeastAllocated::ScoreColumns(const UseColumns& uses, ChunkScores* scores) const {
  std::array<double, NodeTable::kChunkRows> sums;
  sums.fill(0);
  int64_t weights = 0;
  AmountCheck check;
  for (const UseColumns::Column& use : uses.columns()) {
    const TwoDoubles weight = Both(static_cast<double>(use.weight));
    weights += use.weight;
    for (size_t row = 0; row < uses.num_rows(); row += kPair) {
      auto allocatable = LoadTwo<TwoInts>(use.allocatable + row);
      auto allocated = LoadTwo<TwoInts>(use.allocated + row);
      check.See(allocatable, allocated);
      TwoDoubles all = ToDoubles(allocatable);
      TwoDoubles free = AtLeast(all - ToDoubles(allocated + Both(use.request)), 0);
      TwoDoubles percents = Truncated(free * Both(double{kMaxNodeScore}) / all);
      StoreTwo(LoadTwo<TwoDoubles>(&sums[row]) + percents * weight, &sums[row]);
    }
  }
  if (weights == 0 || weights > kMaxWeights || !check.Passes()) return false;
  const TwoDoubles inverse = Both(1 / static_cast<double>(weights));
  for (size_t row = 0; row < uses.num_rows(); row += kPair) {
    TwoDoubles means = Truncated((LoadTwo<TwoDoubles>(&sums[row]) + Both(0.5)) * inverse);
    StoreTwo(ToInts(means), scores->data() + row);
  }
  return true;
}

int64_t LeastAllocated::NoteScore(std::span<const ResourceUse> uses, std::span<const Symbol> names,
                                  ScoreNotes* notes) const {
  ResourceNotes noted("LeastAllocated", names, notes);
  return noted.Mean(WeightedMean(uses, [&noted](const ResourceUse& use) {
    int64_t score = FreePercent(use);
    noted.Add(use,
              use.requested > use.allocatable
                  ? Format("more than {}", use.allocatable)
                  : Format("({} − {}) × {} / {}", use.allocatable, use.requested, kMaxNodeScore,
                           use.allocatable),
              score);
    return score;
  }));
}

}  // namespace stowage
