// Goal: assumed objects are written, volumes first, and the pod waits until the controllers have
// bound them, or failed (spec plugins/volume-binding.md, "PreBind"). Method: pod p on its way to
// n1; the API answers at once, and the test sets the time.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/volume_cluster.h"

namespace stowage {
namespace {

VolumeBindingArgs ArgsWithin(int64_t seconds) {
  VolumeBindingArgs args;
  args.bind_timeout_seconds = seconds;
  return args;
}

// PreBind of a pod whose volumes are reserved on n1.
class Binding : public BindingRun {
 public:
  Binding(VolumeCluster& cluster, const Pod& pod) : BindingRun(cluster, pod) {
    cluster.listers().Add(pod);
    EXPECT_TRUE(filtered().IsSuccess());
    EXPECT_TRUE(Reserve().IsSuccess());
  }
};

ApiResponse Answer(std::string_view version) {
  return {200, "", "",
          R"({"kind":"PersistentVolume","metadata":{"name":"x","resourceVersion":")" +
              std::string(version) + R"("},"spec":{"claimRef":{}}})"};
}

const ApiResponse kConflict{409, "Conflict", "the object has been modified", ""};

// A volume that only a claim with a matching selector gets.
MakePv Named(std::string_view name) { return MakePv(name).Label("name", name); }
MakePvc Naming(std::string_view claim, std::string_view volume) {
  return MakePvc(claim).Set({"spec", "selector"},
                            R"({"matchLabels":{"name":")" + std::string(volume) + R"("}})");
}

// Whether another claim can get the volume.
bool IsFree(VolumeCluster& cluster, std::string_view volume) {
  cluster.Add(Naming("probe", volume));
  return cluster.Filter(MakePod().Name("q").Pvc("probe"), "n1").IsSuccess();
}

// Whether another pod of the claim, which has a provisioner, can go to n2.
bool IsUnselected(VolumeCluster& cluster, std::string_view claim) {
  return cluster.Filter(MakePod().Name("q").Pvc(claim), "n2").IsSuccess();
}

void ExpectRequest(const ApiRequest& request, std::string_view path, std::string_view body) {
  EXPECT_EQ(request.verb, "update");
  EXPECT_EQ(request.method, "PUT");
  EXPECT_EQ(request.path, path);
  EXPECT_EQ(request.content_type, "application/json");
  EXPECT_EQ(request.body, body);
  EXPECT_EQ(request.pod, "default/p");
}

// Goal: the writes are complete objects, even if the items came from a list without kinds.
TEST(VolumeBindingBind, WritesVolumesThenClaims) {
  VolumeCluster cluster;
  cluster.Add(MakePersistentVolume(
      R"({"metadata":{"name":"pv-a","resourceVersion":"1"},"spec":{"storageClassName":"wait",)"
      R"("nfs":{"path":"/x"}},"status":{"phase":"Available"}})"));
  cluster.Add(MakePersistentVolumeClaim(
      R"({"metadata":{"name":"c","namespace":"default","uid":"u-1","resourceVersion":"5"},)"
      R"("spec":{"storageClassName":"wait"}})"));
  cluster.Add(MakePersistentVolumeClaim(
      R"({"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"d",)"
      R"("namespace":"default","uid":"u-2","resourceVersion":"6","annotations":{"k":"v"}},)"
      R"("spec":{"storageClassName":"make"}})"));
  Binding binding(cluster, MakePod().Name("p").Pvc("d").Pvc("c"));
  EXPECT_TRUE(cluster.api().requests.empty()) << "not before PreBind";
  binding.StartPreBind();
  const std::vector<ApiRequest>& requests = cluster.api().requests;
  ASSERT_EQ(requests.size(), 2u);
  ExpectRequest(
      requests[0], "/api/v1/persistentvolumes/pv-a",
      R"({"apiVersion":"v1","kind":"PersistentVolume",)"
      R"("metadata":{"annotations":{"pv.kubernetes.io/bound-by-controller":"yes"},)"
      R"("name":"pv-a","resourceVersion":"1"},"spec":{"claimRef":{"kind":"PersistentVolumeClaim",)"
      R"("namespace":"default","name":"c","uid":"u-1","apiVersion":"v1","resourceVersion":"5"},)"
      R"("storageClassName":"wait","nfs":{"path":"/x"}},"status":{"phase":"Available"}})");
  ExpectRequest(requests[1], "/api/v1/namespaces/default/persistentvolumeclaims/d",
                R"({"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"d",)"
                R"("namespace":"default","uid":"u-2","resourceVersion":"6",)"
                R"("annotations":{"volume.kubernetes.io/selected-node":"n1","k":"v"}},)"
                R"("spec":{"storageClassName":"make"}})");
}

