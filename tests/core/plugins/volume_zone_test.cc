#include "core/plugins/volume_zone.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "core/api/well_known_labels.h"
#include "core/framework/signers.h"
#include "tests/support/from_json.h"
#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

constexpr std::string_view kBetaZone = kLabelFailureDomainBetaZone;
constexpr std::string_view kBetaRegion = kLabelFailureDomainBetaRegion;
constexpr std::string_view kZone = kLabelTopologyZone;
constexpr std::string_view kRegion = kLabelTopologyRegion;

const Status kConflict =
    Status::UnschedulableAndUnresolvable("node(s) had no available volume zone");

PersistentVolume Labelled(std::string_view name, LabelMap labels) {
  PersistentVolume volume;
  volume.metadata.name = Symbol(name);
  volume.metadata.labels = std::move(labels);
  return volume;
}

// A claim of the volume "pv".
PersistentVolumeClaim Claim(std::string_view name, std::string_view namespace_ = "default") {
  PersistentVolumeClaim claim;
  claim.metadata.name = Symbol(name);
  claim.metadata.namespace_ = Symbol(namespace_);
  claim.spec.volume_name = Symbol("pv");
  return claim;
}

PersistentVolumeClaim Unbound(std::string_view name, std::optional<std::string_view> class_name) {
  PersistentVolumeClaim claim = Claim(name);
  claim.spec.volume_name = Symbol();
  if (class_name) claim.spec.storage_class_name = Symbol(*class_name);
  return claim;
}

StorageClass Class(std::string_view name, std::optional<std::string_view> mode) {
  StorageClass storage_class;
  storage_class.metadata.name = Symbol(name);
  if (mode) storage_class.volume_binding_mode = Symbol(*mode);
  return storage_class;
}

Node NodeWith(LabelMap labels) {
  Node node = MakeNode().Name("n");
  node.metadata.labels = std::move(labels);
  return node;
}

// Checks the verdict about a pod with a claim of that volume, with the state of PreFilter and
// without.
void ExpectVerdict(std::string_view name, const PersistentVolume& volume, const Node& node,
                   const Status& want) {
  PluginRunner<VolumeZone> runner;
  runner.handle().Add(node);
  runner.handle().fake_listers().Add(volume);
  runner.handle().fake_listers().Add(Claim("c"));
  const Pod pod = MakePod().Pvc("c");
  EXPECT_EQ(runner.Filter(pod, "n"), want) << name;
  EXPECT_EQ(runner.plugin().Filter(CycleState(), pod, runner.handle().node("n")), want)
      << name << ", without PreFilter";
}

struct LabelCase {
  std::string_view name;
  LabelMap volume;
  LabelMap node;
  Status want;
};

// Goal: a node must match the labels of the pod's volume. Method: one volume, one node.
TEST(VolumeZone, FiltersByLabels) {
  const LabelCase cases[] = {
      {"node without labels", {{kZone, "a"}}, {}, Status::Success()},
      {"node with labels of no topology", {{kZone, "a"}}, {{"x", "y"}}, Status::Success()},
      {"volume without labels", {}, {{kZone, "a"}}, Status::Success()},
      {"volume with labels of no topology", {{"x", "y"}}, {{kZone, "a"}}, Status::Success()},
      {"zone", {{kZone, "a"}}, {{kZone, "a"}}, Status::Success()},
      {"other zone", {{kZone, "a"}}, {{kZone, "b"}}, kConflict},
      {"region", {{kRegion, "a"}}, {{kRegion, "a"}}, Status::Success()},
      {"other region", {{kRegion, "a"}}, {{kRegion, "b"}}, kConflict},
      {"beta zone", {{kBetaZone, "a"}}, {{kBetaZone, "a"}}, Status::Success()},
      {"other beta zone", {{kBetaZone, "a"}}, {{kBetaZone, "b"}}, kConflict},
      {"beta region", {{kBetaRegion, "a"}}, {{kBetaRegion, "a"}}, Status::Success()},
      {"other beta region", {{kBetaRegion, "a"}}, {{kBetaRegion, "b"}}, kConflict},
      {"both", {{kZone, "a"}, {kRegion, "r"}}, {{kZone, "a"}, {kRegion, "r"}}, Status::Success()},
      {"both, other region",
       {{kZone, "a"}, {kRegion, "r"}},
       {{kZone, "a"}, {kRegion, "s"}},
       kConflict},
      {"both, node has a zone only", {{kZone, "a"}, {kRegion, "r"}}, {{kZone, "a"}}, kConflict},
      {"zone, node has a region only", {{kZone, "a"}}, {{kRegion, "r"}}, kConflict},
      {"zone, node has a beta region only", {{kZone, "a"}}, {{kBetaRegion, "r"}}, kConflict},
      {"node's label is empty", {{kZone, "a"}}, {{kZone, ""}}, kConflict},
  };
  for (const LabelCase& c : cases) {
    ExpectVerdict(c.name, Labelled("pv", c.volume), NodeWith(c.node), c.want);
  }
}

