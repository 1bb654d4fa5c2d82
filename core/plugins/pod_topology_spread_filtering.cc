// The filtering half of PodTopologySpread: DoNotSchedule constraints.
#include <array>
#include <bit>
#include <limits>

#include "core/plugins/pod_topology_spread.h"

namespace stowage {
namespace {

// Matching pods by value of one topology key. A value has an entry once a node counts for it, be it
// with 0 pods.
class DomainCounts {
 public:
  explicit DomainCounts(std::shared_ptr<const TopologyColumn> column)
      : column_(std::move(column)), counts_(column_->num_values(), kAbsent) {}

  const TopologyColumn& column() const { return *column_; }
  size_t size() const { return size_; }
  int64_t At(uint32_t value) const {
    bool is_known = value < counts_.size() && counts_[value] != kAbsent;
    return is_known ? counts_[value] : 0;
  }
  // The smallest count. The reference knows it by the two smallest, which it keeps up to date.
  int64_t Min() const { return paths_[0].count; }

  void Add(uint32_t value, int64_t pods) {
    if (counts_[value] == kAbsent) {
      counts_[value] = 0;
      ++size_;
    }
    counts_[value] += pods;
  }
  // Every row counts.
  void AddAll(const PodSums& sums) {
    for (uint32_t value = 0; value < counts_.size(); ++value) {
      if (column_->NumRows(value) > 0) Add(value, sums.Live(value));
    }
  }
  void AddAndUpdate(uint32_t value, int64_t pods) {
    Add(value, pods);
    Update(value, counts_[value]);
  }
  void UpdateAll() {
    for (uint32_t value = 0; value < counts_.size(); ++value) {
      if (counts_[value] != kAbsent) Update(value, counts_[value]);
    }
  }

 private:
  struct CriticalPath {
    uint32_t value = TopologyColumn::kEmptyValue;
    int64_t count = std::numeric_limits<int32_t>::max();
  };
  static constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();

  void Update(uint32_t value, int64_t count) {
    if (value == paths_[0].value || value == paths_[1].value) {
      paths_[value == paths_[0].value ? 0 : 1].count = count;
      if (paths_[0].count > paths_[1].count) std::swap(paths_[0], paths_[1]);
    } else if (count < paths_[0].count) {
      paths_[1] = paths_[0];
      paths_[0] = {value, count};
    } else if (count < paths_[1].count) {
      paths_[1] = {value, count};
    }
  }

  std::shared_ptr<const TopologyColumn> column_;
  std::vector<int64_t> counts_;  // by value
  size_t size_ = 0;
  std::array<CriticalPath, 2> paths_;
};

// What stays as it is during a cycle.
struct HardConstraints {
  std::vector<SpreadConstraint> constraints;
  std::vector<bool> matches_self;  // the pod is one of those that it counts
  SpreadInclusion inclusion;
};

struct SpreadPreFilterState final : StateData {
  std::shared_ptr<const HardConstraints> hard;
  std::vector<DomainCounts> domains;  // one for each constraint

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<SpreadPreFilterState>(*this);
  }
};

bool HasAllKeys(const std::vector<DomainCounts>& domains, size_t row) {
  return std::none_of(domains.begin(), domains.end(), [row](const DomainCounts& domain) {
    return domain.column().At(row) == TopologyColumn::kMissing;
  });
}

// `nodes` are all nodes: each one's place is its row.
void CountPods(const Pod& pod, TopologyIndex& index, NodeList nodes, SpreadPreFilterState* state) {
  const auto& constraints = state->hard->constraints;
  std::vector<std::shared_ptr<const PodSums>> sums;
  bool have_all_keys = true;
  for (const SpreadConstraint& constraint : constraints) {
    PodMatcher matcher = MatcherOf(constraint, pod.metadata.namespace_);
    sums.push_back(index.Sums(constraint.topology_key, {std::move(matcher)}));
    state->domains.emplace_back(sums.back()->column());
    have_all_keys = have_all_keys && sums.back()->column()->num_missing() == 0;
  }
  const SpreadInclusion& inclusion = state->hard->inclusion;
  for (size_t at = 0; at < constraints.size(); ++at) {
    DomainCounts& domain = state->domains[at];
    bool includes_all = inclusion.IncludesAll(constraints[at]);
    if (includes_all && have_all_keys) {
      domain.AddAll(*sums[at]);
    } else {
      for (size_t row = 0; row < nodes.size(); ++row) {
        if (!HasAllKeys(state->domains, row)) continue;
        if (!includes_all && !inclusion.Includes(constraints[at], *nodes[row]->node())) continue;
        domain.Add(domain.column().At(row), sums[at]->counts()->Live(row));
      }
    }
    domain.UpdateAll();
  }
}

// How many pods there may be in a domain before the pod comes, for each constraint.
std::vector<int64_t> Limits(const SpreadPreFilterState& state) {
  std::vector<int64_t> limits;
  for (size_t at = 0; at < state.domains.size(); ++at) {
    const SpreadConstraint& constraint = state.hard->constraints[at];
    const DomainCounts& domain = state.domains[at];
    bool has_few = domain.size() < static_cast<size_t>(std::max(constraint.min_domains, 0));
    int64_t min_match = has_few ? 0 : domain.Min();
    limits.push_back(constraint.max_skew + min_match - (state.hard->matches_self[at] ? 1 : 0));
  }
  return limits;
}

// What a node can be refused for; all nodes share these.
struct Refusals {
  Status label_missing =
      Status::UnschedulableAndUnresolvable(PodTopologySpread::kReasonNodeLabelNotMatch);
  Status skew = Status::Unschedulable(PodTopologySpread::kReasonConstraintsNotMatch);

