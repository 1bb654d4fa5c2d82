// NodePorts refuses nodes where one of the pod's host ports is taken.
// Counterpart: framework/plugins/nodeports, v1.36.
#pragma once

#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class NodePorts final : public Plugin,
                        public PreFilterPlugin,
                        public PerNodeFilter<NodePorts>,
                        public EnqueueExtensions,
                        public FragmentPlugin,
                        public SignPlugin,
                        public CulpritPlugin {
 public:
  static constexpr std::string_view kName = "NodePorts";
  static constexpr std::string_view kReason =
      "node(s) didn't have free ports for the requested pod ports";

  explicit NodePorts(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  // Signs port numbers only, including those of all init containers.
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;
};

}  // namespace stowage
