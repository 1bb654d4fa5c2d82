#include "core/plugins/helper_normalize_score.h"

#include <algorithm>

namespace stowage {

void DefaultNormalizeScore(int64_t max, bool reverse, std::span<NodeScore> scores) {
  int64_t highest = 0;
  for (const NodeScore& node : scores) highest = std::max(highest, node.score);
  if (highest == 0) {
    if (!reverse) return;
    for (NodeScore& node : scores) node.score = max;
    return;
  }
  for (NodeScore& node : scores) {
    int64_t stretched = max * node.score / highest;
    node.score = reverse ? max - stretched : stretched;
  }
}

}  // namespace stowage
