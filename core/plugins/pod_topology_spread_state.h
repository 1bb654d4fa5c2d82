// The state of PodTopologySpread's two halves: constraints with their counts, shared by all pods of
// one signature, and the data in CycleState, for one cycle. Only the plugin's own files include
// this header.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/check.h"
#include "core/plugins/pod_topology_spread.h"

namespace stowage {

// DoNotSchedule constraints. Equal for pods of one signature.
struct HardConstraints {
  std::vector<SpreadConstraint> constraints;
  std::vector<bool> matches_self;  // by constraint: whether its selector matches the pod itself
  std::shared_ptr<const SpreadInclusion> inclusion;
  std::vector<std::shared_ptr<PodSums>> sums;  // over the nodes that have all keys
};

// The number of matching pods by value of one topology key. A value has an entry if some node
// counts for it, even with 0 pods. Reads the index's sums until a dry run changes a count.
class DomainCounts {
 public:
  explicit DomainCounts(std::shared_ptr<const PodSums> sums) : sums_(std::move(sums)) {}

  const TopologyColumn& column() const { return *sums_->column(); }
  size_t size() const { return changed_ ? changed_->size : sums_->size(); }
  int64_t At(uint32_t value) const {
    if (!changed_) return sums_->Live(value);
    bool is_known = value < changed_->counts.size() && changed_->counts[value] != kAbsent;
    return is_known ? changed_->counts[value] : 0;
  }
  // The smallest count. After a change it is the reference's: kube-scheduler tracks only the two
  // smallest counts (criticalPaths), and so does Changed.
  int64_t Min() const { return changed_ ? changed_->paths[0].count : sums_->MinLive(); }

  void AddAndUpdate(uint32_t value, int64_t pods) {
    if (!changed_) Copy();
    CHECK(value < changed_->counts.size());  // nodes with the label have a numbered value
    int64_t& count = changed_->counts[value];
    if (count == kAbsent) {
      count = 0;
      ++changed_->size;
    }
    count += pods;
    changed_->Update(value, count);
  }

 private:
  static constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();

  struct CriticalPath {
    uint32_t value = TopologyColumn::kEmptyValue;
    int64_t count = std::numeric_limits<int32_t>::max();
  };
  struct Changed {
    std::vector<int64_t> counts;  // by value
    size_t size = 0;
    std::array<CriticalPath, 2> paths;

    void Update(uint32_t value, int64_t count) {
      if (value == paths[0].value || value == paths[1].value) {
        paths[value == paths[0].value ? 0 : 1].count = count;
        if (paths[0].count > paths[1].count) std::swap(paths[0], paths[1]);
      } else if (count < paths[0].count) {
        paths[1] = paths[0];
        paths[0] = {value, count};
      } else if (count < paths[1].count) {
        paths[1] = {value, count};
      }
    }
  };

  void Copy() {
    changed_ = Changed();
    changed_->counts.assign(sums_->num_values(), kAbsent);
    changed_->size = sums_->size();
    for (uint32_t value = 0; value < sums_->num_values(); ++value) {
      if (sums_->NumRows(value) == 0) continue;
      changed_->counts[value] = sums_->Live(value);
      changed_->Update(value, sums_->Live(value));
    }
  }

  std::shared_ptr<const PodSums> sums_;
  std::optional<Changed> changed_;
};

struct SpreadPreFilterState final : StateData {
  HardConstraintsRef hard;
  std::vector<DomainCounts> domains;  // one for each constraint

  // For each constraint, the largest number of matching pods that a node's domain may already have.
  std::vector<int64_t> Limits() const;
  // The status of Filter without this state.
  static Status Missing() {
    return Status::Error("reading \"PreFilterPodTopologySpread\" from cycleState: not found");
  }

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<SpreadPreFilterState>(*this);
  }
};

// The two statuses with which Filter refuses, built once.
struct SpreadRefusals {
  Status label_missing =
      Status::UnschedulableAndUnresolvable(PodTopologySpread::kReasonNodeLabelNotMatch);
  Status skew = Status::Unschedulable(PodTopologySpread::kReasonConstraintsNotMatch);

  static const SpreadRefusals& Get() {
    static const SpreadRefusals kRefusals;
    return kRefusals;
  }
};

// ScheduleAnyway constraints. Equal for pods of one signature.
struct SoftConstraints {
  struct One {
    SpreadConstraint constraint;
    std::shared_ptr<TopologyColumn> column;
    std::shared_ptr<PodCounts> pods;
    // Sums over the nodes that count. Null for the hostname key, whose values are single nodes.
    std::shared_ptr<PodSums> sums;

    bool is_hostname() const { return sums == nullptr; }
  };

  std::vector<One> list;
  // If true, a node that lacks one of the keys scores 0 and its pods do not count.
  bool requires_all_keys = false;
  bool is_key_missing = false;  // on some node

  // Whether the row is such a node.
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
  // Refreshes the counts of the constraints.
  SpreadPreScoreState(SoftConstraintsRef constraints, const NodeTable& table);

  SoftConstraintsRef soft;
  std::vector<SpreadWeight> weights;  // by constraint
  // The score by value of the key, if there is one constraint, its key is not the hostname, and it
  // leaves no node out. Otherwise empty.
  std::vector<int64_t> scores;

  // Sets `weights` from the nodes that passed the filters.
  void SetWeights(std::span<const NodeGroup> groups);
  // The same if these are all rows of the table; else returns false and does nothing.
  bool SetWeightsOfAll(std::span<const NodeGroup> groups, size_t num_rows);
  void AddWeight(size_t domains);
  // Sets `scores`, if a table by value is possible. Needs `weights`.
  void SetScoresByValue();
  // The raw score of a row. If the node is not the snapshot's of that row, `outside_node` is the
  // node itself; otherwise null.
  int64_t ScoreRow(size_t row, const NodeInfo* outside_node) const;
  // The status of Score without this state.
  static Status Missing() {
    return Status::Error("error reading \"PreScorePodTopologySpread\" from cycleState: not found");
  }
  // The amount that `count` pods add to a score, before rounding.
  double TermOf(size_t constraint, int64_t count) const {
    int32_t max_skew = soft->list[constraint].constraint.max_skew;
    return static_cast<double>(count) * weights[constraint].log + static_cast<double>(max_skew - 1);
  }
  // The sum of the terms of the constraints whose keys the row has. Calls visit(constraint, pods)
  // for each of them. `outside_node` as for ScoreRow.
  template <typename Visit>
  double SumOfTerms(size_t row, const NodeInfo* outside_node, Visit visit) const {
    double sum = 0;
    for (size_t at = 0; at < soft->list.size(); ++at) {
      const SoftConstraints::One& one = soft->list[at];
      uint32_t value = one.column->At(row);
      if (value == TopologyColumn::kMissing) continue;
      int64_t pods = !one.is_hostname()        ? one.sums->Live(value)
                     : outside_node == nullptr ? one.pods->Live(row)
                                               : one.pods->LiveOn(*outside_node);
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

  // `scores` are those of the nodes that are not left out.
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
