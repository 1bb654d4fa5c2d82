#include "core/queue/backoff.h"

#include <gtest/gtest.h>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr int64_t kSecondUs = 1'000'000;

QueuedPodInfo FailedAt(Instant time, uint32_t rejections, uint32_t errors) {
  QueuedPodInfo pod;
  pod.timestamp = time;
  pod.unschedulable_count = rejections;
  pod.consecutive_errors_count = errors;
  return pod;
}

TEST(Backoff, DoublesUpToTheMaximum) {
  struct {
    int64_t initial_s;
    int64_t max_s;
    uint32_t rejections;
    uint32_t errors;
    int64_t want_s;  // -1: no backoff
  } cases[] = {
      {1, 10, 0, 0, -1},  {1, 10, 1, 0, 1},   {1, 10, 2, 0, 2},
      {1, 10, 3, 0, 4},   {1, 10, 4, 0, 8},   {1, 10, 5, 0, 10},
      {1, 10, 6, 0, 10},  {1, 10, 90, 0, 10}, {1, 10, 4000000000, 0, 10},
      {1, 10, 0, 3, 4},   {1, 10, 5, 1, 1},   {1, 10, 1, 4, 8},
      {3, 10, 2, 0, 6},   {3, 10, 3, 0, 10},  {20, 10, 1, 0, 10},
      {1, 0, 5, 0, -1},   {0, 10, 5, 0, 0},   {5, 10, 2, 0, 10},
      {10, 10, 1, 0, 10}, {1, 8, 4, 0, 8},    {1, 7, 4, 0, 7},
  };
  for (const auto& c : cases) {
    Backoff backoff(c.initial_s * kSecondUs, c.max_s * kSecondUs, true, true);
    QueuedPodInfo pod = FailedAt({100, 0}, c.rejections, c.errors);
    Instant want = c.want_s < 0 ? Instant() : Instant{100 + c.want_s, 0};
    EXPECT_EQ(backoff.ExpirationOf(pod), want)
        << c.initial_s << " " << c.max_s << " " << c.rejections << " " << c.errors;
    EXPECT_EQ(backoff.IsBackingOff(pod, {100, 0}), c.want_s >= 0);
  }
}

// Goal: expiries are truncated to whole seconds, so a backoff of one second lasts between one and
// two.
TEST(Backoff, EndsOnAWholeSecond) {
  Backoff backoff(kSecondUs, 10 * kSecondUs, true, true);
  QueuedPodInfo pod = FailedAt({10, 300'000'000}, 1, 0);
  EXPECT_EQ(backoff.ExpirationOf(pod), (Instant{11, 0}));
  EXPECT_TRUE(backoff.IsBackingOff(pod, {10, 300'000'000}));
  EXPECT_TRUE(backoff.IsBackingOff(pod, {11, 0}));
  EXPECT_TRUE(backoff.IsBackingOff(pod, {11, 999'999'999}));
  EXPECT_FALSE(backoff.IsBackingOff(pod, {12, 0}));
}

// Goal: v1.33 counts every attempt; later releases, rejections or consecutive errors.
TEST(Backoff, CountsFailuresOrAllAttempts) {
  struct {
    std::string_view name;
    uint32_t attempts;
    uint32_t rejections;
    uint32_t errors;
    int64_t want_s;  // of all attempts, -1: no backoff
    int64_t want_failures_s;
  } cases[] = {
      {"never tried", 0, 0, 0, -1, -1},
      {"one rejection", 1, 1, 0, 1, 1},
      {"errors before the first rejection", 4, 1, 0, 8, 1},
      {"an error after rejections", 3, 2, 1, 4, 1},
      {"attempts that were skipped", 5, 2, 0, 10, 2},
  };
  for (const auto& c : cases) {
    for (bool counts_failures : {false, true}) {
      Backoff backoff(kSecondUs, 10 * kSecondUs, true, counts_failures);
      QueuedPodInfo pod = FailedAt({100, 0}, c.rejections, c.errors);
      pod.attempts = c.attempts;
      int64_t want_s = counts_failures ? c.want_failures_s : c.want_s;
      Instant want = want_s < 0 ? Instant() : Instant{100 + want_s, 0};
      EXPECT_EQ(backoff.ExpirationOf(pod), want) << c.name << " " << counts_failures;
    }
  }
}

TEST(Backoff, WithoutWindowsEndsOnTheMicrosecond) {
  Backoff backoff(kSecondUs, 10 * kSecondUs, false, true);
  QueuedPodInfo pod = FailedAt({10, 300'000'000}, 1, 0);
  EXPECT_EQ(backoff.ExpirationOf(pod), (Instant{11, 300'000'000}));
  EXPECT_TRUE(backoff.IsBackingOff(pod, {11, 300'000'000}));
  EXPECT_FALSE(backoff.IsBackingOff(pod, {11, 300'001'000}));
}

// Goal: the computed expiry stays valid until the pod's next attempt.
TEST(Backoff, CachesTheExpirationUntilItIsCleared) {
  Backoff backoff(kSecondUs, 10 * kSecondUs, true, true);
  QueuedPodInfo pod = FailedAt({100, 0}, 1, 0);
  EXPECT_EQ(backoff.ExpirationOf(pod), (Instant{101, 0}));
  pod.unschedulable_count = 3;
  EXPECT_EQ(backoff.ExpirationOf(pod), (Instant{101, 0}));
  pod.backoff_expiration.reset();
  EXPECT_EQ(backoff.ExpirationOf(pod), (Instant{104, 0}));
}

TEST(FloorToSecond, TruncatesToSeconds) {
  EXPECT_EQ(FloorToSecond({5, 0}), (Instant{5, 0}));
  EXPECT_EQ(FloorToSecond({5, 999'999'999}), (Instant{5, 0}));
}

}  // namespace
}  // namespace stowage
