#include "core/plugins/node_name.h"

namespace stowage {

Status NodeName::Filter(const CycleState&, const Pod& pod, const NodeInfo& node) const {
  if (pod.spec.node_name.empty() || pod.spec.node_name == node.name()) return Status::Success();
  static const Status kRefused = Status::UnschedulableAndUnresolvable(kReason);
  return kRefused;
}

std::vector<ClusterEventWithHint> NodeName::EventsToRegister() const {
  return {{{EventResource::kNode, action::kAdd}}};
}

void NodeName::SignPod(const Pod& pod, PodSignature* signature) const {
  signature->Add(pod.spec.node_name);
}

}  // namespace stowage
