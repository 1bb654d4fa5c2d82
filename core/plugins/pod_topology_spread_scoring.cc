// The scoring half of PodTopologySpread: ScheduleAnyway constraints.
#include <algorithm>
#include <bit>

#include "core/base/go_math.h"
#include "core/plugins/helper_score_memo.h"
#include "core/plugins/pod_topology_spread_state.h"
#include "core/table/row_key.h"

namespace stowage {

namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

// The nodes that passed the filters, by the values of a key.
class FilteredDomains {
 public:
  explicit FilteredDomains(const TopologyColumn& column) : column_(column) {
    if (!column_.HasOneRowEach()) has_.assign(column_.num_values(), false);
  }

  void Add(size_t row, size_t count) {
    uint32_t value = column_.At(row);
    bool is_named = value != TopologyColumn::kMissing && value != TopologyColumn::kEmptyValue;
    if (!has_.empty()) {
      has_[column_.AtOrEmpty(row)] = true;
    } else if (is_named) {
      size_ += count;
    } else {
      has_empty_ = true;
    }
  }
  size_t size() const {
    size_t others = static_cast<size_t>(std::count(has_.begin(), has_.end(), true));
    return size_ + others + (has_empty_ ? 1 : 0);
  }

 private:
  const TopologyColumn& column_;
  size_t size_ = 0;         // values that are one row each
  std::vector<bool> has_;   // by value, where rows share values
  bool has_empty_ = false;  // or lacks the key
};

void SetWeights(std::span<const NodeGroup> groups, SpreadPreScoreState* state) {
  const SoftConstraints& soft = *state->soft;
  size_t num_filtered = 0;
  std::vector<FilteredDomains> domains;
  for (const SoftConstraints::One& one : soft.list) domains.emplace_back(*one.column);
  for (const NodeGroup& group : groups) {
    size_t row = group.node->row();
    if (soft.LeavesOut(row)) continue;
    num_filtered += group.count;
    for (size_t at = 0; at < soft.list.size(); ++at) {
      if (!soft.list[at].is_hostname()) domains[at].Add(row, group.count);
    }
  }
  for (size_t at = 0; at < soft.list.size(); ++at) {
    size_t size = soft.list[at].is_hostname() ? num_filtered : domains[at].size();
    state->weights.push_back({size, GoLog(static_cast<double>(size + 2))});
  }
}

int64_t ScoreRow(const SpreadPreScoreState& state, size_t row, const NodeInfo* stranger) {
  if (state.soft->LeavesOut(row)) return 0;
  return GoRoundToInt64(state.SumOfTerms(row, stranger, [](size_t, int64_t) {}));
}

Status MissingState() {
  return Status::Error("error reading \"PreScorePodTopologySpread\" from cycleState: not found");
}

}  // namespace

// Null without constraints.
Result<SoftConstraintsRef, Status> PodTopologySpread::DeriveSoft(const Pod& pod) const {
  Result<Constraints, std::string> constraints = ConstraintsOf(pod, "ScheduleAnyway");
  if (!constraints.ok()) {
    return Status::Error("calculating preScoreState: " + constraints.fault());
  }
  if (constraints->empty()) return SoftConstraintsRef();
  TopologyIndex& index = handle_.topology_index();
  auto soft = std::make_shared<SoftConstraints>();
  soft->requires_all_keys = !pod.spec.topology_spread_constraints.empty() || !is_system_defaulted_;
  // Where no node has all keys, every node gets 0 points whatever the other constraints say.
  auto absent = FindAbsentKey(*constraints);
  if (soft->requires_all_keys && absent != constraints->end()) {
    constraints = Constraints{*absent};
  }
  RequiredKeys missing_keys = MissingKeys(*constraints);
  soft->is_key_missing = !missing_keys->empty();
  if (!soft->requires_all_keys) missing_keys = std::make_shared<const std::vector<Symbol>>();
  auto inclusion = std::make_shared<const SpreadInclusion>(pod, features_);
  for (SpreadConstraint& constraint : *constraints) {
    SoftConstraints::One one;
    if (constraint.topology_key == kHostname) {
      one.column = index.Column(constraint.topology_key);
      one.pods = index.Counts(std::vector{MatcherOf(constraint, pod.metadata.namespace_)});
    } else {
      one.sums = SumsOf(constraint, pod.metadata.namespace_,
                        CountedNodes(constraint, inclusion, missing_keys));
      one.column = one.sums->column();
      one.pods = one.sums->counts();
    }
    one.constraint = std::move(constraint);
    soft->list.push_back(std::move(one));
  }
  return SoftConstraintsRef(std::move(soft));
}

