#include "core/plugins/volume_restrictions.h"

#include <gtest/gtest.h>

#include <memory>

#include "core/framework/signers.h"
#include "tests/support/from_json.h"
#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

const Status kNoDisk = Status::Unschedulable("node(s) had no available disk");
const Status kClaimInUse = Status::Unschedulable(
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
    "in-use by another pod");

// A pod with one volume of that source.
MakePod With(std::string_view source) { return MakePod().Name("p").Volumes({MakeVolume(source)}); }

PersistentVolumeClaim Claim(std::string_view name, Texts access_modes,
                            std::string_view namespace_ = "default") {
  PersistentVolumeClaim claim;
  claim.metadata.name = Symbol(name);
  claim.metadata.namespace_ = Symbol(namespace_);
  claim.spec.access_modes = MakeSymbols(access_modes);
  return claim;
}

// A cluster of the nodes "n" and "m" and three claims: only one pod may use "once" and "once-too",
// any number may use "many".
class Cluster : public PluginRunner<VolumeRestrictions> {
 public:
  Cluster() {
    handle().Add(MakeNode().Name("n").Obj()).Add(MakeNode().Name("m").Obj());
    handle().fake_listers().Add(Claim("once", {"ReadWriteOncePod"}));
    handle().fake_listers().Add(Claim("once-too", {"ReadWriteOncePod"}));
    handle().fake_listers().Add(Claim("many", {"ReadWriteMany"}));
  }

  Cluster& Run(MakePod pod, std::string_view name = "q") {
    handle().Add(pod.Name(name).Node("n").Obj());
    return *this;
  }
};

struct DiskCase {
  std::string_view name;
  Pod pod;
  MakePod running;
  Status want;
};

void ExpectVerdicts(std::span<const DiskCase> cases) {
  for (const DiskCase& c : cases) {
    Cluster cluster;
    cluster.Run(c.running);
    EXPECT_EQ(cluster.Filter(c.pod, "n"), c.want) << c.name;
  }
}

constexpr std::string_view kGce = R"("gcePersistentDisk":{"pdName":"a"})";
constexpr std::string_view kGceRead = R"("gcePersistentDisk":{"pdName":"a","readOnly":true})";
constexpr std::string_view kEbs = R"("awsElasticBlockStore":{"volumeID":"a"})";
constexpr std::string_view kEbsRead = R"("awsElasticBlockStore":{"volumeID":"a","readOnly":true})";
constexpr std::string_view kIscsi = R"("iscsi":{"iqn":"a","targetPortal":"x","lun":0})";
constexpr std::string_view kIscsiRead = R"("iscsi":{"iqn":"a","readOnly":true})";
constexpr std::string_view kRbd = R"("rbd":{"monitors":["a","b"],"pool":"x","image":"i"})";
constexpr std::string_view kRbdRead =
    R"("rbd":{"monitors":["b"],"pool":"x","image":"i","readOnly":true})";

// Goal: two pods on a node do not share a disk that cannot be shared. Method: a pod against a
// running pod, for each kind of disk.
TEST(VolumeRestrictions, FiltersByDisk) {
  const DiskCase cases[] = {
      {"nothing wanted or used", MakePod(), MakePod(), Status::Success()},
      {"nothing wanted", MakePod(), With(kGce), Status::Success()},
      {"nothing used", With(kGce), MakePod(), Status::Success()},
      {"GCE, same", With(kGce), With(kGce), kNoDisk},
      {"GCE, other", With(kGce), With(R"("gcePersistentDisk":{"pdName":"b"})"), Status::Success()},
      {"GCE, both read", With(kGceRead), With(kGceRead), Status::Success()},
      {"GCE, wanted to write", With(kGce), With(kGceRead), kNoDisk},
      {"GCE, used to write", With(kGceRead), With(kGce), kNoDisk},
      {"EBS, same", With(kEbs), With(kEbs), kNoDisk},
      {"EBS, other", With(kEbs), With(R"("awsElasticBlockStore":{"volumeID":"b"})"),
       Status::Success()},
      {"EBS, both read", With(kEbsRead), With(kEbsRead), kNoDisk},
      {"iSCSI, same", With(kIscsi), With(kIscsi), kNoDisk},
      {"iSCSI, portal and lun do not matter", With(kIscsi),
       With(R"("iscsi":{"iqn":"a","targetPortal":"y","lun":1})"), kNoDisk},
      {"iSCSI, other", With(kIscsi), With(R"("iscsi":{"iqn":"b","targetPortal":"x","lun":0})"),
       Status::Success()},
      {"iSCSI, both read", With(kIscsiRead), With(kIscsiRead), Status::Success()},
      {"iSCSI, one writes", With(kIscsi), With(kIscsiRead), kNoDisk},
      {"EBS and GCE of one name", With(kEbs), With(kGce), Status::Success()},
  };
  ExpectVerdicts(cases);
}

