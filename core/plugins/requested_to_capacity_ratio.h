// RequestedToCapacityRatio applies a configured function to the utilization of each resource and
// returns the weighted mean, rounded, of the scores above 0. Counterpart:
// framework/plugins/noderesources/requested_to_capacity_ratio.go, v1.36.
#pragma once

#include <utility>

#include "core/plugins/helper_shape_score.h"
#include "core/plugins/resource_scorer.h"

namespace stowage {

class RequestedToCapacityRatio final : public ResourceScorer {
 public:
  // `shape`: percent of the capacity → score 0–100.
  explicit RequestedToCapacityRatio(BrokenLinearFunction shape) : shape_(std::move(shape)) {}

  int64_t Score(std::span<const ResourceUse> uses) const override;
  int64_t NoteScore(std::span<const ResourceUse> uses, std::span<const Symbol> names,
                    ScoreNotes* notes) const override;

 private:
  BrokenLinearFunction shape_;
};

}  // namespace stowage
