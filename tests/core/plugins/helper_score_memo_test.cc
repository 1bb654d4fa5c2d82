#include "core/plugins/helper_score_memo.h"

#include <gtest/gtest.h>

#include <limits>

namespace stowage {
namespace {

// Goal: the memo equals the function, and calls it once per score in small ranges. Method: small
// and large ranges, every score requested twice.
TEST(ScoreMemo, EqualsTheFunction) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  struct {
    std::string_view name;
    int64_t min;
    int64_t max;
    std::vector<int64_t> scores;
    size_t calls;
  } cases[] = {
      {"one score", 7, 7, {7, 7}, 1},
      {"close together", -3, 5, {-3, 5, 0, -3, 5, 0}, 3},
      {"just close enough", 1, 1024, {1, 1024, 1, 1024}, 2},
      {"too far", 0, 1024, {0, 1024, 0, 1024}, 4},
      {"as far as can be", kMin, kMax, {kMin, kMax, kMin}, 3},
      {"nothing to score", kMax, 0, {}, 0},
  };
  for (const auto& c : cases) {
    size_t calls = 0;
    auto half = [&calls](int64_t score) {
      ++calls;
      return score / 2;
    };
    ScoreMemo memo(c.min, c.max, half);
    for (int64_t score : c.scores) EXPECT_EQ(memo(score), score / 2) << c.name;
    EXPECT_EQ(calls, c.calls) << c.name;
  }
}

}  // namespace
}  // namespace stowage