// Goal: two RBD images are the same if pool and name are equal and they share a monitor.
TEST(VolumeRestrictions, FiltersByRbdImage) {
  const DiskCase cases[] = {
      {"same", With(kRbd), With(kRbd), kNoDisk},
      {"one monitor in common", With(kRbd),
       With(R"("rbd":{"monitors":["c","b"],"pool":"x","image":"i"})"), kNoDisk},
      {"no monitor in common", With(kRbd),
       With(R"("rbd":{"monitors":["c"],"pool":"x","image":"i"})"), Status::Success()},
      {"no monitors", With(R"("rbd":{"pool":"x","image":"i"})"),
       With(R"("rbd":{"pool":"x","image":"i"})"), Status::Success()},
      {"other pool", With(kRbd), With(R"("rbd":{"monitors":["a"],"pool":"y","image":"i"})"),
       Status::Success()},
      {"the pool is the field as stored", With(R"("rbd":{"monitors":["a"],"image":"i"})"),
       With(R"("rbd":{"monitors":["a"],"pool":"rbd","image":"i"})"), Status::Success()},
      {"other image", With(kRbd), With(R"("rbd":{"monitors":["a"],"pool":"x","image":"j"})"),
       Status::Success()},
      {"both read", With(kRbdRead), With(kRbdRead), Status::Success()},
      {"one writes", With(kRbdRead), With(kRbd), kNoDisk},
  };
  ExpectVerdicts(cases);
}

// Goal: every volume of every pod on the node counts, and none of other nodes.
TEST(VolumeRestrictions, ChecksAllDisksOfTheNode) {
  Cluster cluster;
  cluster.Run(With(R"("gcePersistentDisk":{"pdName":"b"})"), "q1");
  cluster.Run(MakePod().Volumes({MakeVolume(R"("emptyDir":{})"), MakeVolume(kEbs)}), "q2");
  const Pod second =
      MakePod().Volumes({MakeVolume(R"("gcePersistentDisk":{"pdName":"c"})"), MakeVolume(kEbs)});
  EXPECT_EQ(cluster.Filter(second, "n"), kNoDisk);
  EXPECT_EQ(cluster.Filter(second, "m"), Status::Success());
}

// Goal: inline disks are compared with inline disks only, never with the volume of a claim.
TEST(VolumeRestrictions, IgnoresTheVolumesOfClaims) {
  Cluster cluster;
  PersistentVolumeClaim bound = Claim("bound", {"ReadWriteOnce"});
  bound.spec.volume_name = Symbol("pv");
  cluster.handle().fake_listers().Add(bound);
  cluster.handle().fake_listers().Add(MakePersistentVolume(
      R"({"metadata":{"name":"pv"},"spec":{"gcePersistentDisk":{"pdName":"a"}}})"));
  cluster.Run(MakePod().Pvc("bound"));
  EXPECT_EQ(cluster.Filter(With(kGce), "n"), Status::Success());
}

