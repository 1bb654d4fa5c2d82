#include "core/plugins/node_volume_limits.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>

#include "core/framework/signers.h"
#include "tests/core/plugins/limited_node.h"

namespace stowage {
namespace {

using namespace limited_node;  // NOLINT: made for these tests

// Goal: a driver attaches no more volumes than its limit. Method: a pod, the pods on the node, and
// the driver's limit there.
TEST(NodeVolumeLimits, CountsVolumesOfTheDriver) {
  const Pod two = MakePod().Pvc("c1").Pvc("c2");
  const LimitCase cases[] = {
      {"below the limit", 3, two, kFits},
      {"at the limit", 2, two, kFits},
      {"above the limit", 1, two, kExceeded},
      {"at the limit with others", 3, two, kFits, Pods(MakePod().Pvc("c3"))},
      {"above the limit with others", 2, two, kExceeded, Pods(MakePod().Pvc("c3"))},
      {"others are above it already", 0, MakePod().Pvc("other"), kFits, Pods(MakePod().Pvc("c3"))},
      {"none may be attached", 0, MakePod().Pvc("c1"), kExceeded},
      {"a limit below zero is one", -1, MakePod().Pvc("c1"), kExceeded},
      {"used there already", 1, MakePod().Pvc("c1"), kFits, Pods(MakePod().Pvc("c1"))},
      {"used there already, beyond the limit", 1, MakePod().Pvc("c1"), kFits,
       Pods(MakePod().Pvc("c1"), MakePod().Pvc("c2"))},
      {"one is used there already", 2, two, kFits, Pods(MakePod().Pvc("c1"))},
      {"the volume is used there by another claim", 1, MakePod().Pvc("also-c1"), kFits,
       Pods(MakePod().Pvc("c1"))},
      {"one claim twice", 1, MakePod().Pvc("c1").Pvc("c1"), kFits},
      {"two claims of one volume", 1, MakePod().Pvc("c1").Pvc("also-c1"), kFits},
      {"others share theirs", 2, MakePod().Pvc("c1"), kFits,
       Pods(MakePod().Pvc("c2"), MakePod().Pvc("c2"))},
      {"another driver's, wanted", 1, MakePod().Pvc("c1").Pvc("other"), kFits},
      {"another driver's, used", 1, MakePod().Pvc("c1"), kFits, Pods(MakePod().Pvc("other"))},
      {"other volumes do not count", 1, MakePod().Pvc("c1").EmptyDir().ImageVolume("i"), kFits,
       Pods(MakePod().EmptyDir())},
  };
  ExpectVerdicts(kDriver, cases);
}

// Goal: drivers without a limit in the node's CSINode are not limited.
TEST(NodeVolumeLimits, UsesTheLimitsOfTheCsiNode) {
  struct {
    std::string_view name;
    std::optional<CsiNode> csi_node;
    Status want;
  } cases[] = {
      {"no CSINode", std::nullopt, kFits},
      {"no drivers", Limits({}), kFits},
      {"no limit", Limits({{kDriver, std::nullopt}}), kFits},
      {"another driver's limit", Limits({{kDriver, std::nullopt}, {"other.example.com", 0}}),
       kFits},
      {"a limit after another driver's", Limits({{"other.example.com", 9}, {kDriver, 1}}),
       kExceeded},
      {"allocatable without a count", MakeCsiNode(R"({"metadata":{"name":"n"},"spec":{"drivers":[
                       {"name":"csi.example.com","allocatable":{}}]}})"),
       kFits},
      {"another node's limit", MakeCsiNode(R"({"metadata":{"name":"m"},"spec":{"drivers":[
                       {"name":"csi.example.com","allocatable":{"count":0}}]}})"),
       kFits},
  };
  for (const auto& c : cases) {
    LimitedNode node;
    if (c.csi_node) node.Put(*c.csi_node);
    EXPECT_EQ(node.Filter(MakePod().Pvc("c1").Pvc("c2"), "n"), c.want) << c.name;
  }
}

// Goal: attached volumes count even if no pod uses them, but do not replace a volume that the pod
// brings.
TEST(NodeVolumeLimits, CountsAttachments) {
  struct {
    std::string_view name;
    int32_t limit;
    VolumeAttachment attachment;
    Status want;
    MakePod running = MakePod();
    std::string_view second = "";  // another attached volume
  } cases[] = {
      {"unused volume", 1, Attachment(kDriver, "pv2"), kExceeded},
      {"below the limit", 2, Attachment(kDriver, "pv2"), kFits},
      {"two", 2, Attachment(kDriver, "pv2"), kExceeded, MakePod(), "pv3"},
      {"one volume twice", 2, Attachment(kDriver, "pv2"), kFits, MakePod(), "pv2"},
      {"of a pod that runs", 2, Attachment(kDriver, "pv2"), kFits, MakePod().Pvc("c2")},
      {"the pod's own volume counts twice", 1, Attachment(kDriver, "pv1"), kExceeded},
      {"the pod's own volume, and room for it", 2, Attachment(kDriver, "pv1"), kFits},
      {"the pod's own volume, used there", 1, Attachment(kDriver, "pv1"), kFits,
       MakePod().Pvc("c1")},
      {"another attacher", 1, Attachment("other.example.com", "pv2"), kFits},
      {"the attacher counts, not the volume's driver", 1, Attachment(kDriver, "pv-other"),
       kExceeded},
      {"on another node", 1, Attachment(kDriver, "pv2", "m"), kFits},
      {"no such volume", 1, Attachment(kDriver, "gone"), kFits},
      {"no CSI volume", 1, Attachment(kDriver, "pv-ebs"), kFits},
      {"inline volume", 1, Attachment(kDriver, ""), kFits},
      {"no attacher", 1, Attachment("", "pv2"), kFits},
  };
  for (const auto& c : cases) {
    LimitedNode node;
    node.Put(Limits({{kDriver, c.limit}})).Put(c.attachment).Run(c.running);
    if (!c.second.empty()) node.Put(Attachment(kDriver, c.second, "n", "b"));
    EXPECT_EQ(node.Filter(MakePod().Pvc("c1"), "n"), c.want) << c.name;
  }
}