// Goal: a node's new label matches a volume's old one, but not the reverse.
TEST(VolumeZone, AcceptsNewNodeLabelsForOldVolumeLabels) {
  const LabelCase cases[] = {
      {"zone, same", {{kBetaZone, "a"}}, {{kZone, "a"}}, Status::Success()},
      {"zone, other", {{kBetaZone, "a"}}, {{kZone, "b"}}, kConflict},
      {"region, same", {{kBetaRegion, "a"}}, {{kRegion, "a"}}, Status::Success()},
      {"region, other", {{kBetaRegion, "a"}}, {{kRegion, "b"}}, kConflict},
      {"zone against region", {{kBetaZone, "a"}}, {{kRegion, "a"}}, kConflict},
      {"the node's old key comes first",
       {{kBetaZone, "a"}},
       {{kBetaZone, "b"}, {kZone, "a"}},
       kConflict},
      {"the node's old key is empty",
       {{kBetaZone, "a"}},
       {{kBetaZone, ""}, {kZone, "a"}},
       kConflict},
      {"new zone, old one on the node", {{kZone, "a"}}, {{kBetaZone, "a"}}, kConflict},
      {"new region, old one on the node", {{kRegion, "a"}}, {{kBetaRegion, "a"}}, kConflict},
      {"both names, new ones on the node",
       {{kBetaZone, "a"}, {kZone, "a"}},
       {{kZone, "a"}},
       Status::Success()},
      {"both names, old ones on the node",
       {{kBetaZone, "a"}, {kZone, "a"}},
       {{kBetaZone, "a"}},
       kConflict},
  };
  for (const LabelCase& c : cases) {
    ExpectVerdict(c.name, Labelled("pv", c.volume), NodeWith(c.node), c.want);
  }
}

// Goal: a volume may be in several zones; a label with an empty zone is ignored.
TEST(VolumeZone, ReadsListsOfZones) {
  const LabelCase cases[] = {
      {"first", {{kZone, "a__b"}}, {{kZone, "a"}}, Status::Success()},
      {"second", {{kZone, "a__b"}}, {{kZone, "b"}}, Status::Success()},
      {"neither", {{kZone, "a__b"}}, {{kZone, "c"}}, kConflict},
      {"the label itself", {{kZone, "a__b"}}, {{kZone, "a__b"}}, kConflict},
      {"regions", {{kBetaRegion, "a__b"}}, {{kRegion, "b"}}, Status::Success()},
      {"space around", {{kZone, " a __\tb"}}, {{kZone, "b"}}, Status::Success()},
      {"one underscore", {{kZone, "a_b"}}, {{kZone, "a"}}, kConflict},
      {"empty part", {{kZone, "a__"}}, {{kZone, "c"}}, Status::Success()},
      {"part of space", {{kZone, "a__ __b"}}, {{kZone, "c"}}, Status::Success()},
      {"empty label", {{kZone, ""}}, {{kZone, "c"}}, Status::Success()},
      {"empty part, and another label",
       {{kZone, "a__"}, {kRegion, "r"}},
       {{kZone, "c"}, {kRegion, "s"}},
       kConflict},
  };
  for (const LabelCase& c : cases) {
    ExpectVerdict(c.name, Labelled("pv", c.volume), NodeWith(c.node), c.want);
  }
}

