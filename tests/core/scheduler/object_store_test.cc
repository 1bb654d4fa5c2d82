#include "core/scheduler/object_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

// An object of a kind, with only a name.
template <typename T>
std::shared_ptr<const T> Named(std::string_view namespace_, std::string_view name) {
  T object;
  object.metadata.namespace_ = Symbol(namespace_);
  object.metadata.name = Symbol(name);
  return std::make_shared<const T>(std::move(object));
}

AnyObject Other(ObjectKind kind, std::string_view resource, std::string_view namespace_,
                std::string_view name) {
  OtherObject object;
  object.kind = kind;
  object.resource = Symbol(resource);
  object.metadata.namespace_ = Symbol(namespace_);
  object.metadata.name = Symbol(name);
  return std::make_shared<const OtherObject>(std::move(object));
}

// One object of every kind. Cluster-scoped ones have no namespace.
std::vector<AnyObject> OneOfEach(std::string_view name) {
  return {MakePod().Name(name).Ref(),
          MakeNode().Name(name).Ref(),
          Named<Namespace>("", name),
          Named<Service>("default", name),
          Named<ReplicationController>("default", name),
          Named<ReplicaSet>("default", name),
          Named<StatefulSet>("default", name),
          Named<PodDisruptionBudget>("default", name),
          Named<PersistentVolume>("", name),
          Named<PersistentVolumeClaim>("default", name),
          Named<StorageClass>("", name),
          Named<CsiNode>("", name),
          Named<CsiDriver>("", name),
          Named<CsiStorageCapacity>("default", name),
          Named<VolumeAttachment>("", name),
          Named<ResourceClaim>("default", name),
          Named<ResourceSlice>("", name),
          Named<DeviceClass>("", name),
          Named<DeviceTaintRule>("", name),
          Other(ObjectKind::kResourceClaimTemplate, "", "default", name),
          Other(ObjectKind::kOther, "foos.v1.example.com", "default", name),
          Other(ObjectKind::kOther, "configmaps.v1.", "default", name)};
}

ObjectKey KeyOf(const AnyObject& object) { return ObjectKey::Of(object.metadata()); }

std::string NameOf(const KindKey& kind) {
  if (kind.kind == ObjectKind::kOther) return kind.resource.str();
  return std::string(InfoOf(kind.kind).name);
}

std::string StoredNames(const std::vector<ObjectKey>& keys) {
  std::string names;
  for (const ObjectKey& key : keys) {
    names += key.namespace_.str() + "/" + key.name.str() + " ";
  }
  return names;
}

TEST(ObjectStore, PutsReplacesAndRemovesEveryKind) {
  ObjectStore store;
  for (const AnyObject& object : OneOfEach("x")) {
    KindKey kind = KindKeyOf(object);
    std::string name = NameOf(kind);
    EXPECT_EQ(store.Put(object), std::nullopt) << name;
    EXPECT_EQ(store.Keys(kind), std::vector<ObjectKey>{KeyOf(object)}) << name;
    EXPECT_EQ(store.Remove(kind, {Symbol("default"), Symbol("other")}), std::nullopt) << name;
  }
  std::vector<AnyObject> older = OneOfEach("x");
  std::vector<AnyObject> newer = OneOfEach("x");
  for (size_t index = 0; index < newer.size(); ++index) {
    KindKey kind = KindKeyOf(newer[index]);
    std::string name = NameOf(kind);
    std::optional<AnyObject> old = store.Put(newer[index]);
    ASSERT_TRUE(old.has_value()) << name;
    EXPECT_NE(*old, newer[index]) << name;
    EXPECT_EQ(store.Remove(kind, KeyOf(newer[index])), newer[index]) << name;
    EXPECT_EQ(store.Remove(newer[index]), std::nullopt) << name;
    store.Put(newer[index]);
    EXPECT_EQ(store.Remove(older[index]), newer[index]) << name << ", by its older state";
    EXPECT_TRUE(store.Keys(kind).empty()) << name;
  }
}

