// DynamicResources allocates devices to the ResourceClaims of pods. Only its behaviour for pods
// without claims is implemented, because it shows in every failure message and every score.
//
// A pod with claims is scheduled as if its claims were satisfied, and its decision is flagged
// (Matters).
// Counterpart: framework/plugins/dynamicresources, v1.36; spec plugins/dynamic-resources.
#pragma once

#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class DynamicResources final : public Plugin,
                               public PreEnqueuePlugin,
                               public PreFilterPlugin,
                               public FilterPlugin,
                               public PostFilterPlugin,
                               public ScorePlugin,
                               public ScoreExtensions,
                               public ReservePlugin,
                               public PreBindPlugin,
                               public EnqueueExtensions,
                               public FragmentPlugin,
                               public SignPlugin,
                               public NotImplementedPlugin,
                               public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "DynamicResources";
  static constexpr std::string_view kReasonNoClaims = "no new claims to deallocate";
  static constexpr std::string_view kReasonStillUnschedulable = "still not schedulable";

  explicit DynamicResources(const PluginContext& context)
      : handle_(context.handle), features_(context.features) {}

  std::string_view Name() const override { return kName; }
  Status PreEnqueue(const Pod&) const override { return Status::Success(); }
  // Writes its empty state and skips.
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  Status Filter(const CycleState&, const Pod&, const NodeInfo&) const override {
    return Status::Success();
  }
  uint64_t FilterChunk(const CycleState&, const Pod&, const NodeChunk&, uint64_t candidates,
                       ChunkStatuses*) const override {
    return candidates;
  }
  // An Error if another plugin's PreFilter refused the pod before this plugin's PreFilter ran.
  Task<Status> PostFilter(CycleState& state, const Pod& pod, const NodeToStatus& statuses,
                          PostFilterResult* result) override;
  Result<int64_t, Status> Score(const CycleState&, const Pod&, const NodeInfo&) const override {
    return int64_t{0};
  }
  Status ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                    uint64_t candidates, ChunkScores* scores) const override;
  const ScoreExtensions* Normalizer() const override { return this; }
  Status NormalizeScore(const CycleState& state, const Pod& pod,
                        std::span<NodeScore> scores) const override;
  Status Reserve(CycleState&, const Pod&, const Symbol&) override { return Status::Success(); }
  void Unreserve(CycleState&, const Pod&, const Symbol&) override {}
  Status PreBindPreFlight(CycleState&, const Pod&, const Symbol&) override {
    return Status::Skip();
  }
  Task<Status> PreBind(CycleState&, const Pod&, const Symbol&) override {
    co_return Status::Success();
  }

  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod&, PodSignature*) const override { return true; }
  bool CanSign(const Pod& pod) const override { return !Matters(pod); }
  void SignPod(const Pod&, PodSignature*) const override {}
  // True if the pod has claims, or requests an extended resource that is named after a DeviceClass.
  bool Matters(const Pod& pod) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;
  int64_t NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  const Handle& handle_;
  const Features& features_;
};

}  // namespace stowage
