// PodTopologySpread keeps the pods of a workload evenly spread over the values of topology keys:
// DoNotSchedule constraints filter nodes, ScheduleAnyway constraints score them. A pod without
// constraints of its own gets those of the arguments, or the system's, with the selector of its
// workload.
//
// Files: pod_topology_spread.cc (constraints and their inclusion policies), …_filtering.cc and
// …_scoring.cc (the two halves), …_hints.cc (events that may help rejected pods), …_caching.cc
// (fragments, classes of rows, chunk forms), …_notes.cc (score notes) and …_state.h (what the
// halves keep in CycleState).
// Counterpart: framework/plugins/podtopologyspread, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/node_affinity.h"
#include "core/api/selector.h"
#include "core/base/cold.h"
#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/table/topology_index.h"

namespace stowage {

// A constraint with its selector and policies parsed.
struct SpreadConstraint {
  int32_t max_skew = 0;
  Symbol topology_key;
  Selector selector;
  int32_t min_domains = 1;
  bool honors_node_affinity = true;
  bool honors_node_taints = false;
};

// Topology keys that a node must have to be counted, each once; all constraints share them.
using RequiredKeys = std::shared_ptr<const std::vector<Symbol>>;

struct HardConstraints;
struct SoftConstraints;
using HardConstraintsRef = std::shared_ptr<const HardConstraints>;
using SoftConstraintsRef = std::shared_ptr<const SoftConstraints>;

class PodTopologySpread final : public Plugin,
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
  static constexpr std::string_view kName = "PodTopologySpread";
  static constexpr std::string_view kReasonConstraintsNotMatch =
      "node(s) didn't match pod topology spread constraints";
  static constexpr std::string_view kReasonNodeLabelNotMatch =
      "node(s) didn't match pod topology spread constraints (missing required label)";

  // Values of whenUnsatisfiable.
  static constexpr std::string_view kDoNotSchedule = "DoNotSchedule";
  static constexpr std::string_view kScheduleAnyway = "ScheduleAnyway";

  explicit PodTopologySpread(const PluginContext& context);

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
  // True only for pods that cannot have constraints: a fragment cannot hold counts of pods.
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  // False for pods that default constraints filter.
  bool AppendClassFragment(const Pod& pod, PodSignature* signature) const override;
  bool Derive(const Pod& pod, CycleState& derived, RowKey* key) const override;
  Status PreScoreGroups(CycleState& state, const Pod& pod,
                        std::span<const NodeGroup> groups) const override;
  // False for every pod while there are default constraints.
  bool CanSign(const Pod& pod) const override;
  void SignPod(const Pod&, PodSignature*) const override {}
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;
  int64_t NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  using Constraints = std::vector<SpreadConstraint>;

  // The constraints with this action, in order: the pod's own, or else the default ones. The fault
  // names a selector that does not parse.
  Result<Constraints, std::string> ConstraintsOf(const Pod& pod, std::string_view action) const;
  Result<Constraints, std::string> Prepare(const SharedList<TopologySpreadConstraint>& given,
                                           const Pod& pod, std::string_view action) const;
  void AppendOwnConstraints(const Pod& pod, PodSignature* signature) const;
  // The first constraint whose key no node has.
  Constraints::const_iterator FindAbsentKey(const Constraints& constraints) const;
  // The keys that some node lacks.
  RequiredKeys MissingKeys(const Constraints& constraints) const;
  // The sums of the pods that a constraint counts, by the values of its key.
  std::shared_ptr<PodSums> SumsOf(const SpreadConstraint& constraint, const Symbol& namespace_,
                                  PodSums::NodeFilter filter) const;
  // The pod's constraints with the counts that filtering, and scoring, use. Null without
  // constraints. The fault names a selector that does not parse.
  STOWAGE_COLD Result<HardConstraintsRef, Status> DeriveHard(const Pod& pod) const;
  STOWAGE_COLD Result<SoftConstraintsRef, Status> DeriveSoft(const Pod& pod) const;
  void AddHardTo(const HardConstraintsRef& hard, CycleState& derived, RowKey* key) const;
  void AddSoftTo(const SoftConstraintsRef& soft, CycleState& derived, RowKey* key) const;
  // `node` if it is not the snapshot's node of its row; else null.
  const NodeInfo* NodeOutsideSnapshot(const NodeInfo& node) const;
  // The soft constraints, derived from the pod unless the state has them; null without any.
  Result<SoftConstraintsRef, Status> SoftOf(const CycleState& state, const Pod& pod) const;
  Status UpdateWithPod(CycleState& state, const Pod& pod, const Pod& changed, const NodeInfo& node,
                       int64_t delta) const;
  QueueingHint IsSchedulableAfterPodChange(const Pod& pod, const EventObjects& objects) const;
  QueueingHint IsSchedulableAfterNodeChange(const Pod& pod, const EventObjects& objects) const;

  const Handle& handle_;
  const Features& features_;
  SharedList<TopologySpreadConstraint> default_constraints_;
  bool is_system_defaulted_;
};

// Decides which nodes a constraint counts: its inclusion policies, applied to pods like this one.
class SpreadInclusion {
 public:
  SpreadInclusion(const Pod& pod, const Features& features)
      : tolerations_(pod.spec.tolerations),
        features_(features),
        affinity_(GetRequiredNodeAffinity(pod)) {}

  bool Includes(const SpreadConstraint& constraint, const Node& node) const;
  // True if all nodes count, so that no node needs to be checked.
  bool IncludesAll(const SpreadConstraint& constraint) const {
    return !constraint.honors_node_taints &&
           (!constraint.honors_node_affinity || affinity_.MatchesAll());
  }

 private:
  SharedList<Toleration> tolerations_;
  const Features& features_;
  RequiredNodeAffinity affinity_;
};

// Whether the node has the topology keys of all constraints.
bool HasAllTopologyKeys(const LabelMap& labels, const std::vector<SpreadConstraint>& constraints);

// The filter for the nodes to count; null if all nodes count.
PodSums::NodeFilter CountedNodes(const SpreadConstraint& constraint,
                                 std::shared_ptr<const SpreadInclusion> inclusion,
                                 RequiredKeys required_keys);

// Matches the pods that a constraint counts for a pod of this namespace. An empty selector counts
// none.
PodMatcher MatcherOf(const SpreadConstraint& constraint, const Symbol& namespace_);

}  // namespace stowage
