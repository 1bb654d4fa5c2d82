#include "core/plugins/most_allocated.h"

#include <algorithm>

#include "core/framework/interface.h"

namespace stowage {

int64_t MostAllocated::Score(std::span<const ResourceUse> uses) const {
  int64_t sum = 0;
  int64_t weights = 0;
  for (const ResourceUse& use : uses) {
    int64_t used = std::min(use.requested, use.allocatable);
    sum += used * kMaxNodeScore / use.allocatable * use.weight;
    weights += use.weight;
  }
  return weights == 0 ? 0 : sum / weights;
}

}  // namespace stowage
