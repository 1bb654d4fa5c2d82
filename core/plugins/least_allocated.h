// LeastAllocated scores a node by its free resources: the weighted mean of the free percentages,
// truncated.
// Counterpart: framework/plugins/noderesources/least_allocated.go, v1.36.
#pragma once

#include "core/plugins/resource_scorer.h"

namespace stowage {

class LeastAllocated final : public ResourceScorer {
 public:
  int64_t Score(std::span<const ResourceUse> uses) const override;
  void AddByShares(const ChunkShares& uses, int32_t weight, int32_t* totals,
                   std::span<uint64_t> rest) const override;
  int64_t NoteScore(std::span<const ResourceUse> uses, std::span<const Symbol> names,
                    ScoreNotes* notes) const override;
};

}  // namespace stowage
