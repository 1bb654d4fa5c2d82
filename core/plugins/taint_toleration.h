// TaintToleration refuses nodes with NoSchedule or NoExecute taints that the pod does not tolerate,
// and prefers nodes with fewer untolerated PreferNoSchedule taints.
// Counterpart: framework/plugins/tainttoleration, v1.36.
#pragma once

#include <string_view>
#include <vector>

#include "core/api/taints.h"
#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class TaintToleration final : public Plugin,
                              public PerNodeFilter<TaintToleration>,
                              public PreScorePlugin,
                              public PerNodeScore<TaintToleration>,
                              public ScoreExtensions,
                              public EnqueueExtensions,
                              public FragmentPlugin,
                              public SignPlugin,
                              public CulpritPlugin,
                              public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "TaintToleration";
  static constexpr std::string_view kReason = "node(s) had untolerated taint(s)";

  explicit TaintToleration(const PluginContext& context) : features_(context.features) {}

  std::string_view Name() const override { return kName; }
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  bool PassesAll(const CycleState& state, const Pod& pod, const NodeTable& table) const override;
  // Calls Filter only for nodes with taints, because most nodes have none.
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override;
  Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const override;
  // The number of PreferNoSchedule taints that the pod does not tolerate.
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  Status ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                    uint64_t candidates, ChunkScores* scores) const override;
  bool ScoresNothingOn(const CycleState& state, const NodeTable& table) const override;
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
  struct PreScoreState {
    // The pod's tolerations that can tolerate a PreferNoSchedule taint.
    std::vector<Toleration> tolerations;
  };

  // Calls visit(taint) for each PreferNoSchedule taint of the node that the pod does not tolerate;
  // these are the taints that Score counts.
  template <typename Visit>
  void ForEachScoredTaint(const PreScoreState& state, const NodeInfo& node, Visit visit) const {
    const std::vector<Taint>& taints = node.node()->spec.taints;
    TolerationSet tolerated(state.tolerations, taints.size(),
                            features_.taint_toleration_comparison_operators);
    for (const Taint& taint : taints) {
      if (PreferNoScheduleTaintsFilter(taint) && !tolerated.Tolerates(taint)) visit(taint);
    }
  }
  QueueingHint IsSchedulableAfterNodeChange(const Pod& pod, const EventObjects& objects) const;
  // The first untolerated NoSchedule or NoExecute taint; null if the pod tolerates all of them.
  const Taint* UntoleratedTaint(const Node& node, const Pod& pod) const;
  bool HasUntoleratedTaint(const Node& node, const Pod& pod) const;
  Status RefusalBy(const Taint& taint) const;

  const Features& features_;
};

}  // namespace stowage
