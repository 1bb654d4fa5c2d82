#include "core/base/instant.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>

#include "core/base/rng.h"

namespace stowage {
namespace {

TEST(Instant, ParsesRfc3339) {
  struct {
    std::string_view text;
    std::optional<Instant> want;
  } cases[] = {
      {"1970-01-01T00:00:00Z", Instant{0, 0}},
      {"2026-03-01T12:00:00Z", Instant{1772366400, 0}},
      {"2024-02-29T23:59:59Z", Instant{1709251199, 0}},
      {"1969-12-31T23:59:59Z", Instant{-1, 0}},
      {"0001-01-01T00:00:00Z", Instant{-62135596800, 0}},
      {"2026-03-01T12:00:00.5Z", Instant{1772366400, 500'000'000}},
      {"2026-03-01T12:00:00.000001Z", Instant{1772366400, 1000}},
      {"2026-03-01T12:00:00.1234567899Z", Instant{1772366400, 123'456'789}},
      {"2026-03-01T12:00:00,25Z", Instant{1772366400, 250'000'000}},
      {"2026-03-01T13:30:00+01:30", Instant{1772366400, 0}},
      {"2026-03-01T04:00:00-08:00", Instant{1772366400, 0}},
      {"", std::nullopt},
      {"2026-03-01", std::nullopt},
      {"2026-03-01T12:00:00", std::nullopt},
      {"2026-03-01 12:00:00Z", std::nullopt},
      {"2026-03-01T12:00:00z", std::nullopt},
      {"2026-03-01T12:00:00.Z", std::nullopt},
      {"2026-03-01T12:00:00+0100", std::nullopt},
      {"2026-03-01T12:00:00Z ", std::nullopt},
      {"2026-3-01T12:00:00Z", std::nullopt},
      {"2026-00-01T12:00:00Z", std::nullopt},
      {"2026-13-01T12:00:00Z", std::nullopt},
      {"2026-02-29T12:00:00Z", std::nullopt},
      {"1900-02-29T12:00:00Z", std::nullopt},
      {"2026-04-31T12:00:00Z", std::nullopt},
      {"2026-03-00T12:00:00Z", std::nullopt},
      {"2026-03-01T24:00:00Z", std::nullopt},
      {"2026-03-01T12:60:00Z", std::nullopt},
      {"2026-03-01T12:00:60Z", std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(Instant::Parse(c.text), c.want) << c.text;
}

TEST(Instant, PrintsWholeSecondsAndMicroseconds) {
  struct {
    Instant instant;
    std::string_view rfc3339;
    std::string_view micro_time;
  } cases[] = {
      {{0, 0}, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"},
      {{1772366400, 250'000'999}, "2026-03-01T12:00:00Z", "2026-03-01T12:00:00.250000Z"},
      {{-1, 999'999'000}, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999999Z"},
      {{951'782'400, 1'000}, "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000001Z"},
      {{-62135596800, 0}, "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(c.instant.ToRfc3339(), c.rfc3339);
    EXPECT_EQ(c.instant.ToMicroTime(), c.micro_time);
  }
}

// Goal: formatting and parsing are inverse. Method: random instants of the years 0001 to 9999.
TEST(Instant, RoundTripsThroughItsText) {
  Rng rng(3);
  for (int round = 0; round < 20'000; ++round) {
    int64_t seconds = static_cast<int64_t>(rng.Below(315'537'897'600)) - 62'135'596'800;
    Instant whole{seconds, 0};
    Instant micro{seconds, static_cast<int32_t>(rng.Below(1'000'000)) * 1000};
    ASSERT_EQ(Instant::Parse(whole.ToRfc3339()), whole);
    ASSERT_EQ(Instant::Parse(micro.ToMicroTime()), micro);
    ASSERT_EQ(Instant::FromMicros(micro.ToMicros()), micro);
  }
}

TEST(Instant, MicrosecondsBeforeTheEpochRoundDown) {
  EXPECT_EQ(Instant::FromMicros(-1), (Instant{-1, 999'999'000}));
  EXPECT_EQ(Instant::FromMicros(-1'000'000), (Instant{-1, 0}));
  EXPECT_EQ(Instant::FromMicros(1'500'000), (Instant{1, 500'000'000}));
  EXPECT_EQ((Instant{-1, 999'999'000}).ToMicros(), -1);
}

TEST(Instant, IsOrderedByTime) {
  EXPECT_LT((Instant{1, 999'999'999}), (Instant{2, 0}));
  EXPECT_LT((Instant{2, 0}), (Instant{2, 1}));
  EXPECT_LT((Instant{-2, 5}), (Instant{-1, 0}));
}

}  // namespace
}  // namespace stowage
