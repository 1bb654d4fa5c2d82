// The filtering half of InterPodAffinity: required terms.
#include <algorithm>
#include <bit>

#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/topology_pair_sums.h"
#include "core/table/row_key.h"

namespace stowage {

// What required terms stay for pods of one signature.
struct RequiredTerms {
  std::vector<AffinityTerm> affinity;  // the pod's own
  std::vector<Symbol> affinity_keys;   // theirs, each once
  // Existing pods that match all affinity terms, by each key. None where no node has all keys.
  std::vector<std::shared_ptr<PodSums>> affinity_sums;
  bool has_anti_affinity = false;
  // Existing pods that match some anti-affinity term of a key, by each key that nodes have.
  std::vector<std::shared_ptr<PodSums>> anti_affinity_sums;
  // Existing pods' anti-affinity terms that refuse the pod, by place in ExistingTerms.
  std::vector<uint32_t> existing_anti_affinity;
  bool matches_itself = false;  // by all its affinity terms

  bool empty() const {
    return affinity.empty() && !has_anti_affinity && existing_anti_affinity.empty();
  }
  // No node has all topology keys of the affinity terms.
  bool is_impossible() const { return affinity_sums.size() < affinity_keys.size(); }
};

namespace {

struct AffinityPreFilterState final : StateData {
  RequiredTermsRef terms;
  TopologyPairSums existing_anti_affinity;  // existing pods whose terms refuse the pod
  TopologyPairSums affinity;                // existing pods that match all affinity terms
  TopologyPairSums anti_affinity;           // existing pods that match an anti-affinity term

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<AffinityPreFilterState>(*this);
  }
};

// A pod that came to or left `node`, for a key that the node may have.
void AddPodOn(const NodeInfo& node, const std::shared_ptr<const TopologyColumn>& column,
              int64_t multiplier, TopologyPairSums* sums) {
  const Symbol* value = node.node()->metadata.labels.Find(column->key());
  if (value != nullptr) sums->Add(column, column->Find(*value), multiplier);
}

// What a node can be refused for; all nodes share these.
struct Refusals {
  Status affinity = Status::UnschedulableAndUnresolvable(InterPodAffinity::kReasonAffinity);
  Status anti_affinity = Status::Unschedulable(InterPodAffinity::kReasonAntiAffinity);
  Status existing_anti_affinity =
      Status::Unschedulable(InterPodAffinity::kReasonExistingAntiAffinity);

  static const Refusals& Get() {
    static const Refusals kRefusals;
    return kRefusals;
  }
};

// Null when the node passes. `at` gives a pair's sum on the node in question, `has_key` whether the
// node has the affinity terms' key with that index.
template <typename SumAt, typename HasKey>
const Status* RefusalOf(const AffinityPreFilterState& state, const SumAt& at,
                        const HasKey& has_key) {
  const RequiredTerms& terms = *state.terms;
  if (terms.is_impossible()) return &Refusals::Get().affinity;
  bool is_missing = false;
  for (size_t index = 0; index < terms.affinity_keys.size(); ++index) {
    if (!has_key(index)) return &Refusals::Get().affinity;
    const TopologyPairSums::Key* key = state.affinity.Find(terms.affinity_keys[index]);
    if (key == nullptr || at(*key) <= 0) is_missing = true;
  }
  // The first pod of a group that wants its own company may go anywhere.
  bool is_first = is_missing && state.affinity.empty() && terms.matches_itself;
  if (is_missing && !is_first) return &Refusals::Get().affinity;
  for (const TopologyPairSums::Key& key : state.anti_affinity.keys()) {
    if (at(key) > 0) return &Refusals::Get().anti_affinity;
  }
  for (const TopologyPairSums::Key& key : state.existing_anti_affinity.keys()) {
    if (at(key) > 0) return &Refusals::Get().existing_anti_affinity;
  }
  return nullptr;
}

Status MissingState() {
  return Status::Error("error reading \"PreFilterInterPodAffinity\" from cycleState: not found");
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
  if (!handle_.steps().Spend(entries.size())) return Status::Error(StepBudget::kUsedUp);
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

void InterPodAffinity::AddRequiredTo(const RequiredTermsRef& required, CycleState& derived,
                                     RowKey* key) const {
  derived.Write(required);
  for (const std::shared_ptr<PodSums>& sums : required->affinity_sums) key->AddDomain(sums);
  for (const std::shared_ptr<PodSums>& sums : required->anti_affinity_sums) key->AddDomain(sums);
  for (uint32_t term : required->existing_anti_affinity) {
    key->AddDomain(&handle_.topology_index(), term);
  }
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
  if (stored == nullptr) return MissingState();
  if (changed.affinity_terms != nullptr) {
    TopologyIndex& index = handle_.topology_index();
    const LabelMap& namespace_labels = NamespaceLabels(pod);
    if (!handle_.steps().Spend(changed.affinity_terms->required_anti_affinity.size())) {
      return Status::Error(StepBudget::kUsedUp);
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
  if (stored == nullptr) return MissingState();
  const LabelMap& labels = node.node()->metadata.labels;
  const Status* refusal = RefusalOf(
      *stored, [&labels](const TopologyPairSums::Key& key) { return key.At(labels); },
      [&](size_t index) { return labels.Has(stored->terms->affinity_keys[index]); });
  return refusal == nullptr ? Status::Success() : *refusal;
}

uint64_t InterPodAffinity::FilterChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                       uint64_t candidates, ChunkStatuses* statuses) const {
  const auto* stored = state.ReadData<AffinityPreFilterState>();
  if (stored == nullptr) {
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      (*statuses)[static_cast<size_t>(std::countr_zero(rest))] = MissingState();
    }
    return 0;
  }
  uint64_t passed = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    const Status* refusal = RefusalOf(
        *stored, [row](const TopologyPairSums::Key& key) { return key.AtRow(row); },
        [&](size_t index) {
          const TopologyColumn& column = *stored->terms->affinity_sums[index]->column();
          return column.At(row) != TopologyColumn::kMissing;
        });
    if (refusal == nullptr) {
      passed |= uint64_t{1} << offset;
    } else {
      (*statuses)[offset] = *refusal;
    }
  }
  return passed;
}

}  // namespace stowage
