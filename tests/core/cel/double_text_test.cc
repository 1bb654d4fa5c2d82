#include "core/cel/double_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <string_view>

#include "core/base/rng.h"

namespace stowage::cel {
namespace {

TEST(DoubleText, HasTheFewestDigits) {
  struct {
    double value;
    std::string_view text;
    std::string_view plain;
  } cases[] = {
      {0, "0", "0"},
      {-0.0, "-0", "-0"},
      {1, "1", "1"},
      {0.1, "0.1", "0.1"},
      {-1.5, "-1.5", "-1.5"},
      {123.456, "123.456", "123.456"},
      {100000, "100000", "100000"},
      {123456.7, "123456.7", "123456.7"},
      {1e6, "1e+06", "1000000"},
      {1234567, "1.234567e+06", "1234567"},
      {0.0001, "0.0001", "0.0001"},
      {0.00001, "1e-05", "0.00001"},
      {0.000012345, "1.2345e-05", "0.000012345"},
      {1e21, "1e+21", "1000000000000000000000"},
      {1.5e-10, "1.5e-10", "0.00000000015"},
      {6.02214e23, "6.02214e+23", "602214000000000000000000"},
      {5e-324, "5e-324", ""},
      {1.7976931348623157e308, "1.7976931348623157e+308", ""},
      {std::numeric_limits<double>::infinity(), "+Inf", "+Inf"},
      {-std::numeric_limits<double>::infinity(), "-Inf", "-Inf"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN", "NaN"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(DoubleText(c.value), c.text);
    if (c.plain.empty()) continue;
    EXPECT_EQ(PlainDoubleText(c.value), c.plain);
  }
}

// Goal: every text parses to the number that it was made of. Method: random bits.
TEST(DoubleText, ParsesBack) {
  Rng rng(7);
  for (int round = 0; round < 2000; ++round) {
    uint64_t bits = rng.Next();
    double value = 0;
    static_assert(sizeof(value) == sizeof(bits));
    __builtin_memcpy(&value, &bits, sizeof(value));
    if (value != value) continue;
    EXPECT_EQ(std::strtod(DoubleText(value).c_str(), nullptr), value);
  }
}

TEST(DoubleText, HasTheWantedDigits) {
  EXPECT_EQ(FixedDoubleText(1.5, 0), "2");
  EXPECT_EQ(FixedDoubleText(2.5, 0), "2");
  EXPECT_EQ(FixedDoubleText(-123.4999, 3), "-123.500");
  EXPECT_EQ(FixedDoubleText(1e21, 2), "1000000000000000000000.00");
  EXPECT_EQ(ScientificDoubleText(1052.032911275, 6), "1.052033e+03");
  EXPECT_EQ(ScientificDoubleText(0, 1), "0.0e+00");
  EXPECT_EQ(ScientificDoubleText(-5e-324, 0), "-5e-324");
}

}  // namespace
}  // namespace stowage::cel
