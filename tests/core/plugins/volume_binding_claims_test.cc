// Goal: a claim gets the volume that the reference would choose, or the place where the reference
// would provision one (spec plugins/volume-binding.md, "PV matching rules", "Provisioning check").
// Method: one pod, node n1 in zone z1; the result is "claim=volume", "claim=new" or
// "claim=new@pool".
#include "core/plugins/volume_binding_claims.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/plugins/volume_binding_binder.h"
#include "tests/support/volume_cluster.h"

namespace stowage {
namespace {

using Claims = std::vector<MakePvc>;
using Volumes = std::vector<MakePv>;

constexpr std::string_view kNone = "none";  // no volume and no provisioner
constexpr std::string_view kNoRoom = "no room";

std::string TextOf(VolumeConflicts conflicts) {
  if (conflicts == kBindConflict) return std::string(kNone);
  if (conflicts == kNotEnoughSpace) return std::string(kNoRoom);
  return "conflicts " + std::to_string(conflicts);
}

std::string TextOf(const PodVolumes& volumes) {
  std::string text;
  auto add = [&text](const PersistentVolumeClaim& claim, const std::string& what) {
    text += (text.empty() ? "" : " ") + claim.metadata.name.str() + "=" + what;
  };
  for (const BindingInfo& binding : volumes.static_bindings) {
    add(*binding.claim, binding.volume->metadata.name.str());
  }
  for (const DynamicProvision& provision : volumes.dynamic_provisions) {
    const CsiStorageCapacityRef& pool = provision.capacity;
    add(*provision.claim, pool == nullptr ? "new" : "new@" + pool->metadata.name.str());
  }
  return text;
}

// The result, or the text of the Error.
std::string FoundFor(VolumeCluster& cluster, const Pod& pod, std::string_view node = "n1") {
  VolumeBinder binder(cluster.handle(), 0);
  Result<PodVolumeClaims, std::string> claims = binder.GetPodVolumeClaims(pod);
  if (!claims.ok()) return claims.fault();
  PodVolumes volumes;
  Result<VolumeConflicts, std::string> conflicts =
      binder.FindPodVolumes(*claims, cluster.node(node), &volumes);
  if (!conflicts.ok()) return conflicts.fault();
  return *conflicts == 0 ? TextOf(volumes) : TextOf(*conflicts);
}

Pod PodWith(const Claims& claims) {
  MakePod pod;
  pod.Name("p");
  for (const MakePvc& claim : claims) pod.Pvc(claim.Obj().metadata.name.view());
  return pod;
}

struct MatchCase {
  std::string_view name;
  Claims claims;
  Volumes volumes;
  std::string_view want;
};

void Check(std::span<const MatchCase> cases) {
  for (const MatchCase& c : cases) {
    VolumeCluster cluster;
    cluster.AddAll(c.claims).AddAll(c.volumes);
    EXPECT_EQ(FoundFor(cluster, PodWith(c.claims)), c.want) << c.name;
  }
}

MakePvc Claim() { return MakePvc("c"); }
MakePv Pv() { return MakePv("pv-a"); }

// Goal: rule 2. A volume that is reserved for another claim is ignored.
TEST(VolumeBindingClaims, IgnoresVolumesOfOtherClaims) {
  MakePv elsewhere = Pv().For("c", "");
  elsewhere.Text({"spec", "claimRef", "namespace"}, "other");
  const MatchCase cases[] = {
      {"unclaimed", {Claim()}, {Pv()}, "c=pv-a"},
      {"the claim's", {Claim()}, {Pv().For("c", "c-uid")}, "c=pv-a"},
      {"the claim's by name", {Claim()}, {Pv().For("c", "")}, "c=pv-a"},
      {"another of its name", {Claim()}, {Pv().For("c", "old-uid")}, kNone},
      {"another name", {Claim()}, {Pv().For("d", "")}, kNone},
      {"another namespace", {Claim()}, {elsewhere}, kNone},
      {"an empty reference", {Claim()}, {Pv().Set({"spec", "claimRef"}, "{}")}, kNone},
  };
  Check(cases);
}

// Goal: rules 3 to 6, which also apply to volumes that are reserved for the claim.
TEST(VolumeBindingClaims, RequiresAnyVolumeToMatchTheClaim) {
  MakePv no_capacity = Pv();
  no_capacity.Set({"spec", "capacity"}, "{}");
  MakePvc no_request = Claim();
  no_request.Set({"spec", "resources"}, "{}");
  const std::string_view none = kNone;
  struct {
    std::string_view name;
    MakePvc claim;
    MakePv volume;
    std::string_view want;
  } cases[] = {
      {"as large", Claim(), Pv(), "c=pv-a"},
      {"larger", Claim(), Pv().Capacity("11Gi"), "c=pv-a"},
      {"smaller by a little", Claim(), Pv().Capacity("10737418239999m"), none},
      {"as large in other words", Claim(), Pv().Capacity("10737418240"), "c=pv-a"},
      {"no capacity", Claim(), no_capacity, none},
      {"no capacity, and none asked for", no_request, no_capacity, "c=pv-a"},
      {"none asked for", no_request, Pv(), "c=pv-a"},
      {"modes by default", Claim().Mode("Filesystem"), Pv(), "c=pv-a"},
      {"the same the other way round", Claim(), Pv().Mode("Filesystem"), "c=pv-a"},
      {"blocks", Claim().Mode("Block"), Pv().Mode("Block"), "c=pv-a"},
      {"blocks for a file system", Claim(), Pv().Mode("Block"), none},
      {"a file system for blocks", Claim().Mode("Block"), Pv(), none},
      {"attributes class", Claim().AttributesClass("gold"), Pv().AttributesClass("gold"), "c=pv-a"},
      {"an empty one is none", Claim().AttributesClass(""), Pv(), "c=pv-a"},
      {"the same the other way round", Claim(), Pv().AttributesClass(""), "c=pv-a"},
      {"one too many", Claim(), Pv().AttributesClass("gold"), none},
      {"one missing", Claim().AttributesClass("gold"), Pv(), none},
      {"another", Claim().AttributesClass("gold"), Pv().AttributesClass("tin"), none},
      {"being deleted", Claim(), Pv().Terminating(), none},
  };
  for (const auto& c : cases) {
    const std::string name(c.name);
    Check(std::vector<MatchCase>{
        {name, {c.claim}, {c.volume}, c.want},
        {name + ", set aside", {c.claim}, {MakePv(c.volume).For("c", "c-uid")}, c.want}});
  }
}

// Goal: rules 7 and 9, which apply to free volumes only.
TEST(VolumeBindingClaims, RequiresAFreeVolumeToBeAvailableAndSelected) {
  auto selecting = [](std::string_view selector) {
    return Claim().Set({"spec", "selector"}, selector);
  };
  auto wanting = [](std::string_view modes) { return Claim().Set({"spec", "accessModes"}, modes); };
  const MakePvc ssd = selecting(R"({"matchLabels":{"disk":"ssd"}})");
  const MakePv offering = Pv().Set({"spec", "accessModes"}, R"(["ReadOnlyMany","ReadWriteOnce"])");
  struct {
    std::string_view name;
    MakePvc claim;
    MakePv volume;
    std::string_view want_free;
  } cases[] = {
      {"from its zone", Claim(), Pv().Zone("z1"), "c=pv-a"},
      {"released", Claim(), Pv().Phase("Released"), kNone},
      {"no phase yet", Claim(), Pv().Phase(""), kNone},
      {"selected", ssd, Pv().Label("disk", "ssd"), "c=pv-a"},
      {"another label", ssd, Pv().Label("disk", "hdd"), kNone},
      {"no label", ssd, Pv(), kNone},
      {"an empty selector", selecting("{}"), Pv(), "c=pv-a"},
      {"one mode of two", wanting(R"(["ReadOnlyMany"])"), offering, "c=pv-a"},
      {"both modes", wanting(R"(["ReadWriteOnce","ReadOnlyMany"])"), offering, "c=pv-a"},
      {"a mode that is not offered", wanting(R"(["ReadWriteMany"])"), offering, kNone},
      {"one of two is not", wanting(R"(["ReadWriteOnce","ReadWriteMany"])"), offering, kNone},
      {"no mode", wanting("[]"), offering, "c=pv-a"},
  };
  for (const auto& c : cases) {
    const std::string name(c.name);
    Check(std::vector<MatchCase>{
        {name, {c.claim}, {c.volume}, c.want_free},
        {name + ", set aside", {c.claim}, {MakePv(c.volume).For("c", "")}, "c=pv-a"}});
  }
}

TEST(VolumeBindingClaims, RequiresTheClaimsClass) {
  const MatchCase cases[] = {
      {"another class", {Claim()}, {Pv().Class("make")}, kNone},
      {"no class", {Claim()}, {Pv().Class("")}, kNone},
      {"the volume's by annotation",
       {Claim()},
       {Pv().Class("make").ClassAnnotation("wait")},
       "c=pv-a"},
      {"not any more", {Claim()}, {Pv().ClassAnnotation("make")}, kNone},
      {"the claim's by annotation",
       {Claim().Class("now").ClassAnnotation("wait")},
       {Pv()},
       "c=pv-a"},
      {"another class, set aside", {Claim()}, {Pv().Class("make").For("c", "c-uid")}, kNone},
  };
  Check(cases);
}

// Goal: rule 8. If a volume is reserved for the claim, the claim gets this volume or none.
TEST(VolumeBindingClaims, StopsAtAReservedVolume) {
  const MakePv reserved = MakePv("pv-z").Capacity("90Gi").For("c", "");
  const MakePv far = MakePv(reserved).Zone("z2");
  const MatchCase cases[] = {
      {"it is taken before smaller ones", {Claim()}, {Pv(), reserved}, "c=pv-z"},
      {"it is far: none", {Claim()}, {Pv(), far}, kNone},
      {"it is far, by a term that does not parse",
       {Claim()},
       {Pv(),
        MakePv(reserved).Terms(R"([{"matchExpressions":[{"key":"zone","operator":"Near"}]}])")},
       kNone},
      {"it is far: one may be made",
       {Claim().Class("make")},
       {Pv().Class("make"), MakePv(far).Class("make")},
       "c=new"},
      {"it is too small: another", {Claim()}, {Pv(), MakePv(reserved).Capacity("1Gi")}, "c=pv-a"},
      {"it is being deleted: another", {Claim()}, {Pv(), MakePv(far).Terminating()}, "c=pv-a"},
      {"of two, the first by name",
       {Claim()},
       {MakePv("pv-y").For("c", "c-uid"), reserved},
       "c=pv-y"},
      {"of two, the first by name is far",
       {Claim()},
       {MakePv("pv-y").For("c", "c-uid").Zone("z2"), reserved},
       kNone},
  };
  Check(cases);
}

// Goal: rules 1 and 10.
TEST(VolumeBindingClaims, TakesTheSmallestFreeVolume) {
  const MakePv a = MakePv("pv-a").Capacity("30Gi");
  const MakePv b = MakePv("pv-b").Capacity("20Gi");
  const MakePv c = MakePv("pv-c").Capacity("20480Mi");
  const MakePvc d("d");
  const MakePvc big = MakePvc("big").Request("15Gi");
  const MakePvc small = MakePvc("small").Request("5Gi");
  const MatchCase cases[] = {
      {"the smallest", {d}, {a, b}, "d=pv-b"},
      {"of equals the first by name", {d}, {a, c, b}, "d=pv-b"},
      {"the smallest here", {d}, {a, MakePv(b).Zone("z2")}, "d=pv-a"},
      {"two claims, two volumes", {d, Claim()}, {b, c}, "d=pv-b c=pv-c"},
      {"smaller claims choose first", {big, small}, {a, b}, "small=pv-b big=pv-a"},
      {"equal claims in their order", {d, Claim()}, {a, b}, "d=pv-b c=pv-a"},
      {"the smaller one leaves nothing", {big, small}, {b}, kNone},
      {"a claim twice takes two", {d, d}, {a, b}, "d=pv-b d=pv-a"},
      {"a claim twice and one volume", {d, d}, {b}, kNone},
      {"a volume for each claim",
       {d, Claim()},
       {MakePv("pv-1").For("c", ""), MakePv("pv-2").For("d", "")},
       "d=pv-2 c=pv-1"},
      {"a claim twice and one volume that is set aside for it",
       {d, d},
       {MakePv("pv-1").For("d", ""), b},
       "d=pv-1 d=pv-b"},
  };
  Check(cases);
}

TEST(VolumeBindingClaims, DoesNotTranslateTheAffinityOfFreeVolumes) {
  VolumeCluster cluster;
  cluster.Add(Claim()).Migrate("n", "kubernetes.io/aws-ebs");
  cluster.Add(Pv().OnlyWhere("topology.kubernetes.io/zone", "a")
                  .Set({"spec", "awsElasticBlockStore"}, R"({"volumeID":"vol-1"})"));
  cluster.Add(MakeNode().Name("n").Label("topology.kubernetes.io/zone", "a"));
  EXPECT_EQ(FoundFor(cluster, PodWith({Claim()}), "n"), "c=pv-a");
}

TEST(VolumeBindingClaims, ASelectorThatDoesNotParseIsAnError) {
  MakePvc broken = Claim();
  broken.Set({"spec", "selector"}, R"({"matchExpressions":[{"key":"k","operator":"Near"}]})");
  const std::string_view want =
      "error creating internal label selector for claim: default/c: "
      "\"Near\" is not a valid label selector operator";
  const MatchCase cases[] = {
      {"without candidates", {broken}, {}, want},
      {"with some", {broken}, {Pv()}, want},
      {"beside another claim", {MakePvc("d"), broken}, {Pv()}, want},
      {"it does not matter where one is being made",
       {MakePvc(broken).Class("make").SelectedNode("n1")},
       {},
       "c=new"},
  };
  Check(cases);
}

// Goal: unmatched claims are provisioned, all or none.
TEST(VolumeBindingClaims, ProvisionsUnmatchedClaims) {
  const MakePvc c = Claim().Class("make");
  const MakePvc d = MakePvc("d").Class("make");
  const MakePv pv = Pv().Class("make");
  const MakePvc small = MakePvc("small").Class("make").Request("1Gi");
  const MatchCase cases[] = {
      {"nothing to match", {c}, {}, "c=new"},
      {"matched rather than made", {c}, {pv}, "c=pv-a"},
      {"one of two matched", {c, small}, {pv}, "small=pv-a c=new"},
      {"no provisioner for the class", {Claim()}, {}, kNone},
      {"matched, and made", {Claim(), d}, {Pv()}, "c=pv-a d=new"},
      {"one has a provisioner, the other none", {d, Claim()}, {}, kNone},
      {"both are made", {c, d}, {}, "c=new d=new"},
      {"smaller ones first", {c, small}, {}, "small=new c=new"},
  };
  Check(cases);
}

// Goal: a claim with a selected node gets its volume only there.
TEST(VolumeBindingClaims, ServesAClaimOnlyOnItsSelectedNode) {
  const MakePvc here = Claim().Class("make").SelectedNode("n1");
  const MakePvc elsewhere = Claim().Class("make").SelectedNode("n2");
  const MakePvc nowhere = Claim().Class("make").Set({"metadata", "annotations"},
                                                    R"({"volume.kubernetes.io/selected-node":""})");
  const MakePvc small = MakePvc("d").Class("make").Request("1Gi");
  MakePvc broken("d");
  broken.Set({"spec", "selector"}, R"({"matchExpressions":[{"key":"k","operator":"Near"}]})");
  const MatchCase cases[] = {
      {"here", {here}, {}, "c=new"},
      {"here, whatever volumes there are", {here}, {Pv().Class("make")}, "c=new"},
      {"elsewhere", {elsewhere}, {Pv().Class("make")}, kNone},
      {"no name", {nowhere}, {}, kNone},
      {"before all others", {small, here}, {}, "c=new d=new"},
      {"before others that are matched", {MakePvc("d"), here}, {Pv()}, "d=pv-a c=new"},
      {"elsewhere, before anything else is looked at", {broken, elsewhere}, {}, kNone},
      {"selected node, without a provisioner", {Claim().SelectedNode("n1")}, {Pv()}, kNone},
  };
  Check(cases);
}

constexpr std::string_view kWaitsForPods = R"("volumeBindingMode":"WaitForFirstConsumer")";

TEST(VolumeBindingClaims, ProvisioningNeedsAProvisionerAndATopology) {
  const std::string in_z1 = R"({"key":"zone","values":["z1","z9"]})";
  const std::string in_z2 = R"({"key":"zone","values":["z2"]})";
  const std::string broken = R"({"key":"zone","values":[]})";
  auto term = [](const std::string& expressions) {
    return R"({"matchLabelExpressions":[)" + expressions + "]}";
  };
  struct {
    std::string_view name;
    std::string_view provisioner;
    std::string topologies;
    std::string_view want;
  } cases[] = {
      {"anywhere", "example.com", "", "c=new"},
      {"no provisioner", "", "", kNone},
      {"none that makes volumes", "kubernetes.io/no-provisioner", "", kNone},
      {"one of its values", "example.com", term(in_z1), "c=new"},
      {"another value", "example.com", term(in_z2), kNone},
      {"terms are ORed", "example.com", term(in_z2) + "," + term(in_z1), "c=new"},
      {"expressions are ANDed", "example.com", term(in_z2 + "," + in_z1), kNone},
      {"all expressions match", "example.com", term(in_z1 + "," + in_z1), "c=new"},
      {"an empty term matches nothing", "example.com", term(""), kNone},
      {"beside another term", "example.com", term("") + "," + term(in_z1), "c=new"},
      {"a term that does not parse", "example.com", term(in_z1 + "," + broken), kNone},
      {"beside another term", "example.com", term(broken) + "," + term(in_z1), "c=new"},
      {"a key that nodes do not have", "example.com", term(R"({"key":"x","values":["1"]})"), kNone},
  };
  for (const auto& c : cases) {
    VolumeCluster cluster;
    cluster.Add(Claim().Class("class"));
    cluster.AddClass("class", c.provisioner,
                     std::string(kWaitsForPods) + R"(,"allowedTopologies":[)" + c.topologies + "]");
    EXPECT_EQ(FoundFor(cluster, PodWith({Claim()})), c.want) << c.name;
  }
}

// A pool for the class "make" in zone z1.
std::string CapacityText(const std::string& name, const std::string& members) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"default"},)" +
         R"("storageClassName":"make","nodeTopology":{"matchLabels":{"zone":"z1"}})" +
         (members.empty() ? "" : "," + members) + "}";
}

