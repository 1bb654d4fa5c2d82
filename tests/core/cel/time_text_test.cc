#include "core/cel/time_text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace stowage::cel {
namespace {

TEST(TimeText, ParsesDurations) {
  struct {
    std::string_view text;
    int64_t nanos;
  } cases[] = {
      {"0", 0},
      {"-0", 0},
      {"+5s", 5'000'000'000},
      {"1h30m", 5'400'000'000'000},
      {"-1.5s", -1'500'000'000},
      {".5s", 500'000'000},
      {"1.s", 1'000'000'000},
      {"1ns", 1},
      {"2us", 2'000},
      {"2\u00B5s", 2'000},
      {"2\u03BCs", 2'000},
      {"3ms", 3'000'000},
      {"1h1m1s1ms1us1ns", 3'661'001'001'001},
      {"1s1h", 3'601'000'000'000},
      {"0.1ns", 0},
      {"0.3333333333333333333h", 1'200'000'000'000},
      {"9223372036854775807ns", INT64_MAX},
      {"-9223372036854775808ns", INT64_MIN},
      {"2562047h47m16.854775807s", INT64_MAX},
  };
  for (const auto& c : cases) EXPECT_EQ(ParseDuration(c.text), c.nanos) << c.text;
}

TEST(TimeText, RefusesOtherTexts) {
  for (std::string_view text :
       {"", "3", "-", "s", ".s", "+.s", "1d", "1 s", "1h-1m", "1.2.3s", "9223372036854775808ns",
        "-9223372036854775809ns", "9223372036854775807us", "3000000h", "1e3s"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(TimeText, PrintsDurationsInSeconds) {
  struct {
    int64_t nanos;
    std::string_view text;
  } cases[] = {
      {0, "0s"},
      {5'400'000'000'000, "5400s"},
      {-1'500'000'000, "-1.5s"},
      {1, "0.000000001s"},
      {1'000'000'000'000'000'000, "1000000000s"},
  };
  for (const auto& c : cases) EXPECT_EQ(DurationText(c.nanos), c.text);
}

TEST(TimeText, ParsesTimestamps) {
  struct {
    std::string_view text;
    TimestampFault fault;
    std::string_view printed;
  } cases[] = {
      {"2023-02-03T23:31:20+00:00", TimestampFault::kNone, "2023-02-03T23:31:20Z"},
      {"2023-02-03T23:31:20.120Z", TimestampFault::kNone, "2023-02-03T23:31:20.12Z"},
      {"2023-02-03T23:31:20.000000001Z", TimestampFault::kNone, "2023-02-03T23:31:20.000000001Z"},
      {"2023-02-03T23:31:20-01:30", TimestampFault::kNone, "2023-02-04T01:01:20Z"},
      {"0001-01-01T00:00:00Z", TimestampFault::kNone, "0001-01-01T00:00:00Z"},
      {"9999-12-31T23:59:59.999999999Z", TimestampFault::kNone, "9999-12-31T23:59:59.999999999Z"},
      {"0000-12-31T23:59:59Z", TimestampFault::kOutOfRange, ""},
      {"9999-12-31T23:59:59-00:01", TimestampFault::kOutOfRange, ""},
      {"2023-02-30T00:00:00Z", TimestampFault::kNoTimestamp, ""},
      {"2023-02-03 23:31:20Z", TimestampFault::kNoTimestamp, ""},
      {"2023-02-03", TimestampFault::kNoTimestamp, ""},
      {"", TimestampFault::kNoTimestamp, ""},
  };
  for (const auto& c : cases) {
    Instant instant;
    EXPECT_EQ(ParseTimestamp(c.text, &instant), c.fault) << c.text;
    if (c.fault != TimestampFault::kNone) continue;
    EXPECT_EQ(TimestampText(instant), c.printed) << c.text;
  }
}

}  // namespace
}  // namespace stowage::cel
