// ScoreMemo computes a function once per distinct score of a small range: most of thousands of
// nodes have the score of another node, and divisions are expensive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace stowage {

template <typename Function>
class ScoreMemo {
 public:
  // For `count` scores from `min` to `max`. Fewer scores than values are not worth a table.
  ScoreMemo(int64_t min, int64_t max, size_t count, Function function)
      : min_(min), function_(std::move(function)) {
    uint64_t range = static_cast<uint64_t>(max) - static_cast<uint64_t>(min);
    if (range < kMaxRange && range < count) known_.assign(static_cast<size_t>(range) + 1, kUnknown);
  }

  int64_t operator()(int64_t score) {
    if (known_.empty()) return function_(score);
    int64_t& known = known_[static_cast<size_t>(score - min_)];
    if (known == kUnknown) known = function_(score);
    return known;
  }

 private:
  static constexpr uint64_t kMaxRange = 1024;
  static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();

  int64_t min_;
  Function function_;
  std::vector<int64_t> known_;  // by score − min_
};

}  // namespace stowage
