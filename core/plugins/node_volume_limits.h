// NodeVolumeLimits keeps the number of volumes that a CSI driver attaches to a node within the
// limit in the node's CSINode. Counterpart: framework/plugins/nodevolumelimits/csi.go, v1.36; spec
// plugins/node-volume-limits.md.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

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
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsStorage() const override { return true; }
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;

 private:
  // A volume that a driver attaches. A claim without a volume stands for its future volume.
  struct AttachableVolume {
    Symbol driver;
    Symbol handle;  // or the claim's name, without a volume
    Symbol claim_namespace = {};

    friend bool operator==(const AttachableVolume&, const AttachableVolume&) = default;
  };
  struct AttachableVolumeHash {
    size_t operator()(const AttachableVolume& volume) const;
  };
  // Distinct volumes in the order in which they were added.
  class AttachableVolumes {
   public:
    void Add(AttachableVolume volume);
    bool Has(const AttachableVolume& volume) const { return known_.contains(volume); }
    const std::vector<AttachableVolume>& list() const { return list_; }

   private:
    std::vector<AttachableVolume> list_;
    std::unordered_set<AttachableVolume, AttachableVolumeHash> known_;
  };

  Status CollectAttachable(const Pod& pod, const CsiNode* csi_node, bool is_new_pod,
                           AttachableVolumes* volumes) const;
  Status CollectClaim(const Pod& pod, const Volume& volume, const CsiNode* csi_node,
                      bool is_new_pod, AttachableVolumes* volumes) const;
  AttachableVolume DriverInfoOf(const PersistentVolumeClaim& claim, const CsiNode* csi_node) const;
  AttachableVolume DriverInfoOfClass(const PersistentVolumeClaim& claim,
                                     const CsiNode* csi_node) const;
  Status CheckDriversInstalled(const AttachableVolumes& volumes, const CsiNode* csi_node) const;
  // The volumes of one driver on a node.
  struct DriverUse {
    Symbol driver;
    int64_t limit;
    int64_t attached;
    int64_t asked;  // requested by the pod and not attached yet

    bool is_exceeded() const { return attached + asked > limit; }
  };
  Status CountUses(const AttachableVolumes& wanted, const CsiNode& csi_node, const NodeInfo& node,
                   std::vector<DriverUse>* uses) const;
  Status CheckLimits(const AttachableVolumes& wanted, const CsiNode& csi_node,
                     const NodeInfo& node) const;

  const Features& features_;
  Handle& handle_;
};

}  // namespace stowage
