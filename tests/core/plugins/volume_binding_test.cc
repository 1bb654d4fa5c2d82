#include "core/plugins/volume_binding.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/framework/signers.h"
#include "tests/support/volume_cluster.h"

namespace stowage {
namespace {

using Claims = std::vector<MakePvc>;
using Volumes = std::vector<MakePv>;

Status Unresolvable(std::string_view reason) {
  return Status::UnschedulableAndUnresolvable(reason);
}

const Status kUnboundImmediate = Unresolvable("pod has unbound immediate PersistentVolumeClaims");
const Status kNodeConflict = Unresolvable(VolumeBinding::kReasonNodeConflict);
const Status kBindConflict = Unresolvable(VolumeBinding::kReasonBindConflict);
const Status kNotEnoughSpace = Unresolvable(VolumeBinding::kReasonNotEnoughSpace);
const Status kVolumeNotExist = Unresolvable(VolumeBinding::kReasonVolumeNotExist);

const Pod kPod = MakePod().Name("p").Pvc("c");
const Pod kTwoClaims = MakePod().Name("p").EmptyDir().Pvc("c").Pvc("d");

struct PreFilterCase {
  std::string_view name;
  Claims claims;
  Pod pod;
  Status want;
};

// Checks in a cluster that also has the class "modeless", which has no volume binding mode.
void Check(std::span<const PreFilterCase> cases) {
  for (const PreFilterCase& c : cases) {
    VolumeCluster cluster;
    cluster.AddClass("modeless", "example.com", R"("allowedTopologies":[])").AddAll(c.claims);
    PreFilterResult result;
    Status status = cluster.runner().PreFilter(c.pod, &result);
    EXPECT_EQ(status, c.want) << c.name << ": " << status.Message();
    EXPECT_FALSE(result.node_names.has_value()) << c.name;
  }
}

TEST(VolumeBinding, UsesTheReferencesReasons) {
  EXPECT_EQ(VolumeBinding::kReasonNodeConflict,
            "node(s) didn't match PersistentVolume's node affinity");
  EXPECT_EQ(VolumeBinding::kReasonBindConflict,
            "node(s) didn't find available persistent volumes to bind");
  EXPECT_EQ(VolumeBinding::kReasonNotEnoughSpace, "node(s) did not have enough free storage");
  EXPECT_EQ(VolumeBinding::kReasonVolumeNotExist,
            "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
}

// Goal: a pod whose claims no node can serve is refused in PreFilter with the right message.
TEST(VolumeBinding, PreFilterChecksEveryClaim) {
  const MakePvc bound = MakePvc("c").Bound("pv-a");
  const Status c_not_found = Unresolvable("persistentvolumeclaim \"c\" not found");
  const Status d_not_found = Unresolvable("persistentvolumeclaim \"d\" not found");
  const Status lost =
      Unresolvable("persistentvolumeclaim \"c\" bound to non-existent persistentvolume \"pv-a\"");
  const Status deleted = Unresolvable("persistentvolumeclaim \"c\" is being deleted");
  const PreFilterCase cases[] = {
      {"no volumes", {}, MakePod().Name("p"), Status::Skip()},
      {"volumes without claims",
       {},
       MakePod().Name("p").EmptyDir().ImageVolume("i").InlineVolume({}),
       Status::Skip()},
      {"bound", {bound}, kPod, Status::Success()},
      {"two bound ones", {bound, MakePvc("d").Bound("pv-b")}, kTwoClaims, Status::Success()},
      {"waiting for the first pod", {MakePvc("c")}, kPod, Status::Success()},
      {"missing", {}, kPod, c_not_found},
      {"one of two missing", {bound}, kTwoClaims, d_not_found},
      {"in another namespace", {MakePvc("c").Namespace("other")}, kPod, c_not_found},
      {"lost", {MakePvc("c").Bound("pv-a").Phase("Lost")}, kPod, lost},
      {"lost without a volume",
       {MakePvc("c").Phase("Lost")},
       kPod,
       Unresolvable("persistentvolumeclaim \"c\" bound to non-existent persistentvolume \"\"")},
      {"being deleted", {MakePvc("c").Bound("pv-a").Terminating()}, kPod, deleted},
      {"lost, and being deleted",
       {MakePvc("c").Bound("pv-a").Phase("Lost").Terminating()},
       kPod,
       lost},
      {"the first that is wrong is named",
       {MakePvc("c").Terminating(), MakePvc("d").Phase("Lost")},
       kTwoClaims,
       deleted},
      {"what is wrong with a later one goes before what is not bound",
       {MakePvc("c").Class("now")},
       kTwoClaims,
       d_not_found},
  };
  Check(cases);
}

// Goal: the claim of an ephemeral volume is POD-VOLUME, and must belong to the pod.
TEST(VolumeBinding, PreFilterChecksClaimsOfEphemeralVolumes) {
  const Pod pod = MakePod().Name("p").Uid("p-uid").EphemeralVolume("scratch");
  const Status foreign =
      Unresolvable("PVC default/p-scratch was not created for pod default/p (pod is not owner)");
  MakePvc owned_beside_another = MakePvc("p-scratch");
  owned_beside_another.Set({"metadata", "ownerReferences"},
                           R"([{"uid":"p-uid"},{"uid":"other","controller":true}])");
  const PreFilterCase cases[] = {
      {"missing",
       {},
       pod,
       Unresolvable("waiting for ephemeral volume controller to create the "
                    "persistentvolumeclaim \"p-scratch\"")},
      {"there", {MakePvc("p-scratch").OwnedBy("p-uid")}, pod, Status::Success()},
      {"bound", {MakePvc("p-scratch").OwnedBy("p-uid").Bound("pv-a")}, pod, Status::Success()},
      {"of the class that binds at once",
       {MakePvc("p-scratch").OwnedBy("p-uid").Class("now")},
       pod,
       kUnboundImmediate},
      {"without owner", {MakePvc("p-scratch")}, pod, foreign},
      {"another pod's", {MakePvc("p-scratch").OwnedBy("q-uid")}, pod, foreign},
      {"controlled by another", {owned_beside_another}, pod, foreign},
      {"another pod's, and being deleted",
       {MakePvc("p-scratch").OwnedBy("q-uid").Terminating()},
       pod,
       Unresolvable("persistentvolumeclaim \"p-scratch\" is being deleted")},
      {"a claim that is named need not be the pod's own",
       {MakePvc("p-scratch")},
       MakePod().Name("p").Pvc("p-scratch"),
       Status::Success()},
  };
  Check(cases);
}

// Goal: bound, delayed and immediate claims are distinguished as in the reference.
TEST(VolumeBinding, PreFilterWaitsForImmediateClaims) {
  const Status modeless = Status::Error("VolumeBindingMode not set for StorageClass \"modeless\"");
  const MakePvc bind_completed = MakePvc("c").Annotation("pv.kubernetes.io/bind-completed", "yes");
  const PreFilterCase cases[] = {
      {"unbound", {MakePvc("c").Class("now")}, kPod, kUnboundImmediate},
      {"one of two", {MakePvc("c"), MakePvc("d").Class("now")}, kTwoClaims, kUnboundImmediate},
      {"of no class", {MakePvc("c").Class("")}, kPod, kUnboundImmediate},
      {"of a missing class", {MakePvc("c").Class("gone")}, kPod, kUnboundImmediate},
      {"with a volume, not bound yet", {MakePvc("c").Volume("pv-a")}, kPod, kUnboundImmediate},
      {"said to be bound, without a volume",
       {MakePvc(bind_completed).Class("now")},
       kPod,
       kUnboundImmediate},
      {"the same, delayed", {bind_completed}, kPod, Status::Success()},
      {"the annotation counts whatever its value",
       {MakePvc("c").Class("now").Volume("pv-a").Set({"metadata", "annotations"},
                                                     R"({"pv.kubernetes.io/bind-completed":""})")},
       kPod,
       Status::Success()},
      {"the class of the annotation wins",
       {MakePvc("c").Class("now").ClassAnnotation("wait")},
       kPod,
       Status::Success()},
      {"the same the other way round",
       {MakePvc("c").ClassAnnotation("now")},
       kPod,
       kUnboundImmediate},
      {"also when it is empty",
       {MakePvc("c").Set({"metadata", "annotations"},
                         R"({"volume.beta.kubernetes.io/storage-class":""})")},
       kPod,
       kUnboundImmediate},
      {"the class does not say when", {MakePvc("c").Class("modeless")}, kPod, modeless},
      {"nor for a claim with a volume",
       {MakePvc("c").Class("modeless").Volume("pv-a")},
       kPod,
       modeless},
      {"which goes before what is not bound",
       {MakePvc("c").Class("now"), MakePvc("d").Class("modeless")},
       kTwoClaims,
       modeless},
      {"and does not matter once it is",
       {MakePvc("c").Class("modeless").Bound("pv-a")},
       kPod,
       Status::Success()},
  };
  Check(cases);
}

// Goal: for a pod without claims, all later points work with the state that PreFilter leaves.
TEST(VolumeBinding, PodsWithoutClaimsPassEverything) {
  VolumeCluster cluster;
  const Pod pod = MakePod().Name("p").EmptyDir();
  ASSERT_TRUE(cluster.PreFilter(pod).IsSkip());
  EXPECT_EQ(cluster.plugin().Extensions(), nullptr);
  CycleState& state = cluster.runner().state();
  EXPECT_TRUE(cluster.plugin().Filter(state, pod, cluster.handle().node("n1")).IsSuccess());
  const Symbol node("n1");
  EXPECT_TRUE(cluster.plugin().Reserve(state, pod, node).IsSuccess());
  EXPECT_TRUE(cluster.plugin().PreBindPreFlight(state, pod, node).IsSkip());
}

TEST(VolumeBinding, AMissingStateIsAnError) {
  VolumeCluster cluster;
  CycleState state;
  const Symbol node("n1");
  const Status not_found = Status::Error("not found");
  EXPECT_EQ(cluster.plugin().Filter(state, kPod, cluster.handle().node("n1")), not_found);
  EXPECT_EQ(cluster.plugin().Reserve(state, kPod, node), not_found);
  EXPECT_EQ(cluster.plugin().PreBindPreFlight(state, kPod, node), not_found);
  cluster.plugin().Unreserve(state, kPod, node);
  EXPECT_TRUE(cluster.api().writes.empty());
}

struct FilterCase {
  std::string_view name;
  Volumes volumes;
  Claims claims;
  Status want;
};

// Goal: a bound claim restricts its pod to nodes that can reach the volume. Method: node n1, in
// zone z1.
TEST(VolumeBinding, FiltersByReachOfBoundVolumes) {
  const Claims one = {MakePvc("c").Bound("pv-a")};
  const std::string fields =
      R"("matchFields":[{"key":"metadata.name","operator":"In","values":["n2"]}])";
  const std::string in_z1 = R"({"key":"zone","operator":"In","values":["z1"]})";
  MakePv without_terms("pv-a");
  without_terms.Set({"spec", "nodeAffinity"}, "{}");
  const FilterCase cases[] = {
      {"from everywhere", {MakePv("pv-a")}, one, Status::Success()},
      {"from its zone", {MakePv("pv-a").Zone("z1")}, one, Status::Success()},
      {"from another zone", {MakePv("pv-a").Zone("z2")}, one, kNodeConflict},
      {"affinity without a required part", {without_terms}, one, Status::Success()},
      {"no terms", {MakePv("pv-a").Terms("[]")}, one, kNodeConflict},
      {"an empty term", {MakePv("pv-a").Terms("[{}]")}, one, kNodeConflict},
      {"fields are not looked at",
       {MakePv("pv-a").Terms("[{" + fields + "}]")},
       one,
       Status::Success()},
      {"nor beside labels",
       {MakePv("pv-a").Terms("[{" + fields + R"(,"matchExpressions":[)" + in_z1 + "]}]")},
       one,
       Status::Success()},
      {"terms are ORed",
       {MakePv("pv-a").Terms(R"([{"matchExpressions":[{"key":"x","operator":"Exists"}]},)"
                             R"({"matchExpressions":[)" +
                             in_z1 + "]}]")},
       one,
       Status::Success()},
      {"expressions are ANDed",
       {MakePv("pv-a").Terms(R"([{"matchExpressions":[{"key":"x","operator":"Exists"},)" + in_z1 +
                             "]}]")},
       one,
       kNodeConflict},
      {"a term does not parse",
       {MakePv("pv-a").Terms(R"([{"matchExpressions":[{"key":"zone","operator":"Near"}]}])")},
       one,
       kNodeConflict},
      {"another one does",
       {MakePv("pv-a").Terms(R"([{"matchExpressions":[{"key":"zone","operator":"Near"}]},)"
                             R"({"matchExpressions":[)" +
                             in_z1 + "]}]")},
       one,
       Status::Success()},
      {"there is no such volume", {}, one, kVolumeNotExist},
  };
  for (const FilterCase& c : cases) {
    VolumeCluster cluster;
    cluster.AddAll(c.volumes).AddAll(c.claims);
    Status status = cluster.Filter(kPod, "n1");
    EXPECT_EQ(status, c.want) << c.name << ": " << status.Message();
  }
}

// Goal: all reasons against a node are reported, in the order of the reasons, not of the claims.
TEST(VolumeBinding, ReportsSeveralReasonsInOrder) {
  auto all = [](std::vector<Symbol> reasons) {
    return Status::WithReasons(Code::kUnschedulableAndUnresolvable, std::move(reasons));
  };
  const Symbol node_conflict(VolumeBinding::kReasonNodeConflict);
  const Symbol bind_conflict(VolumeBinding::kReasonBindConflict);
  const Symbol not_enough(VolumeBinding::kReasonNotEnoughSpace);
  const Symbol not_exist(VolumeBinding::kReasonVolumeNotExist);
  const MakePv far = MakePv("pv-a").Zone("z2");
  const MakePvc bound_far = MakePvc("c").Bound("pv-a");
  const MakePvc bound_nowhere = MakePvc("c").Bound("gone");
  MakePvc broken = MakePvc("d");
  broken.Set({"spec", "selector"}, R"({"matchExpressions":[{"key":"k","operator":"Near"}]})");
  const FilterCase cases[] = {
      {"all is well",
       {MakePv("pv-a"), MakePv("pv-b")},
       {bound_far, MakePvc("d")},
       Status::Success()},
      {"far, and another is unbound",
       {far},
       {bound_far, MakePvc("d")},
       all({node_conflict, bind_conflict})},
      {"far, and no room",
       {far},
       {bound_far, MakePvc("d").Class("full")},
       all({node_conflict, not_enough})},
      {"missing, and another is unbound",
       {},
       {bound_nowhere, MakePvc("d")},
       all({bind_conflict, not_exist})},
      {"missing, and no room",
       {},
       {bound_nowhere, MakePvc("d").Class("full")},
       all({not_enough, not_exist})},
      {"unbound first",
       {far},
       {MakePvc("c"), MakePvc("d").Bound("pv-a")},
       all({node_conflict, bind_conflict})},
      {"far before missing", {far}, {bound_far, MakePvc("d").Bound("gone")}, all({node_conflict})},
      {"missing before far",
       {MakePv("pv-b").Zone("z2")},
       {bound_nowhere, MakePvc("d").Bound("pv-b")},
       all({not_exist})},
      {"no room", {}, {MakePvc("c").Class("full"), MakePvc("d").Class("make")}, kNotEnoughSpace},
      {"unbound", {}, {MakePvc("c"), MakePvc("d").Class("make")}, kBindConflict},
      {"far, and an error",
       {far},
       {bound_far, broken},
       Status::Error("error creating internal label selector for claim: default/d: \"Near\" is "
                     "not a valid label selector operator")},
  };
  for (const FilterCase& c : cases) {
    VolumeCluster cluster;
    cluster.AddClass("full", "example.com/full").AddAll(c.volumes).AddAll(c.claims);
    cluster.Add(MakeCsiDriver(
        R"({"metadata":{"name":"example.com/full"},"spec":{"storageCapacity":true}})"));
    Status status = cluster.Filter(kTwoClaims, "n1");
    EXPECT_EQ(status, c.want) << c.name << ": " << status.Message();
  }
}

constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kDriverZone = "topology.ebs.csi.aws.com/zone";
constexpr std::string_view kEbs = "kubernetes.io/aws-ebs";

// Goal: a node reaches a bound volume of an in-tree plugin by the driver's labels if it has
// migrated the plugin, else by the volume's own affinity.
TEST(VolumeBinding, FiltersMigratedVolumesByTheirDriversLabels) {
  auto ebs = [](std::string_view zone, std::string_view key = kZone) {
    MakePv volume("pv-a");
    return volume.OnlyWhere(key, zone).Set({"spec", "awsElasticBlockStore"},
                                           R"({"volumeID":"vol-1"})");
  };
  MakePv azure_disk("pv-a");
  azure_disk.OnlyWhere(kZone, "a").Set({"spec", "azureDisk"}, R"({"diskURI":"d"})");
  MakePv dedicated_disk("pv-a");
  dedicated_disk.Set({"spec", "azureDisk"}, R"({"diskURI":"d","kind":"Dedicated"})");
  MakePv vsphere("pv-a");
  vsphere.OnlyWhere(kZone, "a").Set({"spec", "vsphereVolume"}, R"({"volumePath":"v"})");
  const Node in_tree = MakeNode().Name("n").Label(kZone, "a");
  const Node driven = MakeNode().Name("n").Label(kDriverZone, "a");
  struct {
    std::string_view name;
    MakePv volume;
    Node node;
    std::string_view migrated;  // "-": the node has no CSINode
    Status want;
  } cases[] = {
      {"no CSINode, its own label", ebs("a"), in_tree, "-", Status::Success()},
      {"no CSINode, the driver's label", ebs("a"), driven, "-", kNodeConflict},
      {"not migrated, its own label", ebs("a"), in_tree, "", Status::Success()},
      {"another is migrated", ebs("a"), in_tree, "kubernetes.io/gce-pd", Status::Success()},
      {"migrated, its own label alone", ebs("a"), in_tree, kEbs, kNodeConflict},
      {"migrated, the driver's label", ebs("a"), driven, kEbs, Status::Success()},
      {"among others", ebs("a"), driven, "x,kubernetes.io/aws-ebs", Status::Success()},
      {"names are not trimmed", ebs("a"), driven, "x, kubernetes.io/aws-ebs", kNodeConflict},
      {"another zone", ebs("b"), driven, kEbs, kNodeConflict},
      {"by its old label", ebs("a", "failure-domain.beta.kubernetes.io/zone"), driven, kEbs,
       Status::Success()},
      {"a driver without a topology of its own", azure_disk, in_tree, "kubernetes.io/azure-disk",
       Status::Success()},
      {"a plugin that is not switched on", vsphere, in_tree, "kubernetes.io/vsphere-volume",
       Status::Success()},
      {"no translation", dedicated_disk, in_tree, "kubernetes.io/azure-disk",
       Status::Error("could not translate pv: kind(Dedicated) is not supported in csi migration")},
      {"none is needed", dedicated_disk, in_tree, kEbs, Status::Success()},
  };
  for (const auto& c : cases) {
    VolumeCluster cluster;
    cluster.Add(c.node).Add(c.volume).Add(MakePvc("c").Bound("pv-a"));
    if (c.migrated != "-") cluster.Migrate("n", c.migrated);
    Status status = cluster.Filter(kPod, "n");
    EXPECT_EQ(status, c.want) << c.name << ": " << status.Message();
  }
}

// Goal: a decision notes the volumes on the chosen node.
TEST(VolumeBinding, NotesTheVolumesOfTheNode) {
  VolumeCluster cluster;
  cluster.Add(MakePv("pv-a")).Add(MakePv("pv-b")).Add(MakePvc("c"));
  cluster.Add(MakePvc("d").Class("make")).Add(MakePvc("bound").Bound("pv-b"));
  struct {
    std::string_view name;
    Pod pod;
    std::string_view want;  // empty: there is no note
  } cases[] = {
      {"a volume, and one that is made", kTwoClaims, R"({"c":"pv-a","d":"provision"})"},
      {"bound already", MakePod().Name("p").Pvc("bound"), ""},
      {"no claims", MakePod().Name("p"), ""},
  };
  const NodeInfo& node = cluster.handle().node("n1");
  for (const auto& c : cases) {
    EXPECT_TRUE(cluster.Filter(c.pod, "n1").IsSuccess()) << c.name;
    auto note = cluster.plugin().NoteOn(cluster.runner().state(), c.pod, node);
    ASSERT_EQ(note.has_value(), !c.want.empty()) << c.name;
    if (!note) continue;
    EXPECT_EQ(note->name, "volumes") << c.name;
    EXPECT_EQ(note->json, c.want) << c.name;
  }
  EXPECT_FALSE(cluster.plugin().NoteOn(CycleState(), kTwoClaims, node).has_value());
}

// Goal: Reserve works for a pod with cached verdicts, if it has nothing to bind.
TEST(VolumeBinding, ReservesWithCachedVerdicts) {
  VolumeCluster cluster;
  cluster.Add(MakePv("pv"));
  cluster.Add(MakePvc("bound").Bound("pv"));
  cluster.Add(MakePvc("waiting"));
  CycleState state;
  const Pod bound = MakePod().Pvc("bound");
  EXPECT_TRUE(cluster.plugin().Reserve(state, bound, Symbol("n1")).IsSuccess());
  EXPECT_TRUE(cluster.plugin().PreBindPreFlight(state, bound, Symbol("n1")).IsSkip());
  CycleState other;
  const Pod waiting = MakePod().Pvc("bound").Pvc("waiting");
  EXPECT_EQ(cluster.plugin().Reserve(other, waiting, Symbol("n1")).code(), Code::kError);
}

// Goal: verdicts are cached for pods whose claims are bound; signatures cover the volumes.
TEST(VolumeBinding, HasFragmentsAndSignatures) {
  struct {
    std::string_view name;
    Pod pod;
    bool is_cached;
  } cases[] = {
      {"no volumes", MakePod(), true},
      {"without claims", MakePod().EmptyDir().ImageVolume("i").InlineVolume({}), true},
      {"claim for one node", MakePod().EmptyDir().Pvc("c"), true},
      {"claim for many", MakePod().Pvc("many"), true},
      {"one for many and one for one node", MakePod().Pvc("many").Pvc("c"), true},
      {"bound claim and one that waits", MakePod().Pvc("many").Pvc("waiting"), false},
      {"claim for many that waits", MakePod().Pvc("waiting"), false},
      {"claim to a volume that is gone", MakePod().Pvc("lost"), false},
      {"missing claim", MakePod().Pvc("missing"), false},
      {"ephemeral", MakePod().EphemeralVolume(), false},
  };
  VolumeCluster cluster;
  constexpr std::string_view kForMany = R"(["ReadWriteMany"])";
  cluster.Add(MakePv("pv"));
  cluster.Add(MakePvc("c").Bound("pv"));
  cluster.Add(MakePvc("many").Bound("pv").Set({"spec", "accessModes"}, kForMany));
  cluster.Add(MakePvc("waiting").Set({"spec", "accessModes"}, kForMany));
  cluster.Add(MakePvc("lost").Bound("gone").Set({"spec", "accessModes"}, kForMany));
  for (const auto& c : cases) {
    PodSignature fragment;
    EXPECT_EQ(cluster.plugin().AppendFragment(c.pod, &fragment), c.is_cached) << c.name;
    PodSignature signature;
    cluster.plugin().SignPod(c.pod, &signature);
    PodSignature of_volumes;
    SignVolumes(c.pod, &of_volumes);
    EXPECT_EQ(signature, of_volumes) << c.name;
    EXPECT_TRUE(cluster.plugin().CanSign(c.pod)) << c.name;
  }
}

}  // namespace
}  // namespace stowage
