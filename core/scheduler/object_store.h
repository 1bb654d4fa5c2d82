// ObjectStore holds every object as it was last seen, by kind, namespace and name: what listers
// read. Counterpart: the informer factory's indexers, which upstream's listers read.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/decode/objects.h"
#include "core/api/object_key.h"
#include "core/framework/handle.h"

namespace stowage {

class ObjectStore final : public Listers {
 public:
  // Stores the object and gives the one it replaces, if any.
  std::optional<AnyObject> Put(const AnyObject& object);
  // Removes the object of that kind, namespace and name, and gives it.
  std::optional<AnyObject> Remove(const KindKey& kind, const ObjectKey& key);
  // The same by the metadata of what may be another state of it.
  std::optional<AnyObject> Remove(const AnyObject& object) {
    return Remove(KindKeyOf(object), ObjectKey::Of(MetadataOf(object)));
  }

  // Where the pod of that uid is; null when there is none.
  const ObjectKey* FindPodByUid(const Symbol& uid) const;
  // In order of namespace and name.
  std::vector<ObjectKey> Keys(const KindKey& kind) const;

  NodeRef GetNode(const Symbol& name) const;
  PodRef GetPod(const Symbol& namespace_, const Symbol& name) const override;
  const std::vector<PodDisruptionBudgetRef>& PodDisruptionBudgets() const override;
  const std::vector<ServiceRef>& Services() const override;
  const std::vector<NamespaceRef>& Namespaces() const override;
  NamespaceRef GetNamespace(const Symbol& name) const override;
  ReplicationControllerRef GetReplicationController(const Symbol& namespace_,
                                                    const Symbol& name) const override;
  ReplicaSetRef GetReplicaSet(const Symbol& namespace_, const Symbol& name) const override;
  StatefulSetRef GetStatefulSet(const Symbol& namespace_, const Symbol& name) const override;

  bool HasDeviceClasses() const override;

  size_t NumPods() const { return pods_.size(); }

 private:
  std::optional<AnyObject> PutPod(const PodRef& pod);
  std::optional<AnyObject> RemovePod(const ObjectKey& key);
  std::optional<AnyObject> RemoveOther(const KindKey& kind, const ObjectKey& key);

  template <typename T>
  using ByKey = std::map<ObjectKey, std::shared_ptr<const T>>;
  // Kinds that plugins list are few; their list is remade when it is asked for after a change.
  template <typename T>
  class Listed {
   public:
    const ByKey<T>& by_key() const { return by_key_; }
    ByKey<T>& MutableByKey() {
      is_stale_ = true;
      return by_key_;
    }
    const std::vector<std::shared_ptr<const T>>& list() const {
      if (!std::exchange(is_stale_, false)) return list_;
      list_.clear();
      for (const auto& [key, object] : by_key_) list_.push_back(object);
      return list_;
    }

   private:
    ByKey<T> by_key_;
    mutable std::vector<std::shared_ptr<const T>> list_;
    mutable bool is_stale_ = false;
  };

  struct KeyHash {
    size_t operator()(const ObjectKey& key) const {
      return SymbolHash()(key.name) * 31 + SymbolHash()(key.namespace_);
    }
  };

  // Pods are many, and looked up for every event of theirs.
  std::unordered_map<ObjectKey, PodRef, KeyHash> pods_;
  std::unordered_map<Symbol, ObjectKey, SymbolHash> pod_keys_by_uid_;
  ByKey<Node> nodes_;
  Listed<Namespace> namespaces_;
  Listed<Service> services_;
  ByKey<ReplicationController> replication_controllers_;
  ByKey<ReplicaSet> replica_sets_;
  ByKey<StatefulSet> stateful_sets_;
  Listed<PodDisruptionBudget> pod_disruption_budgets_;
  std::map<KindKey, ByKey<OtherObject>> others_;  // no empty ones
};

}  // namespace stowage