// Goal: Filter does not run for pods without restricted volumes; missing claims are reported.
TEST(VolumeRestrictions, PreFilterChecksDisksAndClaims) {
  auto missing = [](std::string_view text) { return Status::UnschedulableAndUnresolvable(text); };
  struct {
    std::string_view name;
    Pod pod;
    Status want;
  } cases[] = {
      {"no volumes", MakePod(), Status::Skip()},
      {"volumes without restrictions",
       MakePod().Volumes({MakeVolume(R"("emptyDir":{})"), MakeVolume(R"("cinder":{})"),
                          MakeVolume(R"("azureDisk":{"diskURI":"d"})"),
                          MakeVolume(R"("csi":{"driver":"d"})")}),
       Status::Skip()},
      {"GCE", With(kGce), Status::Success()},
      {"EBS", With(kEbs), Status::Success()},
      {"iSCSI", With(kIscsi), Status::Success()},
      {"RBD", With(kRbd), Status::Success()},
      {"second volume", MakePod().Volumes({MakeVolume(R"("emptyDir":{})"), MakeVolume(kRbd)}),
       Status::Success()},
      {"a claim of many pods", MakePod().Pvc("many"), Status::Skip()},
      {"a claim of one pod that no pod uses", MakePod().Pvc("once"), Status::Skip()},
      {"no such claim", MakePod().Pvc("x"), missing("persistentvolumeclaim \"x\" not found")},
      {"only in another namespace", MakePod().Namespace("other").Pvc("once"),
       missing("persistentvolumeclaim \"once\" not found")},
      {"no such claim, and a disk", With(kGce).Pvc("x"),
       missing("persistentvolumeclaim \"x\" not found")},
      {"the first that is missing", MakePod().Pvc("many").Pvc("y").Pvc("x"),
       missing("persistentvolumeclaim \"y\" not found")},
      {"claims of ephemeral volumes are not asked for", MakePod().Name("p").EphemeralVolume("x"),
       Status::Skip()},
  };
  for (const auto& c : cases) EXPECT_EQ(Cluster().PreFilter(c.pod), c.want) << c.name;
}

// Goal: a ReadWriteOncePod claim in use keeps every other pod off all nodes.
TEST(VolumeRestrictions, FiltersByReadWriteOncePodClaims) {
  struct {
    std::string_view name;
    Pod pod;
    MakePod running;
    Status want;
  } cases[] = {
      {"used", MakePod().Pvc("once"), MakePod().Pvc("once"), kClaimInUse},
      {"another one is used", MakePod().Pvc("once"), MakePod().Pvc("once-too"), Status::Success()},
      {"one of two is used", MakePod().Pvc("many").Pvc("once"), MakePod().Pvc("once"), kClaimInUse},
      {"both are used", MakePod().Pvc("once").Pvc("once-too"),
       MakePod().Pvc("once").Pvc("once-too"), kClaimInUse},
      {"a claim of many is used", MakePod().Pvc("many"), MakePod().Pvc("many"), Status::Success()},
      {"one of several modes", MakePod().Pvc("mixed"), MakePod().Pvc("mixed"), kClaimInUse},
      {"used under its name in another namespace", MakePod().Pvc("once"),
       MakePod().Namespace("other").Pvc("once"), Status::Success()},
      {"an ephemeral volume's claim is not seen", MakePod().Pvc("q-v"),
       MakePod().EphemeralVolume("v"), Status::Success()},
      {"a disk beside it", With(kGce).Pvc("once"), MakePod().Pvc("once"), kClaimInUse},
      {"a disk, and the claim is free", With(kGce).Pvc("once"), MakePod(), Status::Success()},
  };
  for (const auto& c : cases) {
    Cluster cluster;
    cluster.handle().fake_listers().Add(Claim("mixed", {"ReadWriteOnce", "ReadWriteOncePod"}));
    cluster.handle().fake_listers().Add(Claim("q-v", {"ReadWriteOncePod"}));
    cluster.Run(c.running);
    EXPECT_EQ(cluster.Filter(c.pod, "n"), c.want) << c.name;
    EXPECT_EQ(cluster.Filter(c.pod, "m"), c.want) << c.name << ", on another node";
  }
}

// Goal: Filter checks disks first, then its state, then claims.
TEST(VolumeRestrictions, FiltersInOrder) {
  Cluster cluster;
  cluster.Run(With(kGce).Pvc("once"));
  const Pod both = With(kGce).Pvc("once");
  EXPECT_EQ(cluster.Filter(both, "n"), kNoDisk);
  EXPECT_EQ(cluster.Filter(both, "m"), kClaimInUse);
  const NodeInfo& n = cluster.handle().node("n");
  const NodeInfo& m = cluster.handle().node("m");
  EXPECT_EQ(cluster.plugin().Filter(CycleState(), both, n), kNoDisk);
  EXPECT_EQ(cluster.plugin().Filter(CycleState(), both, m),
            Status::Error("cannot read \"PreFilterVolumeRestrictions\" from cycleState"));
}

// A dry run on one node: pods are removed and added.
struct DryRun {
  Cluster& cluster;
  Pod pod;

