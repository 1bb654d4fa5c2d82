// NodeDeclaredFeatures keeps a pod off nodes that have not declared the features it needs.
// Counterpart: framework/plugins/nodedeclaredfeatures, v1.36.
#pragma once

#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class NodeDeclaredFeatures final : public Plugin,
                                   public PreFilterPlugin,
                                   public PerNodeFilter<NodeDeclaredFeatures>,
                                   public EnqueueExtensions,
                                   public FragmentPlugin,
                                   public SignPlugin {
 public:
  static constexpr std::string_view kName = "NodeDeclaredFeatures";
  static constexpr std::string_view kReason = "node(s) didn't match Pod's required features";

  explicit NodeDeclaredFeatures(const PluginContext& context)
      : is_enabled_(context.features.node_declared_features) {}

  std::string_view Name() const override { return kName; }
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  // Empty if the gate is off.
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsNodeAlone() const override { return true; }
  void SignPod(const Pod& pod, PodSignature* signature) const override;

 private:
  QueueingHint IsSchedulableAfterPodUpdate(const Pod& pod, const EventObjects& objects) const;
  // The features that the kubelet must support to run the pod, sorted by name.
  std::vector<Symbol> RequiredFeatures(const Pod& pod) const;

  const bool is_enabled_;
  const Symbol restart_all_containers_{"RestartAllContainersOnContainerExits"};
  const Symbol user_namespaces_host_network_{"UserNamespacesHostNetworkSupport"};
  const Symbol restart_all_containers_action_{"RestartAllContainers"};
};

}  // namespace stowage
