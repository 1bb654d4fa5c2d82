#include "core/plugins/helper_score_memo.h"

#include <gtest/gtest.h>

#include <limits>

namespace stowage {
namespace {

// Goal: the memo equals the function, and calls it once per score in small ranges. Method: small
// and large ranges, of more scores and of fewer, every score requested twice.
TEST(ScoreMemo, EqualsTheFunction) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  struct {
    std::string_view name;
    int64_t min;
    int64_t max;
    size_t count;
    std::vector<int64_t> scores;
    size_t calls;
  } cases[] = {
      {"one score", 7, 7, 2, {7, 7}, 1},
      {"close together", -3, 5, 9, {-3, 5, 0, -3, 5, 0}, 3},
      {"more values than scores", -3, 5, 8, {-3, 5, 0, -3}, 4},
      {"just close enough", 1, 1024, 5000, {1, 1024, 1, 1024}, 2},
      {"too far", 0, 1024, 5000, {0, 1024, 0, 1024}, 4},
      {"as far as can be", kMin, kMax, 5000, {kMin, kMax, kMin}, 3},
      {"nothing to score", kMax, 0, 0, {}, 0},
  };
  for (const auto& c : cases) {
    size_t calls = 0;
    auto half = [&calls](int64_t score) {
      ++calls;
      return score / 2;
    };
    ScoreMemo memo(c.min, c.max, c.count, half);
    for (int64_t score : c.scores) EXPECT_EQ(memo(score), score / 2) << c.name;
    EXPECT_EQ(calls, c.calls) << c.name;
  }
}

}  // namespace
}  // namespace stowage
