#include "core/plugins/not_implemented.h"

#include <algorithm>

#include "core/api/selector.h"

namespace stowage {
namespace {

bool HasClaim(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [](const Volume& volume) {
    return volume.persistent_volume_claim.has_value();
  });
}

bool HasEphemeralVolume(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [](const Volume& volume) { return volume.ephemeral.has_value(); });
}

bool HasInTreeDisk(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [](const Volume& volume) { return volume.has_in_tree_disk; });
}

constexpr ActionType kAddOrUpdate = action::kAdd | action::kUpdate;

// The added pod is of the same group.
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

std::vector<ClusterEventWithHint> VolumeRestrictions::EventsToRegister() const {
  return {
      {{EventResource::kPod, action::kDelete}},
      {{EventResource::kNode, action::kAdd}},
      {{EventResource::kPersistentVolumeClaim, action::kAdd}},
  };
}

std::vector<ClusterEventWithHint> NodeVolumeLimits::EventsToRegister() const {
  return {
      {{EventResource::kCsiNode, action::kAdd}},
      {{EventResource::kCsiNode, action::kUpdate}},
      {{EventResource::kPod, action::kDelete}},
      {{EventResource::kPersistentVolumeClaim, action::kAdd}},
      {{EventResource::kVolumeAttachment, action::kDelete}},
  };
}

std::vector<ClusterEventWithHint> VolumeBinding::EventsToRegister() const {
  return {
      {{EventResource::kStorageClass, kAddOrUpdate}},
      {{EventResource::kPersistentVolumeClaim, kAddOrUpdate}},
      {{EventResource::kPersistentVolume, kAddOrUpdate}},
      {{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel}},
      {{EventResource::kCsiNode, kAddOrUpdate}},
      {{EventResource::kCsiDriver, action::kUpdate}},
      {{EventResource::kCsiStorageCapacity, kAddOrUpdate}},
  };
}

std::vector<ClusterEventWithHint> VolumeZone::EventsToRegister() const {
  return {
      {{EventResource::kStorageClass, action::kAdd}},
      {{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel}},
      {{EventResource::kPersistentVolumeClaim, kAddOrUpdate}},
      {{EventResource::kPersistentVolume, kAddOrUpdate}},
  };
}

std::vector<ClusterEventWithHint> GangScheduling::EventsToRegister() const {
  return {
      {{EventResource::kPod, action::kAdd}, IsSchedulableAfterPodAdded},
      {{EventResource::kPodGroup, action::kAdd}},
  };
}

bool VolumeRestrictions::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasInTreeDisk(pod);
}

bool NodeVolumeLimits::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasEphemeralVolume(pod) || HasInTreeDisk(pod);
}

bool VolumeBinding::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasEphemeralVolume(pod);
}

bool VolumeZone::Matters(const Pod& pod) const { return HasClaim(pod); }

}  // namespace stowage
