// The filtering half of PodTopologySpread: DoNotSchedule constraints.
#include <algorithm>

#include "core/api/encode/json_writer.h"
#include "core/plugins/pod_topology_spread_state.h"

namespace stowage {

// The rule: a node is refused if, with the pod on it, its domain would have more than maxSkew pods
// above the smallest domain:
//
//   count + self − minimum > maxSkew
//
// where count is the number of matching pods in the node's domain, self is 1 if the constraint's
// selector matches the pod itself, and minimum is the smallest count of any domain, or 0 if there
// are fewer domains than minDomains. Everything except count is equal for all nodes, so the rule is
// rearranged to count > maxSkew + minimum − self, and the right side is computed once per pod.
std::vector<int64_t> SpreadPreFilterState::Limits() const {
  std::vector<int64_t> limits;
  limits.reserve(domains.size());
  for (size_t at = 0; at < domains.size(); ++at) {
    const SpreadConstraint& constraint = hard->constraints[at];
    const DomainCounts& domain = domains[at];
    bool has_too_few = domain.size() < static_cast<size_t>(std::max(constraint.min_domains, 0));
    int64_t minimum = has_too_few ? 0 : domain.Min();
    limits.push_back(constraint.max_skew + minimum - (hard->matches_self[at] ? 1 : 0));
  }
  return limits;
}

Result<HardConstraintsRef, Status> PodTopologySpread::DeriveHard(const Pod& pod) const {
  Result<Constraints, std::string> constraints = ConstraintsOf(pod, kDoNotSchedule);
  if (!constraints.ok()) return Status::Error("get constraints from pod: " + constraints.fault());
  if (constraints->empty()) return HardConstraintsRef();
  auto hard = std::make_shared<HardConstraints>();
  hard->constraints = constraints.Take();
  hard->inclusion = std::make_shared<const SpreadInclusion>(pod, features_);
  // A constraint whose key no node has refuses every node, so constraints after it do not matter.
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

// An empty selector matches every pod here, although PreFilter counts none for it (MatcherOf). The
// reference has the same difference.
Status PodTopologySpread::UpdateWithPod(CycleState& state, const Pod& pod, const Pod& changed,
                                        const NodeInfo& node, int64_t delta) const {
  auto* stored = state.MutableData<SpreadPreFilterState>();
  if (stored == nullptr) return SpreadPreFilterState::Missing();
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
  if (stored == nullptr) return SpreadPreFilterState::Missing();
  std::vector<int64_t> limits = stored->Limits();
  const LabelMap& labels = node.node()->metadata.labels;
  for (size_t at = 0; at < limits.size(); ++at) {
    const Symbol* value = labels.Find(stored->hard->constraints[at].topology_key);
    if (value == nullptr) return SpreadRefusals::Get().label_missing;
    const DomainCounts& domain = stored->domains[at];
    if (domain.At(domain.column().Find(*value)) > limits[at]) {
      return SpreadRefusals::Get().skew;
    }
  }
  return Status::Success();
}

// Writes the constraints that the node would violate: the pods in its domain, the minimum over all
// domains, and the skew with the pod.
void PodTopologySpread::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  const auto* stored = refusal.state.ReadData<SpreadPreFilterState>();
  if (stored == nullptr) return;
  std::vector<int64_t> limits = stored->Limits();
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

}  // namespace stowage
