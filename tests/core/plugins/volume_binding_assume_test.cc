// Goal: Reserve assumes the objects that will be written, they count for later pods, and Unreserve
// reverts them; nothing is written meanwhile (spec plugins/volume-binding.md, "Reserve").
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/plugins/volume_binding_binder.h"
#include "tests/support/volume_cluster.h"

namespace stowage {
namespace {

const Pod kPod = MakePod().Name("p").Pvc("c");
const Status kBindConflict =
    Status::UnschedulableAndUnresolvable(VolumeBinding::kReasonBindConflict);

class VolumeBindingAssumeTest : public testing::Test {
 protected:
  // The binder's result for the pod on n1.
  PodVolumes Find(const Pod& pod) {
    Result<PodVolumeClaims, std::string> claims = binder_.GetPodVolumeClaims(pod);
    PodVolumes volumes;
    auto conflicts = binder_.FindPodVolumes(*claims, cluster_.node("n1"), &volumes);
    EXPECT_EQ(*conflicts, 0);
    return volumes;
  }
  // Why the volumes cannot be assumed; empty: they can.
  std::string Assume(const Pod& pod, PodVolumes* volumes) {
    auto is_all_bound = binder_.AssumePodVolumes(pod, Symbol("n1"), volumes);
    if (!is_all_bound.ok()) return is_all_bound.fault();
    EXPECT_FALSE(*is_all_bound);
    return "";
  }
  // Whether a new claim that matches only this volume gets it.
  bool IsFree(std::string_view volume) {
    MakePvc probe("probe");
    cluster_.Add(probe.Set({"spec", "selector"},
                           R"({"matchLabels":{"name":")" + std::string(volume) + R"("}})"));
    PodVolumes volumes;
    auto claims = binder_.GetPodVolumeClaims(MakePod().Name("q").Pvc("probe"));
    return *binder_.FindPodVolumes(*claims, cluster_.node("n1"), &volumes) == 0;
  }
  // The node that is selected for an unbound claim; empty: none.
  std::string SelectedNode(std::string_view claim) {
    auto claims = binder_.GetPodVolumeClaims(MakePod().Name("q").Pvc(claim));
    return claims->delayed.at(0).selected_node.value_or(Symbol()).str();
  }
  static MakePv Named(std::string_view name) { return MakePv(name).Label("name", name); }

