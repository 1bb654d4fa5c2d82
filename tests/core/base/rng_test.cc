#include "core/base/rng.h"

#include <gtest/gtest.h>

#include <array>

namespace stowage {
namespace {

// Goal: a seed gives the same draws in every version. Method: SplitMix64's published first outputs.
TEST(Rng, DrawsSplitMix64) {
  Rng zero(0);
  EXPECT_EQ(zero.Next(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(zero.Next(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(zero.Next(), 0x06c45d188009454fu);
  Rng seeded(1234567);
  EXPECT_EQ(seeded.Next(), 6457827717110365317u);
  EXPECT_EQ(seeded.Next(), 3203168211198807973u);
}

TEST(Rng, EqualSeedsGiveEqualDraws) {
  Rng a(42);
  Rng b(42);
  Rng other(43);
  int differing = 0;
  for (int draw = 0; draw < 100; ++draw) {
    uint64_t value = a.Next();
    EXPECT_EQ(value, b.Next());
    if (value != other.Next()) ++differing;
  }
  EXPECT_EQ(differing, 100);
}

TEST(Rng, BelowReachesExactlyTheRange) {
  Rng rng(5);
  EXPECT_EQ(rng.Below(1), 0u);
  std::array<int, 7> counts{};
  for (int draw = 0; draw < 70'000; ++draw) ++counts[rng.Below(counts.size())];
  for (int count : counts) EXPECT_NEAR(count, 10'000, 500);
  uint64_t huge = ~uint64_t{0} - 1;
  for (int draw = 0; draw < 100; ++draw) EXPECT_LT(rng.Below(huge), huge);
}

}  // namespace
}  // namespace stowage
