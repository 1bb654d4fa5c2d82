// The filtering half of InterPodAffinity: required terms.
#include "core/plugins/inter_pod_affinity_state.h"

namespace stowage {

namespace {

// Adds a pod on `node`, times `multiplier`, to the sum of the node's domain, if the node has the
// key.
void AddPodOn(const NodeInfo& node, const std::shared_ptr<const TopologyColumn>& column,
              int64_t multiplier, TopologyPairSums* sums) {
  const Symbol* value = node.node()->metadata.labels.Find(column->key());
  if (value != nullptr) sums->Add(column, column->Find(*value), multiplier);
}

}  // namespace

Result<RequiredTermsRef, Status> InterPodAffinity::DeriveRequired(const Pod& pod) const {
  FieldErrors errors;
  AffinityTerms own = ParseAffinityTerms(pod, &errors);
  if (!errors.empty()) {
    return Status::UnschedulableAndUnresolvable("parsing pod: " + errors.Text());
  }
  MergeNamespaces(&own.required_affinity);
  MergeNamespaces(&own.required_anti_affinity);
  TopologyIndex& index = handle_.topology_index();
  auto required = std::make_shared<RequiredTerms>();
  const LabelMap& namespace_labels = NamespaceLabels(pod);
  const auto& entries = index.Terms().entries();
  if (!handle_.steps().Spend(entries.size())) return Status::Error(StepBudget::kExhausted);
  for (uint32_t place = 0; place < entries.size(); ++place) {
    const ExistingTerms::Entry& entry = entries[place];
    bool is_anti = entry.kind == ExistingTerms::Kind::kRequiredAntiAffinity;
    if (entry.num_pods == 0 || !is_anti || !entry.term.Matches(pod, namespace_labels)) continue;
    required->existing_anti_affinity.push_back(place);
  }
  TermsByKey affinity;
  std::vector<PodMatcher> affinity_matchers;
  for (const AffinityTerm& term : own.required_affinity) {
    affinity.Add(term, 1);
    affinity_matchers.push_back(MatcherOf(term));
  }
  bool is_possible = true;
  for (const TermsByKey::Group& group : affinity.groups()) {
    required->affinity_keys.push_back(group.key);
    is_possible = is_possible && index.HasKey(group.key);
  }
  if (is_possible && !affinity_matchers.empty()) {
    required->affinity_sums = index.Sums(required->affinity_keys, std::move(affinity_matchers));
  }
  TermsByKey anti_affinity;
  for (const AffinityTerm& term : own.required_anti_affinity) anti_affinity.Add(term, 1);
  for (TermsByKey::Group& group : anti_affinity.groups()) {
    if (!index.HasKey(group.key)) continue;
    required->anti_affinity_sums.push_back(
        index.Sums(group.key, {std::move(group.matchers), PodSelection::Rule::kAny}));
  }
  required->has_anti_affinity = !own.required_anti_affinity.empty();
  required->matches_itself = MatchesAll(own.required_affinity, pod);
  required->affinity = std::move(own.required_affinity);
  return RequiredTermsRef(std::move(required));
}

Status InterPodAffinity::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                   PreFilterResult*) const {
  const RequiredTermsRef* derived = state.Derived<RequiredTermsRef>();
  Result<RequiredTermsRef, Status> required = derived == nullptr ? DeriveRequired(pod) : *derived;
  if (!required.ok()) return required.fault();
  if ((*required)->empty()) return Status::Skip();
  auto made = std::make_unique<AffinityPreFilterState>();
  made->terms = required.Take();
  const NodeTable& table = handle_.snapshot().table();
  const auto& entries = handle_.topology_index().Terms().entries();
  for (uint32_t term : made->terms->existing_anti_affinity) {
    made->existing_anti_affinity.AddTerm(entries[term], 1);
  }
  made->existing_anti_affinity.AddUpTerms();
  for (const std::shared_ptr<PodSums>& sums : made->terms->affinity_sums) {
    sums->Refresh(table);
    if (sums->total() != 0) made->affinity.AddPods(sums, 1);
  }
  for (const std::shared_ptr<PodSums>& sums : made->terms->anti_affinity_sums) {
    sums->Refresh(table);
    if (sums->total() != 0) made->anti_affinity.AddPods(sums, 1);
  }
  state.WriteData(std::move(made));
  return Status::Success();
}

Status InterPodAffinity::AddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                                const NodeInfo& node) const {
  return UpdateWithPod(state, pod, pod_to_add, node, 1);
}

Status InterPodAffinity::RemovePod(CycleState& state, const Pod& pod, const PodInfo& pod_to_remove,
                                   const NodeInfo& node) const {
  return UpdateWithPod(state, pod, pod_to_remove, node, -1);
}

Status InterPodAffinity::UpdateWithPod(CycleState& state, const Pod& pod, const PodInfo& changed,
                                       const NodeInfo& node, int64_t multiplier) const {
  auto* stored = state.MutableData<AffinityPreFilterState>();
  if (stored == nullptr) return AffinityPreFilterState::Missing();
  if (changed.affinity_terms != nullptr) {
    TopologyIndex& index = handle_.topology_index();
    const LabelMap& namespace_labels = NamespaceLabels(pod);
    if (!handle_.steps().Spend(changed.affinity_terms->required_anti_affinity.size())) {
      return Status::Error(StepBudget::kExhausted);
    }
    for (const AffinityTerm& term : changed.affinity_terms->required_anti_affinity) {
      if (!term.Matches(pod, namespace_labels) || !index.HasKey(term.topology_key)) continue;
      AddPodOn(node, index.Column(term.topology_key), multiplier, &stored->existing_anti_affinity);
    }
  }
  const RequiredTerms& terms = *stored->terms;
  if (!terms.affinity_sums.empty() && MatchesAll(terms.affinity, *changed.pod)) {
    for (const std::shared_ptr<PodSums>& sums : terms.affinity_sums) {
      AddPodOn(node, sums->column(), multiplier, &stored->affinity);
    }
  }
  for (const std::shared_ptr<PodSums>& sums : terms.anti_affinity_sums) {
    if (!sums->counts()->selection().Matches(*changed.pod)) continue;
    AddPodOn(node, sums->column(), multiplier, &stored->anti_affinity);
  }
  return Status::Success();
}

Status InterPodAffinity::Filter(const CycleState& state, const Pod&, const NodeInfo& node) const {
  const auto* stored = state.ReadData<AffinityPreFilterState>();
  if (stored == nullptr) return AffinityPreFilterState::Missing();
  const LabelMap& labels = node.node()->metadata.labels;
  const Status* refusal = AffinityRefusalOf(
      *stored, [&labels](const TopologyPairSums::Key& key) { return key.At(labels); },
      [&](size_t index) { return labels.Has(stored->terms->affinity_keys[index]); });
  return refusal == nullptr ? Status::Success() : *refusal;
}

}  // namespace stowage
