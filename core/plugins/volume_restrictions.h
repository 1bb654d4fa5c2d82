// VolumeRestrictions keeps two pods off the same node if they cannot share a disk, and keeps a
// second pod from using a ReadWriteOncePod claim. Counterpart:
// framework/plugins/volumerestrictions, v1.36; spec plugins/volume-restrictions.md.
#pragma once

#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class VolumeRestrictions final : public Plugin,
                                 public PreFilterPlugin,
                                 public PreFilterExtensions,
                                 public PerNodeFilter<VolumeRestrictions>,
                                 public EnqueueExtensions,
                                 public FragmentPlugin,
                                 public SignPlugin,
                                 public CulpritPlugin {
 public:
  static constexpr std::string_view kName = "VolumeRestrictions";
  static constexpr std::string_view kReasonDiskConflict = "node(s) had no available disk";
  static constexpr std::string_view kReasonReadWriteOncePodConflict =
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
      "in-use by another pod";

  // Before v1.34.
  static constexpr std::string_view kOldReasonReadWriteOncePodConflict =
      "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access "
      "mode";

  explicit VolumeRestrictions(const PluginContext& context)
      : handle_(context.handle),
        claim_conflict_(
            Status::Unschedulable(context.features.behaviour.read_write_once_pod_reason_is_plural
                                      ? kReasonReadWriteOncePodConflict
                                      : kOldReasonReadWriteOncePodConflict)) {}

  std::string_view Name() const override { return kName; }
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  const PreFilterExtensions* Extensions() const override { return this; }
  Status AddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                const NodeInfo& node) const override;
  Status RemovePod(CycleState& state, const Pod& pod, const PodInfo& pod_to_remove,
                   const NodeInfo& node) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsStorage() const override { return true; }
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;

 private:
  static constexpr std::string_view kReadWriteOncePod = "ReadWriteOncePod";

  // Whether the pod has a volume that Filter checks for conflicts (GCE PD, AWS EBS, RBD, iSCSI).
  static bool NeedsRestrictionsCheck(const Pod& pod);

  Handle& handle_;
  const Status claim_conflict_;
};

}  // namespace stowage