TEST(ObjectStore, ListersFindObjectsByName) {
  ObjectStore store;
  std::vector<AnyObject> objects = OneOfEach("x");
  for (const AnyObject& object : objects) store.Put(object);
  Symbol namespace_("default");
  Symbol x("x");
  EXPECT_EQ(AnyObject(store.GetPod(namespace_, x)), objects[0]);
  EXPECT_EQ(AnyObject(store.GetNode(x)), objects[1]);
  EXPECT_EQ(AnyObject(store.GetNamespace(x)), objects[2]);
  EXPECT_EQ(store.Services(), (std::vector<ServiceRef>{objects[3].Ref<Service>()}));
  EXPECT_EQ(AnyObject(store.GetReplicationController(namespace_, x)), objects[4]);
  EXPECT_EQ(AnyObject(store.GetReplicaSet(namespace_, x)), objects[5]);
  EXPECT_EQ(AnyObject(store.GetStatefulSet(namespace_, x)), objects[6]);
  EXPECT_EQ(AnyObject(store.PodDisruptionBudgets().at(0)), objects[7]);
  EXPECT_EQ(AnyObject(store.GetPersistentVolume(x)), objects[8]);
  EXPECT_EQ(AnyObject(store.GetPersistentVolumeClaim(namespace_, x)), objects[9]);
  EXPECT_EQ(AnyObject(store.GetStorageClass(x)), objects[10]);
  EXPECT_EQ(AnyObject(store.GetCsiNode(x)), objects[11]);
  EXPECT_EQ(AnyObject(store.GetCsiDriver(x)), objects[12]);
  EXPECT_EQ(AnyObject(store.CsiStorageCapacities().at(0)), objects[13]);
  EXPECT_EQ(AnyObject(store.VolumeAttachmentsOf(Symbol()).at(0)), objects[14]);
  EXPECT_EQ(store.NumPods(), 1u);

  Symbol y("y");
  EXPECT_EQ(store.GetPod(namespace_, y), nullptr);
  EXPECT_EQ(store.GetPod(Symbol("other"), x), nullptr);
  EXPECT_EQ(store.GetNode(y), nullptr);
  EXPECT_EQ(store.GetNamespace(y), nullptr);
  EXPECT_EQ(store.GetReplicationController(namespace_, y), nullptr);
  EXPECT_EQ(store.GetReplicaSet(namespace_, y), nullptr);
  EXPECT_EQ(store.GetStatefulSet(namespace_, y), nullptr);
  EXPECT_EQ(store.GetPersistentVolume(y), nullptr);
  EXPECT_EQ(store.GetPersistentVolumeClaim(namespace_, y), nullptr);
  EXPECT_EQ(store.GetPersistentVolumeClaim(Symbol("other"), x), nullptr);
  EXPECT_EQ(store.GetStorageClass(y), nullptr);
  EXPECT_EQ(store.GetCsiNode(y), nullptr);
  EXPECT_EQ(store.GetCsiDriver(y), nullptr);
}

template <typename T>
std::string NamesOf(const std::vector<std::shared_ptr<const T>>& objects) {
  std::string names;
  for (const auto& object : objects) names += object->metadata.name.str() + " ";
  return names;
}

// Goal: volumes are found by their current class.
TEST(ObjectStore, FindsVolumesByTheirClass) {
  ObjectStore store;
  auto put = [&store](std::string_view name, std::string_view field, LabelMap annotations) {
    PersistentVolume volume;
    volume.metadata.name = Symbol(name);
    volume.metadata.annotations = std::move(annotations);
    volume.spec.storage_class_name = Symbol(field);
    store.Put(std::make_shared<const PersistentVolume>(std::move(volume)));
  };
  constexpr std::string_view kAnnotation = "volume.beta.kubernetes.io/storage-class";
  put("b", "fast", {});
  put("a", "fast", {});
  put("c", "slow", {{kAnnotation, "fast"}});
  put("d", "", {});
  EXPECT_EQ(NamesOf(*store.VolumesOfClass(Symbol("fast")).Free()), "a b c ");
  EXPECT_EQ(NamesOf(*store.VolumesOfClass(Symbol("slow")).Free()), "");
  EXPECT_EQ(NamesOf(*store.VolumesOfClass(Symbol()).Free()), "d ");
  put("a", "slow", {});
  EXPECT_EQ(NamesOf(*store.VolumesOfClass(Symbol("fast")).Free()), "b c ");
  EXPECT_EQ(NamesOf(*store.VolumesOfClass(Symbol("slow")).Free()), "a ");
  store.Remove(ObjectKind::kPersistentVolume, {Symbol(), Symbol("b")});
  EXPECT_EQ(NamesOf(*store.VolumesOfClass(Symbol("fast")).Free()), "c ");
}

// Goal: attachments are found by their node, sorted by name.
TEST(ObjectStore, FindsAttachmentsByTheirNode) {
  ObjectStore store;
  auto put = [&store](std::string_view name, std::string_view node) {
    VolumeAttachment attachment;
    attachment.metadata.name = Symbol(name);
    attachment.spec.node_name = Symbol(node);
    store.Put(std::make_shared<const VolumeAttachment>(std::move(attachment)));
  };
  put("2", "n");
  put("1", "n");
  put("3", "m");
  EXPECT_EQ(NamesOf(store.VolumeAttachmentsOf(Symbol("n"))), "1 2 ");
  EXPECT_EQ(NamesOf(store.VolumeAttachmentsOf(Symbol("x"))), "");
  put("2", "m");
  EXPECT_EQ(NamesOf(store.VolumeAttachmentsOf(Symbol("n"))), "1 ");
  EXPECT_EQ(NamesOf(store.VolumeAttachmentsOf(Symbol("m"))), "2 3 ");
  store.Remove(ObjectKind::kVolumeAttachment, {Symbol(), Symbol("1")});
  EXPECT_EQ(NamesOf(store.VolumeAttachmentsOf(Symbol("n"))), "");
}

