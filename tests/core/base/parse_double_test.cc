// ParseDouble rounds as the C library's strtod does, which is the reference here.
#include "core/base/parse_double.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>

#include "core/base/rng.h"

namespace stowage {
namespace {

void ExpectAsStrtod(const std::string& text) {
  double expected = std::strtod(text.c_str(), nullptr);
  std::optional<double> found = ParseDouble(text);
  ASSERT_TRUE(found.has_value()) << text;
  EXPECT_EQ(std::bit_cast<uint64_t>(*found), std::bit_cast<uint64_t>(expected)) << text;
}

TEST(ParseDouble, ReadsEveryFormOfANumber) {
  for (std::string text :
       {"0", "-0", "0.0", "0e5", "1", "-1", "+1", "007", ".5", "5.", "0.5", "1.25", "1e3", "1E+3",
        "1e-3", "-2.5e-10", "123456789012345678901234567890", "0.000000000000000000000000000001",
        "100000000000000000000000e-23"}) {
    ExpectAsStrtod(text);
  }
}

TEST(ParseDouble, ReadsNothingElse) {
  for (std::string text :
       {"",   "+",  "-",  ".",   "e",   "e5",   ".e5",   "1e",  "1e+", "1e-",  "1e5x", "1e5.5",
        "x1", " 1", "1 ", "--1", "+-1", "1..2", "1.2.3", "nan", "inf", "0x10", "1_0"}) {
    EXPECT_EQ(ParseDouble(text), std::nullopt) << text;
  }
}

TEST(ParseDouble, RoundsTiesToEven) {
  for (std::string text : {"9007199254740993", "9007199254740995", "9007199254740993.0000000000001",
                           "9007199254740992.9999999999999", "18014398509481986",
                           "1.00000000000000011102230246251565404236316680908203125",
                           "1.00000000000000011102230246251565404236316680908203124",
                           "1.00000000000000011102230246251565404236316680908203126"}) {
    ExpectAsStrtod(text);
  }
}

TEST(ParseDouble, RoundsAtTheEndsOfTheRange) {
  for (std::string text :
       {"1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e309",
        "-1e309", "1e999999999999999999999", "2.2250738585072014e-308", "2.2250738585072011e-308",
        "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-324",
        "3e-324", "1e-400", "-1e-400", "1e-999999999999999999999"}) {
    ExpectAsStrtod(text);
  }
}

TEST(ParseDouble, ReadsMoreDigitsThanAnyMidpointHas) {
  std::string nines(2000, '9');
  std::string zeros(2000, '0');
  for (const std::string& text :
       {nines, "0." + nines, nines + "e-2000", "0." + zeros + "1e2001", "1" + zeros + "e-2000",
        "9007199254740993." + zeros + "1", "9007199254740993." + zeros, "0." + zeros,
        "1." + zeros + "1e-310"}) {
    ExpectAsStrtod(text);
  }
}

TEST(ParseDouble, ReadsRandomNumbersAsStrtodDoes) {
  Rng rng(1);
  for (int run = 0; run < 20'000; ++run) {
    double value = std::bit_cast<double>(rng.Next());
    if (!std::isfinite(value)) continue;
    ExpectAsStrtod(fmt::format("{:.17g}", value));
    ExpectAsStrtod(fmt::format("{:.{}e}", value, static_cast<int>(rng.Below(30))));
    ExpectAsStrtod(
        fmt::format("{}.{}e{}", rng.Next(), rng.Next(), static_cast<int>(rng.Below(660)) - 340));
  }
}

TEST(ParseDouble, ReadsMidpointsBetweenNeighboursAsStrtodDoes) {
  Rng rng(2);
  for (int run = 0; run < 2'000; ++run) {
    // An odd integer of 54 bits lies between two doubles.
    uint64_t midpoint = uint64_t{1} << 53 | (rng.Next() >> 11) | 1;
    int exponent = static_cast<int>(rng.Below(40));
    std::string digits =
        fmt::format("{:.0f}", std::ldexp(static_cast<double>(midpoint >> 1), exponent + 1));
    ExpectAsStrtod(digits);
    ExpectAsStrtod(std::to_string(midpoint));
    ExpectAsStrtod(std::to_string(midpoint) + ".0001");
    ExpectAsStrtod(std::to_string(midpoint - 1) + ".9999");
  }
}

}  // namespace
}  // namespace stowage
