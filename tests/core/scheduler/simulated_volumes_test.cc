#include "core/scheduler/simulated_volumes.h"

#include <gtest/gtest.h>

#include "core/api/volume_helpers.h"
#include "tests/support/from_json.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

// An API server's store and its volume controllers.
class SimulatedVolumesTest : public testing::Test, private WatchSink {
 protected:
  template <typename T>
  void Put(T object) {
    OnObjectPut(std::make_shared<const T>(std::move(object)));
  }
  void PutClass(std::string_view name, std::string_view provisioner, std::string_view mode) {
    Put(MakeStorageClass(R"({"metadata":{"name":")" + std::string(name) + R"("},"provisioner":")" +
                         std::string(provisioner) + R"(","volumeBindingMode":")" +
                         std::string(mode) + R"("})"));
  }
  void PutClaim(std::string_view members) {
    Put(MakePersistentVolumeClaim(
        R"({"metadata":{"name":"c","namespace":"default","uid":"u"},"spec":{"accessModes":)"
        R"(["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}},)" +
        std::string(members) + R"(},"status":{"phase":"Pending"}})"));
  }
  void PutVolume(std::string_view name, std::string_view size, std::string_view members = "") {
    Put(MakePersistentVolume(R"({"metadata":{"name":")" + std::string(name) +
                             R"("},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"s",)"
                             R"("capacity":{"storage":")" +
                             std::string(size) + "\"}" + std::string(members) +
                             R"(},"status":{"phase":"Available"}})"));
  }
  PersistentVolumeClaimRef Claim(std::string_view name = "c") const {
    return store_.GetPersistentVolumeClaim(Symbol("default"), Symbol(name));
  }
  PersistentVolumeRef Volume(std::string_view name) const {
    return store_.GetPersistentVolume(Symbol(name));
  }
  // The claim's volume; empty if it has none.
  std::string BoundVolume() const {
    return IsFullyBound(*Claim()) ? Claim()->spec.volume_name.str() : "";
  }

  void OnObjectPut(AnyObject object) override {
    store_.Put(object);
    volumes_.Observe(object);
  }
  void OnObjectDeleted(AnyObject) override {}
  void OnPodPut(PodRef) override {}
  void OnPodDeleted(PodRef) override {}
  PodRef LatestPod(const ObjectKey&) const override { return nullptr; }

  ObjectStore store_;
  SimulatedVolumes volumes_{store_, static_cast<WatchSink&>(*this)};
};

// Goal: a claim with immediate binding gets the smallest matching volume, or a new one.
TEST_F(SimulatedVolumesTest, BindsImmediateClaims) {
  PutClass("s", "kubernetes.io/no-provisioner", "Immediate");
  PutClaim(R"("storageClassName":"s")");
  PutVolume("small", "4Gi");
  volumes_.Sync();
  EXPECT_EQ(BoundVolume(), "");
  PutVolume("large", "9Gi");
  PutVolume("right", "6Gi");
  volumes_.Sync();
  EXPECT_EQ(BoundVolume(), "right");
  EXPECT_EQ(Claim()->status.phase, "Bound");
  EXPECT_EQ(Volume("right")->status.phase, "Bound");
  EXPECT_TRUE(IsBoundToClaim(*Volume("right"), *Claim()));
  EXPECT_EQ(Volume("large")->status.phase, "Available");
}

// Goal: a claim with delayed binding gets its volume on the node that was selected for it.
TEST_F(SimulatedVolumesTest, BindsDelayedClaimsOnTheSelectedNode) {
  PutClass("s", "csi.example.com", "WaitForFirstConsumer");
  Put(MakeNode().Name("n").Label("topology.kubernetes.io/zone", "z").Label("rack", "r").Obj());
  PutClaim(R"("storageClassName":"s")");
  volumes_.Sync();
  EXPECT_EQ(BoundVolume(), "");
  std::string text = *Claim()->metadata.source;
  text.insert(text.find("\"name\""),
              R"("annotations":{"volume.kubernetes.io/selected-node":"n"},)");
  ASSERT_TRUE(volumes_.Update(ObjectKind::kPersistentVolumeClaim, text).has_value());
  volumes_.Sync();
  EXPECT_EQ(BoundVolume(), "pvc-u");
  const auto& terms = Volume("pvc-u")->spec.node_affinity->required->node_selector_terms;
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(terms[0].match_expressions,
            std::vector{Expression("topology.kubernetes.io/zone", "In", {"z"})});
}

// Goal: if the driver has topology keys, they determine where a volume can be reached, not the
// zone.
TEST_F(SimulatedVolumesTest, UsesTheDriversTopologyKeys) {
  PutClass("s", "csi.example.com", "WaitForFirstConsumer");
  Put(MakeNode().Name("n").Label("topology.kubernetes.io/zone", "z").Label("rack", "r").Obj());
  Put(MakeCsiNode(R"({"metadata":{"name":"n"},"spec":{"drivers":[{"name":"csi.example.com",)"
                  R"("topologyKeys":["rack"]}]}})"));
  Put(MakePersistentVolumeClaim(
      R"({"metadata":{"name":"c","namespace":"default","uid":"u","annotations":)"
      R"({"volume.kubernetes.io/selected-node":"n"}},"spec":{"storageClassName":"s"}})"));
  volumes_.Sync();
  ASSERT_EQ(BoundVolume(), "pvc-u");
  const auto& terms = Volume("pvc-u")->spec.node_affinity->required->node_selector_terms;
  EXPECT_EQ(terms[0].match_expressions, std::vector{Expression("rack", "In", {"r"})});
}

