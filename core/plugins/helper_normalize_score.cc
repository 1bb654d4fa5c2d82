#include "core/plugins/helper_normalize_score.h"

#include <algorithm>

#include "core/framework/score_notes.h"

namespace stowage {
namespace {

int64_t HighestOf(std::span<const NodeScore> scores) {
  int64_t highest = 0;
  for (const NodeScore& node : scores) highest = std::max(highest, node.score);
  return highest;
}

// `highest` is not 0.
int64_t Stretched(int64_t score, int64_t max, int64_t highest, bool reverse) {
  int64_t stretched = max * score / highest;
  return reverse ? max - stretched : stretched;
}

}  // namespace

void DefaultNormalizeScore(int64_t max, bool reverse, std::span<NodeScore> scores) {
  int64_t highest = HighestOf(scores);
  if (highest == 0) {
    if (!reverse) return;
    for (NodeScore& node : scores) node.score = max;
    return;
  }
  for (NodeScore& node : scores) node.score = Stretched(node.score, max, highest, reverse);
}

int64_t NoteDefaultNormalizedScore(bool reverse, const NotedScore& scored, ScoreNotes* notes) {
  int64_t highest = HighestOf(scored.raw);
  if (highest == 0) {
    int64_t value = reverse ? kMaxNodeScore : scored.score();
    notes->AddResult("the highest raw score is 0: {} for this node", value);
    return value;
  }
  int64_t value = Stretched(scored.score(), kMaxNodeScore, highest, reverse);
  notes->AddResult("{}{} × {} / {} = {}", reverse ? "100 − " : "", kMaxNodeScore, scored.score(),
                   highest, value);
  return value;
}

}  // namespace stowage
