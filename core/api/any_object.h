// AnyObject is one object of any kind that the scheduler reads.
#pragma once

#include <memory>
#include <utility>

#include "core/api/device_class.h"
#include "core/api/device_taint_rule.h"
#include "core/api/node.h"
#include "core/api/object_kind.h"
#include "core/api/other_object.h"
#include "core/api/persistent_volume.h"
#include "core/api/pod.h"
#include "core/api/pod_group.h"
#include "core/api/resource_claim.h"
#include "core/api/resource_slice.h"
#include "core/api/storage.h"
#include "core/api/workloads.h"
#include "core/base/check.h"

namespace stowage {

// The kind of the objects of type T. Not for OtherObject, which covers many kinds.
template <typename T>
inline constexpr ObjectKind kKindOf = ObjectKind::kOther;
template <>
inline constexpr ObjectKind kKindOf<Pod> = ObjectKind::kPod;
template <>
inline constexpr ObjectKind kKindOf<Node> = ObjectKind::kNode;
template <>
inline constexpr ObjectKind kKindOf<Namespace> = ObjectKind::kNamespace;
template <>
inline constexpr ObjectKind kKindOf<Service> = ObjectKind::kService;
template <>
inline constexpr ObjectKind kKindOf<ReplicationController> = ObjectKind::kReplicationController;
template <>
inline constexpr ObjectKind kKindOf<ReplicaSet> = ObjectKind::kReplicaSet;
template <>
inline constexpr ObjectKind kKindOf<StatefulSet> = ObjectKind::kStatefulSet;
template <>
inline constexpr ObjectKind kKindOf<PodDisruptionBudget> = ObjectKind::kPodDisruptionBudget;
template <>
inline constexpr ObjectKind kKindOf<PersistentVolume> = ObjectKind::kPersistentVolume;
template <>
inline constexpr ObjectKind kKindOf<PersistentVolumeClaim> = ObjectKind::kPersistentVolumeClaim;
template <>
inline constexpr ObjectKind kKindOf<StorageClass> = ObjectKind::kStorageClass;
template <>
inline constexpr ObjectKind kKindOf<CsiNode> = ObjectKind::kCsiNode;
template <>
inline constexpr ObjectKind kKindOf<CsiDriver> = ObjectKind::kCsiDriver;
template <>
inline constexpr ObjectKind kKindOf<CsiStorageCapacity> = ObjectKind::kCsiStorageCapacity;
template <>
inline constexpr ObjectKind kKindOf<VolumeAttachment> = ObjectKind::kVolumeAttachment;
template <>
inline constexpr ObjectKind kKindOf<ResourceClaim> = ObjectKind::kResourceClaim;
template <>
inline constexpr ObjectKind kKindOf<ResourceSlice> = ObjectKind::kResourceSlice;
template <>
inline constexpr ObjectKind kKindOf<DeviceClass> = ObjectKind::kDeviceClass;
template <>
inline constexpr ObjectKind kKindOf<DeviceTaintRule> = ObjectKind::kDeviceTaintRule;
template <>
inline constexpr ObjectKind kKindOf<PodGroup> = ObjectKind::kPodGroup;

// Shares the object, which must not be null.
class AnyObject {
 public:
  template <typename T>
  AnyObject(std::shared_ptr<const T> object)  // NOLINT: implicit on purpose
      : kind_(KindOfObject(*object)), metadata_(&object->metadata), object_(std::move(object)) {}
  template <typename T>
  AnyObject(std::shared_ptr<T> object)  // NOLINT: implicit on purpose
      : AnyObject(std::shared_ptr<const T>(std::move(object))) {}

  ObjectKind kind() const { return kind_; }
  const ObjectMeta& metadata() const { return *metadata_; }

  // The object as a T; null if it is of another kind.
  template <typename T>
  const T* Get() const {
    return Is<T>() ? static_cast<const T*>(object_.get()) : nullptr;
  }
  template <typename T>
  std::shared_ptr<const T> Ref() const {
    if (!Is<T>()) return nullptr;
    return std::static_pointer_cast<const T>(object_);
  }
  template <typename T>
  bool Is() const {
    if constexpr (kKindOf<T> == ObjectKind::kOther) return kind_ >= kFirstOtherKind;
    return kind_ == kKindOf<T>;
  }

  // Whether both are the same object; equal objects may differ.
  friend bool operator==(const AnyObject& a, const AnyObject& b) { return a.object_ == b.object_; }

 private:
  static ObjectKind KindOfObject(const OtherObject& object) { return object.kind; }
  template <typename T>
  static ObjectKind KindOfObject(const T&) {
    static_assert(kKindOf<T> != ObjectKind::kOther, "the type has no kind");
    return kKindOf<T>;
  }

  ObjectKind kind_;
  const ObjectMeta* metadata_;
  std::shared_ptr<const void> object_;
};

}  // namespace stowage
