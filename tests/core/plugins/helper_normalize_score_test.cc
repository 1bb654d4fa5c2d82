#include "core/plugins/helper_normalize_score.h"

#include <gtest/gtest.h>

#include <vector>

namespace stowage {
namespace {

using Scores = std::vector<int64_t>;

Scores Normalize(bool reverse, const Scores& raw) {
  std::vector<NodeScore> scores;
  for (int64_t score : raw) scores.push_back({nullptr, score});
  DefaultNormalizeScore(100, reverse, scores);
  Scores normalized;
  for (const NodeScore& score : scores) normalized.push_back(score.score);
  return normalized;
}

// Goal: the highest score becomes 100; without a score above 0 nothing is scaled. Method: lists of
// raw scores, in both directions.
TEST(DefaultNormalizeScore, ScalesToTheMaximum) {
  struct {
    std::string_view name;
    Scores raw;
    Scores want;
    Scores want_reversed;
  } cases[] = {
      {"ascending", {1, 2, 3, 4}, {25, 50, 75, 100}, {75, 50, 25, 0}},
      {"one far above", {1000, 10, 20, 30}, {100, 1, 2, 3}, {0, 99, 98, 97}},
      {"rounded down to 0", {1000, 1, 1, 1}, {100, 0, 0, 0}, {0, 100, 100, 100}},
      {"a zero among equals", {0, 1, 1, 1}, {0, 100, 100, 100}, {100, 0, 0, 0}},
      {"all zero", {0, 0, 0}, {0, 0, 0}, {100, 100, 100}},
      {"negative scores do not count as highest", {-5, 0, -1}, {-5, 0, -1}, {100, 100, 100}},
      {"negative below a positive one", {-5, 10}, {-50, 100}, {150, 0}},
      {"no nodes", {}, {}, {}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Normalize(false, c.raw), c.want) << c.name;
    EXPECT_EQ(Normalize(true, c.raw), c.want_reversed) << c.name;
  }
}

}  // namespace
}  // namespace stowage