// Goal: with the gate, a node without the driver is refused if the driver requires it.
TEST(NodeVolumeLimits, VolumeLimitScalingRequiresTheDriver) {
  const Status missing =
      Status::Unschedulable("csi.example.com CSI driver is not installed on the node");
  auto driver = [](std::optional<bool> prevents) {
    CsiDriver object;
    object.metadata.name = Symbol(kDriver);
    object.spec.prevent_pod_scheduling_if_missing = prevents;
    return object;
  };
  struct {
    std::string_view name;
    bool gate;
    std::optional<CsiDriver> driver;
    std::optional<CsiNode> csi_node;
    Status want;
  } cases[] = {
      {"no such driver", true, std::nullopt, Limits({}), kFits},
      {"it does not say", true, driver(std::nullopt), Limits({}), kFits},
      {"it says no", true, driver(false), Limits({}), kFits},
      {"not installed", true, driver(true), Limits({{"other.example.com", 9}}), missing},
      {"no CSINode", true, driver(true), std::nullopt, missing},
      {"installed", true, driver(true), Limits({{kDriver, std::nullopt}}), kFits},
      {"installed, and full", true, driver(true), Limits({{kDriver, 0}}), kExceeded},
      {"without the gate", false, driver(true), std::nullopt, kFits},
  };
  for (const auto& c : cases) {
    Features features;
    features.volume_limit_scaling = c.gate;
    LimitedNode node(features);
    if (c.driver) node.Put(*c.driver);
    if (c.csi_node) node.Put(*c.csi_node);
    EXPECT_EQ(node.Filter(MakePod().Pvc("c1"), "n"), c.want) << c.name;
    EXPECT_EQ(node.Filter(MakePod().Pvc("other"), "n"), kFits) << c.name;
  }
}

// Goal: Filter runs only for pods with claims or migratable disks, and their verdicts are not
// cached. Signatures cover the volumes.
TEST(NodeVolumeLimits, ChecksClaimsAndMigratableDisks) {
  struct {
    std::string_view name;
    Pod pod;
    bool want;
  } cases[] = {
      {"no volumes", MakePod(), false},
      {"empty", MakePod().EmptyDir(), false},
      {"image", MakePod().ImageVolume("i"), false},
      {"secret and configMap",
       MakePod().Volumes({MakeVolume(R"("secret":{})"), MakeVolume(R"("configMap":{})")}), false},
      {"claim", MakePod().EmptyDir().Pvc("c1"), true},
      {"ephemeral", MakePod().EphemeralVolume(), true},
      {"EBS", Inline(kEbs), true},
      {"GCE", Inline(R"("gcePersistentDisk":{"pdName":"a"})"), true},
      {"Azure disk", Inline(R"("azureDisk":{"diskURI":"a"})"), true},
      {"Azure file", Inline(R"("azureFile":{"secretName":"a"})"), true},
      {"Cinder", Inline(R"("cinder":{"volumeID":"a"})"), true},
      {"vSphere", Inline(R"("vsphereVolume":{"volumePath":"a"})"), true},
      {"Portworx", Inline(R"("portworxVolume":{"volumeID":"a"})"), true},
      {"CSI", Inline(R"("csi":{"driver":"a"})"), false},
      {"iSCSI", Inline(R"("iscsi":{"iqn":"a"})"), false},
      {"RBD", Inline(R"("rbd":{"image":"a"})"), false},
      {"NFS", Inline(R"("nfs":{"server":"a"})"), false},
  };
  LimitedNode node;
  for (const auto& c : cases) {
    EXPECT_EQ(node.PreFilter(c.pod), c.want ? Status::Success() : Status::Skip()) << c.name;
    PodSignature fragment, signature, want;
    // A claim is as good as another one of its driver.
    bool is_cached = !c.want || c.name == "claim";
    EXPECT_EQ(node.plugin().AppendFragment(c.pod, &fragment), is_cached) << c.name;
    node.plugin().SignPod(c.pod, &signature);
    SignVolumes(c.pod, &want);
    EXPECT_TRUE(signature == want) << c.name;
    EXPECT_FALSE(signature == PodSignature()) << c.name;
  }
}

// Goal: a pod without volumes passes even without PreFilter's state.
TEST(NodeVolumeLimits, FilterPassesPodsWithoutVolumes) {
  LimitedNode node;
  node.Put(Limits({{kDriver, 0}})).Run(MakePod().Pvc(""));
  EXPECT_EQ(node.plugin().Filter(CycleState(), MakePod(), node.handle().node("n")), kFits);
  EXPECT_EQ(node.plugin().Filter(CycleState(), MakePod().EmptyDir(), node.handle().node("n")),
            kFits);
}

}  // namespace
}  // namespace stowage
