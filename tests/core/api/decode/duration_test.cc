#include "core/api/decode/duration.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace stowage {
namespace {

TEST(Duration, ParsesGoTexts) {
  struct {
    std::string_view text;
    int64_t want;
  } cases[] = {
      {"0", 0},
      {"+0", 0},
      {"-0", 0},
      {"0s", 0},
      {"10s", 10'000'000'000},
      {"10m", 600'000'000'000},
      {"1h15m30.918s", 4'530'918'000'000},
      {"-5s", -5'000'000'000},
      {"+5s", 5'000'000'000},
      {"5.s", 5'000'000'000},
      {".5s", 500'000'000},
      {"1.5ms", 1'500'000},
      {"11us", 11'000},
      {"12\xc2\xb5s", 12'000},
      {"12\xce\xbcs", 12'000},
      {"13ns", 13},
      {"0.3333333333333333333h", 1'200'000'000'000},
      {"9007199254.740993s", 9'007'199'254'740'993'000},
      {"2562047h47m16.854775807s", std::numeric_limits<int64_t>::max()},
      {"-2562047h47m16.854775808s", std::numeric_limits<int64_t>::min()},
  };
  for (const auto& c : cases) {
    std::optional<Duration> duration = Duration::Parse(c.text);
    ASSERT_TRUE(duration.has_value()) << c.text;
    EXPECT_EQ(duration->nanos, c.want) << c.text;
  }
}

TEST(Duration, RefusesOtherTexts) {
  for (std::string_view text : {"",
                                "3",
                                "-",
                                "s",
                                ".",
                                "-.",
                                ".s",
                                "+.s",
                                "1d",
                                "1 s",
                                " 1s",
                                "1s ",
                                "1s1",
                                "1e3s",
                                "1S",
                                "10000000000000000000ns",
                                "9223372036854775808ns",
                                "9223372036854775807ns1ns",
                                "2562047h47m16.854775808s",
                                "-9223372036854775809ns"}) {
    EXPECT_FALSE(Duration::Parse(text).has_value()) << text;
  }
  EXPECT_EQ(Duration::Parse("9223372036854775807ns")->nanos, std::numeric_limits<int64_t>::max());
}

TEST(Duration, PrintsLikeGo) {
  constexpr int64_t kSecond = 1'000'000'000;
  struct {
    int64_t nanos;
    std::string_view want;
  } cases[] = {
      {0, "0s"},
      {1, "1ns"},
      {999, "999ns"},
      {1'000, "1\xc2\xb5s"},
      {1'100, "1.1\xc2\xb5s"},
      {999'999, "999.999\xc2\xb5s"},
      {2'200'000, "2.2ms"},
      {500'000'000, "500ms"},
      {999'999'999, "999.999999ms"},
      {kSecond, "1s"},
      {3'300'000'000, "3.3s"},
      {10 * kSecond, "10s"},
      {kSecond + 1, "1.000000001s"},
      {60 * kSecond, "1m0s"},
      {90 * kSecond, "1m30s"},
      {4 * 60 * kSecond + 5'001'000'000, "4m5.001s"},
      {900 * kSecond, "15m0s"},
      {3600 * kSecond, "1h0m0s"},
      {5400 * kSecond, "1h30m0s"},
      {5 * 3600 * kSecond + 6 * 60 * kSecond + 7'001'000'000, "5h6m7.001s"},
      {24 * 3600 * kSecond, "24h0m0s"},
      {-1, "-1ns"},
      {-1'500'000, "-1.5ms"},
      {-90 * kSecond, "-1m30s"},
      {std::numeric_limits<int64_t>::max(), "2562047h47m16.854775807s"},
      {std::numeric_limits<int64_t>::min(), "-2562047h47m16.854775808s"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Duration{c.nanos}.ToText(), c.want);
    EXPECT_EQ(Duration::Parse(c.want), Duration{c.nanos}) << "and read back";
  }
  EXPECT_EQ(Duration::FromMicros(1'500'000).ToText(), "1.5s");
}

}  // namespace
}  // namespace stowage
