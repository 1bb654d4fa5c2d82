// MostAllocated scores a node by its used resources: the weighted mean of the used percentages,
// truncated. A resource requested beyond its capacity counts as fully used.
// Counterpart: framework/plugins/noderesources/most_allocated.go, v1.36.
#pragma once

#include "core/plugins/resource_scorer.h"

namespace stowage {

class MostAllocated final : public ResourceScorer {
 public:
  int64_t Score(std::span<const ResourceUse> uses) const override;
  int64_t NoteScore(std::span<const ResourceUse> uses, std::span<const Symbol> names,
                    ScoreNotes* notes) const override;
};

}  // namespace stowage
