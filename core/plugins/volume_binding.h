// VolumeBinding finds nodes where a pod's claims have, or can get, their volumes, and binds these
// volumes before the pod is bound. Counterpart: framework/plugins/volumebinding, v1.36; spec
// plugins/volume-binding.md.
//
// volume_binding.cc holds the extension points, volume_binding_claims.* what the claims require of
// any node, volume_binding_binder.* the search on a node, volume_binding_assume.cc and _bind.cc
// what follows the choice of the node, volume_binding_scorer.* the score, volume_binding_hints.cc
// the hints.
//
// Filter stores no results: the volumes on the chosen node are computed again.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/plugins/helper_shape_score.h"
#include "core/plugins/volume_binding_binder.h"

namespace stowage {

class VolumeBinding final : public Plugin,
                            public PreFilterPlugin,
                            public PerNodeFilter<VolumeBinding>,
                            public PreScorePlugin,
                            public PerNodeScore<VolumeBinding>,
                            public ReservePlugin,
                            public PreBindPlugin,
                            public EnqueueExtensions,
                            public DecisionNotePlugin,
                            public FragmentPlugin,
                            public ClassPlugin,
                            public SignPlugin,
                            public CulpritPlugin,
                            public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "VolumeBinding";
  static constexpr std::string_view kReasonNodeConflict =
      "node(s) didn't match PersistentVolume's node affinity";
  static constexpr std::string_view kReasonBindConflict =
      "node(s) didn't find available persistent volumes to bind";
  static constexpr std::string_view kReasonNotEnoughSpace =
      "node(s) did not have enough free storage";
  static constexpr std::string_view kReasonVolumeNotExist =
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

  explicit VolumeBinding(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  std::unique_ptr<State> SaveState() const override;
  void RestoreState(const State& state) override;
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const override;
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  Status Reserve(CycleState& state, const Pod& pod, const Symbol& node) override;
  void Unreserve(CycleState& state, const Pod& pod, const Symbol& node) override;
  Status PreBindPreFlight(CycleState& state, const Pod& pod, const Symbol& node) override;
  Task<Status> PreBind(CycleState& state, const Pod& pod, const Symbol& node) override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  // "volumes": {claim: volume}; for a volume to be provisioned {claim: "provision"}.
  std::optional<DecisionNote> NoteOn(const CycleState& state, const Pod& pod,
                                     const NodeInfo& node) const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsStorage() const override { return true; }
  uint64_t AssumedVersion() const override {
    return binder_.volumes().version() + binder_.claims().version();
  }
  bool AppendClassFragment(const Pod& pod, PodSignature* signature) const override;
  bool Derive(const Pod& pod, CycleState& derived, RowKey* key) const override;
  Status PreScoreGroups(CycleState& state, const Pod& pod,
                        std::span<const NodeGroup> groups) const override;
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  // `notes` is null if no notes are wanted.
  Result<int64_t, Status> ScoreOn(const CycleState& state, const NodeInfo& node,
                                  ScoreNotes* notes) const;
  Status CheckClaims(const Pod& pod, bool* has_claims) const;
  std::optional<std::vector<Symbol>> NodeLabelsFor(const Pod& pod) const;

  Handle& handle_;
  VolumeBinder binder_;
  std::optional<BrokenLinearFunction> shape_;  // set with StorageCapacityScoring
};

// Defined in volume_binding_hints.cc.
std::vector<ClusterEventWithHint> VolumeBindingEvents();

}  // namespace stowage
