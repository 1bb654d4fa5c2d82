#include "core/api/quantity.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/rng.h"

namespace stowage {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

using Format = Quantity::Format;

constexpr std::string_view kFormatError =
    "quantities must match the regular expression "
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr std::string_view kSuffixError = "unable to parse quantity's suffix";
constexpr std::string_view kNumericError = "unable to parse numeric part of quantity";
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Quantity Q(std::string_view text) {
  Result<Quantity, QuantityError> quantity = Quantity::Parse(text);
  CHECK(quantity.ok());
  return *quantity;
}

// Goal: conversion to int64 rounds and overflows like the reference. Method: spec 01 §5.2, and the
// spellings in real objects.
TEST(Quantity, ConvertsToInt64) {
  struct {
    std::string_view text;
    int64_t value;
    int64_t milli_value;
  } cases[] = {
      {"1.5", 2, 1500},
      {"100m", 1, 100},
      {"0.1m", 1, 1},
      {"-1.5", -2, -1500},
      {".5", 1, 500},
      {"5.", 5, 5000},
      {".", 0, 0},
      {"1E3", 1000, 1'000'000},
      {"1e-3", 1, 1},
      {"01", 1, 1000},
      {"1e19", 0, 0},
      {"1n", 1, 1},
      {"1.0001", 2, 1001},
      {"0.5Mi", 524288, 524288000},
      {"0.3Ki", 308, 307200},
      {"0.001Ki", 2, 1024},
      {"1Pi", 1125899906842624, 1125899906842624000},
      {"1Ei", 1152921504606846976, kMin},
      {"8Ei", kMax, -1000},
      {"100Ei", kMax, -1000},
      {"1E", 1'000'000'000'000'000'000, 0},
      {"9223372036854775808", kMin, 0},
      {"12345678901234567890", -6101065172474983726, 4807115922877858896},
      {"0", 0, 0},
      {"4", 4, 4000},
      {"500Mi", 524288000, 524288000000},
      {"1Gi", 1073741824, 1073741824000},
      {"15842820Ki", 16223047680, 16223047680000},
      {"2.5G", 2500000000, 2500000000000},
      {"500000000n", 1, 500},
      {"1500000u", 2, 1500},
      {"100E-3", 1, 100},
      {"64000E3", 64000000, 64000000000},
      {"47e9", 47000000000, 47000000000000},
      {"-100m", -1, -100},
      {"-0.1m", -1, -1},
      {"1k", 1000, 1000000},
      {"3T", 3'000'000'000'000, 3'000'000'000'000'000},
      {"7P", 7'000'000'000'000'000, 7'000'000'000'000'000'000},
      {"1Ti", 1099511627776, 1099511627776000},
      {"9223372036854775807", kMax, -1000},
      {"-9223372036854775808", kMin, 0},
      {"18446744073709551616", 0, 0},
      {"999999999999999999", 999999999999999999, 0},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Q(c.text).Value(), c.value) << c.text;
    EXPECT_EQ(Q(c.text).MilliValue(), c.milli_value) << c.text;
  }
}

// Goal: an invalid quantity is refused with the reference's message. Method: each step of spec 01
// §5.1.
TEST(Quantity, RefusesInvalidTexts) {
  struct {
    std::string_view text;
    std::string_view want;
  } cases[] = {
      {"", kFormatError},        {" 1", kFormatError},    {"1 ", kFormatError},
      {"abc", kFormatError},     {"1.2.3", kFormatError}, {"--1", kSuffixError},
      {"1Mb", kFormatError},     {"1,5", kFormatError},   {"1e3.5", kFormatError},
      {"1Mi1Mi", kFormatError},  {"0x10", kFormatError},  {"1e", kSuffixError},
      {"1K", kSuffixError},      {"1mi", kSuffixError},   {"1ki", kSuffixError},
      {"1MM", kSuffixError},     {"1e+", kSuffixError},   {"1ee5", kSuffixError},
      {"1i", kSuffixError},      {"1-5", kSuffixError},   {"1m5", kSuffixError},
      {"1Ei5", kSuffixError},    {"+-1", kSuffixError},   {"1ni", kSuffixError},
      {"1ui", kSuffixError},     {"1Mi3", kSuffixError},  {"1e99999999999999999999", kSuffixError},
      {".e-10", kNumericError},  {"e-10", kNumericError}, {"-e-10", kNumericError},
      {"+.e-10", kNumericError},
  };
  for (const auto& c : cases) {
    Result<Quantity, QuantityError> quantity = Quantity::Parse(c.text);
    ASSERT_FALSE(quantity.ok()) << c.text;
    EXPECT_EQ(quantity.fault().message, c.want) << c.text;
  }
}

TEST(Quantity, ReadsOddSpellings) {
  struct {
    std::string_view text;
    std::string_view equal;
  } cases[] = {
      {"+", "0"},
      {"-", "0"},
      {"000", "0"},
      {"m", "0"},
      {"Ki", "0"},
      {".Ki", "0"},
      {"-0", "0"},
      {"0e-10", "0"},
      {"0.0000000000000000000000", "0"},
      {"+1", "1"},
      {"0001.50", "1500m"},
      {"1e+3", "1k"},
      {"1E-3", "1m"},
      {"0100Ki", "102400"},
      {"1.Gi", "1Gi"},
      {"100000000000000000000e-2", "1E"},
      {"0.0000000001", "1n"},
      {"0.0000000011", "2n"},
      {"-0.0000000011", "-2n"},
      {"1e-999999999", "1n"},
      {"0.0000000001Ki", "103n"},
      {"1e4294967296", "1"},
  };
  for (const auto& c : cases) EXPECT_EQ(Q(c.text).Compare(Q(c.equal)), 0) << c.text;
}

TEST(Quantity, KnowsItsFormat) {
  struct {
    std::string_view text;
    Format want;
  } cases[] = {
      {"0", Format::kDecimalSI},         {"1", Format::kDecimalSI},
      {"1m", Format::kDecimalSI},        {"1E", Format::kDecimalSI},
      {"1E3", Format::kDecimalExponent}, {"1e0", Format::kDecimalExponent},
      {"1Ki", Format::kBinarySI},        {"1Ei", Format::kBinarySI},
      {"1.5Ki", Format::kBinarySI},      {"0.001Ki", Format::kBinarySI},
      {"0.0001Ki", Format::kDecimalSI},  {"-0.0001Ki", Format::kDecimalSI},
  };
  for (const auto& c : cases) EXPECT_EQ(Q(c.text).format(), c.want) << c.text;
}

TEST(Quantity, PrintsCanonically) {
  struct {
    std::string_view text;
    std::string_view want;
  } cases[] = {
      // Kept as given.
      {"+1", "+1"},
      {"01", "01"},
      {"5.", "5."},
      {"1e3", "1e3"},
      {"1E3", "1E3"},
      {"1e+3", "1e+3"},
      {"1.500", "1.500"},
      {"+1Ki", "+1Ki"},
      {"01Ki", "01Ki"},
      {"1025Mi", "1025Mi"},
      {"+12345678903Ki", "+12345678903Ki"},
      {"100m", "100m"},
      {"4", "4"},
      {"500Mi", "500Mi"},
      {"0", "0"},
      // Rewritten.
      {"1.5", "1500m"},
      {"1100000k", "1100M"},
      {"+123456789013Ki", "123456789013Ki"},
      {"1000m", "1"},
      {"1024Mi", "1Gi"},
      {"8Ki", "8Ki"},
      {"0.3Ki", "307200m"},
      {"1.5Gi", "1536Mi"},
      {"0.5Ki", "512"},
      {"-0.5", "-500m"},
      {".5", "500m"},
      {"00", "0"},
      {"1e1", "10"},
      {"1e4", "10e3"},
      {"12e-1", "1200e-3"},
      {"1000e3", "1e6"},
      {"100000000000000000000", "100E"},
      {"9223372036854775808", "9223372036854775808"},
      {"8Ei", "9223372036854775807"},
      {"-3Mi", "-3Mi"},
      {"-2048", "-2048"},
      {"-2Ki", "-2Ki"},
      {"1e999999999", "1e999999999"},
      {"10e999999999", "10e999999999"},
  };
  for (const auto& c : cases) EXPECT_EQ(Q(c.text).ToString(), c.want) << c.text;
}

TEST(Quantity, AddsExactly) {
  struct {
    std::string_view a;
    std::string_view b;
    std::string_view want;
  } cases[] = {
      {"0", "0", "0"},
      {"1", "100m", "1100m"},
      {"100m", "1", "1100m"},
      {"1n", "1E", "1000000000000000000000000001n"},
      {"500Mi", "524Mi", "1Gi"},
      {"1Gi", "1", "1073741825"},
      {"1", "-1", "0"},
      {"9223372036854775807", "1", "9223372036854775808"},
      {"8Ei", "8Ei", "18446744073709551614"},
      {"4Ei", "4Ei", "8Ei"},
      {"-1.5", "0.5", "-1"},
      {"1e999999999", "1", "1e999999999"},
      {"1", "1e999999999", "1e999999999"},
  };
  for (const auto& c : cases) {
    Quantity sum = Q(c.a);
    sum.Add(Q(c.b));
    EXPECT_EQ(sum.ToString(), c.want) << c.a << " + " << c.b;
  }
}

TEST(Quantity, ZeroTakesOverTheOtherFormat) {
  Quantity sum;
  sum.Add(Q("1Ki"));
  EXPECT_EQ(sum.format(), Format::kBinarySI);
  sum.Add(Q("1k"));
  EXPECT_EQ(sum.format(), Format::kBinarySI);
  EXPECT_EQ(sum.ToString(), "2024");
}

TEST(Quantity, SubtractsExactly) {
  struct {
    std::string_view a;
    std::string_view b;
    std::string_view want;
  } cases[] = {
      {"1", "100m", "900m"},
      {"0", "1Ki", "-1Ki"},
      {"1Gi", "512Mi", "512Mi"},
      {"-9223372036854775807", "2", "-9223372036854775809"},
      {"1e30", "1", "999999999999999999999999999999"},
      {"1", "1e30", "-999999999999999999999999999999"},
      {"8Ei", "8Ei", "0"},
  };
  for (const auto& c : cases) {
    Quantity difference = Q(c.a);
    difference.Sub(Q(c.b));
    EXPECT_EQ(difference.ToString(), c.want) << c.a << " - " << c.b;
  }
  Quantity zero;
  zero.Sub(Quantity(kMin));
  EXPECT_EQ(zero.ToString(), "9223372036854775808");
}

// Goal: the conversions of CEL's quantity library. Method: small and large numbers, fractions.
TEST(Quantity, MultipliesExactly) {
  struct {
    std::string_view a;
    std::string_view b;
    std::string_view want;
  } cases[] = {
      {"3", "500m", "1500m"},
      {"2Gi", "3", "6Gi"},
      {"3", "128Mi", "402653184"},
      {"0", "7", "0"},
      {"7", "0", "0"},
      {"-2", "3", "-6"},
      {"-2", "-3", "6"},
      {"1n", "1e9", "1"},
      {"4294967296", "4294967296", "18446744073709551616"},
      {"123456789012345678901234567890", "987654321098765432109876543210",
       "121932631137021795226185032733622923332237463801111263526900"},
  };
  for (const auto& c : cases) {
    Quantity product = Q(c.a);
    product.Multiply(Q(c.b));
    EXPECT_EQ(product.Compare(Q(c.want)), 0) << c.a << " " << c.b << " " << product.ToString();
  }
  Quantity bytes = Q("2Gi");
  bytes.Multiply(Q("3"));
  EXPECT_EQ(bytes.ToString(), "6Gi");
}

TEST(Quantity, ConvertsExactlyOrApproximately) {
  struct {
    std::string_view text;
    std::optional<int64_t> as_int64;
    double as_float;
  } cases[] = {
      {"0", 0, 0},
      {"50k", 50'000, 50'000},
      {"-3", -3, -3},
      {"999999999999999999", 999'999'999'999'999'999, 1e18},
      {"9223372036854775807", std::nullopt, 9223372036854775807.0},
      {"1E", 1'000'000'000'000'000'000, 1e18},
      {"10E", std::nullopt, 1e19},
      {"1000m", std::nullopt, 1},
      {"1.5", std::nullopt, 1.5},
      {"-0.5", std::nullopt, -0.5},
      {"1e40", std::nullopt, 1e40},
      {"1e400", std::nullopt, std::numeric_limits<double>::infinity()},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Q(c.text).AsInt64(), c.as_int64) << c.text;
    EXPECT_EQ(Q(c.text).AsApproximateFloat64(), c.as_float) << c.text;
  }
}

TEST(Quantity, ComparesAcrossFormats) {
  // Each is less than the next.
  std::string_view ascending[] = {
      "-1e999999999", "-8Ei",  "-1",    "-1n",        "0",
      "1n",           "999u",  "1m",    "1.5",        "1501m",
      "1k",           "1Ki",   "1025",  "999999",     "1M",
      "1Mi",          "1E",    "1Ei",   "8Ei",        "9223372036854775808",
      "1e19",         "1e100", "2e100", "1e999999999"};
  for (size_t a = 0; a < std::size(ascending); ++a) {
    for (size_t b = 0; b < std::size(ascending); ++b) {
      int want = a < b ? -1 : a > b ? 1 : 0;
      EXPECT_EQ(Q(ascending[a]).Compare(Q(ascending[b])), want)
          << ascending[a] << " and " << ascending[b];
    }
  }
  EXPECT_TRUE(Q("1Ki") == Q("1024"));
  EXPECT_TRUE(Q("0.5") == Q("500m"));
  EXPECT_FALSE(Q("0.5") == Q("501m"));
}

// A number for the property tests: nano · 10^-9.
Quantity FromNano(Int128 nano) {
  bool is_negative = nano < 0;
  Uint128 magnitude = is_negative ? -static_cast<Uint128>(nano) : static_cast<Uint128>(nano);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(magnitude % 10)));
    magnitude /= 10;
  } while (magnitude != 0);
  return Q((is_negative ? "-" : "") + digits + "n");
}