  VolumeCluster cluster_;
  VolumeBinder binder_{cluster_.handle(), 0};
};

constexpr std::string_view kClaim =
    R"({"metadata":{"name":"c","namespace":"default","uid":"u-1","resourceVersion":"5"},)"
    R"("spec":{"storageClassName":"wait"}})";
const std::string kReference =
    R"({"kind":"PersistentVolumeClaim","namespace":"default","name":"c","uid":"u-1",)"
    R"("apiVersion":"v1","resourceVersion":"5"})";

// Goal: a volume refers to its claim in full, and is marked as bound by the controller if it did
// not refer to it before.
TEST_F(VolumeBindingAssumeTest, VolumesReferToTheirClaims) {
  const std::string head = R"({"metadata":{"name":"pv-a","resourceVersion":"1")";
  const std::string by_yes = R"({"metadata":{"annotations":{"pv.kubernetes.io/)"
                             R"(bound-by-controller":"yes"},"name":"pv-a","resourceVersion":"1")";
  const std::string by_no =
      head + R"(,"annotations":{"pv.kubernetes.io/bound-by-controller":"no"})";
  auto with = [](std::string_view metadata, std::string_view reference) {
    std::string member = reference.empty() ? "" : R"("claimRef":)" + std::string(reference) + ",";
    return std::string(metadata) + R"(},"spec":{)" + member +
           R"("storageClassName":"wait"},"status":{"phase":"Available"}})";
  };
  const std::string by_name = R"({"namespace":"default","name":"c"})";
  const std::string by_uid = R"({"namespace":"default","name":"c","uid":"u-1","fieldPath":"x"})";
  struct {
    std::string_view name;
    std::string volume;
    std::string want;
  } cases[] = {
      {"free", with(head, ""), with(by_yes, kReference)},
      {"free, with a null", with(head, "null"), with(by_yes, kReference)},
      {"set aside by name", with(head, by_name), with(head, kReference)},
      {"set aside by uid: as it is", with(head, by_uid), with(head, by_uid)},
      {"bound by no controller", with(by_no, ""), with(by_no, kReference)},
  };
  cluster_.Add(MakePersistentVolumeClaim(kClaim));
  for (const auto& c : cases) {
    cluster_.Add(MakePersistentVolume(c.volume));
    PersistentVolumeRef stored = cluster_.listers().GetPersistentVolume(Symbol("pv-a"));
    PodVolumes volumes = Find(kPod);
    EXPECT_EQ(Assume(kPod, &volumes), "") << c.name;
    ASSERT_EQ(volumes.static_bindings.size(), 1u) << c.name;
    const PersistentVolume& assumed = *volumes.static_bindings[0].volume;
    EXPECT_EQ(*assumed.metadata.source, c.want) << c.name;
    EXPECT_EQ(assumed.spec.claim_ref->name, "c") << c.name;
    EXPECT_EQ(assumed.spec.claim_ref->namespace_, "default") << c.name;
    EXPECT_EQ(assumed.spec.claim_ref->uid, "u-1") << c.name;
    EXPECT_EQ(assumed.metadata.resource_version, "1") << c.name;
    EXPECT_EQ(*stored->metadata.source, c.volume) << c.name << ": the stored one is as it was";
    EXPECT_EQ(volumes.static_bindings[0].volume == stored, c.volume == c.want) << c.name;
    binder_.RevertAssumedPodVolumes(volumes);
  }
}

TEST_F(VolumeBindingAssumeTest, ClaimsNameTheirNode) {
  const std::string head =
      R"({"metadata":{"name":"c","namespace":"default","uid":"u-1","resourceVersion":"5")";
  const std::string tail = R"(},"spec":{"storageClassName":"make"}})";
  const std::string selected =
      R"({"metadata":{"annotations":{"volume.kubernetes.io/selected-node":"n1"},)"
      R"("name":"c","namespace":"default","uid":"u-1","resourceVersion":"5")";
  struct {
    std::string_view name;
    std::string claim;
    std::string want;
  } cases[] = {
      {"no annotations", head + tail, selected + tail},
      {"others", head + R"(,"annotations":{"k":"v"})" + tail,
       head + R"(,"annotations":{"volume.kubernetes.io/selected-node":"n1","k":"v"})" + tail},
      {"selected before",
       head + R"(,"annotations":{"volume.kubernetes.io/selected-node":"n1"})" + tail,
       head + R"(,"annotations":{"volume.kubernetes.io/selected-node":"n1"})" + tail},
  };
  for (const auto& c : cases) {
    cluster_.Add(MakePersistentVolumeClaim(c.claim));
    PodVolumes volumes = Find(kPod);
    EXPECT_EQ(Assume(kPod, &volumes), "") << c.name;
    ASSERT_EQ(volumes.dynamic_provisions.size(), 1u) << c.name;
    const DynamicProvision& provision = volumes.dynamic_provisions[0];
    EXPECT_EQ(*provision.claim->metadata.source, c.want) << c.name;
    EXPECT_EQ(SelectedNode("c"), "n1") << c.name;
    auto stored = cluster_.listers().GetPersistentVolumeClaim(Symbol("default"), Symbol("c"));
    EXPECT_EQ(*stored->metadata.source, c.claim) << c.name << ": the stored one is as it was";
    binder_.RevertAssumedPodVolumes(volumes);
  }
}

