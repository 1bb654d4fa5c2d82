#include "core/plugins/helper_shape_score.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace stowage {
namespace {

// Goal: integer interpolation truncates toward zero and is flat outside the shape. Method: shapes
// with utilizations and the scores there.
TEST(BrokenLinearFunction, InterpolatesBetweenPoints) {
  const FunctionShape rising = {{10, 1}, {90, 9}};
  const FunctionShape peak = {{0, 2}, {40, 10}, {100, 0}};
  const FunctionShape single = {{50, 7}};
  struct {
    std::string_view name;
    FunctionShape shape;
    int64_t utilization;
    int64_t want;
  } cases[] = {
      {"below the first point", rising, -10, 1},
      {"just below it", rising, 9, 1},
      {"truncated", rising, 15, 1},
      {"still truncated", rising, 19, 1},
      {"exact", rising, 20, 2},
      {"near the end", rising, 89, 8},
      {"at the last point", rising, 90, 9},
      {"beyond it", rising, 99, 9},
      {"rising segment", peak, 20, 6},
      {"rising on", peak, 30, 8},
      {"falling segment", peak, 70, 5},
      {"falling, truncated", peak, 71, 5},
      {"beyond the falling end", peak, 110, 0},
      {"one point, before", single, 0, 7},
      {"one point, after", single, 100, 7},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(BrokenLinearFunction(c.shape)(c.utilization), c.want) << c.name;
  }
}

// Goal: configured scores 0–10 are scaled to 0–100 before interpolation.
TEST(BrokenLinearFunction, ScalesConfiguredScores) {
  const std::vector<UtilizationShapePoint> points = {{0, 0}, {100, 10}};
  BrokenLinearFunction function = BrokenLinearFunction::FromConfig(points);
  EXPECT_EQ(function(0), 0);
  EXPECT_EQ(function(33), 33);
  EXPECT_EQ(function(100), 100);
}

}  // namespace
}  // namespace stowage
