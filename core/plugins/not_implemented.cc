#include "core/plugins/not_implemented.h"

namespace stowage {
namespace {

// Queues the pod if the added pod is of the same group.
QueueingHint IsSchedulableAfterPodAdded(const Pod& pod, const EventObjects& objects) {
  auto pods = objects.As<Pod>();
  if (!pods || pods->new_object == nullptr) return QueueingHint::kQueue;
  const Pod& added = *pods->new_object;
  if (!pod.spec.scheduling_group || !added.spec.scheduling_group) return QueueingHint::kQueueSkip;
  return QueueIf(added.metadata.namespace_ == pod.metadata.namespace_ &&
                 added.spec.scheduling_group->pod_group_name ==
                     pod.spec.scheduling_group->pod_group_name);
}

}  // namespace

std::vector<ClusterEventWithHint> GangScheduling::EventsToRegister() const {
  return {
      {{EventResource::kPod, action::kAdd}, IsSchedulableAfterPodAdded},
      {{EventResource::kPodGroup, action::kAdd}},
  };
}

}  // namespace stowage
