#include "core/plugins/node_name.h"

namespace stowage {

Status NodeName::Filter(const CycleState&, const Pod& pod, const NodeInfo& node) const {
  if (pod.spec.node_name.empty() || pod.spec.node_name == node.name()) return Status::Success();
  static const Status kRefused = Status::UnschedulableAndUnresolvable(kReason);
  return kRefused;
}

uint64_t NodeName::FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                               uint64_t candidates, ChunkStatuses* statuses) const {
  if (pod.spec.node_name.empty()) return candidates;
  return PerNodeFilter<NodeName>::FilterChunk(state, pod, chunk, candidates, statuses);
}

std::vector<ClusterEventWithHint> NodeName::EventsToRegister() const {
  return {{{EventResource::kNode, action::kAdd}}};
}

bool NodeName::AppendFragment(const Pod& pod, PodSignature* signature) const {
  signature->Add(pod.spec.node_name);
  return true;
}

void NodeName::SignPod(const Pod& pod, PodSignature* signature) const {
  signature->Add(pod.spec.node_name);
}

}  // namespace stowage
