// ResourceScorer turns a node's resources into one score; NodeResourcesFit's scoring strategies.
// Counterpart: framework/plugins/noderesources/resource_allocation.go (scorer), v1.36.
#pragma once

#include <cstdint>
#include <span>

#include "core/plugins/resource_allocation.h"

namespace stowage {

class ResourceScorer {
 public:
  virtual ~ResourceScorer() = default;
  // 0–100. `uses` are the resources that take part, in the order of the configuration.
  virtual int64_t Score(std::span<const ResourceUse> uses) const = 0;
};

}  // namespace stowage
