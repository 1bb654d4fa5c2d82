#include "core/api/big_decimal.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/base/rng.h"

namespace stowage {
namespace {

std::string RandomDigits(Rng& rng, size_t length) {
  std::string digits;
  for (size_t index = 0; index < length; ++index) {
    digits.push_back(static_cast<char>('0' + rng.Below(10)));
  }
  return digits;
}

std::string WithoutZeros(std::string digits) {
  return digits.erase(0, digits.find_first_not_of('0'));
}

TEST(BigDecimal, KeepsDigitsOfAnyLength) {
  Rng rng(1);
  for (size_t length = 0; length < 200; ++length) {
    std::string digits = RandomDigits(rng, length);
    EXPECT_EQ(BigDecimal::FromDigits(digits, 0).Digits(), WithoutZeros(digits));
  }
}

TEST(BigDecimal, HoldsEveryInt64) {
  struct {
    int64_t value;
    std::string_view digits;
    int sign;
  } cases[] = {
      {0, "", 0},
      {1, "1", 1},
      {-1, "1", -1},
      {std::numeric_limits<int64_t>::max(), "9223372036854775807", 1},
      {std::numeric_limits<int64_t>::min(), "9223372036854775808", -1},
  };
  for (const auto& c : cases) {
    BigDecimal number(c.value, 0);
    EXPECT_EQ(number.Digits(), c.digits);
    EXPECT_EQ(number.Sign(), c.sign);
    EXPECT_EQ(number.ToInt64(0), c.value);
  }
}

// Goal: the bounds enclose the position of the first digit. Method: count the digits of random
// numbers.
TEST(BigDecimal, BoundsThePositionOfTheFirstDigit) {
  EXPECT_EQ(BigDecimal(0, 5).PlaceMin(), 0);
  EXPECT_EQ(BigDecimal(0, 5).PlaceMax(), 0);
  Rng rng(4);
  for (size_t length = 1; length < 600; ++length) {
    std::string digits = RandomDigits(rng, length);
    int64_t scale = static_cast<int64_t>(rng.Below(4'000'000'000)) - 2'000'000'000;
    BigDecimal number = BigDecimal::FromDigits(digits, scale);
    if (number.Sign() == 0) continue;
    int64_t place = static_cast<int64_t>(WithoutZeros(digits).size()) + scale;
    EXPECT_LE(number.PlaceMin(), place);
    EXPECT_GE(number.PlaceMax(), place);
    EXPECT_LE(number.PlaceMax() - number.PlaceMin(), 1);
  }
}

TEST(BigDecimal, RoundsUpAwayFromZero) {
  struct {
    int64_t value;
    int64_t scale;
    int64_t want;
    bool exact;
  } cases[] = {
      {1001, -3, 2, false}, {-1001, -3, -2, false}, {1000, -3, 1, true},  {1, -100, 1, false},
      {0, -100, 0, true},   {7, 0, 7, true},        {-7, -30, -1, false},
  };
  for (const auto& c : cases) {
    BigDecimal number(c.value, c.scale);
    EXPECT_EQ(number.RoundUp(0), c.exact) << c.value << "e" << c.scale;
    EXPECT_EQ(number.ToInt64(0), c.want) << c.value << "e" << c.scale;
  }
}

// Goal: sums and differences of long numbers are exact. Method: (a + b) - b equals a, and so does
// (a - b) + b.
TEST(BigDecimal, SubtractionUndoesAddition) {
  Rng rng(2);
  for (int round = 0; round < 500; ++round) {
    int64_t scale = static_cast<int64_t>(rng.Below(40)) - 20;
    BigDecimal a = BigDecimal::FromDigits(RandomDigits(rng, rng.Below(100)), scale);
    BigDecimal b = BigDecimal::FromDigits(RandomDigits(rng, rng.Below(100)), 0);
    if (rng.Below(2) == 0) a.Negate();
    if (rng.Below(2) == 0) b.Negate();
    BigDecimal minus_b = b;
    minus_b.Negate();
    BigDecimal sum = a;
    sum.Add(b);
    EXPECT_EQ(sum.Compare(a), b.Sign());
    sum.Add(minus_b);
    ASSERT_EQ(sum.Compare(a), 0) << round;
  }
}

TEST(BigDecimal, ConvertsModuloTwoToThe64) {
  EXPECT_EQ(BigDecimal::FromDigits("18446744073709551617", 0).ToInt64(0), 1);
  EXPECT_EQ(BigDecimal::FromDigits("18446744073709551617", 2).ToInt64(0), 100);
  EXPECT_EQ(BigDecimal(1, 64).ToInt64(0), 0);
  EXPECT_EQ(BigDecimal(1, 63).ToInt64(0), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(BigDecimal(3, 4'000'000'000).ToInt64(-3), 0);
}

TEST(BigDecimal, DropsASummandThatIsTooSmall) {
  BigDecimal large(1, BigDecimal::kDigitsMax);
  BigDecimal sum = large;
  sum.Add(BigDecimal(1, 0));
  EXPECT_EQ(sum.Compare(large), 0);
  sum = BigDecimal(1, 0);
  sum.Add(large);
  EXPECT_EQ(sum.Compare(large), 0);
  BigDecimal near = large;
  near.Add(BigDecimal(1, 1));
  EXPECT_EQ(near.Compare(large), 1);
}

TEST(BigDecimal, DividesOnlyExactly) {
  BigDecimal number = BigDecimal::FromDigits("1237940039285380274899124224", 0);  // 2^90
  for (int step = 0; step < 9; ++step) EXPECT_TRUE(number.DivideExactly(1024));
  EXPECT_EQ(number.Digits(), "1");
  EXPECT_FALSE(number.DivideExactly(2));
  EXPECT_EQ(number.Digits(), "1");
}

}  // namespace
}  // namespace stowage
