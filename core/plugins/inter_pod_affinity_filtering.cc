// The filtering half of InterPodAffinity: required terms.
#include <algorithm>
#include <bit>

#include "core/framework/row_key.h"
#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/topology_pair_sums.h"

namespace stowage {

// What required terms stay for pods of one signature.
struct RequiredTerms {
  std::vector<AffinityTerm> affinity;       // the pod's own
  std::vector<AffinityTerm> anti_affinity;  // the same
  std::vector<PodMatcher> anti_affinity_matchers;
  // Existing pods that match all affinity terms, by each one's key.
  std::vector<std::shared_ptr<PodSums>> affinity_sums;
  // Existing pods that match an anti-affinity term, of each.
  std::vector<std::shared_ptr<PodSums>> anti_affinity_sums;
  // Existing pods' anti-affinity terms that refuse the pod, by place in ExistingTerms.
  std::vector<uint32_t> existing_anti_affinity;
  bool matches_itself = false;  // by all its affinity terms

  bool empty() const {
    return affinity.empty() && anti_affinity.empty() && existing_anti_affinity.empty();
  }
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

// A pod that came to or left `node`, for the terms' keys that the node has.
void AddPodOn(const NodeInfo& node, const std::vector<AffinityTerm>& terms, int64_t multiplier,
              TopologyIndex& index, TopologyPairSums* sums) {
  for (const AffinityTerm& term : terms) {
    const Symbol* value = node.node()->metadata.labels.Find(term.topology_key);
    if (value == nullptr) continue;
    std::shared_ptr<const TopologyColumn> column = index.Column(term.topology_key);
    sums->Add(column, column->Find(*value), multiplier);
  }
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

// What a node is compared with, looked up once for many nodes.
class AffinityCheck {
 public:
  explicit AffinityCheck(const AffinityPreFilterState& state) : state_(state) {
    const RequiredTerms& terms = *state.terms;
    for (const AffinityTerm& term : terms.affinity) {
      affinity_.push_back(state.affinity.Find(term.topology_key));
    }
    for (const AffinityTerm& term : terms.anti_affinity) {
      const TopologyPairSums::Key* key = state.anti_affinity.Find(term.topology_key);
      if (key != nullptr) anti_affinity_.push_back(key);
    }
    // The first pod of a group that wants its own company may go anywhere.
    is_first_ = state.affinity.empty() && terms.matches_itself;
  }

  // Null when the node passes. `at` gives a pair's sum on the node in question, `has_key` whether
  // the node has the topology key of the affinity term with that index.
  template <typename SumAt, typename HasKey>
  const Status* Refusal(const SumAt& at, const HasKey& has_key) const {
    bool is_missing = false;
    for (size_t index = 0; index < affinity_.size(); ++index) {
      if (!has_key(index)) return &Refusals::Get().affinity;
      if (affinity_[index] == nullptr || at(*affinity_[index]) <= 0) is_missing = true;
    }
    if (is_missing && !is_first_) return &Refusals::Get().affinity;
    for (const TopologyPairSums::Key* key : anti_affinity_) {
      if (at(*key) > 0) return &Refusals::Get().anti_affinity;
    }
    for (const TopologyPairSums::Key& key : state_.existing_anti_affinity.keys()) {
      if (at(key) > 0) return &Refusals::Get().existing_anti_affinity;
    }
    return nullptr;
  }

 private:
  const AffinityPreFilterState& state_;
  std::vector<const TopologyPairSums::Key*> affinity_;       // by term; null: no pod at all
  std::vector<const TopologyPairSums::Key*> anti_affinity_;  // of terms that met a pod
  bool is_first_ = false;
};

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
  for (uint32_t place = 0; place < entries.size(); ++place) {
    const ExistingTerms::Entry& entry = entries[place];
    bool is_anti = entry.kind == ExistingTerms::Kind::kRequiredAntiAffinity;
    if (entry.num_pods == 0 || !is_anti || !entry.term.Matches(pod, namespace_labels)) continue;
    required->existing_anti_affinity.push_back(place);
  }
  std::vector<PodMatcher> affinity_matchers;
  for (const AffinityTerm& term : own.required_affinity) {
    affinity_matchers.push_back(MatcherOf(term));
  }
  for (const AffinityTerm& term : own.required_affinity) {
    required->affinity_sums.push_back(index.Sums(term.topology_key, affinity_matchers));
  }
  for (const AffinityTerm& term : own.required_anti_affinity) {
    required->anti_affinity_matchers.push_back(MatcherOf(term));
    required->anti_affinity_sums.push_back(index.Sums(term.topology_key, {MatcherOf(term)}));
  }
  required->matches_itself = MatchesAll(own.required_affinity, pod);
  required->affinity = std::move(own.required_affinity);
  required->anti_affinity = std::move(own.required_anti_affinity);
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
  for (const std::shared_ptr<PodSums>& sums : made->terms->affinity_sums) {
    sums->Refresh(table);
    made->affinity.AddPods(sums, 1);
  }
  for (const std::shared_ptr<PodSums>& sums : made->terms->anti_affinity_sums) {
    sums->Refresh(table);
    made->anti_affinity.AddPods(sums, 1);
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
  TopologyIndex& index = handle_.topology_index();
  if (changed.affinity_terms != nullptr) {
    const LabelMap& namespace_labels = NamespaceLabels(pod);
    for (const AffinityTerm& term : changed.affinity_terms->required_anti_affinity) {
      if (!term.Matches(pod, namespace_labels)) continue;
      AddPodOn(node, {term}, multiplier, index, &stored->existing_anti_affinity);
    }
  }
  const RequiredTerms& terms = *stored->terms;
  if (MatchesAll(terms.affinity, *changed.pod)) {
    AddPodOn(node, terms.affinity, multiplier, index, &stored->affinity);
  }
  for (size_t at = 0; at < terms.anti_affinity.size(); ++at) {
    if (!terms.anti_affinity_matchers[at].Matches(*changed.pod)) continue;
    AddPodOn(node, {terms.anti_affinity[at]}, multiplier, index, &stored->anti_affinity);
  }
  return Status::Success();
}

Status InterPodAffinity::Filter(const CycleState& state, const Pod&, const NodeInfo& node) const {
  const auto* stored = state.ReadData<AffinityPreFilterState>();
  if (stored == nullptr) return MissingState();
  const LabelMap& labels = node.node()->metadata.labels;
  const Status* refusal = AffinityCheck(*stored).Refusal(
      [&labels](const TopologyPairSums::Key& key) { return key.At(labels); },
      [&](size_t term) { return labels.Has(stored->terms->affinity[term].topology_key); });
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
  AffinityCheck check(*stored);
  uint64_t passed = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    const Status* refusal = check.Refusal(
        [row](const TopologyPairSums::Key& key) { return key.AtRow(row); },
        [&](size_t term) {
          const TopologyColumn& column = *stored->terms->affinity_sums[term]->column();
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