Int128 RandomNano(Rng& rng) {
  int bits = 1 + static_cast<int>(rng.Below(95));
  Uint128 magnitude = (static_cast<Uint128>(rng.Next()) << 64 | rng.Next()) >> (128 - bits);
  Int128 nano = static_cast<Int128>(magnitude);
  if (rng.Below(3) == 0) nano = nano / 1'000'000 * 1'000'000;
  return rng.Below(4) == 0 ? -nano : nano;
}

Int128 CeilAwayFromZero(Int128 number, Int128 divisor) {
  Int128 quotient = number / divisor;
  if (number % divisor != 0) quotient += number < 0 ? -1 : 1;
  return quotient;
}

bool FitsInt64(Int128 number) { return number >= kMin && number <= kMax; }

// Goal: parsing, Value, Add, Compare and ToString agree with 128-bit arithmetic, for both
// representations. Method: random multiples of 1n up to 2^95.
TEST(Quantity, AgreesWithWideIntegers) {
  Rng rng(2024);
  for (int round = 0; round < 20'000; ++round) {
    Int128 a = RandomNano(rng);
    Int128 b = RandomNano(rng);
    Quantity qa = FromNano(a);
    Quantity qb = FromNano(b);
    Int128 value = CeilAwayFromZero(a, 1'000'000'000);
    Int128 milli = CeilAwayFromZero(a, 1'000'000);
    if (FitsInt64(value)) {
      ASSERT_EQ(qa.Value(), static_cast<int64_t>(value));
    }
    if (FitsInt64(milli)) {
      ASSERT_EQ(qa.MilliValue(), static_cast<int64_t>(milli));
    }
    ASSERT_EQ(qa.Compare(qb), a < b ? -1 : a > b ? 1 : 0);
    ASSERT_EQ(qa.Sign(), a < 0 ? -1 : a > 0 ? 1 : 0);
    Quantity sum = qa;
    sum.Add(qb);
    ASSERT_EQ(sum.Compare(FromNano(a + b)), 0);
    Quantity difference = qa;
    difference.Sub(qb);
    ASSERT_EQ(difference.Compare(FromNano(a - b)), 0);
    ASSERT_EQ(Q(qa.ToString()).Compare(qa), 0) << qa.ToString();
    ASSERT_EQ(Q(sum.ToString()).Compare(sum), 0) << sum.ToString();
  }
}

// Goal: every suffix has its multiplier. Method: random integers before each of them.
TEST(Quantity, AgreesWithWideIntegersForAllSuffixes) {
  struct {
    std::string_view suffix;
    Int128 nano;
  } suffixes[] = {
      {"n", 1},
      {"u", 1'000},
      {"m", 1'000'000},
      {"", 1'000'000'000},
      {"k", Int128{1'000'000'000} * 1'000},
      {"M", Int128{1'000'000'000} * 1'000'000},
      {"e6", Int128{1'000'000'000} * 1'000'000},
      {"Ki", Int128{1'000'000'000} << 10},
      {"Mi", Int128{1'000'000'000} << 20},
      {"Gi", Int128{1'000'000'000} << 30},
      {"Ti", Int128{1'000'000'000} << 40},
  };
  Rng rng(7);
  for (int round = 0; round < 2'000; ++round) {
    int64_t number = static_cast<int64_t>(rng.Next() >> (64 - 1 - rng.Below(22)));
    for (const auto& suffix : suffixes) {
      Quantity quantity = Q(std::to_string(number) + std::string(suffix.suffix));
      ASSERT_EQ(quantity.Compare(FromNano(number * suffix.nano)), 0) << number << suffix.suffix;
      ASSERT_EQ(Q(quantity.ToString()).Compare(quantity), 0) << quantity.ToString();
    }
  }
}

// Goal: hostile texts need neither much time nor much memory. Method: huge exponents and long
// numbers through every operation.
TEST(Quantity, BoundsHostileTexts) {
  std::string long_integer(100'000, '7');
  EXPECT_EQ(Quantity::Parse(long_integer).fault().message, kNumericError);
  std::string long_fraction = "1." + long_integer;
  EXPECT_EQ(Q(long_fraction).Compare(Q("1777777778n")), 0);
  std::string tiny = "0." + std::string(100'000, '0') + "1";
  EXPECT_EQ(Q(tiny).Compare(Q("1n")), 0);
  EXPECT_EQ(Q(tiny + "Gi").Compare(Q("1n")), 0);

  std::string_view huge[] = {"1e999999999", "1e2147483647", "12345678901234567890123e2147483647",
                             "-1e2147483647"};
  for (std::string_view text : huge) {
    Quantity quantity = Q(text);
    EXPECT_EQ(quantity.Value(), 0) << text;
    EXPECT_EQ(quantity.MilliValue(), 0) << text;
    Quantity sum = quantity;
    sum.Add(Q("1n"));
    EXPECT_EQ(sum.Compare(quantity), 0) << text;
    sum = Q("1Ki");
    sum.Add(quantity);
    EXPECT_EQ(sum.Compare(quantity), 0) << text;
    EXPECT_LT(sum.ToString().size(), 50u) << text;
  }
}

// Goal: sums of numbers of very different size stay bounded for chains of any length. Method: add
// larger and larger ones.
TEST(Quantity, BoundsChainsOfSums) {
  Quantity sum = Q("1n");
  for (int exponent = 0; exponent < 200'000; exponent += 900) {
    sum.Add(Q("1e" + std::to_string(exponent)));
  }
  EXPECT_LT(sum.ToString().size(), 2'100u);
  EXPECT_GT(sum.Compare(Q("1e199000")), 0);
}

}  // namespace
}  // namespace stowage
