// Goal: what remains without some classes equals what is computed anew, whatever has changed
// between. Method: seeded moves of rows among a few classes, and more sets of refused classes than
// are kept.
#include "core/runtime/verdicts/remaining_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/base/rng.h"

namespace stowage {
namespace {

using Class = ScoreClasses::Class;

constexpr size_t kRows = 200;

TEST(RemainingRows, FollowTheClasses) {
  Rng rng(5);
  ScoreClasses classes;
  classes.Reset(kRows, 1);
  Bitset feasible(kRows);
  RemainingRows remaining;
  for (size_t round = 0; round < 2000; ++round) {
    size_t row = rng.Below(kRows);
    if (rng.Below(3) == 0) {
      auto key = static_cast<int64_t>(rng.Below(4));
      ASSERT_TRUE(classes.Put(row, {&key, 1}, 1));
      feasible.Set(row, true);
    } else if (rng.Below(8) == 0) {
      classes.Remove(row);
      feasible.Set(row, false);
    }
    std::vector<Class> refused;
    for (size_t at = 0; at < classes.end(); ++at) {
      if (rng.Below(2) == 0) refused.push_back(static_cast<Class>(at));
    }
    if (refused.empty()) continue;
    const Bitset& rows = remaining.Without(refused, feasible, classes);
    ASSERT_EQ(rows.size(), kRows);
    for (size_t at = 0; at < kRows; ++at) {
      bool is_refused = std::ranges::count(refused, classes.class_of(at)) > 0;
      ASSERT_EQ(rows.Test(at), feasible.Test(at) && !is_refused);
    }
    EXPECT_GT(remaining.bytes(), 0u);
  }
}

}  // namespace
}  // namespace stowage
