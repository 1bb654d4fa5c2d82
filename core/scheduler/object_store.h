// ObjectStore holds the last seen state of every object, by kind, namespace and name; listers read
// from it. Counterpart: the informer factory's indexers, which upstream's listers read.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/decode/objects.h"
#include "core/api/object_key.h"
#include "core/base/hash_map.h"
#include "core/base/revertible_map.h"
#include "core/framework/listers.h"

namespace stowage {

class RemovalObserver {
 public:
  virtual ~RemovalObserver() = default;
  // The pod was deleted, has finished, or is missing in a list.
  virtual void OnPodRemoved(const Pod& pod) = 0;
  // The pod group was deleted, or is missing in a list.
  virtual void OnPodGroupRemoved(const PodGroup& group) = 0;
};

// What an ObjectStore holds besides pods.
class StoredObjects {
  friend class ObjectStore;

  using ByKey = HashMap<ObjectKey, std::optional<AnyObject>, ObjectKeyNumber>;  // all are set

  // A kind that plugins list. Its list is rebuilt on the first request after a change.
  template <typename T>
  struct Listed {
    std::vector<std::shared_ptr<const T>> objects;
    bool is_stale = false;
  };

  std::map<KindKey, ByKey> objects_;  // no empty maps
  uint64_t selection_version_ = 0;
  uint64_t storage_version_ = 0;
  std::vector<StorageChange> storage_changes_;  // the last ones, one for each version
  uint64_t device_class_version_ = 0;
  LabelKeys service_keys_;
  mutable Listed<Namespace> namespaces_;
  mutable Listed<Service> services_;
  mutable Listed<PodDisruptionBudget> pod_disruption_budgets_;
  mutable Listed<CsiStorageCapacity> csi_storage_capacities_;
  std::unordered_map<Symbol, ClassVolumes, SymbolHash> volumes_by_class_;  // no empty ones
  // By node, then by name; no empty maps.
  HashMap<Symbol, std::map<Symbol, VolumeAttachmentRef>, SymbolNumber> attachments_by_node_;
};

class ObjectStore : public Listers, private StoredObjects {
 public:
  // The state that Restore goes back to. The pods stay in the store, which keeps what their changes
  // replace. Savepoints nest: the latest one is the first to be restored or released.
  class Savepoint {
    friend class ObjectStore;

    explicit Savepoint(const StoredObjects& stored) : objects(stored) {}

    StoredObjects objects;
  };

  void set_removal_observer(RemovalObserver* observer) { removal_observer_ = observer; }
  // Takes the objects of another store. The two share what neither changes later.
  void CopyStateFrom(const ObjectStore& other);
  Savepoint Save();
  // Versions of what has changed since are new ones, so that readers which keep a version notice.
  // Label keys that were named meanwhile stay.
  void Restore(Savepoint savepoint);
  // Keeps the changes since the latest savepoint.
  void Release();

  // Stores the object and returns the one that it replaces, if any.
  std::optional<AnyObject> Put(const AnyObject& object);
  // Like Put, for a pod. Returns null if there was none.
  PodRef PutPod(const PodRef& pod);
  // Removes the object of that kind, namespace and name, and returns it.
  std::optional<AnyObject> Remove(const KindKey& kind, const ObjectKey& key);
  // Removes and returns the stored object with the kind, namespace and name of `object`, which may
  // be another state of it.
  std::optional<AnyObject> Remove(const AnyObject& object) {
    return Remove(KindKeyOf(object), ObjectKey::Of(object.metadata()));
  }

  // The key of the pod with that uid; null if there is none.
  const ObjectKey* FindPodByUid(const Symbol& uid) const;
  // Sorted by namespace and name.
  std::vector<ObjectKey> Keys(const KindKey& kind) const;
  // The kinds of which there are objects; pods come last.
  std::vector<KindKey> Kinds() const;
  // nullopt if there is no such object.
  std::optional<AnyObject> Get(const KindKey& kind, const ObjectKey& key) const;
  size_t NumPods() const { return pods_.size(); }
  // Reads what finding the pod will read (base/read_ahead.h).
  void ReadPodAhead(const ObjectKey& key) const { pods_.ReadAhead(key); }

  PodRef GetPod(const Symbol& namespace_, const Symbol& name) const override;
  NodeRef GetNode(const Symbol& name) const override;
  NamespaceRef GetNamespace(const Symbol& name) const override;
  ReplicationControllerRef GetReplicationController(const Symbol& namespace_,
                                                    const Symbol& name) const override;
  ReplicaSetRef GetReplicaSet(const Symbol& namespace_, const Symbol& name) const override;
  StatefulSetRef GetStatefulSet(const Symbol& namespace_, const Symbol& name) const override;
  PersistentVolumeRef GetPersistentVolume(const Symbol& name) const override;
  PersistentVolumeClaimRef GetPersistentVolumeClaim(const Symbol& namespace_,
                                                    const Symbol& name) const override;
  StorageClassRef GetStorageClass(const Symbol& name) const override;
  CsiNodeRef GetCsiNode(const Symbol& name) const override;
  CsiDriverRef GetCsiDriver(const Symbol& name) const override;
  PodGroupRef GetPodGroup(const Symbol& namespace_, const Symbol& name) const override;

  const std::vector<PodDisruptionBudgetRef>& PodDisruptionBudgets() const override;
  const std::vector<ServiceRef>& Services() const override;
  const std::vector<NamespaceRef>& Namespaces() const override;
  const std::vector<CsiStorageCapacityRef>& CsiStorageCapacities() const override;
  const ClassVolumes& VolumesOfClass(const Symbol& name) const override;
  std::vector<VolumeAttachmentRef> VolumeAttachmentsOf(const Symbol& node) const override;
  uint64_t selection_version() const override { return selection_version_; }
  uint64_t storage_version() const override { return storage_version_; }
  std::optional<std::span<const StorageChange>> StorageChangesSince(
      uint64_t version) const override;
  const LabelKeys& ServiceKeys() const override { return service_keys_; }
  uint64_t device_class_version() const override { return device_class_version_; }

 private:
  std::optional<AnyObject> RemovePod(const ObjectKey& key);
  void NoteStorageChange(ObjectKind kind, const AnyObject& object);
  void NoteChange(ObjectKind kind, const AnyObject* old_object, const AnyObject* new_object);
  void NoteVolumeChange(const AnyObject* old_object, const AnyObject* new_object);
  void NoteAttachmentChange(const AnyObject* old_object, const AnyObject* new_object);
  void NoteKeys(const Service& service);
  void NotePodGroup(const AnyObject* old_object, const AnyObject* new_object) const;
  const AnyObject* Find(const KindKey& kind, const ObjectKey& key) const;
  template <typename T>
  std::shared_ptr<const T> Get(const Symbol& namespace_, const Symbol& name) const;
  template <typename T>
  const std::vector<std::shared_ptr<const T>>& ListOf(Listed<T>* list) const;

  // Kept apart because pods are many and every pod event looks one up.
  RevertibleMap<ObjectKey, PodRef, ObjectKeyNumber> pods_;
  RevertibleMap<Symbol, ObjectKey, SymbolNumber> pod_keys_by_uid_;
  RemovalObserver* removal_observer_ = nullptr;
};

}  // namespace stowage
