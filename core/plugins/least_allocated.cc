#include "core/plugins/least_allocated.h"

#include "core/base/format.h"
#include "core/framework/interface.h"
#include "core/plugins/resource_notes.h"

namespace stowage {
namespace {

int64_t FreePercent(const ResourceUse& use) {
  if (use.requested > use.allocatable) return 0;
  return (use.allocatable - use.requested) * kMaxNodeScore / use.allocatable;
}

}  // namespace

int64_t LeastAllocated::Score(std::span<const ResourceUse> uses) const {
  return WeightedMean(uses, FreePercent);
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
