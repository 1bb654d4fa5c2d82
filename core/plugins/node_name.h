// NodeName restricts a pod that names a node (spec.nodeName) to that node.
// Counterpart: framework/plugins/nodename, v1.36.
#pragma once

#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class NodeName final : public Plugin,
                       public PerNodeFilter<NodeName>,
                       public EnqueueExtensions,
                       public FragmentPlugin,
                       public SignPlugin {
 public:
  static constexpr std::string_view kName = "NodeName";
  static constexpr std::string_view kReason = "node(s) didn't match the requested node name";

  explicit NodeName(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  bool PassesAll(const CycleState& state, const Pod& pod, const NodeTable& table) const override;
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsNodeAlone() const override { return true; }
  void SignPod(const Pod& pod, PodSignature* signature) const override;
};

}  // namespace stowage
