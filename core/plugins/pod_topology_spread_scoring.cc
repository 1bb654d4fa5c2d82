// The scoring half of PodTopologySpread: ScheduleAnyway constraints.
#include <algorithm>
#include <bit>
#include <limits>

#include "core/base/bitset.h"
#include "core/base/go_math.h"
#include "core/plugins/helper_score_memo.h"
#include "core/plugins/pod_topology_spread.h"

namespace stowage {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr int64_t kNoCounter = -1;

// A constraint with what one decision counts for it.
struct SoftConstraint {
  SpreadConstraint constraint;
  bool is_hostname = false;
  std::shared_ptr<const TopologyColumn> column;
  std::shared_ptr<const PodCounts> pods;
  std::shared_ptr<const PodSums> sums;  // of them; null for the hostname key
  // Matching pods by value, for values of nodes that passed the filters; kNoCounter for others.
  // Unused for the hostname key, whose values are single nodes.
  std::vector<int64_t> counters;
  size_t num_counters = 0;
  double weight = 0;
  std::vector<double> terms;  // of the counters

  // What `count` pods add to a score.
  double TermOf(int64_t count) const {
    return static_cast<double>(count) * weight + static_cast<double>(constraint.max_skew - 1);
  }
};

struct SpreadPreScoreState {
  std::vector<SoftConstraint> constraints;
  Bitset ignored;  // rows that passed the filters but lack a key
  size_t num_ignored = 0;
  // By value, where there is one constraint, not on the hostname, and no row is ignored; else
  // empty.
  std::vector<int64_t> scores;

  bool Ignores(size_t row) const { return num_ignored > 0 && ignored.Test(row); }
};

// Rows that do not count, as they lack a key and all keys are required.
Bitset RowsToLeaveOut(const SpreadPreScoreState& state, size_t num_rows, bool requires_all_keys) {
  Bitset rows(num_rows);
  if (!requires_all_keys) return rows;
  for (const SoftConstraint& soft : state.constraints) {
    if (soft.column->num_missing() == 0) continue;
    for (size_t row = 0; row < num_rows; ++row) {
      if (soft.column->At(row) == TopologyColumn::kMissing) rows.Set(row, true);
    }
  }
  return rows;
}

// Makes a counter for each value that a filtered node has.
void MakeCounters(NodeList filtered, const Bitset& left_out, SpreadPreScoreState* state) {
  bool are_all = filtered.size() == left_out.size();
  for (SoftConstraint& soft : state->constraints) {
    if (soft.is_hostname) continue;
    size_t num_values = soft.column->num_occurring();
    for (size_t at = 0; at < filtered.size() && soft.num_counters < num_values; ++at) {
      size_t row = are_all ? at : filtered[at]->row();
      int64_t& counter = soft.counters[soft.column->AtOrEmpty(row)];
      if (counter != kNoCounter || left_out.Test(row)) continue;
      counter = 0;
      ++soft.num_counters;
    }
  }
}

void SetWeights(NodeList filtered, const Bitset& left_out, SpreadPreScoreState* state) {
  state->ignored.Resize(left_out.size());
  if (left_out.Count() > 0) {
    for (const NodeInfo* node : filtered) {
      state->ignored.Set(node->row(), left_out.Test(node->row()));
    }
  }
  state->num_ignored = state->ignored.Count();
  for (SoftConstraint& soft : state->constraints) {
    size_t size = soft.is_hostname ? filtered.size() - state->num_ignored : soft.num_counters;
    soft.weight = GoLog(static_cast<double>(size + 2));
  }
}

// The place of each of `all` nodes is its row.
void CountPods(const SpreadInclusion& inclusion, NodeList all, const Bitset& left_out,
               SoftConstraint* soft) {
  bool includes_all = inclusion.IncludesAll(soft->constraint);
  if (includes_all && left_out.Count() == 0) {
    for (uint32_t value = 0; value < soft->counters.size(); ++value) {
      if (soft->counters[value] != kNoCounter) soft->counters[value] = soft->sums->Live(value);
    }
    return;
  }
  for (size_t row = 0; row < all.size(); ++row) {
    int64_t pods = soft->pods->Live(row);
    if (pods == 0 || left_out.Test(row)) continue;
    int64_t& counter = soft->counters[soft->column->AtOrEmpty(row)];
    if (counter == kNoCounter) continue;
    if (includes_all || inclusion.Includes(soft->constraint, *all[row]->node())) counter += pods;
  }
}

// `stranger`, unless null, is the node itself where it is not the snapshot's of that row.
int64_t ScoreRow(const SpreadPreScoreState& state, size_t row, const NodeInfo* stranger) {
  if (state.Ignores(row)) return 0;
  double score = 0;
  for (const SoftConstraint& soft : state.constraints) {
    uint32_t value = soft.column->At(row);
    if (value == TopologyColumn::kMissing) continue;
    if (soft.is_hostname) {
      int64_t pods = stranger == nullptr ? soft.pods->Live(row) : soft.pods->LiveOn(*stranger);
      score += soft.TermOf(pods);
    } else {
      score += soft.terms[value];
    }
  }
  return GoRoundToInt64(score);
}

Status MissingState() {
  return Status::Error("error reading \"PreScorePodTopologySpread\" from cycleState: not found");
}

}  // namespace

