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

// The weighted means of percentages. Usually there are two resources, which need no loop.
struct Means {
  STOWAGE_SIMD FourScores operator()(size_t offset) const;

  ChunkShares::Column a;
  ChunkShares::Column b;
  std::span<const ChunkShares::Column> others;
  float inverse;  // of the sum of the resources' weights
  float sum;      // to begin with
};

inline FourFloats Weighted(const RoundedDown& percents, const ChunkShares::Column& use) {
  return Larger(percents.values, Four(0.0F)) * Four(use.weight);
}

// The sum and half of one part is rounded down, which is to round it to the nearest number after
// taking half off.
STOWAGE_SIMD FourScores Means::operator()(size_t offset) const {
  const RoundedDown of_a(a.LessOn(offset));
  const RoundedDown of_b(b.LessOn(offset));
  FourFloats sums = Four(sum) + Weighted(of_a, a) + Weighted(of_b, b);
  FourFloats errors = Larger(of_a.errors, of_b.errors);
  for (const ChunkShares::Column& use : others) {
    const RoundedDown percents(use.LessOn(offset));
    sums += Weighted(percents, use);
    errors = Larger(errors, percents.errors);
  }
  return {Nearest(sums * Four(inverse)), RoundedDown::AreSure(errors)};
}

}  // namespace

int64_t LeastAllocated::Score(std::span<const ResourceUse> uses) const {
  return WeightedMean(uses, FreePercent);
}

STOWAGE_SIMD void LeastAllocated::AddByShares(const ChunkShares& uses, int32_t weight,
                                              int32_t* totals, std::span<uint64_t> rest) const {
  const std::span<const ChunkShares::Column> columns = uses.columns();
  float weights = 0;
  for (const ChunkShares::Column& use : columns) weights += use.weight;
  if (weights < 1 || weights > kMaxWeights) return;
  // One resource counts again, but for nothing.
  ChunkShares::Column second = columns[0];
  second.weight = 0;
  std::span<const ChunkShares::Column> others;
  if (columns.size() > 1) {
    second = columns[1];
    others = columns.subspan(2);
  }
  const float sum = 0.5F - 0.5F * weights;
  uses.AddSure(Means{columns[0], second, others, 1 / weights, sum}, weight, totals, rest);
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