TEST_F(VolumeBindingAssumeTest, AssumingDropsTheCapacity) {
  cluster_.Add(MakePvc("c").Class("make"));
  cluster_.Add(
      MakeCsiDriver(R"({"metadata":{"name":"example.com"},"spec":{"storageCapacity":true}})"));
  cluster_.Add(MakeCsiStorageCapacity(
      R"({"metadata":{"name":"pool","namespace":"default"},"storageClassName":"make",)"
      R"("nodeTopology":{},"capacity":"1Ti"})"));
  PodVolumes volumes = Find(kPod);
  EXPECT_NE(volumes.dynamic_provisions.at(0).capacity, nullptr);
  EXPECT_EQ(Assume(kPod, &volumes), "");
  EXPECT_EQ(volumes.dynamic_provisions.at(0).capacity, nullptr);
}

// Goal: if an object has changed since Filter, nothing is assumed. Method: two volumes and two
// claims to provision; one of them gets version 2, or is deleted.
TEST_F(VolumeBindingAssumeTest, AVersionMismatchRevertsEverything) {
  const Pod pod = MakePod().Name("p").Pvc("a").Pvc("b").Pvc("e").Pvc("f");
  auto add_all = [this] {
    cluster_.Add(Named("pv-a")).Add(Named("pv-b").Capacity("20Gi"));
    cluster_.Add(MakePvc("a")).Add(MakePvc("b"));
    cluster_.Add(MakePvc("e").Class("make")).Add(MakePvc("f").Class("make"));
  };
  struct {
    std::string_view name;
    void (*change)(VolumeCluster& cluster);
    std::string_view want;
  } cases[] = {
      {"the first volume", [](VolumeCluster& cluster) { cluster.Add(Named("pv-a").Version("2")); },
       "\"pv-a\" is out of sync (stored: 2, assume: 1)"},
      {"the second volume", [](VolumeCluster& cluster) { cluster.Add(Named("pv-b").Version("2")); },
       "\"pv-b\" is out of sync (stored: 2, assume: 1)"},
      {"a volume is gone",
       [](VolumeCluster& cluster) { cluster.Remove(ObjectKind::kPersistentVolume, "pv-b"); },
       "persistentvolumes \"pv-b\" not found"},
      {"the first claim",
       [](VolumeCluster& cluster) { cluster.Add(MakePvc("e").Class("make").Version("2")); },
       "\"default/e\" is out of sync (stored: 2, assume: 1)"},
      {"the second claim",
       [](VolumeCluster& cluster) { cluster.Add(MakePvc("f").Class("make").Version("2")); },
       "\"default/f\" is out of sync (stored: 2, assume: 1)"},
  };
  for (const auto& c : cases) {
    add_all();
    PodVolumes volumes = Find(pod);
    c.change(cluster_);
    EXPECT_EQ(Assume(pod, &volumes), c.want) << c.name;
    add_all();
    EXPECT_TRUE(IsFree("pv-a")) << c.name;
    EXPECT_TRUE(IsFree("pv-b")) << c.name;
    EXPECT_EQ(SelectedNode("e"), "") << c.name;
    EXPECT_EQ(SelectedNode("f"), "") << c.name;
  }
}

TEST_F(VolumeBindingAssumeTest, AssumedObjectsCanBeReverted) {
  const Pod pod = MakePod().Name("p").Pvc("a").Pvc("e");
  cluster_.Add(Named("pv-a")).Add(MakePvc("a")).Add(MakePvc("e").Class("make"));
  PodVolumes volumes = Find(pod);
  EXPECT_EQ(Assume(pod, &volumes), "");
  EXPECT_FALSE(IsFree("pv-a"));
  EXPECT_EQ(SelectedNode("e"), "n1");
  binder_.RevertAssumedPodVolumes(volumes);
  EXPECT_TRUE(IsFree("pv-a"));
  EXPECT_EQ(SelectedNode("e"), "");
}

