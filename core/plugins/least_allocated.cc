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
constexpr float kMaxWeights = 4096;

// Adds the weighted means of percentages.
struct Means {
  float inverse;  // of the sum of the resources' weights
  int32_t weight;
  size_t num_rows;

  // With a known number of columns, the compiler keeps in registers what all rows share.
  template <size_t kSize>
  STOWAGE_SIMD uint64_t Add(std::span<const ChunkShares::Column, kSize> columns,
                            ChunkTotals* totals) const;
};

// The sum and half of one part is rounded down, which is to round it to the nearest number after
// taking half off.
template <size_t kSize>
STOWAGE_SIMD uint64_t Means::Add(std::span<const ChunkShares::Column, kSize> columns,
                                 ChunkTotals* totals) const {
  LaneBits sure;
  for (size_t offset = 0; offset < num_rows; offset += 4) {
    FourFloats sum = Four(0.5F);
    FourInts are_sure = Four(-1);
    for (const ChunkShares::Column& use : columns) {
      RoundedDown percents(use.LeftOn(offset));
      sum += percents.values * Four(use.weight);
      are_sure &= percents.are_sure;
    }
    FourInts scores = Nearest(sum * Four(inverse) - Four(0.5F));
    AddLanes((scores * Four(weight)) & are_sure, totals->data() + offset);
    sure.Add(offset, are_sure);
  }
  return ~sure.bits();
}

}  // namespace

int64_t LeastAllocated::Score(std::span<const ResourceUse> uses) const {
  return WeightedMean(uses, FreePercent);
}

STOWAGE_SIMD uint64_t LeastAllocated::AddByShares(const ChunkShares& uses, int32_t weight,
                                                  ChunkTotals* totals) const {
  float weights = 0;
  for (const ChunkShares::Column& use : uses.columns()) weights += use.weight;
  if (weights < 1 || weights > kMaxWeights) return ~uint64_t{0};
  const Means means{1 / weights, weight, uses.num_rows()};
  constexpr size_t kUsual = 2;
  if (uses.columns().size() == kUsual) return means.Add(uses.columns().first<kUsual>(), totals);
  return means.Add(uses.columns(), totals);
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
