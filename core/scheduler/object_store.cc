#include "core/scheduler/object_store.h"

#include <set>

namespace stowage {
namespace {

template <typename Map, typename T>
std::optional<AnyObject> PutIn(Map& map, const std::shared_ptr<const T>& object) {
  std::shared_ptr<const T>& place = map[ObjectKey::Of(object->metadata)];
  std::optional<AnyObject> old;
  if (place != nullptr) old = place;
  place = object;
  return old;
}

template <typename Map>
std::optional<AnyObject> RemoveFrom(Map& map, const ObjectKey& key) {
  auto found = map.find(key);
  if (found == map.end()) return std::nullopt;
  AnyObject old = found->second;
  map.erase(found);
  return old;
}

template <typename Map>
typename Map::mapped_type Get(const Map& map, const Symbol& namespace_, const Symbol& name) {
  auto found = map.find(ObjectKey{namespace_, name});
  return found == map.end() ? nullptr : found->second;
}

template <typename Map>
std::vector<ObjectKey> KeysOfMap(const Map& map) {
  std::set<ObjectKey> keys;
  for (const auto& [key, object] : map) keys.insert(key);
  return {keys.begin(), keys.end()};
}

}  // namespace

std::optional<AnyObject> ObjectStore::Put(const AnyObject& object) {
  switch (KindOf(object)) {
    case ObjectKind::kPod:
      return PutPod(std::get<PodRef>(object));
    case ObjectKind::kNode:
      return PutIn(nodes_, std::get<NodeRef>(object));
    case ObjectKind::kNamespace:
      return PutIn(namespaces_.MutableByKey(), std::get<NamespaceRef>(object));
    case ObjectKind::kService:
      return PutIn(services_.MutableByKey(), std::get<ServiceRef>(object));
    case ObjectKind::kReplicationController:
      return PutIn(replication_controllers_, std::get<ReplicationControllerRef>(object));
    case ObjectKind::kReplicaSet:
      return PutIn(replica_sets_, std::get<ReplicaSetRef>(object));
    case ObjectKind::kStatefulSet:
      return PutIn(stateful_sets_, std::get<StatefulSetRef>(object));
    case ObjectKind::kPodDisruptionBudget:
      return PutIn(pod_disruption_budgets_.MutableByKey(),
                   std::get<PodDisruptionBudgetRef>(object));
    default:
      return PutIn(others_[KindKeyOf(object)], std::get<OtherObjectRef>(object));
  }
}

std::optional<AnyObject> ObjectStore::Remove(const KindKey& kind, const ObjectKey& key) {
  switch (kind.kind) {
    case ObjectKind::kPod:
      return RemovePod(key);
    case ObjectKind::kNode:
      return RemoveFrom(nodes_, key);
    case ObjectKind::kNamespace:
      return RemoveFrom(namespaces_.MutableByKey(), key);
    case ObjectKind::kService:
      return RemoveFrom(services_.MutableByKey(), key);
    case ObjectKind::kReplicationController:
      return RemoveFrom(replication_controllers_, key);
    case ObjectKind::kReplicaSet:
      return RemoveFrom(replica_sets_, key);
    case ObjectKind::kStatefulSet:
      return RemoveFrom(stateful_sets_, key);
    case ObjectKind::kPodDisruptionBudget:
      return RemoveFrom(pod_disruption_budgets_.MutableByKey(), key);
    default:
      return RemoveOther(kind, key);
  }
}

std::optional<AnyObject> ObjectStore::PutPod(const PodRef& pod) {
  std::optional<AnyObject> old = PutIn(pods_, pod);
  if (old) pod_keys_by_uid_.erase(MetadataOf(*old).uid);
  pod_keys_by_uid_[pod->metadata.uid] = ObjectKey::Of(pod->metadata);
  return old;
}

std::optional<AnyObject> ObjectStore::RemovePod(const ObjectKey& key) {
  std::optional<AnyObject> old = RemoveFrom(pods_, key);
  if (old) pod_keys_by_uid_.erase(MetadataOf(*old).uid);
  return old;
}

std::optional<AnyObject> ObjectStore::RemoveOther(const KindKey& kind, const ObjectKey& key) {
  auto objects = others_.find(kind);
  if (objects == others_.end()) return std::nullopt;
  std::optional<AnyObject> old = RemoveFrom(objects->second, key);
  if (objects->second.empty()) others_.erase(objects);
  return old;
}

const ObjectKey* ObjectStore::FindPodByUid(const Symbol& uid) const {
  auto found = pod_keys_by_uid_.find(uid);
  return found == pod_keys_by_uid_.end() ? nullptr : &found->second;
}

std::vector<ObjectKey> ObjectStore::Keys(const KindKey& kind) const {
  switch (kind.kind) {
    case ObjectKind::kPod:
      return KeysOfMap(pods_);
    case ObjectKind::kNode:
      return KeysOfMap(nodes_);
    case ObjectKind::kNamespace:
      return KeysOfMap(namespaces_.by_key());
    case ObjectKind::kService:
      return KeysOfMap(services_.by_key());
    case ObjectKind::kReplicationController:
      return KeysOfMap(replication_controllers_);
    case ObjectKind::kReplicaSet:
      return KeysOfMap(replica_sets_);
    case ObjectKind::kStatefulSet:
      return KeysOfMap(stateful_sets_);
    case ObjectKind::kPodDisruptionBudget:
      return KeysOfMap(pod_disruption_budgets_.by_key());
    default:
      break;
  }
  auto objects = others_.find(kind);
  return objects == others_.end() ? std::vector<ObjectKey>() : KeysOfMap(objects->second);
}

bool ObjectStore::HasDeviceClasses() const { return others_.contains(ObjectKind::kDeviceClass); }

NodeRef ObjectStore::GetNode(const Symbol& name) const { return Get(nodes_, Symbol(), name); }

PodRef ObjectStore::GetPod(const Symbol& namespace_, const Symbol& name) const {
  return Get(pods_, namespace_, name);
}

const std::vector<PodDisruptionBudgetRef>& ObjectStore::PodDisruptionBudgets() const {
  return pod_disruption_budgets_.list();
}

const std::vector<ServiceRef>& ObjectStore::Services() const { return services_.list(); }

const std::vector<NamespaceRef>& ObjectStore::Namespaces() const { return namespaces_.list(); }

NamespaceRef ObjectStore::GetNamespace(const Symbol& name) const {
  return Get(namespaces_.by_key(), Symbol(), name);
}

ReplicationControllerRef ObjectStore::GetReplicationController(const Symbol& namespace_,
                                                               const Symbol& name) const {
  return Get(replication_controllers_, namespace_, name);
}

ReplicaSetRef ObjectStore::GetReplicaSet(const Symbol& namespace_, const Symbol& name) const {
  return Get(replica_sets_, namespace_, name);
}

StatefulSetRef ObjectStore::GetStatefulSet(const Symbol& namespace_, const Symbol& name) const {
  return Get(stateful_sets_, namespace_, name);
}

}  // namespace stowage
