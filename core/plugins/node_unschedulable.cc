#include "core/plugins/node_unschedulable.h"

#include <functional>

#include "core/api/taints.h"
#include "core/api/well_known_labels.h"
#include "core/framework/signers.h"
#include "core/plugins/culprit_taint.h"

namespace stowage {

NodeUnschedulable::NodeUnschedulable(const PluginContext& context)
    : features_(context.features),
      unschedulable_taint_{Symbol(kTaintNodeUnschedulable), Symbol(),
                           Symbol(kTaintEffectNoSchedule)} {}

Status NodeUnschedulable::Filter(const CycleState&, const Pod& pod, const NodeInfo& node) const {
  if (!node.node()->spec.unschedulable || Tolerates(pod)) return Status::Success();
  return Status::UnschedulableAndUnresolvable(kReason);
}

std::vector<ClusterEventWithHint> NodeUnschedulable::EventsToRegister() const {
  return {{{EventResource::kNode, action::kAdd | action::kUpdateNodeTaint},
           std::bind_front(&NodeUnschedulable::IsSchedulableAfterNodeChange, this)},
          {{EventResource::kPod, action::kUpdatePodToleration},
           std::bind_front(&NodeUnschedulable::IsSchedulableAfterPodTolerationChange, this)}};
}

QueueingHint NodeUnschedulable::IsSchedulableAfterNodeChange(const Pod&,
                                                             const EventObjects& objects) const {
  auto nodes = objects.As<Node>();
  if (!nodes || nodes->new_object == nullptr) return QueueingHint::kQueue;
  bool was_schedulable = nodes->old_object != nullptr && !nodes->old_object->spec.unschedulable;
  return QueueIf(!was_schedulable && !nodes->new_object->spec.unschedulable);
}

QueueingHint NodeUnschedulable::IsSchedulableAfterPodTolerationChange(
    const Pod& pod, const EventObjects& objects) const {
  auto pods = objects.As<Pod>();
  if (!pods || pods->new_object == nullptr) return QueueingHint::kQueue;
  return QueueIf(pods->new_object->metadata.uid == pod.metadata.uid &&
                 Tolerates(*pods->new_object));
}

bool NodeUnschedulable::Tolerates(const Pod& pod) const {
  return TolerationsTolerateTaint(pod.spec.tolerations, unschedulable_taint_,
                                  features_.taint_toleration_comparison_operators);
}

// A cordoned node has this taint, or gets it shortly.
void NodeUnschedulable::WriteCulprit(const Refusal&, JsonWriter* json) const {
  WriteTaint(unschedulable_taint_, json);
}

void NodeUnschedulable::SignPod(const Pod& pod, PodSignature* signature) const {
  SignTolerations(pod, signature);
}

}  // namespace stowage
