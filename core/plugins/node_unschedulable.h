// NodeUnschedulable keeps pods off cordoned nodes (spec.unschedulable), unless they tolerate the
// taint that such a node would carry. The node's actual taints do not matter here.
// Counterpart: framework/plugins/nodeunschedulable, v1.36.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class NodeUnschedulable final : public Plugin,
                                public FilterPlugin,
                                public EnqueueExtensions,
                                public FragmentPlugin,
                                public SignPlugin,
                                public CulpritPlugin {
 public:
  static constexpr std::string_view kName = "NodeUnschedulable";
  static constexpr std::string_view kReason = "node(s) were unschedulable";

  explicit NodeUnschedulable(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  bool PassesAll(const CycleState& state, const Pod& pod, const NodeTable& table) const override;
  // Reads the column of cordoned nodes, and the pod's tolerations only if there is such a node.
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsNodeAlone() const override { return true; }
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;

 private:
  QueueingHint IsSchedulableAfterNodeChange(const Pod& pod, const EventObjects& objects) const;
  QueueingHint IsSchedulableAfterPodTolerationChange(const Pod& pod,
                                                     const EventObjects& objects) const;
  bool Tolerates(const Pod& pod) const;

  const Features& features_;
  const Taint unschedulable_taint_;
};

}  // namespace stowage