// Goal: an assumed object is valid until the API server reports another version.
TEST_F(VolumeBindingAssumeTest, ANewVersionReplacesTheAssumedObject) {
  cluster_.Add(Named("pv-a")).Add(MakePvc("c"));
  PodVolumes volumes = Find(kPod);
  EXPECT_EQ(Assume(kPod, &volumes), "");
  cluster_.Add(Named("pv-a"));
  EXPECT_FALSE(IsFree("pv-a")) << "told again of the same version";
  cluster_.Add(Named("pv-a").Version("2"));
  EXPECT_TRUE(IsFree("pv-a"));
  PodVolumes again = Find(kPod);
  EXPECT_EQ(Assume(kPod, &again), "");
  binder_.RevertAssumedPodVolumes(volumes);
  EXPECT_FALSE(IsFree("pv-a")) << "what was assumed first has another version";
  cluster_.Remove(ObjectKind::kPersistentVolume, "pv-a");
  cluster_.Add(Named("pv-a").Version("3"));
  EXPECT_TRUE(IsFree("pv-a"));
}

// Goal: a pod whose claims have all been bound meanwhile has nothing to bind.
TEST_F(VolumeBindingAssumeTest, AllClaimsMayBeBoundMeanwhile) {
  const Pod two = MakePod().Name("p").Uid("p-uid").Pvc("c").EmptyDir().EphemeralVolume("s");
  const MakePvc bound = MakePvc("c").Bound("pv-a");
  const MakePvc scratch = MakePvc("p-s").Bound("pv-b");
  struct {
    std::string_view name;
    std::vector<MakePvc> claims;
    bool want;
  } cases[] = {
      {"bound", {bound, MakePvc(scratch).OwnedBy("p-uid")}, true},
      {"one is not", {MakePvc("c"), MakePvc(scratch).OwnedBy("p-uid")}, false},
      {"one is not finished",
       {MakePvc("c").Volume("pv-a"), MakePvc(scratch).OwnedBy("p-uid")},
       false},
      {"one is missing", {bound}, false},
      {"one is another pod's", {bound, MakePvc(scratch).OwnedBy("q-uid")}, false},
  };
  for (const auto& c : cases) {
    VolumeCluster cluster;
    cluster.AddAll(c.claims);
    VolumeBinder binder(cluster.handle(), 0);
    PodVolumes volumes;
    auto is_all_bound = binder.AssumePodVolumes(two, Symbol("n1"), &volumes);
    ASSERT_TRUE(is_all_bound.ok()) << c.name;
    EXPECT_EQ(*is_all_bound, c.want) << c.name;
  }
}

TEST(VolumeBindingReserve, TheNextPodSeesAssumedVolumes) {
  VolumeCluster cluster;
  cluster.Add(MakePv("pv-a")).Add(MakePvc("c")).Add(MakePvc("d"));
  const Pod next = MakePod().Name("q").Pvc("d");
  BindingRun run(cluster, kPod);
  EXPECT_TRUE(run.filtered().IsSuccess());
  EXPECT_TRUE(BindingRun(cluster, next).filtered().IsSuccess()) << "before Reserve";
  EXPECT_TRUE(run.Reserve().IsSuccess());
  EXPECT_EQ(BindingRun(cluster, next).filtered(), kBindConflict);
  EXPECT_TRUE(BindingRun(cluster, kPod).filtered().IsSuccess()) << "it is set aside for this claim";
  run.Unreserve();
  EXPECT_TRUE(BindingRun(cluster, next).filtered().IsSuccess());
  EXPECT_TRUE(cluster.api().writes.empty());
}

