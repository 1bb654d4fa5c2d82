// The scoring half of PodTopologySpread: ScheduleAnyway constraints.
#include <algorithm>
#include <bit>
#include <limits>

#include "core/base/bitset.h"
#include "core/base/go_math.h"
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
  // Matching pods by value, for values of nodes that passed the filters; kNoCounter for others.
  // Unused for the hostname key, whose values are single nodes.
  std::vector<int64_t> counters;
  size_t num_counters = 0;
  double weight = 0;

  // The value of a row; the empty one where the label is missing.
  uint32_t ValueAt(size_t row) const {
    uint32_t value = column->At(row);
    return value == TopologyColumn::kMissing ? TopologyColumn::kEmptyValue : value;
  }
};

struct SpreadPreScoreState {
  std::vector<SoftConstraint> constraints;
  Bitset ignored;  // rows that passed the filters but lack a key
};

bool LacksAKey(const SpreadPreScoreState& state, size_t row) {
  return std::any_of(state.constraints.begin(), state.constraints.end(),
                     [row](const SoftConstraint& soft) {
                       return soft.column->At(row) == TopologyColumn::kMissing;
                     });
}

// Makes a counter for each value that a filtered node has, and finds the nodes to ignore.
void MakeCounters(NodeList filtered, bool requires_all_keys, SpreadPreScoreState* state) {
  size_t num_ignored = 0;
  for (const NodeInfo* node : filtered) {
    if (requires_all_keys && LacksAKey(*state, node->row())) {
      state->ignored.Set(node->row(), true);
      ++num_ignored;
      continue;
    }
    for (SoftConstraint& soft : state->constraints) {
      if (soft.is_hostname) continue;
      int64_t& counter = soft.counters[soft.ValueAt(node->row())];
      if (counter != kNoCounter) continue;
      counter = 0;
      ++soft.num_counters;
    }
  }
  for (SoftConstraint& soft : state->constraints) {
    size_t size = soft.is_hostname ? filtered.size() - num_ignored : soft.num_counters;
    soft.weight = GoLog(static_cast<double>(size + 2));
  }
}

void CountPods(const SpreadInclusion& inclusion, NodeList all, bool requires_all_keys,
               SpreadPreScoreState* state) {
  for (const NodeInfo* node : all) {
    if (requires_all_keys && LacksAKey(*state, node->row())) continue;
    for (SoftConstraint& soft : state->constraints) {
      if (soft.is_hostname) continue;
      int64_t& counter = soft.counters[soft.ValueAt(node->row())];
      if (counter == kNoCounter || !inclusion.Includes(soft.constraint, *node->node())) continue;
      counter += soft.pods->Live(node->row());
    }
  }
}

int64_t ScoreRow(const SpreadPreScoreState& state, size_t row) {
  if (state.ignored.Test(row)) return 0;
  double score = 0;
  for (const SoftConstraint& soft : state.constraints) {
    uint32_t value = soft.column->At(row);
    if (value == TopologyColumn::kMissing) continue;
    int64_t count = soft.is_hostname ? soft.pods->Live(row) : soft.counters[value];
    score += static_cast<double>(count) * soft.weight +
             static_cast<double>(soft.constraint.max_skew - 1);
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
  made.ignored.Resize(all.size());
  for (SpreadConstraint& constraint : *constraints) {
    SoftConstraint soft;
    soft.is_hostname = constraint.topology_key == kHostname;
    soft.column = index.Column(constraint.topology_key);
    soft.pods = index.Counts({MatcherOf(constraint, pod.metadata.namespace_)});
    soft.counters.assign(soft.column->num_values(), kNoCounter);
    soft.constraint = std::move(constraint);
    made.constraints.push_back(std::move(soft));
  }
  bool requires_all_keys = !pod.spec.topology_spread_constraints.empty() || !is_system_defaulted_;
  MakeCounters(nodes, requires_all_keys, &made);
  CountPods(SpreadInclusion(pod, features_), all, requires_all_keys, &made);
  state.Write(std::move(made));
  return Status::Success();
}

Result<int64_t, Status> PodTopologySpread::Score(const CycleState& state, const Pod&,
                                                 const NodeInfo& node) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return MissingState();
  return ScoreRow(*stored, node.row());
}

Status PodTopologySpread::ScoreChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                     uint64_t candidates, ChunkScores* scores) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return MissingState();
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    (*scores)[offset] = ScoreRow(*stored, chunk.first_row + offset);
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
    if (stored->ignored.Test(score.node->row())) continue;
    min = std::min(min, score.score);
    max = std::max(max, score.score);
  }
  for (NodeScore& score : scores) {
    if (stored->ignored.Test(score.node->row())) {
      score.score = 0;
    } else if (max == 0) {
      score.score = kMaxNodeScore;
    } else {
      score.score = kMaxNodeScore * (max + min - score.score) / max;
    }
  }
  return Status::Success();
}

}  // namespace stowage