// Goal: all volumes must be reachable, and only their labels determine that.
TEST(VolumeZone, ChecksOnlyTheLabelsOfAllVolumes) {
  PluginRunner<VolumeZone> runner;
  FakeListers& listers = runner.handle().fake_listers();
  runner.handle().Add(NodeWith({{kZone, "a"}}));
  listers.Add(Labelled("pv", {{kZone, "a__b"}}));
  listers.Add(Labelled("pv-b", {{kZone, "b"}}));
  listers.Add(Claim("here"));
  PersistentVolumeClaim there = Claim("there");
  there.spec.volume_name = Symbol("pv-b");
  listers.Add(there);
  EXPECT_EQ(runner.Filter(MakePod().Pvc("here"), "n"), Status::Success());
  EXPECT_EQ(runner.Filter(MakePod().Pvc("here").Pvc("there"), "n"), kConflict);

  listers.Add(MakePersistentVolume(
      R"({"metadata":{"name":"pv"},"spec":{"nodeAffinity":{"required":{"nodeSelectorTerms":[
          {"matchExpressions":[{"key":"topology.kubernetes.io/zone","operator":"In",
                                "values":["b"]}]}]}}}})"));
  EXPECT_TRUE(runner.PreFilter(MakePod().Pvc("here")).IsSkip());
  EXPECT_EQ(runner.Filter(MakePod().Pvc("here"), "n"), Status::Success());
}

// Claims in every state, and the classes that they name.
void AddClaims(FakeListers* listers) {
  listers->Add(Labelled("pv", {{kZone, "a"}}));
  listers->Add(Labelled("plain", {}));
  listers->Add(Class("late", "WaitForFirstConsumer"));
  listers->Add(Class("early", "Immediate"));
  listers->Add(Class("unset", std::nullopt));
  listers->Add(Claim("bound"));
  listers->Add(Claim("q-v"));
  PersistentVolumeClaim plain = Claim("of-plain");
  plain.spec.volume_name = Symbol("plain");
  listers->Add(plain);
  PersistentVolumeClaim lost = Claim("lost");
  lost.spec.volume_name = Symbol("gone");
  listers->Add(lost);
  listers->Add(Unbound("classless", std::nullopt));
  listers->Add(Unbound("class-empty", ""));
  listers->Add(Unbound("class-missing", "x"));
  listers->Add(Unbound("late", "late"));
  listers->Add(Unbound("early", "early"));
  listers->Add(Unbound("unset", "unset"));
  PersistentVolumeClaim annotated = Unbound("annotated", "early");
  annotated.metadata.annotations = LabelMap{{"volume.beta.kubernetes.io/storage-class", "late"}};
  listers->Add(annotated);
  annotated.metadata.name = Symbol("annotated-empty");
  annotated.metadata.annotations = LabelMap{{"volume.beta.kubernetes.io/storage-class", ""}};
  listers->Add(annotated);
}

struct ClaimCase {
  std::string_view name;
  Pod pod;
  Status want;
};

const Status kClassless = Status::UnschedulableAndUnresolvable(
    "PersistentVolumeClaim had no pv name and storageClass name");

Status Missing(std::string_view text) { return Status::UnschedulableAndUnresolvable(text); }

