#include "core/scheduler/object_store.h"

#include "core/api/volume_helpers.h"
#include "core/base/check.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

// The most changes of storage objects that are remembered.
constexpr size_t kStorageChangesMax = 128;

// The version after the state of version `saved` was restored.
uint64_t NewVersionAfter(uint64_t saved, uint64_t latest) {
  return saved == latest ? saved : latest + 1;
}

template <typename Map>
std::vector<ObjectKey> SortedKeys(const Map& map) {
  std::vector<ObjectKey> keys;
  keys.reserve(map.size());
  for (const auto& entry : map) keys.push_back(entry.first);
  StableSort(&keys);
  return keys;
}

}  // namespace

void ObjectStore::CopyStateFrom(const ObjectStore& other) {
  RemovalObserver* observer = removal_observer_;
  *this = other;
  removal_observer_ = observer;
}

ObjectStore::Savepoint ObjectStore::Save() {
  pods_.Save();
  pod_keys_by_uid_.Save();
  return Savepoint(*this);
}

void ObjectStore::Restore(Savepoint savepoint) {
  pods_.Restore();
  pod_keys_by_uid_.Restore();
  StoredObjects& saved = savepoint.objects;
  saved.service_keys_ = std::move(service_keys_);
  saved.selection_version_ = NewVersionAfter(saved.selection_version_, selection_version_);
  if (saved.storage_version_ != storage_version_) {
    // What has changed since `saved` changes back. Readers that keep a version are restored too,
    // so each of them sees all of these changes; the last one is there again for the new version.
    storage_changes_.push_back(storage_changes_.back());
    saved.storage_changes_ = std::move(storage_changes_);
  }
  saved.storage_version_ = NewVersionAfter(saved.storage_version_, storage_version_);
  saved.device_class_version_ = NewVersionAfter(saved.device_class_version_, device_class_version_);
  StoredObjects::operator=(std::move(saved));
}

void ObjectStore::Release() {
  pods_.Release();
  pod_keys_by_uid_.Release();
}

std::optional<AnyObject> ObjectStore::Put(const AnyObject& object) {
  if (object.Is<Pod>()) {
    PodRef old = PutPod(object.Ref<Pod>());
    if (old == nullptr) return std::nullopt;
    return AnyObject(std::move(old));
  }
  KindKey kind = KindKeyOf(object);
  std::optional<AnyObject>& stored = objects_[kind][ObjectKey::Of(object.metadata())];
  std::optional<AnyObject> old = std::exchange(stored, object);
  NoteChange(kind.kind, old ? &*old : nullptr, &object);
  return old;
}

std::optional<AnyObject> ObjectStore::Remove(const KindKey& kind, const ObjectKey& key) {
  if (kind.kind == ObjectKind::kPod) return RemovePod(key);
  auto objects = objects_.find(kind);
  if (objects == objects_.end()) return std::nullopt;
  auto found = objects->second.find(key);
  if (found == objects->second.end()) return std::nullopt;
  AnyObject old = *found->second;
  objects->second.erase(found);
  if (objects->second.empty()) objects_.erase(objects);
  NoteChange(kind.kind, &old, nullptr);
  return old;
}

void ObjectStore::NoteChange(ObjectKind kind, const AnyObject* old_object,
                             const AnyObject* new_object) {
  switch (kind) {
    case ObjectKind::kNamespace:
      namespaces_.is_stale = true;
      ++selection_version_;
      return;
    case ObjectKind::kService:
      services_.is_stale = true;
      ++selection_version_;
      if (new_object != nullptr) NoteKeys(*new_object->Get<Service>());
      return;
    case ObjectKind::kReplicationController:
    case ObjectKind::kReplicaSet:
    case ObjectKind::kStatefulSet:
      ++selection_version_;
      return;
    case ObjectKind::kPodDisruptionBudget:
      pod_disruption_budgets_.is_stale = true;
      return;
    case ObjectKind::kPodGroup:
      return NotePodGroup(old_object, new_object);
    case ObjectKind::kDeviceClass:
      ++device_class_version_;
      return;
    case ObjectKind::kPersistentVolumeClaim:
    case ObjectKind::kStorageClass:
    case ObjectKind::kCsiNode:
    case ObjectKind::kCsiDriver:
      NoteStorageChange(kind, new_object != nullptr ? *new_object : *old_object);
      return;
    case ObjectKind::kCsiStorageCapacity:
      NoteStorageChange(kind, new_object != nullptr ? *new_object : *old_object);
      csi_storage_capacities_.is_stale = true;
      return;
    case ObjectKind::kPersistentVolume:
      NoteStorageChange(kind, new_object != nullptr ? *new_object : *old_object);
      return NoteVolumeChange(old_object, new_object);
    case ObjectKind::kVolumeAttachment:
      if (old_object != nullptr) NoteStorageChange(kind, *old_object);
      if (new_object != nullptr) NoteStorageChange(kind, *new_object);
      return NoteAttachmentChange(old_object, new_object);
    default:
      return;
  }
}

