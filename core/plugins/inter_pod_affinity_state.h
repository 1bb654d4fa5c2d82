// The state of InterPodAffinity's two halves: terms with their counts, shared by all pods of one
// signature, and the data in CycleState, for one cycle. Also Filter's rule, in a form by node and
// one by row. Only the plugin's own files include this header.
#pragma once

#include <memory>
#include <vector>

#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/topology_pair_sums.h"

namespace stowage {

// What filtering derives from required terms. Equal for pods of one signature.
struct RequiredTerms {
  std::vector<AffinityTerm> affinity;  // the pod's own terms
  std::vector<Symbol> affinity_keys;   // their topology keys, each once
  // By affinity key, the existing pods that match all affinity terms. Empty if no node has all
  // keys.
  std::vector<std::shared_ptr<PodSums>> affinity_sums;
  bool has_anti_affinity = false;
  // For each anti-affinity key that some node has, the existing pods that match a term of the key.
  std::vector<std::shared_ptr<PodSums>> anti_affinity_sums;
  // Existing pods' anti-affinity terms that match the pod: indexes of ExistingTerms::entries().
  std::vector<uint32_t> existing_anti_affinity;
  bool matches_itself = false;  // all its affinity terms match the pod

  bool empty() const {
    return affinity.empty() && !has_anti_affinity && existing_anti_affinity.empty();
  }
  // Whether no node has all topology keys of the affinity terms.
  bool is_impossible() const { return affinity_sums.size() < affinity_keys.size(); }
};

struct AffinityPreFilterState final : StateData {
  RequiredTermsRef terms;
  TopologyPairSums existing_anti_affinity;  // existing pods whose anti-affinity matches the pod
  TopologyPairSums affinity;                // existing pods that match all affinity terms
  TopologyPairSums anti_affinity;           // existing pods that match an anti-affinity term

  // The status of Filter without this state.
  static Status Missing() {
    return Status::Error("error reading \"PreFilterInterPodAffinity\" from cycleState: not found");
  }

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<AffinityPreFilterState>(*this);
  }
};

// The statuses with which Filter refuses, built once.
struct AffinityRefusals {
  Status affinity = Status::UnschedulableAndUnresolvable(InterPodAffinity::kReasonAffinity);
  Status anti_affinity = Status::Unschedulable(InterPodAffinity::kReasonAntiAffinity);
  Status existing_anti_affinity =
      Status::Unschedulable(InterPodAffinity::kReasonExistingAntiAffinity);

  static const AffinityRefusals& Get() {
    static const AffinityRefusals kRefusals;
    return kRefusals;
  }
};

// Filter's rule. A node passes (null) if
//   1. it has the topology keys of all affinity terms, and for each key its domain has a pod that
//      matches all terms; or no pod matches them anywhere and the pod itself does, so that the
//      first pod of a group can be placed;
//   2. no pod in its domains matches an anti-affinity term of the pod;
//   3. no pod in its domains has an anti-affinity term that matches the pod.
// `at(key)` returns the sum of the node's domain, `has_key(index)` whether the node has the
// affinity key with that index: Filter reads them from labels, FilterChunk from columns.
template <typename SumAt, typename HasKey>
const Status* AffinityRefusalOf(const AffinityPreFilterState& state, const SumAt& at,
                                const HasKey& has_key) {
  const RequiredTerms& terms = *state.terms;
  if (terms.is_impossible()) return &AffinityRefusals::Get().affinity;
  bool is_missing = false;
  for (size_t index = 0; index < terms.affinity_keys.size(); ++index) {
    if (!has_key(index)) return &AffinityRefusals::Get().affinity;
    const TopologyPairSums::Key* key = state.affinity.Find(terms.affinity_keys[index]);
    if (key == nullptr || at(*key) <= 0) is_missing = true;
  }
  bool is_first = is_missing && state.affinity.empty() && terms.matches_itself;
  if (is_missing && !is_first) return &AffinityRefusals::Get().affinity;
  for (const TopologyPairSums::Key& key : state.anti_affinity.keys()) {
    if (at(key) > 0) return &AffinityRefusals::Get().anti_affinity;
  }
  for (const TopologyPairSums::Key& key : state.existing_anti_affinity.keys()) {
    if (at(key) > 0) return &AffinityRefusals::Get().existing_anti_affinity;
  }
  return nullptr;
}

// What scoring derives from terms. Equal for pods of one signature.
struct ScoredTerms {
  // The pod's own terms of one topology key.
  struct Own {
    std::shared_ptr<PodSums> pods;  // weighted by the terms if there are several
    int64_t weight;                 // the factor of `pods`
    // The number of pods that match any term. Null if all weights are positive: otherwise a sum of
    // 0 in `pods` does not mean that there are none.
    std::shared_ptr<PodSums> any;

    // Whether some pod matches a term.
    bool MeetPods() const { return (any == nullptr ? pods : any)->total() != 0; }
  };
  struct Existing {
    uint32_t term;  // index of ExistingTerms::entries()
    int64_t weight;
  };

  std::vector<Own> own;
  std::vector<Existing> existing;
};

struct AffinityPreScoreState {
  TopologyPairSums scores;

  // The status of Score without this state.
  static Status Missing() {
    return Status::Error("error reading \"PreScoreInterPodAffinity\" from cycleState: not found");
  }
};

}  // namespace stowage
