// What the scoring half of PodTopologySpread keeps: constraints with their counts, for all pods of
// one signature, and the data in CycleState, for one cycle. Only the plugin's own files include
// this header.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/plugins/pod_topology_spread.h"

namespace stowage {

// ScheduleAnyway constraints. Equal for pods of one signature.
struct SoftConstraints {
  struct One {
    SpreadConstraint constraint;
    std::shared_ptr<TopologyColumn> column;
    std::shared_ptr<PodCounts> pods;
    // Of the pods on nodes that count; null for the hostname key, whose values are single nodes.
    std::shared_ptr<PodSums> sums;

    bool is_hostname() const { return sums == nullptr; }
  };

  std::vector<One> list;
  // A node that lacks one of the keys gets no points and counts for nothing.
  bool requires_all_keys = false;
  bool is_key_missing = false;  // on some node

  bool LeavesOut(size_t row) const {
    if (!requires_all_keys || !is_key_missing) return false;
    return std::any_of(list.begin(), list.end(), [row](const One& one) {
      return one.column->At(row) == TopologyColumn::kMissing;
    });
  }
};

// The weight of one pod in the score of a constraint: ln(domains + 2), of the domains among the
// nodes that passed the filters.
struct SpreadWeight {
  size_t domains;
  double log;
};

struct SpreadPreScoreState {
  SoftConstraintsRef soft;
  std::vector<SpreadWeight> weights;  // by constraint
  // By value, where there is one constraint, not on the hostname, that leaves no node out; else
  // empty.
  std::vector<int64_t> scores;

  // The amount that `count` pods add to a score, before rounding.
  double TermOf(size_t constraint, int64_t count) const {
    int32_t max_skew = soft->list[constraint].constraint.max_skew;
    return static_cast<double>(count) * weights[constraint].log + static_cast<double>(max_skew - 1);
  }
  // The sum of the terms of the constraints whose keys the row has. Calls visit(constraint, pods)
  // for each of them. If the node is not the snapshot's of that row, `stranger` is the node itself;
  // otherwise null.
  template <typename Visit>
  double SumOfTerms(size_t row, const NodeInfo* stranger, Visit visit) const {
    double sum = 0;
    for (size_t at = 0; at < soft->list.size(); ++at) {
      const SoftConstraints::One& one = soft->list[at];
      uint32_t value = one.column->At(row);
      if (value == TopologyColumn::kMissing) continue;
      int64_t pods = !one.is_hostname()    ? one.sums->Live(value)
                     : stranger == nullptr ? one.pods->Live(row)
                                           : one.pods->LiveOn(*stranger);
      sum += TermOf(at, pods);
      visit(at, pods);
    }
    return sum;
  }
};

// The fewer pods, the higher the normalized score: 100 × (max + min − score) / max.
struct SpreadNormalization {
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = 0;

  // Of the nodes that are not left out.
  SpreadNormalization(const SoftConstraints& soft, std::span<const NodeScore> scores) {
    for (const NodeScore& score : scores) {
      if (soft.LeavesOut(score.node->row())) continue;
      min = std::min(min, score.score);
      max = std::max(max, score.score);
    }
  }

  int64_t operator()(int64_t score) const {
    return max == 0 ? kMaxNodeScore : kMaxNodeScore * (max + min - score) / max;
  }
};

}  // namespace stowage