void PodTopologySpread::AddSoftTo(const SoftConstraintsRef& soft, CycleState& derived,
                                  RowKey* key) const {
  derived.Write(soft);
  if (soft == nullptr) return;
  for (const SoftConstraints::One& one : soft->list) {
    if (one.is_hostname()) {
      key->AddHasKey(one.column);
      key->AddLivePods(one.pods);
    } else {
      key->AddDomain(one.sums);
    }
  }
}

Status PodTopologySpread::PreScore(CycleState& state, const Pod& pod, NodeList nodes) const {
  std::vector<NodeGroup> groups;
  groups.reserve(nodes.size());
  for (const NodeInfo* node : nodes) groups.push_back({node, 1});
  return PreScoreGroups(state, pod, groups);
}

Status PodTopologySpread::PreScoreGroups(CycleState& state, const Pod& pod,
                                         std::span<const NodeGroup> groups) const {
  if (handle_.snapshot().NumNodes() == 0) return Status::Skip();
  const SoftConstraintsRef* derived = state.Derived<SoftConstraintsRef>();
  Result<SoftConstraintsRef, Status> soft = derived == nullptr ? DeriveSoft(pod) : *derived;
  if (!soft.ok()) return soft.fault();
  if (*soft == nullptr) return Status::Skip();
  SpreadPreScoreState made;
  made.soft = soft.Take();
  const NodeTable& table = handle_.snapshot().table();
  for (const SoftConstraints::One& one : made.soft->list) {
    one.column->Refresh(table);
    one.pods->Refresh(table);
    if (!one.is_hostname()) one.sums->Refresh(table);
  }
  SetWeights(groups, &made);
  const SoftConstraints::One& first = made.soft->list.front();
  bool leaves_out = made.soft->requires_all_keys && made.soft->is_key_missing;
  if (made.soft->list.size() == 1 && !leaves_out && !first.is_hostname() &&
      !first.column->HasOneRowEach()) {
    for (uint32_t value = 0; value < first.sums->num_values(); ++value) {
      made.scores.push_back(GoRoundToInt64(made.TermOf(0, first.sums->Live(value))));
    }
  }
  state.Write(std::move(made));
  return Status::Success();
}

Result<int64_t, Status> PodTopologySpread::Score(const CycleState& state, const Pod&,
                                                 const NodeInfo& node) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return MissingState();
  return ScoreRow(*stored, node.row(), StrangerOf(node));
}

const NodeInfo* PodTopologySpread::StrangerOf(const NodeInfo& node) const {
  return handle_.snapshot().nodes()[node.row()] == &node ? nullptr : &node;
}

Status PodTopologySpread::ScoreChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                     uint64_t candidates, ChunkScores* scores) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return MissingState();
  if (!stored->scores.empty()) {
    const TopologyColumn& column = *stored->soft->list.front().column;
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      uint32_t value = column.At(chunk.row(offset));
      (*scores)[offset] = value == TopologyColumn::kMissing ? 0 : stored->scores[value];
    }
    return Status::Success();
  }
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    (*scores)[offset] = ScoreRow(*stored, chunk.row(offset), nullptr);
  }
  return Status::Success();
}

// Ignored nodes get 0.
Status PodTopologySpread::NormalizeScore(const CycleState& state, const Pod&,
                                         std::span<NodeScore> scores) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return Status::Success();
  SpreadNormalization rule(*stored->soft, scores);
  ScoreMemo normalized(rule.min, rule.max, rule);
  for (NodeScore& score : scores) {
    bool is_left_out = stored->soft->LeavesOut(score.node->row());
    score.score = is_left_out ? 0 : normalized(score.score);
  }
  return Status::Success();
}

}  // namespace stowage
