// ResourceScorer computes one score from a node's resources: a scoring strategy of
// NodeResourcesFit.
// Counterpart: framework/plugins/noderesources/resource_allocation.go (scorer), v1.36.
#pragma once

#include <cstdint>
#include <span>

#include "core/framework/interface.h"
#include "core/plugins/resource_allocation.h"
#include "core/plugins/use_shares.h"

namespace stowage {

class ScoreNotes;

class ResourceScorer {
 public:
  virtual ~ResourceScorer() = default;
  // Returns 0–100. `uses` are the resources that count, in the order of the configuration.
  virtual int64_t Score(std::span<const ResourceUse> uses) const = 0;
  // Adds weight × score for rows of a chunk, and removes them from `rest`: Score must be called for
  // those that it leaves there.
  virtual void AddByShares(const ChunkShares&, int32_t /*weight*/, int32_t* /*totals*/,
                           std::span<uint64_t> /*rest*/) const {}
  // Returns the same score, and notes how it is computed. `names` are those of the resources.
  virtual int64_t NoteScore(std::span<const ResourceUse> uses, std::span<const Symbol> names,
                            ScoreNotes* notes) const = 0;
};

// The weighted mean, truncated, of `score_of` over the resources; 0 without resources.
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
