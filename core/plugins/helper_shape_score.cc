#include "core/plugins/helper_shape_score.h"

#include "core/base/check.h"
#include "core/framework/interface.h"

namespace stowage {
namespace {

constexpr int64_t kMaxCustomPriorityScore = 10;

}  // namespace

BrokenLinearFunction BrokenLinearFunction::FromConfig(
    std::span<const UtilizationShapePoint> points) {
  FunctionShape shape;
  for (const UtilizationShapePoint& point : points) {
    shape.push_back({point.utilization, point.score * (kMaxNodeScore / kMaxCustomPriorityScore)});
  }
  return BrokenLinearFunction(std::move(shape));
}

int64_t BrokenLinearFunction::operator()(int64_t utilization) const {
  CHECK(!shape_.empty());
  for (size_t index = 0; index < shape_.size(); ++index) {
    const FunctionShapePoint& right = shape_[index];
    if (utilization > right.utilization) continue;
    if (index == 0) return right.score;
    const FunctionShapePoint& left = shape_[index - 1];
    return left.score + (right.score - left.score) * (utilization - left.utilization) /
                            (right.utilization - left.utilization);
  }
  return shape_.back().score;
}

}  // namespace stowage
