// The filtering half of InterPodAffinity: required terms.
#include <algorithm>
#include <bit>

#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/topology_pair_sums.h"

namespace stowage {
namespace {

// The pod's own required terms.
struct RequiredTerms {
  std::vector<AffinityTerm> affinity;
  std::vector<AffinityTerm> anti_affinity;
  std::vector<PodMatcher> affinity_matchers;  // existing pods have to match all of them
  std::vector<PodMatcher> anti_affinity_matchers;
  bool matches_itself = false;  // by all its affinity terms
};

struct AffinityPreFilterState final : StateData {
  std::shared_ptr<const RequiredTerms> terms;
  std::vector<std::shared_ptr<const TopologyColumn>> affinity_columns;  // of terms->affinity
  TopologyPairSums existing_anti_affinity;  // existing pods whose terms refuse the pod
  TopologyPairSums affinity;                // existing pods that match all affinity terms
  TopologyPairSums anti_affinity;           // existing pods that match an anti-affinity term

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<AffinityPreFilterState>(*this);
  }
};

std::shared_ptr<const RequiredTerms> MakeRequiredTerms(const Pod& pod,
                                                       std::vector<AffinityTerm> affinity,
                                                       std::vector<AffinityTerm> anti_affinity) {
  auto terms = std::make_shared<RequiredTerms>();
  for (const AffinityTerm& term : affinity) terms->affinity_matchers.push_back(MatcherOf(term));
  for (const AffinityTerm& term : anti_affinity) {
    terms->anti_affinity_matchers.push_back(MatcherOf(term));
  }
  terms->affinity = std::move(affinity);
  terms->anti_affinity = std::move(anti_affinity);
  terms->matches_itself = MatchesAll(terms->affinity, pod);
  return terms;
}

void AddExistingTerms(const ExistingTerms& existing, const Pod& pod,
                      const LabelMap& namespace_labels, TopologyPairSums* sums) {
  for (const ExistingTerms::Entry& entry : existing.entries()) {
    if (entry.num_pods == 0 || entry.kind != ExistingTerms::Kind::kRequiredAntiAffinity) continue;
    if (entry.term.Matches(pod, namespace_labels)) sums->AddTerm(entry, 1);
  }
}

void CountMatchingPods(size_t num_rows, TopologyIndex& index, AffinityPreFilterState* state) {
  const RequiredTerms& terms = *state->terms;
  if (!terms.affinity.empty()) {
    std::shared_ptr<const PodCounts> counts = index.Counts(terms.affinity_matchers);
    for (const AffinityTerm& term : terms.affinity) {
      state->affinity_columns.push_back(index.Column(term.topology_key));
      state->affinity.AddPods(*counts, state->affinity_columns.back(), num_rows, 1);
    }
  }
  for (size_t at = 0; at < terms.anti_affinity.size(); ++at) {
    std::shared_ptr<const PodCounts> counts = index.Counts({terms.anti_affinity_matchers[at]});
    std::shared_ptr<const TopologyColumn> column =
        index.Column(terms.anti_affinity[at].topology_key);
    state->anti_affinity.AddPods(*counts, column, num_rows, 1);
  }
}

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

Status InterPodAffinity::PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                                   PreFilterResult*) const {
  FieldErrors errors;
  AffinityTerms own = ParseAffinityTerms(pod, &errors);
  if (!errors.empty()) {
    return Status::UnschedulableAndUnresolvable("parsing pod: " + errors.Text());
  }
  MergeNamespaces(&own.required_affinity);
  MergeNamespaces(&own.required_anti_affinity);
  TopologyIndex& index = handle_.topology_index();
  auto made = std::make_unique<AffinityPreFilterState>();
  AddExistingTerms(index.Terms(), pod, NamespaceLabels(pod), &made->existing_anti_affinity);
  bool has_terms = !own.required_affinity.empty() || !own.required_anti_affinity.empty();
  if (!has_terms && made->existing_anti_affinity.empty()) return Status::Skip();
  made->terms = MakeRequiredTerms(pod, std::move(own.required_affinity),
                                  std::move(own.required_anti_affinity));
  CountMatchingPods(nodes.size(), index, made.get());
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
    size_t row = chunk.first_row + offset;
    const Status* refusal =
        check.Refusal([row](const TopologyPairSums::Key& key) { return key.AtRow(row); },
                      [&](size_t term) {
                        return stored->affinity_columns[term]->At(row) != TopologyColumn::kMissing;
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
