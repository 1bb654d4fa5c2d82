// Goal: each of a pod's volumes counts for the right driver, and volumes that cannot be counted are
// reported.
#include <gtest/gtest.h>

#include <string_view>

#include "tests/core/plugins/limited_node.h"

namespace stowage {
namespace {

using namespace limited_node;  // NOLINT: made for these tests

// Goal: a claim without a volume stands for the volume that its class will provision.
TEST(NodeVolumeLimitsClaims, CountsClaimsByTheirClass) {
  const LimitCase cases[] = {
      {"wanted", 0, MakePod().Pvc("p1"), kExceeded},
      {"two wanted", 1, MakePod().Pvc("p1").Pvc("p2"), kExceeded},
      {"used", 1, MakePod().Pvc("c1"), kExceeded, Pods(MakePod().Pvc("p1"))},
      {"used there already", 1, MakePod().Pvc("p1"), kFits, Pods(MakePod().Pvc("p1"))},
      {"others share theirs", 2, MakePod().Pvc("c1"), kFits,
       Pods(MakePod().Pvc("p1"), MakePod().Pvc("p1"))},
      {"no such volume", 0, MakePod().Pvc("volume-gone"), kExceeded},
      {"no such volume, used", 1, MakePod().Pvc("c1"), kExceeded,
       Pods(MakePod().Pvc("volume-gone"))},
      {"no such volume and class", 0, MakePod().Pvc("volume-and-class-gone"), kFits},
      {"no such volume, no class", 0, MakePod().Pvc("volume-gone-classless"), kFits},
      {"no such class", 0, MakePod().Pvc("class-gone"), kFits, Pods(MakePod().Pvc("class-gone"))},
      {"no class", 0, MakePod().Pvc("classless"), kFits},
      {"no such class, used", 1, MakePod().Pvc("c1"), kFits, Pods(MakePod().Pvc("class-gone"))},
      {"another driver's class", 0, MakePod().Pvc("ebs-pending"), kFits},
  };
  ExpectVerdicts(kDriver, cases);
}

// Goal: claims of one name in two namespaces are two volumes.
TEST(NodeVolumeLimitsClaims, DistinguishesClaimsByNamespace) {
  LimitedNode node;
  PersistentVolumeClaim elsewhere = Claim("p1", "", "fast");
  elsewhere.metadata.namespace_ = Symbol("other");
  node.Put(elsewhere).Put(Limits({{kDriver, 1}})).Run(MakePod().Namespace("other").Pvc("p1"));
  EXPECT_EQ(node.Filter(MakePod().Pvc("p1"), "n"), kExceeded);
}

// Goal: the old class annotation takes precedence.
TEST(NodeVolumeLimitsClaims, PrefersTheClassAnnotation) {
  LimitedNode node;
  PersistentVolumeClaim annotated = Claim("annotated", "", "x");
  annotated.metadata.annotations = LabelMap{{"volume.beta.kubernetes.io/storage-class", "fast"}};
  node.Put(annotated).Put(Limits({{kDriver, 0}}));
  EXPECT_EQ(node.Filter(MakePod().Pvc("annotated"), "n"), kExceeded);
}

// Goal: a volume without a driver or a handle does not count.
TEST(NodeVolumeLimitsClaims, IgnoresVolumesWithoutHandle) {
  LimitedNode node;
  node.Put(CsiBacked("pv-x", kDriver, "")).Put(Claim("x", "pv-x"));
  node.Put(CsiBacked("pv-y", "", "h")).Put(Claim("y", "pv-y"));
  node.Put(Class("empty", "")).Put(Claim("z", "", "empty"));
  node.Put(Limits({{kDriver, 0}, {"", 0}}));
  EXPECT_EQ(node.Filter(MakePod().Pvc("x").Pvc("y").Pvc("z"), "n"), kFits);
}

// Goal: disks of in-tree plugins count for the drivers that replaced the plugins.
TEST(NodeVolumeLimitsClaims, CountsMigratedDisks) {
  const LimitCase cases[] = {
      {"volume", 0, MakePod().Pvc("ebs"), kExceeded},
      {"class", 0, MakePod().Pvc("ebs-pending"), kExceeded},
      {"inline", 0, Inline(kEbs), kExceeded},
      {"volume, used", 1, Inline(kEbs2), kExceeded, Pods(MakePod().Pvc("ebs"))},
      {"inline, used", 1, MakePod().Pvc("ebs-pending"), kExceeded, Pods(Inline(kEbs))},
      {"all kinds at the limit", 3, Inline(kEbs2), kFits,
       Pods(MakePod().Pvc("ebs"), MakePod().Pvc("ebs-pending"))},
      {"all kinds above it", 2, Inline(kEbs2), kExceeded,
       Pods(MakePod().Pvc("ebs"), MakePod().Pvc("ebs-pending"))},
      {"one disk inline and in a volume", 1, Inline(kEbs), kFits, Pods(MakePod().Pvc("ebs"))},
      {"one disk in-tree and as the driver's", 1, MakePod().Pvc("ebs"), kFits,
       Pods(MakePod().Pvc("ebs-csi"))},
      {"a disk whose translation fails, in a volume", 0, MakePod().Pvc("broken"), kFits,
       Pods(MakePod().Pvc("broken"))},
      {"another driver's", 0, MakePod().Pvc("c1"), kFits, Pods(MakePod().Pvc("c2"))},
  };
  ExpectVerdicts(kEbsDriver, cases);
  const LimitCase not_migrated[] = {
      {"volume", 0, MakePod().Pvc("file"), kFits, Pods(MakePod().Pvc("nfs"))},
      {"class", 0, MakePod().Pvc("file-pending"), kFits},
      {"inline", 0, Inline(R"("azureFile":{"secretName":"s"})").Pvc("file-pending"), kFits},
  };
  ExpectVerdicts("file.csi.azure.com", not_migrated);
  ExpectVerdicts("kubernetes.io/azure-file", not_migrated);
}

// Goal: an inline disk without a translation is an error, for the new pod and for running pods.
TEST(NodeVolumeLimitsClaims, FailsIfAnInlineDiskCannotBeTranslated) {
  const std::string_view broken = R"("azureDisk":{"diskURI":"d","kind":"Dedicated"})";
  const std::string_view want = "converting volume(v) from inline to csi: ";
  LimitedNode wanted;
  wanted.Put(Limits({}));
  Status status = wanted.Filter(Inline(broken), "n");
  EXPECT_EQ(status.code(), Code::kError);
  EXPECT_TRUE(status.Message().starts_with(want)) << status.Message();

  LimitedNode used;
  used.Put(Limits({{kDriver, 9}})).Run(Inline(broken));
  status = used.Filter(MakePod().Pvc("c1"), "n");
  EXPECT_EQ(status.code(), Code::kError);
  EXPECT_TRUE(status.Message().starts_with(want)) << status.Message();
  EXPECT_EQ(LimitedNode().Filter(Inline(broken), "n"), kFits) << "without a CSINode";
}

// Goal: errors in the pod's own claims are reported, whether the node has limits or not.
TEST(NodeVolumeLimitsClaims, ReportsInvalidClaims) {
  struct {
    std::string_view name;
    Pod pod;
    Status want;
  } cases[] = {
      {"nameless", MakePod().Pvc(""), Status::Error("PersistentVolumeClaim had no name")},
      {"no such claim", MakePod().Pvc("x"),
       Missing("looking up PVC default/x: persistentvolumeclaim \"x\" not found")},
      {"only in another namespace", MakePod().Namespace("other").Pvc("c1"),
       Missing("looking up PVC other/c1: persistentvolumeclaim \"c1\" not found")},
      {"the first of them", MakePod().Pvc("c1").Pvc("y").Pvc("x"),
       Missing("looking up PVC default/y: persistentvolumeclaim \"y\" not found")},
      {"ephemeral, no such claim", MakePod().Name("p").EphemeralVolume("v"),
       Missing("looking up PVC default/p-v: persistentvolumeclaim \"p-v\" not found")},
      {"ephemeral, another's claim", MakePod().Name("p").EphemeralVolume("theirs"),
       Status::Error("PVC default/p-theirs was not created for pod default/p (pod is not owner)")},
      {"ephemeral, claim without owner", MakePod().Name("p").EphemeralVolume("nobodys"),
       Status::Error("PVC default/p-nobodys was not created for pod default/p (pod is not owner)")},
      {"ephemeral, its claim", MakePod().Name("p").EphemeralVolume("own"), kFits},
  };
  for (const auto& c : cases) {
    LimitedNode node;
    node.Put(Claim("p-theirs", "pv1", "", "q")).Put(Claim("p-nobodys", "pv1"));
    node.Put(Claim("p-own", "", "fast", "p"));
    EXPECT_EQ(node.Filter(c.pod, "n"), c.want) << c.name << ", no CSINode";
    node.Put(Limits({{kDriver, 1}}));
    EXPECT_EQ(node.Filter(c.pod, "n"), c.want) << c.name;
  }
}

// Goal: ephemeral volumes count by the claims that were created for them.
TEST(NodeVolumeLimitsClaims, CountsEphemeralVolumes) {
  LimitedNode node;
  node.Put(Limits({{kDriver, 1}})).Put(Claim("p-v", "", "fast", "p"));
  node.Put(Claim("q-v", "pv1", "", "q")).Run(MakePod().EphemeralVolume("v"), "q");
  EXPECT_EQ(node.Filter(MakePod().Name("p").EphemeralVolume("v"), "n"), kExceeded);
  EXPECT_EQ(node.Filter(MakePod().Pvc("c1"), "n"), kFits) << "the same volume";
}

// Goal: missing claims of running pods are ignored, but claims of other owners are an error.
TEST(NodeVolumeLimitsClaims, IgnoresMissingClaimsOfRunningPods) {
  struct {
    std::string_view name;
    MakePod running;
    Status want;
  } cases[] = {
      {"no such claim", MakePod().Pvc("x"), kFits},
      {"no such claim, and one that counts", MakePod().Pvc("x").Pvc("c2"), kExceeded},
      {"ephemeral, no such claim", MakePod().EphemeralVolume("v"), kFits},
      {"ephemeral, another's claim", MakePod().EphemeralVolume("theirs"),
       Status::Error("PVC default/q-theirs was not created for pod default/q (pod is not owner)")},
      {"nameless", MakePod().Pvc(""), Status::Error("PersistentVolumeClaim had no name")},
  };
  for (const auto& c : cases) {
    LimitedNode node;
    node.Put(Limits({{kDriver, 1}})).Put(Claim("q-theirs", "pv2", "", "p")).Run(c.running);
    EXPECT_EQ(node.Filter(MakePod().Pvc("c1"), "n"), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