const ClaimCase kClaimCases[] = {
    {"no volumes", MakePod(), Status::Skip()},
    {"other volumes", MakePod().EmptyDir().ImageVolume("i"), Status::Skip()},
    {"claims of ephemeral volumes are not asked for", MakePod().Name("q").EphemeralVolume("v"),
     Status::Skip()},
    {"bound", MakePod().EmptyDir().Pvc("bound"), Status::Success()},
    {"bound to a volume without labels", MakePod().Pvc("of-plain"), Status::Skip()},
    {"nameless", MakePod().Pvc(""), Missing("PersistentVolumeClaim had no name")},
    {"no such claim", MakePod().Pvc("x"), Missing("persistentvolumeclaim \"x\" not found")},
    {"only in another namespace", MakePod().Namespace("other").Pvc("bound"),
     Missing("persistentvolumeclaim \"bound\" not found")},
    {"no such volume", MakePod().Pvc("lost"), Missing("persistentvolume \"gone\" not found")},
    {"unbound, without a class", MakePod().Pvc("classless"), kClassless},
    {"unbound, the class is empty", MakePod().Pvc("class-empty"), kClassless},
    {"unbound, no such class", MakePod().Pvc("class-missing"),
     Missing("storageclass.storage.k8s.io \"x\" not found")},
    {"unbound, the class has no mode", MakePod().Pvc("unset"),
     Missing("VolumeBindingMode not set for StorageClass \"unset\"")},
    {"unbound, immediate", MakePod().Pvc("early"), Missing("PersistentVolume had no name")},
    {"unbound, waits for its pod", MakePod().Pvc("late"), Status::Skip()},
    {"the annotation's class wins", MakePod().Pvc("annotated"), Status::Skip()},
    {"the annotation's class wins when it is empty", MakePod().Pvc("annotated-empty"), kClassless},
    {"one waits, one is bound", MakePod().Pvc("late").Pvc("bound"), Status::Success()},
    {"one is bound, one fails", MakePod().Pvc("bound").Pvc("early"),
     Missing("PersistentVolume had no name")},
    {"the first that fails", MakePod().Pvc("y").Pvc("").Pvc("x"),
     Missing("persistentvolumeclaim \"y\" not found")},
};

// Goal: an invalid claim fails on every node, with the reference's message.
TEST(VolumeZone, PreFilterChecksClaims) {
  for (const ClaimCase& c : kClaimCases) {
    PluginRunner<VolumeZone> runner;
    AddClaims(&runner.handle().fake_listers());
    EXPECT_EQ(runner.PreFilter(c.pod), c.want) << c.name;
  }
}

// Goal: without PreFilter's state, Filter computes the same for each node, whatever its labels.
TEST(VolumeZone, FilterChecksClaimsWithoutPreFilter) {
  for (const ClaimCase& c : kClaimCases) {
    PluginRunner<VolumeZone> runner;
    runner.handle().Add(MakeNode().Name("n").Obj());
    AddClaims(&runner.handle().fake_listers());
    Status want = c.want.IsSkip() ? Status::Success() : c.want;
    EXPECT_EQ(runner.plugin().Filter(CycleState(), c.pod, runner.handle().node("n")), want)
        << c.name;
  }
}