TEST(VolumeBindingBind, WritesAVolumeThatNeedsNoChange) {
  VolumeCluster cluster;
  MakePv volume = MakePv("pv-a").For("c", "c-uid");
  volume.Text({"kind"}, "PersistentVolume").Text({"apiVersion"}, "v1");
  cluster.Add(volume).Add(MakePvc("c"));
  Binding binding(cluster, MakePod().Name("p").Pvc("c"));
  binding.StartPreBind();
  ASSERT_EQ(cluster.api().requests.size(), 1u);
  ExpectRequest(cluster.api().requests[0], "/api/v1/persistentvolumes/pv-a", volume.json());
}

// Goal: a failed write ends the task. What was written stays assumed, the rest is reverted.
TEST(VolumeBindingBind, RevertsUnwrittenObjectsAfterAFailedWrite) {
  struct {
    std::string_view name;
    std::vector<ApiResponse> answers;
    bool is_a_free, is_b_free, is_e_free, is_f_free;
  } cases[] = {
      {"the first volume", {kConflict}, true, true, true, true},
      {"the second volume", {Answer("2"), kConflict}, false, true, true, true},
      {"the first claim", {Answer("2"), Answer("3"), kConflict}, false, false, true, true},
      {"the second claim",
       {Answer("2"), Answer("3"), Answer("4"), kConflict},
       false,
       false,
       false,
       true},
  };
  for (const auto& c : cases) {
    VolumeCluster cluster;
    cluster.Add(Named("pv-a")).Add(Named("pv-b"));
    cluster.Add(Naming("a", "pv-a")).Add(Naming("b", "pv-b"));
    cluster.Add(MakePvc("e").Class("make")).Add(MakePvc("f").Class("make"));
    cluster.api().answers.assign(c.answers.begin(), c.answers.end());
    Binding binding(cluster, MakePod().Name("p").Pvc("a").Pvc("b").Pvc("e").Pvc("f"));
    EXPECT_FALSE(IsFree(cluster, "pv-b")) << c.name;
    EXPECT_FALSE(IsUnselected(cluster, "f")) << c.name;
    binding.StartPreBind();
    EXPECT_EQ(binding.outcome(), Status::Error("the object has been modified")) << c.name;
    for (bool is_unreserved : {false, true}) {
      if (is_unreserved) binding.Unreserve();
      EXPECT_EQ(IsFree(cluster, "pv-a"), c.is_a_free) << c.name << is_unreserved;
      EXPECT_EQ(IsFree(cluster, "pv-b"), c.is_b_free) << c.name << is_unreserved;
      EXPECT_EQ(IsUnselected(cluster, "e"), c.is_e_free) << c.name << is_unreserved;
      EXPECT_EQ(IsUnselected(cluster, "f"), c.is_f_free) << c.name << is_unreserved;
    }
    binding.GoTo(10'000);
    EXPECT_EQ(cluster.api().requests.size(), c.answers.size()) << c.name << ": nothing follows";
  }
}

TEST(VolumeBindingBind, TreatsAMissingAnswerAsAFailedWrite) {
  VolumeCluster cluster;
  cluster.api().answer = {0, "", "dial tcp: connection refused", ""};
  cluster.Add(MakePvc("c").Class("make"));
  Binding binding(cluster, MakePod().Name("p").Pvc("c"));
  binding.StartPreBind();
  EXPECT_EQ(binding.outcome(), Status::Error("dial tcp: connection refused"));
}

TEST(VolumeBindingBind, EndsAtOnceWithNothingToBind) {
  VolumeCluster cluster;
  cluster.Add(MakePv("pv-a")).Add(MakePvc("c").Bound("pv-a"));
  for (const Pod& pod : {MakePod().Name("p").Pvc("c").Obj(), MakePod().Name("p").Obj()}) {
    BindingRun run(cluster, pod);
    EXPECT_TRUE(run.Reserve().IsSuccess());
    run.StartPreBind();
    EXPECT_EQ(run.outcome(), Status::Success());
  }
  EXPECT_TRUE(cluster.api().requests.empty());
}

TEST(VolumeBindingBind, FailsWithoutReserve) {
  VolumeCluster cluster;
  cluster.Add(MakePv("pv-a")).Add(MakePvc("c"));
  const Pod pod = MakePod().Name("p").Pvc("c");
  const Symbol node("n1");
  EXPECT_TRUE(cluster.PreFilter(pod).IsSuccess());
  Task<Status> task = cluster.plugin().PreBind(cluster.runner().state(), pod, node);
  task.Start();
  ASSERT_TRUE(task.IsDone());
  EXPECT_EQ(task.Take(), Status::Error("no pod volume found for node \"n1\""));
}

// A claim c that gets pv-a, which is written as version 9.
VolumeCluster& AddStatic(VolumeCluster& cluster) {
  cluster.api().answer = Answer("9");
  return cluster.Add(MakePv("pv-a")).Add(MakePvc("c"));
}

// The volume after the volume controller has bound it.
MakePv WrittenVolume() { return MakePv("pv-a").Version("9").For("c", "c-uid"); }
MakePvc BoundClaim() { return MakePvc("c").Version("11").Bound("pv-a"); }

TEST(VolumeBindingBind, ChecksAfterASecondAndThenEverySecond) {
  VolumeCluster cluster;
  AddStatic(cluster);
  Binding binding(cluster, MakePod().Name("p").Pvc("c"));
  binding.StartPreBind();
  cluster.Add(WrittenVolume());
  EXPECT_EQ(binding.OutcomeText(), "...");
  binding.GoTo(999);
  EXPECT_EQ(binding.OutcomeText(), "...");
  binding.GoTo(1'000);
  EXPECT_EQ(binding.OutcomeText(), "...") << "the claim is not bound yet";
  cluster.Add(BoundClaim());
  binding.GoTo(1'999);
  EXPECT_EQ(binding.OutcomeText(), "...");
  binding.GoTo(2'000);
  EXPECT_EQ(binding.outcome(), Status::Success());
  EXPECT_EQ(cluster.api().requests.size(), 1u);
}

TEST(VolumeBindingBind, TakesAtLeastASecond) {
  VolumeCluster cluster;
  AddStatic(cluster);
  Binding binding(cluster, MakePod().Name("p").Pvc("c"));
  binding.StartPreBind();
  cluster.Add(WrittenVolume()).Add(BoundClaim());
  binding.GoTo(999);
  EXPECT_EQ(binding.OutcomeText(), "...");
  binding.GoTo(1'000);
  EXPECT_EQ(binding.outcome(), Status::Success());
}

TEST(VolumeBindingBind, FailsAtItsTimeout) {
  const Status timeout = Status::Error("binding volumes: context deadline exceeded");
  VolumeCluster cluster(ArgsWithin(3));
  AddStatic(cluster);
  Binding binding(cluster, MakePod().Name("p").Pvc("c"));
  binding.StartPreBind();
  for (int64_t millis : {1'000, 2'000, 2'999}) {
    binding.GoTo(millis);
    EXPECT_EQ(binding.OutcomeText(), "...") << millis;
  }
  binding.GoTo(3'000);
  EXPECT_EQ(binding.outcome(), timeout);
  EXPECT_FALSE(IsFree(cluster, "pv-a")) << "it is written";

  VolumeCluster impatient(ArgsWithin(0));
  AddStatic(impatient);
  Binding at_once(impatient, MakePod().Name("p").Pvc("c"));
  at_once.StartPreBind();
  EXPECT_EQ(at_once.outcome(), timeout);
  EXPECT_EQ(impatient.api().requests.size(), 1u);
}

// Goal: the timeout depends on time, not on the number of checks.
TEST(VolumeBindingBind, FailsInALateTurn) {
  VolumeCluster cluster(ArgsWithin(3));
  AddStatic(cluster);
  Binding binding(cluster, MakePod().Name("p").Pvc("c"));
  binding.StartPreBind();
  binding.GoTo(1'000);
  cluster.Add(WrittenVolume()).Add(BoundClaim());
  binding.GoTo(60'000);
  EXPECT_EQ(binding.OutcomeText(), "binding volumes: context deadline exceeded");
}

TEST(VolumeBindingBind, FailsForACancelledPod) {
  VolumeCluster cluster;
  AddStatic(cluster);
  PodsInPreBind& in_pre_bind = cluster.handle().fake_background().pods_in_pre_bind;
  const Symbol uid("p");
  in_pre_bind.Add(uid);
  Binding binding(cluster, MakePod().Name("p").Pvc("c"));
  binding.StartPreBind();
  binding.GoTo(1'000);
  EXPECT_EQ(binding.OutcomeText(), "...");
  cluster.Add(WrittenVolume()).Add(BoundClaim());
  EXPECT_TRUE(in_pre_bind.Cancel(uid, "preempted"));
  binding.GoTo(2'000);
  EXPECT_EQ(binding.outcome(), Status::Error("binding volumes: context canceled"));
}

struct LookCase {
  std::string_view name;
  void (*change)(VolumeCluster& cluster);
  std::string_view want;  // without "binding volumes: "; "...": it waits, "": everything is bound
};

// Checks the result of the first check after the change.
void Check(std::span<const LookCase> cases, VolumeCluster& (*add_objects)(VolumeCluster& cluster)) {
  for (const LookCase& c : cases) {
    VolumeCluster cluster;
    add_objects(cluster);
    Binding binding(cluster, MakePod().Name("p").Pvc("c"));
    binding.StartPreBind();
    ASSERT_EQ(cluster.api().requests.size(), 1u) << c.name;
    c.change(cluster);
    binding.GoTo(1'000);
    std::optional<Status> want;
    if (c.want.empty()) {
      want = Status::Success();
    } else if (c.want != "...") {
      want = Status::Error("binding volumes: " + std::string(c.want));
    }
    EXPECT_EQ(binding.outcome(), want) << c.name << ": " << binding.OutcomeText();
  }
}

// Goal: some conditions end the wait for any pod, before its volumes are checked.
TEST(VolumeBindingBind, ChecksTheNodeAndThePodFirst) {
  const LookCase cases[] = {
      {"the node is gone", [](VolumeCluster& cluster) { cluster.Remove(ObjectKind::kNode, "n1"); },
       "failed to get node \"n1\": node \"n1\" not found"},
      {"the pod is gone",
       [](VolumeCluster& cluster) { cluster.Remove(ObjectKind::kPod, "p", "default"); },
       "pod does not exist any more: pod \"p\" not found"},
      {"both are",
       [](VolumeCluster& cluster) {
         cluster.Remove(ObjectKind::kNode, "n1");
         cluster.Remove(ObjectKind::kPod, "p", "default");
       },
       "failed to get node \"n1\": node \"n1\" not found"},
      {"the pod is gone, and so is its volume",
       [](VolumeCluster& cluster) {
         cluster.Remove(ObjectKind::kPod, "p", "default");
         cluster.Remove(ObjectKind::kPersistentVolume, "pv-a");
       },
       "pod does not exist any more: pod \"p\" not found"},
  };
  Check(cases, AddStatic);
}

// Goal: a reserved volume counts as bound once the API server shows both sides as bound.
TEST(VolumeBindingBind, ChecksReservedVolumes) {
  const LookCase cases[] = {
      {"nothing has happened", [](VolumeCluster&) {}, "..."},
      {"the claim is bound, the volume as before",
       [](VolumeCluster& cluster) { cluster.Add(BoundClaim()); }, "..."},
      {"the volume is written, the claim as before",
       [](VolumeCluster& cluster) { cluster.Add(WrittenVolume()); }, "..."},
      {"the claim has its volume, and is not bound",
       [](VolumeCluster& cluster) {
         cluster.Add(WrittenVolume()).Add(MakePvc("c").Volume("pv-a"));
       },
       "..."},
      {"all is bound",
       [](VolumeCluster& cluster) { cluster.Add(WrittenVolume()).Add(BoundClaim()); }, ""},
      {"at a later version",
       [](VolumeCluster& cluster) { cluster.Add(WrittenVolume().Version("10")).Add(BoundClaim()); },
       ""},
      {"at an earlier version",
       [](VolumeCluster& cluster) { cluster.Add(WrittenVolume().Version("8")).Add(BoundClaim()); },
       "..."},
      {"the volume is gone",
       [](VolumeCluster& cluster) { cluster.Remove(ObjectKind::kPersistentVolume, "pv-a"); },
       "failed to check binding: persistentvolumes \"pv-a\" not found"},
      {"the claim is gone, the volume as before",
       [](VolumeCluster& cluster) {
         cluster.Remove(ObjectKind::kPersistentVolumeClaim, "c", "default");
       },
       "failed to check binding: persistentvolumeclaims \"default/c\" not found"},
      {"the claim reference is gone",
       [](VolumeCluster& cluster) { cluster.Add(MakePv("pv-a").Version("9")); },
       "ClaimRef got reset for pv \"pv-a\""},
      {"its uid is",
       [](VolumeCluster& cluster) { cluster.Add(WrittenVolume().For("c", "")).Add(BoundClaim()); },
       "ClaimRef got reset for pv \"pv-a\""},
      {"the same before the write is seen",
       [](VolumeCluster& cluster) { cluster.Add(MakePv("pv-a").Version("8")); }, "..."},
  };
  Check(cases, AddStatic);
}

TEST(VolumeBindingBind, ChecksTheAffinityOfReservedVolumes) {
  const LookCase cases[] = {
      {"the volume has moved",
       [](VolumeCluster& cluster) { cluster.Add(WrittenVolume().Zone("z2")); },
       "pv \"pv-a\" node affinity doesn't match node \"n1\": no matching NodeSelectorTerms"},
      {"it has, and was reset",
       [](VolumeCluster& cluster) { cluster.Add(MakePv("pv-a").Version("9").Zone("z2")); },
       "pv \"pv-a\" node affinity doesn't match node \"n1\": no matching NodeSelectorTerms"},
      {"it has, in an earlier version",
       [](VolumeCluster& cluster) { cluster.Add(WrittenVolume().Version("8").Zone("z2")); }, "..."},
      {"the node has moved",
       [](VolumeCluster& cluster) {
         cluster.Add(WrittenVolume().Zone("z1")).Add(BoundClaim());
         cluster.listers().Add(MakeNode().Name("n1").Label("zone", "z2").Obj());
       },
       "pv \"pv-a\" node affinity doesn't match node \"n1\": no matching NodeSelectorTerms"},
      {"by the driver's label",
       [](VolumeCluster& cluster) {
         cluster.Migrate("n1", "kubernetes.io/aws-ebs").Add(BoundClaim());
         cluster.Add(WrittenVolume()
                         .OnlyWhere("topology.kubernetes.io/zone", "z1")
                         .Set({"spec", "awsElasticBlockStore"}, R"({"volumeID":"vol-1"})"));
         cluster.listers().Add(
             MakeNode().Name("n1").Label("topology.ebs.csi.aws.com/zone", "z1").Obj());
       },
       ""},
      {"no translation",
       [](VolumeCluster& cluster) {
         cluster.Migrate("n1", "kubernetes.io/azure-disk");
         cluster.Add(WrittenVolume().Set({"spec", "azureDisk"}, R"({"kind":"Dedicated"})"));
       },
       "failed to translate pv to csi: could not translate pv: kind(Dedicated) is not supported "
       "in csi migration"},
  };
  Check(cases, AddStatic);
}

// A claim c whose volume is to be provisioned on n1, which is written as version 9.
VolumeCluster& AddProvisioned(VolumeCluster& cluster) {
  cluster.api().answer = Answer("9");
  return cluster.Add(MakePvc("c").Class("make"));
}

MakePvc WrittenClaim() { return MakePvc("c").Class("make").Version("9").SelectedNode("n1"); }

// Goal: the pod waits for a volume to be provisioned until the provisioner rejects the node.
TEST(VolumeBindingBind, ChecksProvisionedClaims) {
  const LookCase cases[] = {
      {"nothing has happened", [](VolumeCluster&) {}, "..."},
      {"the claim is written", [](VolumeCluster& cluster) { cluster.Add(WrittenClaim()); }, "..."},
      {"all is bound",
       [](VolumeCluster& cluster) {
         cluster.Add(MakePv("pv-new")).Add(WrittenClaim().Version("12").Bound("pv-new"));
       },
       ""},
      {"bound, in an earlier version",
       [](VolumeCluster& cluster) {
         cluster.Add(MakePv("pv-new")).Add(WrittenClaim().Version("8").Bound("pv-new"));
       },
       "..."},
      {"it has a volume, and is not bound",
       [](VolumeCluster& cluster) {
         cluster.Add(MakePv("pv-new")).Add(WrittenClaim().Volume("pv-new"));
       },
       "..."},
      {"the volume has not been seen",
       [](VolumeCluster& cluster) { cluster.Add(WrittenClaim().Bound("pv-new")); }, "..."},
      {"the claim is gone",
       [](VolumeCluster& cluster) {
         cluster.Remove(ObjectKind::kPersistentVolumeClaim, "c", "default");
       },
       "failed to check provisioning pvc: persistentvolumeclaims \"default/c\" not found"},
      {"no annotations",
       [](VolumeCluster& cluster) { cluster.Add(MakePvc("c").Class("make").Version("9")); },
       "selectedNode annotation reset for PVC \"c\""},
      {"the same before the write is seen",
       [](VolumeCluster& cluster) { cluster.Add(MakePvc("c").Class("make").Version("8")); }, "..."},
      {"others only",
       [](VolumeCluster& cluster) {
         cluster.Add(MakePvc("c").Class("make").Version("9").Annotation("k", "v"));
       },
       "provisioning failed for PVC \"c\""},
      {"another node",
       [](VolumeCluster& cluster) { cluster.Add(WrittenClaim().SelectedNode("n2")); },
       "provisioning failed for PVC \"c\""},
      {"the volume is far, and not bound yet",
       [](VolumeCluster& cluster) {
         cluster.Add(MakePv("pv-new").Zone("z2")).Add(WrittenClaim().Volume("pv-new"));
       },
       "pv \"pv-new\" node affinity doesn't match node \"n1\": no matching NodeSelectorTerms"},
      {"no translation",
       [](VolumeCluster& cluster) {
         cluster.Migrate("n1", "kubernetes.io/azure-disk").Add(WrittenClaim().Bound("pv-new"));
         cluster.Add(MakePv("pv-new").Set({"spec", "azureDisk"}, R"({"kind":"Dedicated"})"));
       },
       "could not translate pv: kind(Dedicated) is not supported in csi migration"},
  };
  Check(cases, AddProvisioned);
}

// Goal: versions are compared as unsigned 64-bit integers.
TEST(VolumeBindingBind, ComparesVersionsAsUnsignedIntegers) {
  const LookCase cases[] = {
      {"beyond those with a sign",
       [](VolumeCluster& cluster) {
         cluster.Add(WrittenVolume().Version("18446744073709551615")).Add(BoundClaim());
       },
       ""},
  };
  Check(cases, AddStatic);
}

// Goal: a check stops at the first object that is not ready.
TEST(VolumeBindingBind, StopsAtTheFirstObjectThatIsNotReady) {
  VolumeCluster cluster;
  AddStatic(cluster).Add(MakePvc("d").Class("make"));
  Binding binding(cluster, MakePod().Name("p").Pvc("c").Pvc("d"));
  binding.StartPreBind();
  cluster.Add(MakePvc("d").Class("make").Version("9"));
  binding.GoTo(1'000);
  EXPECT_EQ(binding.OutcomeText(), "...");
  cluster.Add(WrittenVolume()).Add(BoundClaim());
  binding.GoTo(2'000);
  EXPECT_EQ(binding.OutcomeText(), "binding volumes: selectedNode annotation reset for PVC \"d\"");
}

}  // namespace
}  // namespace stowage