  static const Refusals& Get() {
    static const Refusals kRefusals;
    return kRefusals;
  }
};

// Null when the row passes.
const Status* RefusalOfRow(const SpreadPreFilterState& state, const std::vector<int64_t>& limits,
                           size_t row) {
  for (size_t at = 0; at < limits.size(); ++at) {
    const DomainCounts& domain = state.domains[at];
    uint32_t value = domain.column().At(row);
    if (value == TopologyColumn::kMissing) return &Refusals::Get().label_missing;
    if (domain.At(value) > limits[at]) return &Refusals::Get().skew;
  }
  return nullptr;
}

Status MissingState() {
  return Status::Error("reading \"PreFilterPodTopologySpread\" from cycleState: not found");
}

}  // namespace

Status PodTopologySpread::PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                                    PreFilterResult*) const {
  Result<Constraints, std::string> constraints = ConstraintsOf(pod, "DoNotSchedule");
  if (!constraints.ok()) return Status::Error("get constraints from pod: " + constraints.fault());
  if (constraints->empty()) return Status::Skip();
  std::vector<bool> matches_self;
  for (const SpreadConstraint& constraint : *constraints) {
    matches_self.push_back(constraint.selector.Matches(pod.metadata.labels));
  }
  auto made = std::make_unique<SpreadPreFilterState>();
  made->hard = std::make_shared<const HardConstraints>(HardConstraints{
      constraints.Take(), std::move(matches_self), SpreadInclusion(pod, features_)});
  CountPods(pod, handle_.topology_index(), nodes, made.get());
  state.WriteData(std::move(made));
  return Status::Success();
}

Status PodTopologySpread::AddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                                 const NodeInfo& node) const {
  return UpdateWithPod(state, pod, *pod_to_add.pod, node, 1);
}

Status PodTopologySpread::RemovePod(CycleState& state, const Pod& pod, const PodInfo& pod_to_remove,
                                    const NodeInfo& node) const {
  return UpdateWithPod(state, pod, *pod_to_remove.pod, node, -1);
}

// An empty selector, which counted nothing so far, selects everything here.
Status PodTopologySpread::UpdateWithPod(CycleState& state, const Pod& pod, const Pod& changed,
                                        const NodeInfo& node, int64_t delta) const {
  auto* stored = state.MutableData<SpreadPreFilterState>();
  if (stored == nullptr) return MissingState();
  const HardConstraints& hard = *stored->hard;
  const LabelMap& labels = node.node()->metadata.labels;
  if (changed.metadata.namespace_ != pod.metadata.namespace_) return Status::Success();
  if (!HasAllTopologyKeys(labels, hard.constraints)) return Status::Success();
  for (size_t at = 0; at < hard.constraints.size(); ++at) {
    const SpreadConstraint& constraint = hard.constraints[at];
    if (!constraint.selector.Matches(changed.metadata.labels)) continue;
    if (!hard.inclusion.Includes(constraint, *node.node())) continue;
    DomainCounts& domain = stored->domains[at];
    domain.AddAndUpdate(domain.column().Find(*labels.Find(constraint.topology_key)), delta);
  }
  return Status::Success();
}

Status PodTopologySpread::Filter(const CycleState& state, const Pod&, const NodeInfo& node) const {
  const auto* stored = state.ReadData<SpreadPreFilterState>();
  if (stored == nullptr) return MissingState();
  std::vector<int64_t> limits = Limits(*stored);
  const LabelMap& labels = node.node()->metadata.labels;
  for (size_t at = 0; at < limits.size(); ++at) {
    const Symbol* value = labels.Find(stored->hard->constraints[at].topology_key);
    if (value == nullptr) return Refusals::Get().label_missing;
    const DomainCounts& domain = stored->domains[at];
    if (domain.At(domain.column().Find(*value)) > limits[at]) {
      return Refusals::Get().skew;
    }
  }
  return Status::Success();
}

uint64_t PodTopologySpread::FilterChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                        uint64_t candidates, ChunkStatuses* statuses) const {
  const auto* stored = state.ReadData<SpreadPreFilterState>();
  std::vector<int64_t> limits;
  if (stored != nullptr) limits = Limits(*stored);
  uint64_t passed = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    if (stored == nullptr) {
      (*statuses)[offset] = MissingState();
      continue;
    }
    const Status* refusal = RefusalOfRow(*stored, limits, chunk.first_row + offset);
    if (refusal == nullptr) {
      passed |= uint64_t{1} << offset;
    } else {
      (*statuses)[offset] = *refusal;
    }
  }
  return passed;
}

}  // namespace stowage
