// VolumeZone restricts a pod to the zones and regions in the labels of its volumes.
// Counterpart: framework/plugins/volumezone, v1.36; spec plugins/volume-zone.md.
#pragma once

#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class VolumeZone final : public Plugin,
                         public PreFilterPlugin,
                         public PerNodeFilter<VolumeZone>,
                         public EnqueueExtensions,
                         public FragmentPlugin,
                         public SignPlugin,
                         public CulpritPlugin {
 public:
  static constexpr std::string_view kName = "VolumeZone";
  static constexpr std::string_view kReasonConflict = "node(s) had no available volume zone";

  explicit VolumeZone(const PluginContext& context) : handle_(context.handle) {}

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
  Handle& handle_;
};

}  // namespace stowage
