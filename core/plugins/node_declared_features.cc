#include "core/plugins/node_declared_features.h"

#include <algorithm>
#include <functional>

#include "core/framework/signers.h"

namespace stowage {
namespace {

struct PreFilterState {
  std::vector<Symbol> required;
};

bool HasRestartAction(const SharedList<Container>& containers, const Symbol& action) {
  for (const Container& container : containers) {
    for (const ContainerRestartRule& rule : container.restart_policy_rules) {
      if (rule.action == action) return true;
    }
  }
  return false;
}

// The features that an added node declares are not checked.
QueueingHint IsSchedulableAfterNodeChange(const Pod&, const EventObjects& objects) {
  auto nodes = objects.As<Node>();
  if (!nodes || !nodes->IsUpdate()) return QueueingHint::kQueue;
  return QueueIf(nodes->old_object->status.declared_features !=
                 nodes->new_object->status.declared_features);
}

}  // namespace

std::vector<Symbol> NodeDeclaredFeatures::RequiredFeatures(const Pod& pod) const {
  const PodSpec& spec = pod.spec;
  std::vector<Symbol> required;
  if (HasRestartAction(spec.containers, restart_all_containers_action_) ||
      HasRestartAction(spec.init_containers, restart_all_containers_action_)) {
    required.push_back(restart_all_containers_);
  }
  if (spec.host_network && spec.host_users == false) {
    required.push_back(user_namespaces_host_network_);
  }
  return required;
}

Status NodeDeclaredFeatures::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                       PreFilterResult*) const {
  if (!is_enabled_) return Status::Skip();
  std::vector<Symbol> required = RequiredFeatures(pod);
  if (required.empty()) return Status::Skip();
  state.Write(PreFilterState{std::move(required)});
  return Status::Success();
}

Status NodeDeclaredFeatures::Filter(const CycleState& state, const Pod&,
                                    const NodeInfo& node) const {
  if (!is_enabled_) return Status::Success();
  const auto* s = state.Read<PreFilterState>();
  if (s == nullptr) {
    return Status::Error(
        "error reading \"PreFilterNodeDeclaredFeatures\" from cycle-state: not found");
  }
  const std::vector<Symbol>& declared = node.declared_features();
  for (const Symbol& feature : s->required) {
    bool is_declared = std::find(declared.begin(), declared.end(), feature) != declared.end();
    if (!is_declared) return Status::UnschedulableAndUnresolvable(kReason);
  }
  return Status::Success();
}

std::vector<ClusterEventWithHint> NodeDeclaredFeatures::EventsToRegister() const {
  if (!is_enabled_) return {};
  return {{{EventResource::kNode, action::kAdd | action::kUpdateNodeDeclaredFeature},
           IsSchedulableAfterNodeChange},
          {{EventResource::kPod, action::kUpdate},
           std::bind_front(&NodeDeclaredFeatures::IsSchedulableAfterPodUpdate, this)}};
}

QueueingHint NodeDeclaredFeatures::IsSchedulableAfterPodUpdate(const Pod& pod,
                                                               const EventObjects& objects) const {
  auto pods = objects.As<Pod>();
  if (!pods || !pods->IsUpdate()) return QueueingHint::kQueue;
  if (pods->new_object->metadata.uid != pod.metadata.uid) return QueueingHint::kQueueSkip;
  return QueueIf(RequiredFeatures(*pods->old_object) != RequiredFeatures(*pods->new_object));
}

void NodeDeclaredFeatures::SignPod(const Pod& pod, PodSignature* signature) const {
  SignSet(RequiredFeatures(pod), signature);
}

}  // namespace stowage
