// The filtering half of PodTopologySpread: DoNotSchedule constraints.
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "core/api/encode/json_writer.h"
#include "core/base/check.h"
#include "core/plugins/pod_topology_spread.h"
#include "core/table/row_key.h"

namespace stowage {

// What stays as it is for pods of one signature.
struct HardConstraints {
  std::vector<SpreadConstraint> constraints;
  std::vector<bool> matches_self;  // the pod is one of those that it counts
  std::shared_ptr<const SpreadInclusion> inclusion;
  std::vector<std::shared_ptr<PodSums>> sums;  // of nodes that have all keys
};

namespace {

// Matching pods by value of one topology key. A value has an entry once a node counts for it, be it
// with 0 pods. They are the index's sums until a dry run changes them.
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
  // The smallest count. The reference knows it by the two smallest, which it keeps up to date.
  int64_t Min() const { return changed_ ? changed_->paths[0].count : sums_->MinLive(); }

  void AddAndUpdate(uint32_t value, int64_t pods) {
    if (!changed_) Copy();
    CHECK(value < changed_->counts.size());
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

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<SpreadPreFilterState>(*this);
  }
};

// How many pods there may be in a domain before the pod comes, for each constraint.
std::vector<int64_t> Limits(const SpreadPreFilterState& state) {
  std::vector<int64_t> limits;
  limits.reserve(state.domains.size());
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

// Null without constraints.
Result<HardConstraintsRef, Status> PodTopologySpread::DeriveHard(const Pod& pod) const {
  Result<Constraints, std::string> constraints = ConstraintsOf(pod, "DoNotSchedule");
  if (!constraints.ok()) return Status::Error("get constraints from pod: " + constraints.fault());
  if (constraints->empty()) return HardConstraintsRef();
  auto hard = std::make_shared<HardConstraints>();
  hard->constraints = constraints.Take();
  hard->inclusion = std::make_shared<const SpreadInclusion>(pod, features_);
  // A constraint whose key no node has refuses every node: those after it are never reached.
  auto absent = FindAbsentKey(hard->constraints);
  if (absent != hard->constraints.end()) {
    hard->constraints.erase(absent + 1, hard->constraints.end());
  }
  RequiredKeys missing_keys = MissingKeys(hard->constraints);
  for (const SpreadConstraint& constraint : hard->constraints) {
    hard->matches_self.push_back(constraint.selector.Matches(pod.metadata.labels));
    hard->sums.push_back(SumsOf(constraint, pod.metadata.namespace_,
                                CountedNodes(constraint, hard->inclusion, missing_keys)));
  }
  return HardConstraintsRef(std::move(hard));
}

void PodTopologySpread::AddHardTo(const HardConstraintsRef& hard, CycleState& derived,
                                  RowKey* key) const {
  derived.Write(hard);
  if (hard == nullptr) return;
  for (const std::shared_ptr<PodSums>& sums : hard->sums) key->AddDomain(sums);
}

Status PodTopologySpread::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                    PreFilterResult*) const {
  const HardConstraintsRef* derived = state.Derived<HardConstraintsRef>();
  Result<HardConstraintsRef, Status> hard = derived == nullptr ? DeriveHard(pod) : *derived;
  if (!hard.ok()) return hard.fault();
  if (*hard == nullptr) return Status::Skip();
  auto made = std::make_unique<SpreadPreFilterState>();
  made->hard = hard.Take();
  made->domains.reserve(made->hard->sums.size());
  for (const std::shared_ptr<PodSums>& sums : made->hard->sums) {
    sums->Refresh(handle_.snapshot().table());
    made->domains.emplace_back(sums);
  }
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
    if (!hard.inclusion->Includes(constraint, *node.node())) continue;
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

// The constraints that the node would break: the pods in its domain, the fewest in any, and the
// skew with the pod.
void PodTopologySpread::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  const auto* stored = refusal.state.ReadData<SpreadPreFilterState>();
  if (stored == nullptr) return;
  std::vector<int64_t> limits = Limits(*stored);
  const LabelMap& labels = refusal.node.node()->metadata.labels;
  json->Key("constraints").BeginArray();
  for (size_t at = 0; at < limits.size(); ++at) {
    const SpreadConstraint& constraint = stored->hard->constraints[at];
    const DomainCounts& domain = stored->domains[at];
    const Symbol* value = labels.Find(constraint.topology_key);
    int64_t count = value == nullptr ? 0 : domain.At(domain.column().Find(*value));
    if (value != nullptr && count <= limits[at]) continue;
    json->BeginObject().StringMember("topologyKey", constraint.topology_key.view()).Key("domain");
    value == nullptr ? json->Null() : json->String(value->view());
    int64_t self = stored->hard->matches_self[at] ? 1 : 0;
    int64_t minimum = limits[at] - constraint.max_skew + self;
    if (value != nullptr) {
      json->IntMember("pods", count).IntMember("minimum", minimum);
      json->IntMember("skew", count + self - minimum);
    }
    json->IntMember("maxSkew", constraint.max_skew);
    if (constraint.min_domains > 1) {
      json->IntMember("minDomains", constraint.min_domains).IntMember("domains", domain.size());
    }
    json->EndObject();
  }
  json->EndArray();
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
    const Status* refusal = RefusalOfRow(*stored, limits, chunk.row(offset));
    if (refusal == nullptr) {
      passed |= uint64_t{1} << offset;
    } else {
      (*statuses)[offset] = *refusal;
    }
  }
  return passed;
}

}  // namespace stowage