  Status Verdict() const {
    return cluster.plugin().Filter(cluster.state(), pod, cluster.handle().node("m"));
  }
  void Add(const Pod& other) const {
    const PreFilterExtensions* extensions = cluster.plugin().Extensions();
    EXPECT_TRUE(extensions->AddPod(cluster.state(), pod, *Info(other), Place()).IsSuccess());
  }
  void Remove(const Pod& other) const {
    const PreFilterExtensions* extensions = cluster.plugin().Extensions();
    EXPECT_TRUE(extensions->RemovePod(cluster.state(), pod, *Info(other), Place()).IsSuccess());
  }

 private:
  PodInfoRef Info(const Pod& other) const {
    return MakePodInfo(std::make_shared<const Pod>(other), cluster.handle().features());
  }
  const NodeInfo& Place() const { return cluster.handle().node("n"); }
};

// Goal: preemption notices that a claim is free after its last user is removed.
TEST(VolumeRestrictions, DryRunsCountUsersOfClaims) {
  const Pod user = MakePod().Name("q").Node("n").Pvc("once");
  Cluster cluster;
  cluster.handle().Add(user);
  DryRun run{cluster, MakePod().Name("p").Pvc("once")};
  ASSERT_TRUE(cluster.PreFilter(run.pod).IsSuccess());
  run.Remove(MakePod().Name("r").Pvc("once-too").Pvc("many").EphemeralVolume());
  EXPECT_EQ(run.Verdict(), kClaimInUse) << "who left used other claims";
  CycleState before = cluster.state().Clone();
  run.Remove(user);
  EXPECT_EQ(run.Verdict(), Status::Success());
  EXPECT_EQ(cluster.plugin().Filter(before, run.pod, cluster.handle().node("m")), kClaimInUse)
      << "a clone counts on its own";
  run.Add(user);
  EXPECT_EQ(run.Verdict(), kClaimInUse);
}

// Goal: a pod with two claims needs both to be free.
TEST(VolumeRestrictions, DryRunsCountEachClaim) {
  const Pod first = MakePod().Name("q1").Node("n").Pvc("once");
  const Pod second = MakePod().Name("q2").Node("n").Pvc("once-too");
  Cluster cluster;
  cluster.handle().Add(first).Add(second);
  DryRun run{cluster, MakePod().Name("p").Pvc("once").Pvc("once-too")};
  ASSERT_TRUE(cluster.PreFilter(run.pod).IsSuccess());
  run.Remove(first);
  EXPECT_EQ(run.Verdict(), kClaimInUse);
  run.Remove(second);
  EXPECT_EQ(run.Verdict(), Status::Success());
}

// Goal: two peculiarities of the reference. PreFilter counts claims while dry runs count volumes;
// dry runs compare claims by name only.
TEST(VolumeRestrictions, DryRunsCountVolumesByName) {
  const Pod twice = MakePod().Name("q").Node("n").Pvc("once").Pvc("once");
  Cluster cluster;
  cluster.handle().Add(twice);
  DryRun run{cluster, MakePod().Name("p").Pvc("once")};
  ASSERT_TRUE(cluster.PreFilter(run.pod).IsSuccess());
  run.Remove(twice);
  run.Add(MakePod().Name("r").Pvc("once"));
  EXPECT_EQ(run.Verdict(), Status::Success()) << "1 - 2 + 1";
  run.Add(MakePod().Name("s").Pvc("once"));
  EXPECT_EQ(run.Verdict(), kClaimInUse);
  run.Remove(MakePod().Name("t").Namespace("other").Pvc("once"));
  EXPECT_EQ(run.Verdict(), Status::Success());
}

