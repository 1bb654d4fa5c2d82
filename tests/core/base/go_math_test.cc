#include "core/base/go_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stowage {
namespace {

// Goal: halves round away from zero, everything else to the nearest integer. Method: Go's own
// corner cases.
TEST(GoMath, RoundsHalvesAwayFromZero) {
  struct {
    double value;
    int64_t want;
  } cases[] = {
      {0.0, 0},
      {-0.0, 0},
      {0.5, 1},
      {-0.5, -1},
      {1.5, 2},
      {2.5, 3},
      {-2.5, -3},
      {0.49999999999999994, 0},
      {-0.49999999999999994, 0},
      {0.5000000000000001, 1},
      {1e15 + 0.5, 1000000000000001},
      {4503599627370495.5, 4503599627370496},
      {9007199254740991.0, 9007199254740991},
      {99.99999999999999, 100},
      {33.333333333333336, 33},
  };
  for (const auto& c : cases) EXPECT_EQ(GoRoundToInt64(c.value), c.want) << c.value;
}

TEST(GoMath, RoundsLikeTheLibraryWhereBothAreDefined) {
  for (int step = -100'000; step <= 100'000; ++step) {
    double value = step / 16.0;
    ASSERT_EQ(GoRoundToInt64(value), static_cast<int64_t>(std::round(value))) << value;
  }
}

}  // namespace
}  // namespace stowage