void ObjectStore::NotePodGroup(const AnyObject* old_object, const AnyObject* new_object) const {
  if (removal_observer_ == nullptr || old_object == nullptr) return;
  const PodGroup& old = *old_object->Get<PodGroup>();
  bool is_same = new_object != nullptr && new_object->metadata().uid == old.metadata.uid;
  if (!is_same) removal_observer_->OnPodGroupRemoved(old);
}

void ObjectStore::NoteStorageChange(ObjectKind kind, const AnyObject& object) {
  if (storage_changes_.size() >= kStorageChangesMax) {
    auto half = static_cast<std::ptrdiff_t>(kStorageChangesMax / 2);
    storage_changes_.erase(storage_changes_.begin(), storage_changes_.begin() + half);
  }
  ++storage_version_;
  StorageChange& change =
      storage_changes_.emplace_back(StorageChange{kind, ObjectKey::Of(object.metadata()), {}});
  if (kind == ObjectKind::kCsiNode) change.node = change.key.name;
  if (object.Is<VolumeAttachment>()) change.node = object.Get<VolumeAttachment>()->spec.node_name;
}

std::optional<std::span<const StorageChange>> ObjectStore::StorageChangesSince(
    uint64_t version) const {
  uint64_t count = storage_version_ - version;
  if (count > storage_changes_.size()) return std::nullopt;
  return std::span(storage_changes_).last(static_cast<size_t>(count));
}

void ObjectStore::NoteVolumeChange(const AnyObject* old_object, const AnyObject* new_object) {
  if (old_object != nullptr) {
    const auto* volume = old_object->Get<PersistentVolume>();
    auto of_class = volumes_by_class_.find(StorageClassOf(*volume));
    of_class->second.Remove(*volume);
    if (of_class->second.empty()) volumes_by_class_.erase(of_class);
  }
  if (new_object != nullptr) {
    PersistentVolumeRef volume = new_object->Ref<PersistentVolume>();
    volumes_by_class_[StorageClassOf(*volume)].Add(volume);
  }
}

void ObjectStore::NoteAttachmentChange(const AnyObject* old_object, const AnyObject* new_object) {
  if (old_object != nullptr) {
    const auto* attachment = old_object->Get<VolumeAttachment>();
    auto on_node = attachments_by_node_.find(attachment->spec.node_name);
    CHECK(on_node != attachments_by_node_.end());
    auto& attachments = attachments_by_node_.Mutable(on_node);
    attachments.erase(attachment->metadata.name);
    if (attachments.empty()) attachments_by_node_.erase(on_node);
  }
  if (new_object != nullptr) {
    VolumeAttachmentRef attachment = new_object->Ref<VolumeAttachment>();
    attachments_by_node_[attachment->spec.node_name][attachment->metadata.name] = attachment;
  }
}

void ObjectStore::NoteKeys(const Service& service) {
  if (!service.spec.selector) return;
  for (const auto& [key, value] : *service.spec.selector) service_keys_.Add(key);
}

std::vector<ObjectKey> ObjectStore::Keys(const KindKey& kind) const {
  if (kind.kind == ObjectKind::kPod) return SortedKeys(pods_.entries());
  auto objects = objects_.find(kind);
  return objects == objects_.end() ? std::vector<ObjectKey>() : SortedKeys(objects->second);
}

std::vector<KindKey> ObjectStore::Kinds() const {
  std::vector<KindKey> kinds;
  for (const auto& [kind, objects] : objects_) kinds.push_back(kind);
  if (!pods_.empty()) kinds.push_back(ObjectKind::kPod);
  return kinds;
}

