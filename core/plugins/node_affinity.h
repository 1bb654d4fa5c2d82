// NodeAffinity restricts a pod to the nodes that its nodeSelector and required node affinity match,
// and prefers nodes that match its preferred terms. The plugin's arguments may add an affinity to
// all pods of a profile.
//
// Invalid terms match nothing in the required affinity, are an error of PreScore among the
// preferred terms, and prevent the plugin from being built in the arguments.
// Counterpart: framework/plugins/nodeaffinity, v1.36.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/node_affinity.h"
#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/plugins/affinity_rows.h"

namespace stowage {

class NodeAffinity final : public Plugin,
                           public PreFilterPlugin,
                           public PerNodeFilter<NodeAffinity>,
                           public PreScorePlugin,
                           public PerNodeScore<NodeAffinity>,
                           public ScoreExtensions,
                           public EnqueueExtensions,
                           public FragmentPlugin,
                           public SignPlugin,
                           public CulpritPlugin,
                           public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "NodeAffinity";
  static constexpr std::string_view kReasonPod =
      "node(s) didn't match Pod's node affinity/selector";
  static constexpr std::string_view kReasonEnforced =
      "node(s) didn't match scheduler-enforced node affinity";
  static constexpr std::string_view kReasonConflict = "pod affinity terms conflict";

  static Result<std::unique_ptr<NodeAffinity>, std::string> New(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override;
  Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const override;
  // The sum of the weights of the preferred terms that the node matches.
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  const ScoreExtensions* Normalizer() const override { return this; }
  Status NormalizeScore(const CycleState& state, const Pod& pod,
                        std::span<NodeScore> scores) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsNodeAlone() const override { return true; }
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;
  int64_t NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  NodeAffinity() = default;

  QueueingHint IsSchedulableAfterNodeChange(const Pod& pod, const EventObjects& objects) const;

  // From the arguments' addedAffinity.
  std::optional<NodeSelectorMatcher> added_required_;
  std::optional<PreferredSchedulingTerms> added_preferred_;
  const std::vector<PreferredSchedulingTerm>* added_preferred_terms_ =
      nullptr;  // from the arguments
  mutable AffinityRows rows_;
};

// spec.affinity.nodeAffinity; null if absent.
const NodeAffinitySpec* NodeAffinityOf(const Pod& pod);

}  // namespace stowage
