// NodeVolumeLimits keeps the number of volumes that a CSI driver attaches to a node within the
// limit in the node's CSINode. Counterpart: framework/plugins/nodevolumelimits/csi.go, v1.36; spec
// plugins/node-volume-limits.md.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/plugins/attached_volumes.h"

namespace stowage {

class NodeVolumeLimits final : public Plugin,
                               public PreFilterPlugin,
                               public PerNodeFilter<NodeVolumeLimits>,
                               public EnqueueExtensions,
                               public FragmentPlugin,
                               public SignPlugin,
                               public CulpritPlugin {
 public:
  static constexpr std::string_view kName = "NodeVolumeLimits";
  static constexpr std::string_view kReasonMaxVolumeCountExceeded =
      "node(s) exceed max volume count";

  explicit NodeVolumeLimits(const PluginContext& context)
      : features_(context.features), handle_(context.handle) {}

  std::string_view Name() const override { return kName; }
  std::unique_ptr<State> SaveState() const override;
  void RestoreState(const State& state) override;
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsStorage() const override { return true; }
  const StorageUse* FollowStorage() const override;
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;

 private:
  // Computed once per cycle if possible: the volumes that the pod asks for, on a node with or
  // without a CSINode.
  struct Asked {
    Status status;
    AttachableVolumes volumes;
  };
  struct AskedState;
  const Asked& AskedBy(const CycleState& state, const Pod& pod, const CsiNode* csi_node) const;
  Status CheckDriversInstalled(const AttachableVolumes& volumes, const CsiNode* csi_node) const;
  // The volumes of one driver on a node.
  struct DriverUse {
    Symbol driver;
    int64_t limit;
    int64_t attached;
    int64_t asked;  // requested by the pod and not attached yet

    bool is_exceeded() const { return attached + asked > limit; }
  };
  // Counts for the drivers that the node limits and that would attach another volume.
  Status CountUses(const AttachableVolumes& wanted, const CsiNode& csi_node, const NodeInfo& node,
                   std::vector<DriverUse>* uses) const;
  Status CheckLimits(const AttachableVolumes& wanted, const CsiNode& csi_node,
                     const NodeInfo& node) const;

  const Features& features_;
  Handle& handle_;
  mutable AttachedVolumes attached_;
};

}  // namespace stowage