void ExpectHints(std::span<const HintCase> cases) {
  Cluster cluster;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(cluster.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

// Goal: a pod is queued when a pod of its namespace that may have blocked it is deleted.
TEST(VolumeRestrictions, HintsAtDeletedPods) {
  const ClusterEvent deleted = AssignedPodEvent(action::kDelete);
  auto was = [](MakePod pod) { return WasDeleted(pod.Name("q").Node("n").Obj()); };
  const HintCase cases[] = {
      {"GCE, same", deleted, With(kGce), was(With(kGce)), "Queue"},
      {"GCE, both read", deleted, With(kGceRead), was(With(kGceRead)), "Skip"},
      {"EBS, both read", deleted, With(kEbsRead), was(With(kEbsRead)), "Queue"},
      {"EBS, other", deleted, With(kEbs), was(With(R"("awsElasticBlockStore":{"volumeID":"b"})")),
       "Skip"},
      {"iSCSI, one wrote", deleted, With(kIscsiRead), was(With(kIscsi)), "Queue"},
      {"iSCSI, both read", deleted, With(kIscsiRead), was(With(kIscsiRead)), "Skip"},
      {"RBD, one wrote", deleted, With(kRbdRead), was(With(kRbd)), "Queue"},
      {"RBD, other pool", deleted, With(kRbd),
       was(With(R"("rbd":{"monitors":["a"],"pool":"y","image":"i"})")), "Skip"},
      {"second volume", deleted, MakePod().Pvc("many").Pvc("once"), was(MakePod().Pvc("once")),
       "Queue"},
      {"same claim of many pods", deleted, MakePod().Pvc("many"), was(MakePod().Pvc("many")),
       "Queue"},
      {"other claim", deleted, MakePod().Pvc("once"), was(MakePod().Pvc("once-too")), "Skip"},
      {"an ephemeral volume's claim", deleted, MakePod().Pvc("q-v"),
       was(MakePod().EphemeralVolume("v")), "Skip"},
      {"no volumes", deleted, MakePod(), was(MakePod()), "Skip"},
      {"same disk, other namespace", deleted, With(kGce), was(With(kGce).Namespace("other")),
       "Skip"},
      {"same claim, other namespace", deleted, MakePod().Pvc("once"),
       was(MakePod().Namespace("other").Pvc("once")), "Skip"},
      {"it was nowhere", deleted, With(kGce), WasDeleted(With(kGce).Name("q").Obj()), "Queue"},
      {"the object is no pod", deleted, With(kGce), WithWrongOld(was(MakePod())), "Queue"},
      {"a pod comes", AssignedPodEvent(action::kAdd), With(kGce), WasAdded(With(kGce).Obj()),
       "deaf"},
  };
  ExpectHints(cases);
}

// Goal: a pod is queued for any new node, and for its own claims.
TEST(VolumeRestrictions, HintsAtNodesAndClaims) {
  const ClusterEvent added = {EventResource::kPersistentVolumeClaim, action::kAdd};
  const Pod pod = MakePod().Name("p").Pvc("a").Pvc("b").EphemeralVolume("v");
  const HintCase cases[] = {
      {"its second claim", added, pod, WasAdded(Claim("b", {})), "Queue"},
      {"another claim", added, pod, WasAdded(Claim("c", {})), "Skip"},
      {"its name in another namespace", added, pod, WasAdded(Claim("b", {}, "other")), "Skip"},
      {"the claim of its ephemeral volume", added, pod, WasAdded(Claim("p-v", {})), "Skip"},
      {"the object is no claim", added, pod, WithWrongNew(WasAdded(Claim("c", {}))), "Queue"},
      {"a claim changes",
       {EventResource::kPersistentVolumeClaim, action::kUpdate},
       pod,
       WasUpdated(Claim("a", {}), Claim("a", {})),
       "deaf"},
      {"a node comes", NodeEvent(action::kAdd), pod, WasAdded(MakeNode().Name("n")), "Queue"},
      {"labels", NodeEvent(action::kUpdateNodeLabel), pod,
       WasUpdated(MakeNode().Name("n"), MakeNode().Name("n")), "deaf"},
      {"taints", NodeEvent(action::kUpdateNodeTaint), pod,
       WasUpdated(MakeNode().Name("n"), MakeNode().Name("n")), "deaf"},
  };
  ExpectHints(cases);
}

// Goal: only cacheable verdicts are cached; signatures cover the volumes.
TEST(VolumeRestrictions, SignsVolumes) {
  Cluster cluster;
  for (const Pod& pod : {With(kGce).Obj(), With(kEbs).Obj(), With(kIscsi).Obj(), With(kRbd).Obj(),
                         MakePod().EmptyDir().Pvc("once").Obj()}) {
    PodSignature ignored, signature, want;
    EXPECT_FALSE(cluster.plugin().AppendFragment(pod, &ignored));
    cluster.plugin().SignPod(pod, &signature);
    SignVolumes(pod, &want);
    EXPECT_TRUE(signature == want);
    EXPECT_FALSE(signature == PodSignature());
  }
  PodSignature fragment;
  EXPECT_TRUE(cluster.plugin().AppendFragment(
      MakePod().Volumes({MakeVolume(R"("cinder":{})")}).EphemeralVolume(), &fragment));
  EXPECT_TRUE(cluster.plugin().AppendFragment(MakePod().EmptyDir().Pvc("many"), &fragment));
}

}  // namespace
}  // namespace stowage