std::string PoolWhere(const std::string& class_name, const std::string& topology) {
  return R"({"metadata":{"name":"pool","namespace":"default"},"capacity":"1Ti",)" +
         (R"("storageClassName":")" + class_name) + R"(","nodeTopology":)" + topology + "}";
}

constexpr std::string_view kAsking =
    R"({"metadata":{"name":"example.com"},"spec":{"storageCapacity":true}})";

struct PoolCase {
  std::string_view name;
  std::vector<std::string> pools;
  MakePvc claim;
  std::string_view want;
};

void Check(std::span<const PoolCase> cases, std::string_view driver = kAsking) {
  for (const PoolCase& c : cases) {
    VolumeCluster cluster;
    cluster.Add(c.claim).Add(MakeCsiDriver(driver));
    for (const std::string& pool : c.pools) cluster.Add(MakeCsiStorageCapacity(pool));
    EXPECT_EQ(FoundFor(cluster, PodWith({c.claim})), c.want) << c.name << ": " << driver;
  }
}

// Goal: a volume is provisioned only if its driver has capacity, provided that the driver publishes
// it.
TEST(VolumeBindingClaims, ProvisioningNeedsCapacity) {
  const MakePvc claim = Claim().Class("make");
  MakePvc no_request = claim;
  no_request.Set({"spec", "resources"}, "{}");
  const std::string everywhere = R"({"matchExpressions":[]})";
  const PoolCase cases[] = {
      {"no pool", {}, claim, kNoRoom},
      {"large enough", {CapacityText("a", R"("capacity":"10Gi")")}, claim, "c=new@a"},
      {"by bytes", {CapacityText("a", R"("capacity":"10737418239500m")")}, claim, "c=new@a"},
      {"too small", {CapacityText("a", R"("capacity":"10737418239")")}, claim, kNoRoom},
      {"zero", {CapacityText("a", R"("capacity":"0")")}, claim, kNoRoom},
      {"unknown", {CapacityText("a", "")}, claim, kNoRoom},
      {"the largest volume counts",
       {CapacityText("a", R"("capacity":"1Ti","maximumVolumeSize":"9Gi")")},
       claim,
       kNoRoom},
      {"also when it is more",
       {CapacityText("a", R"("capacity":"1Gi","maximumVolumeSize":"10Gi")")},
       claim,
       "c=new@a"},
      {"alone", {CapacityText("a", R"("maximumVolumeSize":"10Gi")")}, claim, "c=new@a"},
      {"nothing asked for", {}, no_request, "c=new"},
      {"zero asked for, no pool", {}, MakePvc(claim).Request("0"), kNoRoom},
      {"zero asked for, zero there",
       {CapacityText("a", R"("capacity":"0")")},
       MakePvc(claim).Request("0"),
       "c=new@a"},
      {"zero asked for, unknown room",
       {CapacityText("a", "")},
       MakePvc(claim).Request("0"),
       kNoRoom},
      {"another class", {PoolWhere("wait", everywhere)}, claim, kNoRoom},
      {"all nodes", {PoolWhere("make", everywhere)}, claim, "c=new@pool"},
      {"no nodes", {PoolWhere("make", "null")}, claim, kNoRoom},
      {"other nodes", {PoolWhere("make", R"({"matchLabels":{"zone":"z2"}})")}, claim, kNoRoom},
      {"nodes by what does not parse",
       {PoolWhere("make", R"({"matchExpressions":[{"key":"zone","operator":"Near"}]})")},
       claim,
       kNoRoom},
      {"of two, the first by name",
       {CapacityText("b", R"("capacity":"1Ti")"), CapacityText("a", R"("capacity":"10Gi")")},
       claim,
       "c=new@a"},
      {"of two, the one with room",
       {CapacityText("a", R"("capacity":"1Gi")"), CapacityText("b", R"("capacity":"10Gi")")},
       claim,
       "c=new@b"},
      {"where its node was selected",
       {CapacityText("a", R"("capacity":"1Gi")")},
       MakePvc(claim).SelectedNode("n1"),
       kNoRoom},
      {"of a class by annotation",
       {CapacityText("a", R"("capacity":"10Gi")")},
       Claim().Class("wait").ClassAnnotation("make"),
       "c=new@a"},
  };
  Check(cases);
}

TEST(VolumeBindingClaims, SomeDriversNeedNoCapacityCheck) {
  const PoolCase cases[] = {{"no pool", {}, Claim().Class("make"), "c=new"}};
  for (std::string_view driver : {
           R"({"metadata":{"name":"example.com"},"spec":{"storageCapacity":false}})",
           R"({"metadata":{"name":"example.com"},"spec":{}})",
           R"({"metadata":{"name":"other.com"},"spec":{"storageCapacity":true}})",
       }) {
    Check(cases, driver);
  }
}

// Goal: the first claim that cannot be provisioned decides; claims with a node come first, then by
// size.
TEST(VolumeBindingClaims, TheFirstClaimThatCannotBeProvisionedDecides) {
  const MakePvc no_room = Claim().Class("make");
  const MatchCase cases[] = {
      {"no room first", {no_room, MakePvc("d")}, {}, kNoRoom},
      {"no maker first", {MakePvc("d"), no_room}, {}, kNone},
      {"the smaller one first", {no_room, MakePvc("d").Request("1Gi")}, {}, kNone},
      {"a selected node first",
       {MakePvc("d").Request("1Gi"), MakePvc(no_room).SelectedNode("n1")},
       {},
       kNoRoom},
      {"what is matched does not count", {MakePvc("d"), no_room}, {Pv()}, kNoRoom},
  };
  for (const MatchCase& c : cases) {
    VolumeCluster cluster;
    cluster.AddAll(c.claims).AddAll(c.volumes).Add(MakeCsiDriver(kAsking));
    EXPECT_EQ(FoundFor(cluster, PodWith(c.claims)), c.want) << c.name;
  }
}

// Goal: a claim whose class was deleted makes the pod fail. Method: the test builds the rule
// itself, because reading such a claim does not give a delayed one.
TEST(VolumeBindingClaims, ReportsTheFaultOfAProvisionRule) {
  VolumeCluster cluster;
  VolumeBinder binder(cluster.handle(), 0);
  PodVolumeClaims claims;
  claims.delayed.emplace_back().claim = Claim().Ref();
  claims.delayed[0].provision.fault = "failed to find storage class \"gone\"";
  PodVolumes volumes;
  auto conflicts = binder.FindPodVolumes(claims, cluster.node("n1"), &volumes);
  ASSERT_FALSE(conflicts.ok());
  EXPECT_EQ(conflicts.fault(), "failed to find storage class \"gone\"");
}

}  // namespace
}  // namespace stowage
