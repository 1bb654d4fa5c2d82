// The changes of storage objects that may make pods schedulable that VolumeBinding rejected.
#include <algorithm>

#include "core/api/volume_helpers.h"
#include "core/plugins/volume_binding.h"

namespace stowage {
namespace {

QueueingHint IsSchedulableAfterStorageClassChange(const Pod&, const EventObjects& objects) {
  auto classes = objects.As<StorageClass>();
  if (!classes || !classes->IsUpdate()) return QueueingHint::kQueue;
  return QueueIf(classes->old_object->allowed_topologies !=
                 classes->new_object->allowed_topologies);
}

QueueingHint IsSchedulableAfterPersistentVolumeClaimChange(const Pod& pod,
                                                           const EventObjects& objects) {
  auto claims = objects.As<PersistentVolumeClaim>();
  if (!claims || claims->new_object == nullptr) return QueueingHint::kQueue;
  return QueueIf(UsesClaim(pod, claims->new_object->metadata));
}

QueueingHint IsSchedulableAfterCsiNodeChange(const Pod&, const EventObjects& objects) {
  auto nodes = objects.As<CsiNode>();
  if (!nodes || !nodes->IsUpdate()) return QueueingHint::kQueue;
  auto migrated_plugins = [](const CsiNode& node) {
    const Symbol* plugins = node.metadata.annotations.Find(Annotations().migrated_plugins);
    return plugins == nullptr ? Symbol() : *plugins;
  };
  return QueueIf(migrated_plugins(*nodes->old_object) != migrated_plugins(*nodes->new_object));
}

// Queues the pod if the driver of one of its inline volumes no longer requires capacity checks.
// Drivers behind claims are not considered.
QueueingHint IsSchedulableAfterCsiDriverChange(const Pod& pod, const EventObjects& objects) {
  auto drivers = objects.As<CsiDriver>();
  if (!drivers || !drivers->IsUpdate()) return QueueingHint::kQueue;
  const CsiDriver& driver = *drivers->new_object;
  bool is_used = std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                             [&driver](const Volume& volume) {
                               return volume.source != nullptr && volume.source->csi &&
                                      volume.source->csi->driver == driver.metadata.name;
                             });
  return QueueIf(is_used && drivers->old_object->spec.storage_capacity.value_or(false) &&
                 !driver.spec.storage_capacity.value_or(false));
}

QueueingHint IsSchedulableAfterCsiStorageCapacityChange(const Pod&, const EventObjects& objects) {
  auto capacities = objects.As<CsiStorageCapacity>();
  if (!capacities || !capacities->IsUpdate()) return QueueingHint::kQueue;
  const Quantity* before = capacities->old_object->VolumeLimit();
  const Quantity* after = capacities->new_object->VolumeLimit();
  return QueueIf(after != nullptr && (before == nullptr || after->Value() > before->Value()));
}

}  // namespace

std::vector<ClusterEventWithHint> VolumeBindingEvents() {
  constexpr ActionType kAddOrUpdate = action::kAdd | action::kUpdate;
  return {
      {{EventResource::kStorageClass, kAddOrUpdate}, IsSchedulableAfterStorageClassChange},
      {{EventResource::kPersistentVolumeClaim, kAddOrUpdate},
       IsSchedulableAfterPersistentVolumeClaimChange},
      {{EventResource::kPersistentVolume, kAddOrUpdate}},
      {{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel}},
      {{EventResource::kCsiNode, kAddOrUpdate}, IsSchedulableAfterCsiNodeChange},
      {{EventResource::kCsiDriver, action::kUpdate}, IsSchedulableAfterCsiDriverChange},
      {{EventResource::kCsiStorageCapacity, kAddOrUpdate},
       IsSchedulableAfterCsiStorageCapacityChange},
  };
}

}  // namespace stowage
