// InterPodAffinity places pods by the pods that run in the same topology domain: by the pod's own
// affinity and anti-affinity terms, and by those of the pods that run there.
//
// Files: inter_pod_affinity.cc (shared parts), …_filtering.cc and …_scoring.cc (the two halves),
// …_hints.cc (events that may help rejected pods), …_culprit.cc (explanations), …_caching.cc
// (fragments, classes of rows, chunk forms) and …_state.h (what the halves keep in CycleState).
// Counterpart: framework/plugins/interpodaffinity, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/cold.h"
#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/table/topology_index.h"

namespace stowage {

struct RequiredTerms;
struct ScoredTerms;
using RequiredTermsRef = std::shared_ptr<const RequiredTerms>;
using ScoredTermsRef = std::shared_ptr<const ScoredTerms>;

class InterPodAffinity final : public Plugin,
                               public PreFilterPlugin,
                               public PreFilterExtensions,
                               public FilterPlugin,
                               public PreScorePlugin,
                               public ScorePlugin,
                               public ScoreExtensions,
                               public EnqueueExtensions,
                               public FragmentPlugin,
                               public ClassPlugin,
                               public SignPlugin,
                               public CulpritPlugin,
                               public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "InterPodAffinity";
  static constexpr std::string_view kReasonExistingAntiAffinity =
      "node(s) didn't satisfy existing pods anti-affinity rules";
  static constexpr std::string_view kReasonAffinity = "node(s) didn't match pod affinity rules";
  static constexpr std::string_view kReasonAntiAffinity =
      "node(s) didn't match pod anti-affinity rules";

  explicit InterPodAffinity(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  const PreFilterExtensions* Extensions() const override { return this; }
  Status AddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                const NodeInfo& node) const override;
  Status RemovePod(CycleState& state, const Pod& pod, const PodInfo& pod_to_remove,
                   const NodeInfo& node) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override;
  Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const override;
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  Status ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                    uint64_t candidates, ChunkScores* scores) const override;
  const ScoreExtensions* Normalizer() const override { return this; }
  Status NormalizeScore(const CycleState& state, const Pod& pod,
                        std::span<NodeScore> scores) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool AppendClassFragment(const Pod& pod, PodSignature* signature) const override;
  bool Derive(const Pod& pod, CycleState& derived, RowKey* key) const override;
  Status PreScoreGroups(CycleState& state, const Pod& pod,
                        std::span<const NodeGroup> groups) const override;
  bool CanSign(const Pod& pod) const override;
  // Signs the labels, which the terms of existing pods select by.
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;
  int64_t NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  // Derives what filtering, and scoring, need from the pod and the terms of placed pods; null if
  // there is nothing to score. The fault is the status of PreFilter or PreScore.
  STOWAGE_COLD Result<RequiredTermsRef, Status> DeriveRequired(const Pod& pod) const;
  STOWAGE_COLD Result<ScoredTermsRef, Status> DeriveScored(const Pod& pod) const;
  void AddRequiredTo(const RequiredTermsRef& required, CycleState& derived, RowKey* key) const;
  void AddScoredTo(const ScoredTermsRef& scored, CycleState& derived, RowKey* key) const;
  // The weight of a placed pod's term; nullopt if terms of this kind do not count.
  std::optional<int64_t> ScoreWeightOf(const ExistingTerms::Entry& term) const;
  // PreScore. The result does not depend on which nodes passed the filters.
  Status PreScoreAnyNodes(CycleState& state, const Pod& pod) const;
  Status UpdateWithPod(CycleState& state, const Pod& pod, const PodInfo& changed,
                       const NodeInfo& node, int64_t multiplier) const;
  // Adds the names of the namespaces that each term selects.
  void MergeNamespaces(std::vector<AffinityTerm>* terms) const;
  const LabelMap& NamespaceLabels(const Pod& pod) const;
  void WriteUnmetAffinity(const std::vector<AffinityTerm>& terms, const Refusal& refusal,
                          JsonWriter* json) const;
  void WriteAntiAffinity(const std::vector<AffinityTerm>& terms, const Refusal& refusal,
                         JsonWriter* json) const;
  void WriteExistingAntiAffinity(const Refusal& refusal, JsonWriter* json) const;

  const Handle& handle_;
  const int32_t hard_pod_affinity_weight_;
  const bool ignores_preferred_terms_of_existing_pods_;
  const Behaviour& behaviour_;
};

// The pod's own terms grouped by topology key, in order of the keys' first appearance. A node is
// looked up by its value of the key, so the terms of one key share one sum.
class TermsByKey {
 public:
  struct Group {
    Symbol key;
    std::vector<PodMatcher> matchers;
    std::vector<int64_t> weights;
  };

  void Add(const AffinityTerm& term, int64_t weight);
  std::vector<Group>& groups() { return groups_; }

 private:
  std::vector<Group> groups_;
  std::unordered_map<Symbol, size_t, SymbolHash> places_;
};

// Matches the existing pods that the pod's own term selects. The labels of their namespaces are not
// available, so a namespaceSelector that selects no labels at all selects every namespace.
PodMatcher MatcherOf(const AffinityTerm& term);
// Whether all of these terms match the existing pod; false without terms.
bool MatchesAll(const std::vector<AffinityTerm>& terms, const Pod& existing);

}  // namespace stowage