// Goal: two pods that share a claim go to the node where its volume will be provisioned.
TEST(VolumeBindingReserve, TheNextPodOfTheClaimGetsTheSameNode) {
  VolumeCluster cluster;
  cluster.Add(MakePvc("c").Class("make"));
  const Pod next = MakePod().Name("q").Pvc("c");
  BindingRun run(cluster, kPod);
  EXPECT_TRUE(cluster.Filter(next, "n2").IsSuccess());
  EXPECT_TRUE(run.Reserve().IsSuccess());
  EXPECT_EQ(cluster.Filter(next, "n2"), kBindConflict);
  EXPECT_TRUE(cluster.Filter(next, "n1").IsSuccess());
  run.Unreserve();
  EXPECT_TRUE(cluster.Filter(next, "n2").IsSuccess());
  EXPECT_TRUE(cluster.api().writes.empty());
}

TEST(VolumeBindingReserve, AFailureIsAnErrorAndAssumesNothing) {
  VolumeCluster cluster;
  const MakePv volume("pv-a");
  cluster.Add(volume).Add(MakePvc("c")).Add(MakePvc("d"));
  BindingRun run(cluster, kPod);
  EXPECT_TRUE(run.filtered().IsSuccess());
  cluster.Add(MakePv(volume).Version("2"));
  EXPECT_EQ(run.Reserve(), Status::Error("\"pv-a\" is out of sync (stored: 2, assume: 1)"));
  run.Unreserve();
  EXPECT_TRUE(BindingRun(cluster, MakePod().Name("q").Pvc("d")).filtered().IsSuccess());
}

// Goal: PreBind runs exactly for pods with assumed volumes.
TEST(VolumeBindingReserve, PreBindPreFlightChecksForAssumedVolumes) {
  VolumeCluster cluster;
  cluster.Add(MakePv("pv-a")).Add(MakePv("pv-b")).Add(MakePvc("c"));
  cluster.Add(MakePvc("bound").Bound("pv-b"));
  BindingRun run(cluster, kPod);
  EXPECT_TRUE(run.Reserve().IsSuccess());
  EXPECT_TRUE(run.PreBindPreFlight().IsSuccess());

  BindingRun all_bound(cluster, MakePod().Name("q").Pvc("bound"));
  EXPECT_TRUE(all_bound.filtered().IsSuccess());
  EXPECT_TRUE(all_bound.Reserve().IsSuccess());
  EXPECT_TRUE(all_bound.PreBindPreFlight().IsSkip());

  BindingRun without_claims(cluster, MakePod().Name("q"));
  EXPECT_TRUE(without_claims.Reserve().IsSuccess());
  EXPECT_TRUE(without_claims.PreBindPreFlight().IsSkip());

  CycleState not_filtered;
  PreFilterResult result;
  EXPECT_TRUE(cluster.plugin().PreFilter(not_filtered, kPod, {}, &result).IsSuccess());
  EXPECT_EQ(cluster.plugin().PreBindPreFlight(not_filtered, kPod, Symbol("n1")),
            Status::Error("no pod volume found for node \"n1\""));
  EXPECT_TRUE(cluster.plugin().Reserve(not_filtered, kPod, Symbol("n1")).IsSuccess());
  EXPECT_TRUE(cluster.plugin().PreBindPreFlight(not_filtered, kPod, Symbol("n1")).IsSkip())
      << "no volumes were found there";
}

// Goal: nothing is stored for a refused node, even if one of two claims could be served.
TEST(VolumeBindingReserve, ARefusedNodeStoresNothing) {
  VolumeCluster cluster;
  cluster.Add(MakePv("pv-a")).Add(MakePvc("c")).Add(MakePvc("e"));
  cluster.Add(MakePv("pv-b").Zone("z2")).Add(MakePvc("d").Bound("pv-b"));
  BindingRun run(cluster, MakePod().Name("p").Pvc("c").Pvc("d"));
  EXPECT_FALSE(run.filtered().IsSuccess());
  EXPECT_TRUE(run.Reserve().IsSuccess());
  EXPECT_TRUE(run.PreBindPreFlight().IsSkip());
  EXPECT_TRUE(BindingRun(cluster, MakePod().Name("q").Pvc("e")).filtered().IsSuccess());
}

}  // namespace
}  // namespace stowage
