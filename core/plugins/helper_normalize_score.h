// DefaultNormalizeScore scales scores so that the highest becomes `max`.
// Counterpart: framework/plugins/helper/normalize_score.go, v1.36; spec plugins/00-shared-helpers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/framework/interface.h"

namespace stowage {

inline int64_t HighestScore(std::span<const NodeScore> scores) {
  int64_t highest = 0;
  for (const NodeScore& node : scores) highest = std::max(highest, node.score);
  return highest;
}

// `highest` must not be 0.
inline int64_t StretchedScore(int64_t score, int64_t max, int64_t highest, bool reverse) {
  int64_t stretched = max * score / highest;
  return reverse ? max - stretched : stretched;
}

// Each score becomes max·score/highest (integer division), and with `reverse` max minus that. If no
// score is above 0, `reverse` gives every node `max`; without it the scores are unchanged.
void DefaultNormalizeScore(int64_t max, bool reverse, std::span<NodeScore> scores);

// Notes how DefaultNormalizeScore, with kMaxNodeScore, normalizes the score, and returns the
// result.
int64_t NoteDefaultNormalizedScore(bool reverse, const NotedScore& scored, ScoreNotes* notes);

}  // namespace stowage
