#include "core/plugins/most_allocated.h"

#include <algorithm>

#include "core/base/format.h"
#include "core/framework/interface.h"
#include "core/plugins/resource_notes.h"

namespace stowage {
namespace {

int64_t UsedPercent(const ResourceUse& use) {
  return std::min(use.requested, use.allocatable) * kMaxNodeScore / use.allocatable;
}

}  // namespace

int64_t MostAllocated::Score(std::span<const ResourceUse> uses) const {
  return WeightedMean(uses, UsedPercent);
}

int64_t MostAllocated::NoteScore(std::span<const ResourceUse> uses, std::span<const Symbol> names,
                                 ScoreNotes* notes) const {
  ResourceNotes noted("MostAllocated", names, notes);
  return noted.Mean(WeightedMean(uses, [&noted](const ResourceUse& use) {
    int64_t score = UsedPercent(use);
    noted.Add(use,
              Format("{} × {} / {}", std::min(use.requested, use.allocatable), kMaxNodeScore,
                     use.allocatable),
              score);
    return score;
  }));
}

}  // namespace stowage
