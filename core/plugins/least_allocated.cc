#include "core/plugins/least_allocated.h"

#include "core/base/format.h"
#include "core/base/lanes.h"
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
constexpr int64_t kMaxWeights = 4096;

}  // namespace

int64_t LeastAllocated::Score(std::span<const ResourceUse> uses) const {
  return WeightedMean(uses, FreePercent);
}

STOWAGE_SIMD uint64_t LeastAllocated::ScoreShares(const ChunkShares& uses,
                                                  ChunkScores* scores) const {
  int64_t weights = 0;
  for (const ChunkShares::Column& use : uses.columns()) weights += use.weight;
  if (weights < 1 || weights > kMaxWeights) return ~uint64_t{0};
  const FourFloats inverse = Four(1 / static_cast<float>(weights));
  LaneBits unsure;
  for (size_t offset = 0; offset < uses.num_rows(); offset += 4) {
    FourFloats sum = Four(0.5F);
    for (const ChunkShares::Column& use : uses.columns()) {
      RoundedDown percents(use.LeftOn(offset));
      sum += percents.values * Four(static_cast<float>(use.weight));
      unsure.Add(offset, percents.are_unsure);
    }
    StoreWidened(__builtin_convertvector(sum * inverse, FourInts), scores->data() + offset);
  }
  return unsure.bits();
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
