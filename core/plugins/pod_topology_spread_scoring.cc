// The scoring half of PodTopologySpread: ScheduleAnyway constraints.
#include <algorithm>

#include "core/base/go_math.h"
#include "core/plugins/helper_score_memo.h"
#include "core/plugins/pod_topology_spread_state.h"

namespace stowage {

namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

// Counts the distinct values of a key among the nodes that passed the filters.
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
  size_t size_ = 0;         // values, if each row has its own
  std::vector<bool> has_;   // by value, if rows share values; else empty
  bool has_empty_ = false;  // a row with the empty value or without the key
};

}  // namespace

// The weight of a constraint is log(domains + 2), where domains is the number of domains among the
// filtered nodes: a key with many values has few pods per domain, and the weight makes up for that.
// For the hostname every filtered node is a domain.
void SpreadPreScoreState::SetWeights(std::span<const NodeGroup> groups) {
  size_t num_filtered = 0;
  std::vector<FilteredDomains> domains;
  domains.reserve(soft->list.size());
  weights.reserve(soft->list.size());
  for (const SoftConstraints::One& one : soft->list) domains.emplace_back(*one.column);
  for (const NodeGroup& group : groups) {
    size_t row = group.node->row();
    if (soft->LeavesOut(row)) continue;
    num_filtered += group.count;
    for (size_t at = 0; at < soft->list.size(); ++at) {
      if (!soft->list[at].is_hostname()) domains[at].Add(row, group.count);
    }
  }
  for (size_t at = 0; at < soft->list.size(); ++at) {
    size_t size = soft->list[at].is_hostname() ? num_filtered : domains[at].size();
    AddWeight(size);
  }
}

void SpreadPreScoreState::AddWeight(size_t domains) {
  weights.push_back({domains, GoLog(static_cast<double>(domains + 2))});
}

// The sum over the constraints of (pods in the node's domain) × weight + (maxSkew − 1), rounded. A
// node without a constraint's key gets nothing for that constraint.
int64_t SpreadPreScoreState::ScoreRow(size_t row, const NodeInfo* outside_node) const {
  if (soft->LeavesOut(row)) return 0;
  return GoRoundToInt64(SumOfTerms(row, outside_node, [](size_t, int64_t) {}));
}

Result<SoftConstraintsRef, Status> PodTopologySpread::DeriveSoft(const Pod& pod) const {
  Result<Constraints, std::string> constraints = ConstraintsOf(pod, kScheduleAnyway);
  if (!constraints.ok()) {
    return Status::Error("calculating preScoreState: " + constraints.fault());
  }
  if (constraints->empty()) return SoftConstraintsRef();
  TopologyIndex& index = handle_.topology_index();
  auto soft = std::make_shared<SoftConstraints>();
  soft->requires_all_keys = !pod.spec.topology_spread_constraints.empty() || !is_system_defaulted_;
  // If no node has all keys, every node scores 0: the other constraints do not matter.
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

Status PodTopologySpread::PreScore(CycleState& state, const Pod& pod, NodeList nodes) const {
  Result<SoftConstraintsRef, Status> soft = SoftOf(state, pod);
  if (!soft.ok()) return soft.fault();
  if (*soft == nullptr) return Status::Skip();
  std::vector<NodeGroup> groups;
  groups.reserve(nodes.size());
  for (const NodeInfo* node : nodes) groups.push_back({node, 1});
  SpreadPreScoreState made(soft.Take(), handle_.snapshot().table());
  made.SetWeights(groups);
  made.SetScoresByValue();
  state.Write(std::move(made));
  return Status::Success();
}

SpreadPreScoreState::SpreadPreScoreState(SoftConstraintsRef constraints, const NodeTable& table)
    : soft(std::move(constraints)) {
  for (const SoftConstraints::One& one : soft->list) {
    one.column->Refresh(table);
    one.pods->Refresh(table);
    if (!one.is_hostname()) one.sums->Refresh(table);
  }
}

Result<int64_t, Status> PodTopologySpread::Score(const CycleState& state, const Pod&,
                                                 const NodeInfo& node) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return SpreadPreScoreState::Missing();
  return stored->ScoreRow(node.row(), NodeOutsideSnapshot(node));
}

const NodeInfo* PodTopologySpread::NodeOutsideSnapshot(const NodeInfo& node) const {
  return handle_.snapshot().nodes()[node.row()] == &node ? nullptr : &node;
}

// Nodes that are left out get 0.
Status PodTopologySpread::NormalizeScore(const CycleState& state, const Pod&,
                                         std::span<NodeScore> scores) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return Status::Success();
  SpreadNormalization rule(*stored->soft, scores);
  ScoreMemo normalized(rule.min, rule.max, scores.size(), rule);
  for (NodeScore& score : scores) {
    bool is_left_out = stored->soft->LeavesOut(score.node->row());
    score.score = is_left_out ? 0 : normalized(score.score);
  }
  return Status::Success();
}

}  // namespace stowage
