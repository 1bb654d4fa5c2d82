// ResourceScorer turns a node's resources into one score; NodeResourcesFit's scoring strategies.
// Counterpart: framework/plugins/noderesources/resource_allocation.go (scorer), v1.36.
#pragma once

#include <cstdint>
#include <span>

#include "core/plugins/resource_allocation.h"

namespace stowage {

class ScoreNotes;

class ResourceScorer {
 public:
  virtual ~ResourceScorer() = default;
  // 0–100. `uses` are the resources that take part, in the order of the configuration.
  virtual int64_t Score(std::span<const ResourceUse> uses) const = 0;
  // The same score, and notes on how it comes about. `names` are those of the resources.
  virtual int64_t NoteScore(std::span<const ResourceUse> uses, std::span<const Symbol> names,
                            ScoreNotes* notes) const = 0;
};

// The weighted mean, truncated, of what `score_of` gives for each resource; 0 without resources.
template <typename ScoreOf>
int64_t WeightedMean(std::span<const ResourceUse> uses, ScoreOf score_of) {
  int64_t sum = 0;
  int64_t weights = 0;
  for (const ResourceUse& use : uses) {
    sum += score_of(use) * use.weight;
    weights += use.weight;
  }
  return weights == 0 ? 0 : sum / weights;
}

}  // namespace stowage
