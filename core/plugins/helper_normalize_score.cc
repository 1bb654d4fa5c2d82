#include "core/plugins/helper_normalize_score.h"

namespace stowage {
void DefaultNormalizeScore(int64_t max, bool reverse, std::span<NodeScore> scores) {
  int64_t highest = HighestScore(scores);
  if (highest == 0) {
    if (!reverse) return;
    for (NodeScore& node : scores) node.score = max;
    return;
  }
  for (NodeScore& node : scores) node.score = StretchedScore(node.score, max, highest, reverse);
}

}  // namespace stowage