Status PodTopologySpread::PreScore(CycleState& state, const Pod& pod, NodeList nodes) const {
  NodeList all = handle_.snapshot().nodes();
  if (all.empty()) return Status::Skip();
  Result<Constraints, std::string> constraints = ConstraintsOf(pod, "ScheduleAnyway");
  if (!constraints.ok()) {
    return Status::Error("calculating preScoreState: " + constraints.fault());
  }
  if (constraints->empty()) return Status::Skip();
  TopologyIndex& index = handle_.topology_index();
  SpreadPreScoreState made;
  for (SpreadConstraint& constraint : *constraints) {
    SoftConstraint soft;
    soft.is_hostname = constraint.topology_key == kHostname;
    PodMatcher matcher = MatcherOf(constraint, pod.metadata.namespace_);
    if (soft.is_hostname) {
      soft.column = index.Column(constraint.topology_key);
      soft.pods = index.Counts({std::move(matcher)});
    } else {
      soft.sums = index.Sums(constraint.topology_key, {std::move(matcher)});
      soft.column = soft.sums->column();
      soft.pods = soft.sums->counts();
      soft.counters.assign(soft.column->num_values(), kNoCounter);
    }
    soft.constraint = std::move(constraint);
    made.constraints.push_back(std::move(soft));
  }
  bool requires_all_keys = !pod.spec.topology_spread_constraints.empty() || !is_system_defaulted_;
  Bitset left_out = RowsToLeaveOut(made, all.size(), requires_all_keys);
  MakeCounters(nodes, left_out, &made);
  SetWeights(nodes, left_out, &made);
  SpreadInclusion inclusion(pod, features_);
  for (SoftConstraint& soft : made.constraints) {
    if (soft.is_hostname) continue;
    CountPods(inclusion, all, left_out, &soft);
    for (int64_t count : soft.counters) soft.terms.push_back(soft.TermOf(count));
  }
  if (made.constraints.size() == 1 && made.num_ignored == 0) {
    for (double term : made.constraints[0].terms) made.scores.push_back(GoRoundToInt64(term));
  }
  state.Write(std::move(made));
  return Status::Success();
}

Result<int64_t, Status> PodTopologySpread::Score(const CycleState& state, const Pod&,
                                                 const NodeInfo& node) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return MissingState();
  bool is_of_snapshot = handle_.snapshot().nodes()[node.row()] == &node;
  return ScoreRow(*stored, node.row(), is_of_snapshot ? nullptr : &node);
}

Status PodTopologySpread::ScoreChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                     uint64_t candidates, ChunkScores* scores) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return MissingState();
  if (!stored->scores.empty()) {
    const TopologyColumn& column = *stored->constraints[0].column;
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      uint32_t value = column.At(chunk.first_row + offset);
      (*scores)[offset] = value == TopologyColumn::kMissing ? 0 : stored->scores[value];
    }
    return Status::Success();
  }
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    (*scores)[offset] = ScoreRow(*stored, chunk.first_row + offset, nullptr);
  }
  return Status::Success();
}

// Fewer pods are better. Ignored nodes get 0.
Status PodTopologySpread::NormalizeScore(const CycleState& state, const Pod&,
                                         std::span<NodeScore> scores) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return Status::Success();
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = 0;
  for (const NodeScore& score : scores) {
    if (stored->num_ignored > 0 && stored->Ignores(score.node->row())) continue;
    min = std::min(min, score.score);
    max = std::max(max, score.score);
  }
  ScoreMemo normalized(min, max, [min, max](int64_t score) {
    return max == 0 ? kMaxNodeScore : kMaxNodeScore * (max + min - score) / max;
  });
  for (NodeScore& score : scores) {
    bool is_ignored = stored->num_ignored > 0 && stored->Ignores(score.node->row());
    score.score = is_ignored ? 0 : normalized(score.score);
  }
  return Status::Success();
}

}  // namespace stowage
