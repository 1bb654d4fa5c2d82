// Plugins of the default profile whose rules do not exist here yet, by their names and extension
// points, so that a configuration expands as it does in the reference.
//
// Each answers as the real one does for a pod that it does not concern: it skips, or passes, or
// scores 0. Matters says when that is not the truth; the decision is then flagged. Events are
// registered as the real ones do, without hints that would have to read objects that are not read.
// Counterparts: framework/plugins/{volumerestrictions,nodevolumelimits,volumebinding,volumezone,
// gangscheduling,topologyaware,podgrouppodscount}, v1.36.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

// PreFilter and Filter of a plugin that does not concern the pod. Nothing of the pod is read.
class UnconcernedFilter : public PreFilterPlugin,
                          public FilterPlugin,
                          public FragmentPlugin,
                          public SignPlugin {
 public:
  Status PreFilter(CycleState&, const Pod&, NodeList, PreFilterResult*) const override {
    return Status::Skip();
  }
  Status Filter(const CycleState&, const Pod&, const NodeInfo&) const override {
    return Status::Success();
  }
  uint64_t FilterChunk(const CycleState&, const Pod&, const NodeChunk&, uint64_t candidates,
                       ChunkStatuses*) const override {
    return candidates;
  }
  bool AppendFragment(const Pod&, PodSignature*) const override { return true; }
  // The real ones sign the sources of volumes, which are not read yet.
  bool CanSign(const Pod& pod) const override { return pod.spec.volumes.empty(); }
  void SignPod(const Pod&, PodSignature*) const override {}
};

// PreScore and Score of a plugin that does not concern the pod.
class UnconcernedScore : public PreScorePlugin, public ScorePlugin {
 public:
  Status PreScore(CycleState&, const Pod&, NodeList) const override { return Status::Skip(); }
  Result<int64_t, Status> Score(const CycleState&, const Pod&, const NodeInfo&) const override {
    return int64_t{0};
  }
  Status ScoreChunk(const CycleState&, const Pod&, const NodeChunk&, uint64_t,
                    ChunkScores* scores) const override {
    scores->fill(0);
    return Status::Success();
  }
};

// Matters: persistentVolumeClaims (ReadWriteOncePod) and in-tree disks.
class VolumeRestrictions final : public Plugin,
                                 public UnconcernedFilter,
                                 public EnqueueExtensions,
                                 public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "VolumeRestrictions";

  explicit VolumeRestrictions(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool Matters(const Pod& pod) const override;
};

// Matters: persistentVolumeClaims, ephemeral volumes and in-tree disks.
class NodeVolumeLimits final : public Plugin,
                               public UnconcernedFilter,
                               public EnqueueExtensions,
                               public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "NodeVolumeLimits";

  explicit NodeVolumeLimits(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool Matters(const Pod& pod) const override;
};

// Matters: persistentVolumeClaims and ephemeral volumes.
class VolumeBinding final : public Plugin,
                            public UnconcernedFilter,
                            public UnconcernedScore,
                            public ReservePlugin,
                            public PreBindPlugin,
                            public EnqueueExtensions,
                            public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "VolumeBinding";

  explicit VolumeBinding(const PluginContext& context) : features_(context.features) {}

  std::string_view Name() const override { return kName; }
  // With StorageCapacityScoring the real one scores every pod, those without volumes 0.
  Status PreScore(CycleState&, const Pod&, NodeList) const override {
    return features_.storage_capacity_scoring ? Status::Success() : Status::Skip();
  }
  Status Reserve(CycleState&, const Pod&, const Symbol&) override { return Status::Success(); }
  void Unreserve(CycleState&, const Pod&, const Symbol&) override {}
  Status PreBindPreFlight(CycleState&, const Pod&, const Symbol&) override {
    return Status::Skip();
  }
  Task<Status> PreBind(CycleState&, const Pod&, const Symbol&) override {
    co_return Status::Success();
  }
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool Matters(const Pod& pod) const override;

 private:
  const Features& features_;
};

// Matters: persistentVolumeClaims.
class VolumeZone final : public Plugin,
                         public UnconcernedFilter,
                         public EnqueueExtensions,
                         public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "VolumeZone";

  explicit VolumeZone(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool Matters(const Pod& pod) const override;
};

// The three below belong to pod groups, whose gates are off; each matters to every group member.
class GangScheduling final : public Plugin,
                             public PreEnqueuePlugin,
                             public PermitPlugin,
                             public EnqueueExtensions,
                             public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "GangScheduling";

  explicit GangScheduling(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  Status PreEnqueue(const Pod&) const override { return Status::Success(); }
  Status Permit(CycleState&, const Pod&, const Symbol&, int64_t*) override {
    return Status::Success();
  }
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool Matters(const Pod& pod) const override { return pod.spec.scheduling_group.has_value(); }
};

class TopologyPlacementGenerator final : public Plugin,
                                         public PlacementGeneratePlugin,
                                         public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "TopologyPlacementGenerator";

  explicit TopologyPlacementGenerator(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  bool Matters(const Pod& pod) const override { return pod.spec.scheduling_group.has_value(); }
};

class PodGroupPodsCount final : public Plugin,
                                public PlacementScorePlugin,
                                public NotImplementedPlugin {
 public:
  static constexpr std::string_view kName = "PodGroupPodsCount";

  explicit PodGroupPodsCount(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  bool Matters(const Pod& pod) const override { return pod.spec.scheduling_group.has_value(); }
};

}  // namespace stowage