std::optional<AnyObject> ObjectStore::Get(const KindKey& kind, const ObjectKey& key) const {
  if (kind.kind == ObjectKind::kPod) {
    PodRef pod = GetPod(key.namespace_, key.name);
    if (pod == nullptr) return std::nullopt;
    return AnyObject(std::move(pod));
  }
  const AnyObject* object = Find(kind, key);
  return object == nullptr ? std::nullopt : std::optional(*object);
}

const AnyObject* ObjectStore::Find(const KindKey& kind, const ObjectKey& key) const {
  auto objects = objects_.find(kind);
  if (objects == objects_.end()) return nullptr;
  auto found = objects->second.find(key);
  return found == objects->second.end() ? nullptr : &*found->second;
}

template <typename T>
std::shared_ptr<const T> ObjectStore::Get(const Symbol& namespace_, const Symbol& name) const {
  const AnyObject* object = Find(kKindOf<T>, {namespace_, name});
  return object == nullptr ? nullptr : object->Ref<T>();
}

template <typename T>
const std::vector<std::shared_ptr<const T>>& ObjectStore::ListOf(Listed<T>* list) const {
  if (!std::exchange(list->is_stale, false)) return list->objects;
  list->objects.clear();
  for (const ObjectKey& key : Keys(kKindOf<T>)) {
    list->objects.push_back(Get<T>(key.namespace_, key.name));
  }
  return list->objects;
}

NodeRef ObjectStore::GetNode(const Symbol& name) const { return Get<Node>(Symbol(), name); }

NamespaceRef ObjectStore::GetNamespace(const Symbol& name) const {
  return Get<Namespace>(Symbol(), name);
}

ReplicationControllerRef ObjectStore::GetReplicationController(const Symbol& namespace_,
                                                               const Symbol& name) const {
  return Get<ReplicationController>(namespace_, name);
}

ReplicaSetRef ObjectStore::GetReplicaSet(const Symbol& namespace_, const Symbol& name) const {
  return Get<ReplicaSet>(namespace_, name);
}

StatefulSetRef ObjectStore::GetStatefulSet(const Symbol& namespace_, const Symbol& name) const {
  return Get<StatefulSet>(namespace_, name);
}

PersistentVolumeRef ObjectStore::GetPersistentVolume(const Symbol& name) const {
  return Get<PersistentVolume>(Symbol(), name);
}

PersistentVolumeClaimRef ObjectStore::GetPersistentVolumeClaim(const Symbol& namespace_,
                                                               const Symbol& name) const {
  return Get<PersistentVolumeClaim>(namespace_, name);
}

StorageClassRef ObjectStore::GetStorageClass(const Symbol& name) const {
  return Get<StorageClass>(Symbol(), name);
}

CsiNodeRef ObjectStore::GetCsiNode(const Symbol& name) const {
  return Get<CsiNode>(Symbol(), name);
}

CsiDriverRef ObjectStore::GetCsiDriver(const Symbol& name) const {
  return Get<CsiDriver>(Symbol(), name);
}

PodGroupRef ObjectStore::GetPodGroup(const Symbol& namespace_, const Symbol& name) const {
  return Get<PodGroup>(namespace_, name);
}

const std::vector<PodDisruptionBudgetRef>& ObjectStore::PodDisruptionBudgets() const {
  return ListOf(&pod_disruption_budgets_);
}

const std::vector<ServiceRef>& ObjectStore::Services() const { return ListOf(&services_); }

const std::vector<NamespaceRef>& ObjectStore::Namespaces() const { return ListOf(&namespaces_); }

const std::vector<CsiStorageCapacityRef>& ObjectStore::CsiStorageCapacities() const {
  return ListOf(&csi_storage_capacities_);
}

const ClassVolumes& ObjectStore::VolumesOfClass(const Symbol& name) const {
  static const auto* none = new ClassVolumes;
  auto of_class = volumes_by_class_.find(name);
  return of_class == volumes_by_class_.end() ? *none : of_class->second;
}

std::vector<VolumeAttachmentRef> ObjectStore::VolumeAttachmentsOf(const Symbol& node) const {
  std::vector<VolumeAttachmentRef> attachments;
  auto on_node = attachments_by_node_.find(node);
  if (on_node == attachments_by_node_.end()) return attachments;
  for (const auto& [name, attachment] : on_node->second) attachments.push_back(attachment);
  return attachments;
}

}  // namespace stowage