// Goal: no volume is provisioned for a missing node, and one is as soon as the node arrives.
TEST_F(SimulatedVolumesTest, WaitsForAMissingNode) {
  for (std::string_view mode : {"WaitForFirstConsumer", "Immediate"}) {
    PutClass("s", "csi.example.com", mode);
    Put(MakePersistentVolumeClaim(
        R"({"metadata":{"name":"c","namespace":"default","uid":"u","annotations":)"
        R"({"volume.kubernetes.io/selected-node":"gone"}},"spec":{"storageClassName":"s"}})"));
    volumes_.Sync();
    EXPECT_EQ(BoundVolume(), "") << mode;
    EXPECT_TRUE(volumes_.CreatedObjects().empty());
  }
  Put(MakeNode().Name("gone").Obj());
  volumes_.Sync();
  EXPECT_EQ(BoundVolume(), "pvc-u");
}

// Goal: CreatedObjects lists what the simulation created, with the controller, as long as it
// exists.
TEST_F(SimulatedVolumesTest, ListsWhatItCreated) {
  PutClass("s", "csi.example.com", "Immediate");
  PutVolume("right", "6Gi");
  PutClaim(R"("storageClassName":"s")");
  Pod pod = MakePod().Name("p").Uid("pu").EphemeralVolume("tmp");
  pod.spec.volumes.Mutable()[0].other.json = Symbol(
      R"({"volumeClaimTemplate":{"spec":{"storageClassName":"s","accessModes":["ReadWriteOnce"],)"
      R"("resources":{"requests":{"storage":"7Gi"}}}}})");
  Put(pod);
  volumes_.Sync();
  volumes_.Sync();
  ObjectKey claim{Symbol("default"), Symbol("c")};
  ObjectKey made{Symbol("default"), Symbol("p-tmp")};
  const auto created_objects = volumes_.CreatedObjects();
  ASSERT_EQ(created_objects.size(), 3u);
  EXPECT_EQ(created_objects.at({claim, Symbol("right")}), "persistentvolume-binder-controller");
  EXPECT_EQ(created_objects.at({made, Symbol()}), "ephemeral-volume-controller");
  EXPECT_EQ(created_objects.at({made, Claim("p-tmp")->spec.volume_name}), "csi.example.com");
  PutClaim(R"("storageClassName":"s")");
  EXPECT_EQ(volumes_.CreatedObjects().size(), 2u);
}

// Goal: a claim gets the volume that a user reserved for it.
TEST_F(SimulatedVolumesTest, BindsReservedVolumes) {
  PutClass("s", "kubernetes.io/no-provisioner", "WaitForFirstConsumer");
  PutClaim(R"("storageClassName":"s")");
  PutVolume("a", "9Gi");
  PutVolume("b", "9Gi", R"(,"claimRef":{"namespace":"default","name":"c","uid":"u"})");
  volumes_.Sync();
  EXPECT_EQ(BoundVolume(), "b");
}

// Goal: the claim of an ephemeral volume is created from its template, for its pod, with the
// default class if it names none.
TEST_F(SimulatedVolumesTest, CreatesEphemeralClaims) {
  Put(MakeStorageClass(
      R"({"metadata":{"name":"std","annotations":{"storageclass.kubernetes.io/)"
      R"(is-default-class":"true"}},"provisioner":"p","volumeBindingMode":"WaitForFirstConsumer"})"));
  Pod pod = MakePod().Name("p").EphemeralVolume("tmp");
  pod.spec.volumes.Mutable()[0].other.json =
      Symbol(R"({"volumeClaimTemplate":{"metadata":{"labels":{"a":"b"}},"spec":{"resources":)"
             R"({"requests":{"storage":"1Gi"}}}}})");
  Put(pod);
  volumes_.Sync();
  ASSERT_NE(Claim("p-tmp"), nullptr);
  EXPECT_TRUE(IsControlledBy(*Claim("p-tmp"), pod));
  EXPECT_EQ(*Claim("p-tmp")->metadata.labels.Find(Symbol("a")), "b");
  EXPECT_EQ(StorageClassOf(*Claim("p-tmp")), "std");
}

// Goal: with an invalid template no claim is created, and the engine survives.
TEST_F(SimulatedVolumesTest, IgnoresInvalidClaimTemplates) {
  Pod pod = MakePod().Name("p").EphemeralVolume("tmp");
  pod.spec.volumes.Mutable()[0].other.json =
      Symbol(R"({"volumeClaimTemplate":{"spec":{"selector":5}}})");
  Put(pod);
  volumes_.Sync();
  EXPECT_EQ(Claim("p-tmp"), nullptr);
}

// Goal: an update of an outdated version is refused.
TEST_F(SimulatedVolumesTest, RefusesStaleUpdates) {
  PutClass("s", "kubernetes.io/no-provisioner", "WaitForFirstConsumer");
  PutVolume("v", "9Gi");
  std::string stale = *Volume("v")->metadata.source;
  ASSERT_TRUE(volumes_.Update(ObjectKind::kPersistentVolume, stale).has_value());
  EXPECT_EQ(Volume("v")->metadata.resource_version, "1");
  EXPECT_FALSE(volumes_.Update(ObjectKind::kPersistentVolume, stale).has_value());
  EXPECT_FALSE(volumes_.Update(ObjectKind::kPersistentVolumeClaim, stale).has_value());
}

}  // namespace
}  // namespace stowage