void ExpectHints(std::span<const HintCase> cases) {
  PluginRunner<VolumeZone> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

// Goal: a pod is queued for a class with delayed binding, for nodes, and for its own claims.
TEST(VolumeZone, HintsAtClassesNodesAndClaims) {
  const ClusterEvent class_added = {EventResource::kStorageClass, action::kAdd};
  const ClusterEvent claim_added = {EventResource::kPersistentVolumeClaim, action::kAdd};
  const ClusterEvent claim_updated = {EventResource::kPersistentVolumeClaim, action::kUpdate};
  const Pod pod = MakePod().Name("p").Pvc("a").Pvc("b").EphemeralVolume("v");
  const Node node = MakeNode().Name("n");
  const HintCase cases[] = {
      {"a class that waits", class_added, pod, WasAdded(Class("c", "WaitForFirstConsumer")),
       "Queue"},
      {"an immediate class", class_added, pod, WasAdded(Class("c", "Immediate")), "Skip"},
      {"a class without a mode", class_added, pod, WasAdded(Class("c", std::nullopt)), "Skip"},
      {"the object is no class", class_added, pod, WithWrongNew(WasAdded(Class("c", "Immediate"))),
       "Queue"},
      {"a class changes",
       {EventResource::kStorageClass, action::kUpdate},
       pod,
       WasUpdated(Class("c", "Immediate"), Class("c", "WaitForFirstConsumer")),
       "deaf"},
      {"a node comes", NodeEvent(action::kAdd), pod, WasAdded(node), "Queue"},
      {"labels", NodeEvent(action::kUpdateNodeLabel), pod, WasUpdated(node, node), "Queue"},
      {"taints", NodeEvent(action::kUpdateNodeTaint), pod, WasUpdated(node, node), "deaf"},
      {"its second claim comes", claim_added, pod, WasAdded(Claim("b")), "Queue"},
      {"its claim changes", claim_updated, pod, WasUpdated(Claim("a"), Claim("a")), "Queue"},
      {"another claim comes", claim_added, pod, WasAdded(Claim("c")), "Skip"},
      {"another claim changes", claim_updated, pod, WasUpdated(Claim("c"), Claim("c")), "Skip"},
      {"its name in another namespace", claim_added, pod, WasAdded(Claim("a", "other")), "Skip"},
      {"the claim of its ephemeral volume", claim_added, pod, WasAdded(Claim("p-v")), "Skip"},
      {"the object is no claim", claim_added, pod, WithWrongNew(WasAdded(Claim("c"))), "Queue"},
      {"a claim goes",
       {EventResource::kPersistentVolumeClaim, action::kDelete},
       pod,
       WasDeleted(Claim("a")),
       "deaf"},
  };
  ExpectHints(cases);
}

// Goal: a pod is queued for new volumes, and for changed zones of a volume.
TEST(VolumeZone, HintsAtVolumes) {
  const ClusterEvent added = {EventResource::kPersistentVolume, action::kAdd};
  const ClusterEvent updated = {EventResource::kPersistentVolume, action::kUpdate};
  const Pod pod = MakePod().Name("p").Pvc("a");
  const PersistentVolume bare = Labelled("pv", {});
  const PersistentVolume in_a = Labelled("pv", {{kZone, "a"}});
  const HintCase cases[] = {
      {"comes", added, pod, WasAdded(in_a), "Queue"},
      {"comes without labels", added, pod, WasAdded(bare), "Queue"},
      {"gets a zone", updated, pod, WasUpdated(bare, in_a), "Queue"},
      {"loses its zone", updated, pod, WasUpdated(in_a, bare), "Queue"},
      {"changes its zone", updated, pod, WasUpdated(in_a, Labelled("pv", {{kZone, "b"}})), "Queue"},
      {"gets another zone", updated, pod, WasUpdated(in_a, Labelled("pv", {{kZone, "a__b"}})),
       "Queue"},
      {"has its zone under the old key", updated, pod,
       WasUpdated(in_a, Labelled("pv", {{kBetaZone, "a"}})), "Queue"},
      {"stays as it is", updated, pod, WasUpdated(in_a, in_a), "Skip"},
      {"changes the order of its zones", updated, pod,
       WasUpdated(Labelled("pv", {{kZone, "a__b"}}), Labelled("pv", {{kZone, "b__a"}})), "Skip"},
      {"gets another label", updated, pod,
       WasUpdated(in_a, Labelled("pv", {{kZone, "a"}, {"x", "y"}})), "Skip"},
      {"gets a label that says nothing", updated, pod,
       WasUpdated(bare, Labelled("pv", {{kZone, "a__"}})), "Skip"},
      {"the old object is no volume", updated, pod, WithWrongOld(WasUpdated(in_a, in_a)), "Queue"},
      {"goes", {EventResource::kPersistentVolume, action::kDelete}, pod, WasDeleted(in_a), "deaf"},
  };
  ExpectHints(cases);
}

// Goal: only cacheable verdicts are cached; signatures cover the volumes.
TEST(VolumeZone, SignsVolumes) {
  PluginRunner<VolumeZone> runner;
  const Pod pod = MakePod().EmptyDir().Pvc("a");
  PodSignature fragment, signature, want;
  EXPECT_FALSE(runner.plugin().AppendFragment(pod, &fragment));
  EXPECT_TRUE(runner.plugin().AppendFragment(MakePod().EmptyDir().EphemeralVolume(), &fragment));
  runner.plugin().SignPod(pod, &signature);
  SignVolumes(pod, &want);
  EXPECT_TRUE(signature == want);
  EXPECT_FALSE(signature == PodSignature());
}

}  // namespace
}  // namespace stowage
