#include "core/plugins/least_allocated.h"

#include "core/framework/interface.h"

namespace stowage {

int64_t LeastAllocated::Score(std::span<const ResourceUse> uses) const {
  int64_t sum = 0;
  int64_t weights = 0;
  for (const ResourceUse& use : uses) {
    weights += use.weight;
    if (use.requested > use.allocatable) continue;
    sum += (use.allocatable - use.requested) * kMaxNodeScore / use.allocatable * use.weight;
  }
  return weights == 0 ? 0 : sum / weights;
}

}  // namespace stowage