TEST(ObjectStore, CountsChangesOfDeviceClasses) {
  ObjectStore store;
  store.Put(Named<ResourceClaim>("default", "a"));
  store.Put(Other(ObjectKind::kOther, "deviceclasses.v1beta1.resource.k8s.io", "", "a"));
  uint64_t version = store.device_class_version();
  store.Put(Named<DeviceClass>("", "a"));
  EXPECT_EQ(store.device_class_version(), ++version);
  store.Put(Named<DeviceClass>("", "a"));
  EXPECT_EQ(store.device_class_version(), ++version);
  store.Remove(ObjectKind::kDeviceClass, {Symbol(), Symbol("a")});
  EXPECT_EQ(store.device_class_version(), ++version);
}

TEST(ObjectStore, ReportsRemovedPodsAndPodGroups) {
  struct Observer final : RemovalObserver {
    void OnPodRemoved(const Pod& pod) override { uids += pod.metadata.uid.str() + " "; }
    void OnPodGroupRemoved(const PodGroup& group) override {
      uids += "group " + group.metadata.uid.str() + " ";
    }
    std::string uids;
  };
  ObjectStore store;
  Observer observer;
  store.set_removal_observer(&observer);
  store.Put(MakePod().Name("a").Uid("1").Ref());
  store.Put(MakePod().Name("a").Uid("1").Ref());
  EXPECT_EQ(observer.uids, "");
  store.Put(MakePod().Name("a").Uid("2").Ref());
  store.Remove(ObjectKind::kPod, {Symbol("default"), Symbol("a")});
  EXPECT_EQ(observer.uids, "1 2 ");
  observer.uids.clear();
  auto group = [](std::string_view uid) {
    PodGroup object;
    object.metadata.namespace_ = Symbol("default");
    object.metadata.name = Symbol("a");
    object.metadata.uid = Symbol(uid);
    return AnyObject(std::make_shared<const PodGroup>(std::move(object)));
  };
  store.Put(group("3"));
  store.Put(group("3"));
  EXPECT_EQ(observer.uids, "");
  store.Put(group("4"));
  store.Remove(ObjectKind::kPodGroup, {Symbol("default"), Symbol("a")});
  EXPECT_EQ(observer.uids, "group 3 group 4 ");
}

TEST(ObjectStore, SortsListsByNamespaceAndName) {
  ObjectStore store;
  for (const auto& [namespace_, name] :
       {std::pair("b", "1"), std::pair("a", "2"), std::pair("a", "10"), std::pair("A", "3")}) {
    store.Put(Named<Service>(namespace_, name));
    store.Put(Named<PodDisruptionBudget>(namespace_, name));
    store.Put(MakePod().Namespace(namespace_).Name(name).Ref());
    store.Put(Named<PersistentVolumeClaim>(namespace_, name));
    store.Put(Named<CsiStorageCapacity>(namespace_, name));
  }
  constexpr std::string_view kWant = "A/3 a/10 a/2 b/1 ";
  EXPECT_EQ(StoredNames(store.Keys(ObjectKind::kPod)), kWant);
  EXPECT_EQ(StoredNames(store.Keys(ObjectKind::kPersistentVolumeClaim)), kWant);
  std::vector<ObjectKey> services;
  for (const ServiceRef& service : store.Services()) {
    services.push_back(ObjectKey::Of(service->metadata));
  }
  EXPECT_EQ(StoredNames(services), kWant);
  std::vector<ObjectKey> budgets;
  for (const PodDisruptionBudgetRef& budget : store.PodDisruptionBudgets()) {
    budgets.push_back(ObjectKey::Of(budget->metadata));
  }
  EXPECT_EQ(StoredNames(budgets), kWant);
  std::vector<ObjectKey> capacities;
  for (const CsiStorageCapacityRef& capacity : store.CsiStorageCapacities()) {
    capacities.push_back(ObjectKey::Of(capacity->metadata));
  }
  EXPECT_EQ(StoredNames(capacities), kWant);
}

TEST(ObjectStore, FindsPodsByTheirCurrentUid) {
  ObjectStore store;
  EXPECT_EQ(store.FindPodByUid(Symbol("u1")), nullptr);
  store.Put(MakePod().Name("p").Uid("u1").Ref());
  ASSERT_NE(store.FindPodByUid(Symbol("u1")), nullptr);
  EXPECT_EQ(store.FindPodByUid(Symbol("u1"))->name, "p");
  store.Put(MakePod().Name("p").Uid("u2").Ref());
  EXPECT_EQ(store.FindPodByUid(Symbol("u1")), nullptr) << "another pod of the name";
  EXPECT_EQ(store.FindPodByUid(Symbol("u2"))->name, "p");
  store.Remove(ObjectKind::kPod, {Symbol("default"), Symbol("p")});
  EXPECT_EQ(store.FindPodByUid(Symbol("u2")), nullptr);
}

}  // namespace
}  // namespace stowage
