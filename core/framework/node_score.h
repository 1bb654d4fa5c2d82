// The range of the scores that plugins give to nodes. Counterpart: MinNodeScore and MaxNodeScore of
// framework/interface.go, v1.36.
#pragma once

#include <cstdint>

namespace stowage {

inline constexpr int64_t kMaxNodeScore = 100;
inline constexpr int64_t kMinNodeScore = 0;

// Negative if the score is out of range. The results for many scores may be or-ed: a loop over
// scores thus needs no branch.
constexpr int64_t ScoreRangeSign(int64_t score) {
  return (score - kMinNodeScore) | (kMaxNodeScore - score);
}

}  // namespace stowage
