// BrokenLinearFunction interpolates scores linearly between the points of a shape, in integers.
//
// Before the first point the score is the first point's, after the last point the last one's.
// Between two points the division truncates toward zero, even on falling segments.
// Counterpart: framework/plugins/helper/shape_score.go, v1.36; spec plugins/00-shared-helpers.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/config/plugin_args.h"

namespace stowage {

struct FunctionShapePoint {
  int64_t utilization = 0;  // percent; strictly increasing from point to point
  int64_t score = 0;
};

using FunctionShape = std::vector<FunctionShapePoint>;

class BrokenLinearFunction {
 public:
  explicit BrokenLinearFunction(FunctionShape shape) : shape_(std::move(shape)) {}
  // Converts a validated shape from the configuration; its scores 0–10 become 0–100.
  static BrokenLinearFunction FromConfig(std::span<const UtilizationShapePoint> points);

  int64_t operator()(int64_t utilization) const;

 private:
  FunctionShape shape_;
};

}  // namespace stowage
