#include "core/plugins/requested_to_capacity_ratio.h"

#include "core/base/go_math.h"

namespace stowage {
namespace {

constexpr int64_t kMaxUtilization = 100;

int64_t UtilizationOf(const ResourceUse& use) {
  if (use.requested > use.allocatable) return kMaxUtilization;
  return use.requested * kMaxUtilization / use.allocatable;
}

}  // namespace

int64_t RequestedToCapacityRatio::Score(std::span<const ResourceUse> uses) const {
  int64_t sum = 0;
  int64_t weights = 0;
  for (const ResourceUse& use : uses) {
    int64_t score = shape_(UtilizationOf(use));
    if (score <= 0) continue;
    sum += score * use.weight;
    weights += use.weight;
  }
  if (weights == 0) return 0;
  return GoRoundToInt64(static_cast<double>(sum) / static_cast<double>(weights));
}

}  // namespace stowage
