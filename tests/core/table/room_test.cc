#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/table/node_table.h"

namespace stowage {
namespace {

// Goal: the floats are on the right side of the amount, and close.
TEST(Room, FloatsAreBelowAndAbove) {
  Rng rng(5);
  for (int round = 0; round < 10'000; ++round) {
    auto amount = static_cast<int64_t>(rng.Next()) >> rng.Below(64);
    const auto below = static_cast<double>(FloatBelow(amount));
    const auto above = static_cast<double>(FloatAbove(amount));
    const auto exact = static_cast<long double>(amount);
    const long double distance = (exact < 0 ? -exact : exact) / 1'000'000;
    EXPECT_LE(below, exact);
    EXPECT_GE(above, exact);
    EXPECT_GE(below, exact - distance);
    EXPECT_LE(above, exact + distance);
  }
}

}  // namespace
}  // namespace stowage
