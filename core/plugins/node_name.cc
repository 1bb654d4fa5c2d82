#include "core/plugins/node_name.h"

namespace stowage {

Status NodeName::Filter(const CycleState&, const Pod& pod, const NodeInfo& node) const {
  if (pod.spec.node_name.empty() || pod.spec.node_name == node.name()) return Status::Success();
  return Status::UnschedulableAndUnresolvable(kReason);
}

bool NodeName::AppendFragment(const Pod& pod, PodSignature* signature) const {
  signature->Add(pod.spec.node_name);
  return true;
}

}  // namespace stowage
