// Listers give access to the last seen objects of the cluster by kind.
// Counterpart: client-go's informers/listers, v1.36.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/api/node.h"
#include "core/api/object_kind.h"
#include "core/api/persistent_volume.h"
#include "core/api/pod_group.h"
#include "core/api/storage.h"
#include "core/api/workloads.h"
#include "core/framework/class_volumes.h"
#include "core/table/label_keys.h"

namespace stowage {

// A change of a storage object: a volume, a claim, a StorageClass or one of the other kinds that
// Listers::storage_version counts.
struct StorageChange {
  ObjectKind kind;
  ObjectKey key;
  Symbol node = {};  // of a CSINode or a VolumeAttachment
};

class Listers {
 public:
  virtual ~Listers() = default;

  // Each returns null if there is no such object. Pods: bound or pending.
  virtual PodRef GetPod(const Symbol& namespace_, const Symbol& name) const = 0;
  virtual NodeRef GetNode(const Symbol& name) const = 0;
  virtual NamespaceRef GetNamespace(const Symbol& name) const = 0;
  virtual ReplicationControllerRef GetReplicationController(const Symbol& namespace_,
                                                            const Symbol& name) const = 0;
  virtual ReplicaSetRef GetReplicaSet(const Symbol& namespace_, const Symbol& name) const = 0;
  virtual StatefulSetRef GetStatefulSet(const Symbol& namespace_, const Symbol& name) const = 0;
  virtual PersistentVolumeRef GetPersistentVolume(const Symbol& name) const = 0;
  virtual PersistentVolumeClaimRef GetPersistentVolumeClaim(const Symbol& namespace_,
                                                            const Symbol& name) const = 0;
  virtual StorageClassRef GetStorageClass(const Symbol& name) const = 0;
  virtual CsiNodeRef GetCsiNode(const Symbol& name) const = 0;
  virtual CsiDriverRef GetCsiDriver(const Symbol& name) const = 0;
  virtual PodGroupRef GetPodGroup(const Symbol& namespace_, const Symbol& name) const = 0;

  // All objects of a kind, sorted by namespace and name.
  virtual const std::vector<PodDisruptionBudgetRef>& PodDisruptionBudgets() const = 0;
  virtual const std::vector<ServiceRef>& Services() const = 0;
  virtual const std::vector<NamespaceRef>& Namespaces() const = 0;
  virtual const std::vector<CsiStorageCapacityRef>& CsiStorageCapacities() const = 0;
  // The volumes of a storage class, which may be "".
  virtual const ClassVolumes& VolumesOfClass(const Symbol& name) const = 0;
  // The attachments of a node, sorted by name.
  virtual std::vector<VolumeAttachmentRef> VolumeAttachmentsOf(const Symbol& node) const = 0;

  // Rises with every change of a Namespace, a Service or a workload.
  virtual uint64_t selection_version() const = 0;
  // Rises with every change of a volume, a claim, a StorageClass, a CSINode, a CSIDriver, a
  // CSIStorageCapacity or a VolumeAttachment.
  virtual uint64_t storage_version() const = 0;
  // The changes after that version; nullopt if they are too many to be remembered.
  virtual std::optional<std::span<const StorageChange>> StorageChangesSince(
      uint64_t version) const = 0;
  // The label keys that Services' selectors have named.
  virtual const LabelKeys& ServiceKeys() const = 0;
  // Rises with every change of a DeviceClass.
  virtual uint64_t device_class_version() const = 0;
};

}  // namespace stowage
