#include "core/scheduler/object_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

// An object of a kind that has nothing but a name here.
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

AnyObject DeviceClass(std::string_view name) {
  return Other(ObjectKind::kDeviceClass, "", "", name);
}

// One object of every kind. Cluster-wide ones have no namespace.
std::vector<AnyObject> OneOfEach(std::string_view name) {
  return {MakePod().Name(name).Ref(),
          MakeNode().Name(name).Ref(),
          Named<Namespace>("", name),
          Named<Service>("default", name),
          Named<ReplicationController>("default", name),
          Named<ReplicaSet>("default", name),
          Named<StatefulSet>("default", name),
          Named<PodDisruptionBudget>("default", name),
          Other(ObjectKind::kPersistentVolume, "", "", name),
          Other(ObjectKind::kPersistentVolumeClaim, "", "default", name),
          DeviceClass(name),
          Other(ObjectKind::kOther, "foos.v1.example.com", "default", name),
          Other(ObjectKind::kOther, "configmaps.v1.", "default", name)};
}

ObjectKey KeyOf(const AnyObject& object) { return ObjectKey::Of(MetadataOf(object)); }

std::string NameOf(const KindKey& kind) {
  if (kind.kind == ObjectKind::kOther) return kind.resource.str();
  return std::string(InfoOf(kind.kind).name);
}

std::string Names(const std::vector<ObjectKey>& keys) {
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
  EXPECT_EQ(store.Services(), (std::vector<ServiceRef>{std::get<ServiceRef>(objects[3])}));
  EXPECT_EQ(AnyObject(store.GetReplicationController(namespace_, x)), objects[4]);
  EXPECT_EQ(AnyObject(store.GetReplicaSet(namespace_, x)), objects[5]);
  EXPECT_EQ(AnyObject(store.GetStatefulSet(namespace_, x)), objects[6]);
  EXPECT_EQ(AnyObject(store.PodDisruptionBudgets().at(0)), objects[7]);
  EXPECT_EQ(store.NumPods(), 1u);

  Symbol y("y");
  EXPECT_EQ(store.GetPod(namespace_, y), nullptr);
  EXPECT_EQ(store.GetPod(Symbol("other"), x), nullptr);
  EXPECT_EQ(store.GetNode(y), nullptr);
  EXPECT_EQ(store.GetNamespace(y), nullptr);
  EXPECT_EQ(store.GetReplicationController(namespace_, y), nullptr);
  EXPECT_EQ(store.GetReplicaSet(namespace_, y), nullptr);
  EXPECT_EQ(store.GetStatefulSet(namespace_, y), nullptr);
}

TEST(ObjectStore, KnowsWhetherThereAreDeviceClasses) {
  ObjectStore store;
  store.Put(Other(ObjectKind::kResourceClaim, "", "default", "a"));
  store.Put(Other(ObjectKind::kOther, "deviceclasses.v1beta1.resource.k8s.io", "", "a"));
  EXPECT_FALSE(store.HasDeviceClasses());
  store.Put(DeviceClass("a"));
  store.Put(DeviceClass("b"));
  EXPECT_TRUE(store.HasDeviceClasses());
  store.Remove(ObjectKind::kDeviceClass, {Symbol(), Symbol("a")});
  EXPECT_TRUE(store.HasDeviceClasses());
  store.Remove(ObjectKind::kDeviceClass, {Symbol(), Symbol("b")});
  EXPECT_FALSE(store.HasDeviceClasses());
}

TEST(ObjectStore, ListsGoByNamespaceAndName) {
  ObjectStore store;
  for (const auto& [namespace_, name] :
       {std::pair("b", "1"), std::pair("a", "2"), std::pair("a", "10"), std::pair("A", "3")}) {
    store.Put(Named<Service>(namespace_, name));
    store.Put(Named<PodDisruptionBudget>(namespace_, name));
    store.Put(MakePod().Namespace(namespace_).Name(name).Ref());
    store.Put(Other(ObjectKind::kPersistentVolumeClaim, "", namespace_, name));
  }
  constexpr std::string_view kWant = "A/3 a/10 a/2 b/1 ";
  EXPECT_EQ(Names(store.Keys(ObjectKind::kPod)), kWant);
  EXPECT_EQ(Names(store.Keys(ObjectKind::kPersistentVolumeClaim)), kWant);
  std::vector<ObjectKey> services;
  for (const ServiceRef& service : store.Services()) {
    services.push_back(ObjectKey::Of(service->metadata));
  }
  EXPECT_EQ(Names(services), kWant);
  std::vector<ObjectKey> budgets;
  for (const PodDisruptionBudgetRef& budget : store.PodDisruptionBudgets()) {
    budgets.push_back(ObjectKey::Of(budget->metadata));
  }
  EXPECT_EQ(Names(budgets), kWant);
}

TEST(ObjectStore, FindsPodsByTheirPresentUid) {
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
