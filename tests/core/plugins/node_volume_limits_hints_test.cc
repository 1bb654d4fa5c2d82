// Goal: a rejected pod is queued when a driver may attach more, when a pod with volumes is deleted,
// and when an object that it waits for arrives.
#include <gtest/gtest.h>

#include <optional>
#include <string_view>

#include "tests/core/plugins/limited_node.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

using namespace limited_node;  // NOLINT: made for these tests

VolumeAttachment AttachedBy(std::string_view attacher) {
  VolumeAttachment attachment;
  attachment.metadata.name = Symbol("a");
  attachment.spec.attacher = Symbol(attacher);
  return attachment;
}

PersistentVolumeClaim Elsewhere(std::string_view name) {
  PersistentVolumeClaim claim = Claim(name, "");
  claim.metadata.namespace_ = Symbol("other");
  return claim;
}

constexpr std::string_view kAzureFile = R"("azureFile":{"secretName":"s","shareName":"t"})";

void ExpectHints(std::span<const HintCase> cases) {
  PluginRunner<NodeVolumeLimits> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

// Goal: a CSINode helps if it is new or a driver may attach more there; nodes never do.
TEST(NodeVolumeLimitsHints, CoverCsiNodes) {
  const ClusterEvent added = {EventResource::kCsiNode, action::kAdd};
  const ClusterEvent updated = {EventResource::kCsiNode, action::kUpdate};
  const Pod pod = MakePod().Name("p").Pvc("a");
  const CsiNode one = Limits({{"x", 1}});
  const CsiNode unlimited = Limits({{"x", std::nullopt}});
  const HintCase cases[] = {
      {"comes", added, pod, WasAdded(one), "Queue"},
      {"comes without drivers", added, pod, WasAdded(Limits({})), "Queue"},
      {"may attach more", updated, pod, WasUpdated(one, Limits({{"x", 2}})), "Queue"},
      {"may attach as many", updated, pod, WasUpdated(one, one), "Skip"},
      {"may attach fewer", updated, pod, WasUpdated(one, Limits({{"x", 0}})), "Skip"},
      {"gets a limit", updated, pod, WasUpdated(unlimited, one), "Queue"},
      {"gets the limit 0", updated, pod, WasUpdated(unlimited, Limits({{"x", 0}})), "Skip"},
      {"loses its limit", updated, pod, WasUpdated(one, unlimited), "Skip"},
      {"gets a driver", updated, pod, WasUpdated(one, Limits({{"x", 1}, {"y", 1}})), "Queue"},
      {"gets a driver without a limit", updated, pod,
       WasUpdated(one, Limits({{"x", 1}, {"y", std::nullopt}})), "Skip"},
      {"loses a driver", updated, pod, WasUpdated(Limits({{"x", 1}, {"y", 1}}), one), "Skip"},
      {"one driver more, one less", updated, pod,
       WasUpdated(Limits({{"x", 2}, {"y", 1}}), Limits({{"x", 1}, {"y", 2}})), "Queue"},
      {"the order of its drivers", updated, pod,
       WasUpdated(Limits({{"x", 2}, {"y", 1}}), Limits({{"y", 1}, {"x", 2}})), "Skip"},
      {"the old object is no CSINode", updated, pod, WithWrongOld(WasUpdated(one, one)), "Queue"},
      {"goes", {EventResource::kCsiNode, action::kDelete}, pod, WasDeleted(one), "deaf"},
      {"a node comes", NodeEvent(action::kAdd), pod, WasAdded(MakeNode().Name("n")), "deaf"},
      {"a node's labels", NodeEvent(action::kUpdateNodeLabel), pod,
       WasUpdated(MakeNode().Name("n"), MakeNode().Name("n")), "deaf"},
  };
  ExpectHints(cases);
}

// Goal: a deleted pod that had a node and a volume of some driver frees an attachment.
TEST(NodeVolumeLimitsHints, CoverDeletedPods) {
  const ClusterEvent deleted = AssignedPodEvent(action::kDelete);
  const Pod pod = MakePod().Name("p").Pvc("a");
  auto was = [](MakePod gone) { return WasDeleted(gone.Name("q").Node("n").Obj()); };
  const HintCase cases[] = {
      {"no volumes", deleted, pod, was(MakePod()), "Skip"},
      {"claim", deleted, pod, was(MakePod().Pvc("b")), "Queue"},
      {"claim in another namespace", deleted, pod, was(MakePod().Namespace("other").Pvc("b")),
       "Queue"},
      {"claim, nominated", deleted, pod,
       WasDeleted(MakePod().Name("q").NominatedNodeName("n").Pvc("b").Obj()), "Queue"},
      {"claim, was nowhere", deleted, pod, WasDeleted(MakePod().Name("q").Pvc("b").Obj()), "Skip"},
      {"ephemeral", deleted, pod, was(MakePod().EphemeralVolume()), "Queue"},
      {"migratable", deleted, pod, was(Inline(kEbs)), "Queue"},
      {"migratable, not switched on", deleted, pod, was(Inline(kAzureFile)), "Queue"},
      {"migratable, was nowhere", deleted, pod, WasDeleted(Inline(kEbs).Obj()), "Skip"},
      {"second volume", deleted, pod, was(MakePod().EmptyDir().Pvc("b")), "Queue"},
      {"not migratable", deleted, pod, was(Inline(R"("iscsi":{"iqn":"a"})")), "Skip"},
      {"inline CSI", deleted, pod, was(Inline(R"("csi":{"driver":"x"})")), "Skip"},
      {"other volumes", deleted, pod, was(MakePod().EmptyDir().ImageVolume("i")), "Skip"},
      {"the object is no pod", deleted, pod, WithWrongOld(was(MakePod())), "Queue"},
      {"a pod comes", AssignedPodEvent(action::kAdd), pod, WasAdded(pod), "deaf"},
  };
  ExpectHints(cases);
}

// Goal: a claim queues the pods that use it.
TEST(NodeVolumeLimitsHints, CoverClaims) {
  const ClusterEvent added = {EventResource::kPersistentVolumeClaim, action::kAdd};
  const Pod pod = MakePod().Name("p").Pvc("a").Pvc("b").EphemeralVolume("v");
  const HintCase cases[] = {
      {"its second claim", added, pod, WasAdded(Claim("b", "")), "Queue"},
      {"the claim of its ephemeral volume", added, pod, WasAdded(Claim("p-v", "")), "Queue"},
      {"the name of its ephemeral volume", added, pod, WasAdded(Claim("v", "")), "Skip"},
      {"another claim", added, pod, WasAdded(Claim("c", "")), "Skip"},
      {"its name in another namespace", added, pod, WasAdded(Elsewhere("b")), "Skip"},
      {"the ephemeral volume's in another namespace", added, pod, WasAdded(Elsewhere("p-v")),
       "Skip"},
      {"a pod without claims", added, MakePod().EmptyDir(), WasAdded(Claim("a", "")), "Skip"},
      {"the object is no claim", added, pod, WithWrongNew(WasAdded(Claim("c", ""))), "Queue"},
      {"a claim changes",
       {EventResource::kPersistentVolumeClaim, action::kUpdate},
       pod,
       WasUpdated(Claim("a", ""), Claim("a", "")),
       "deaf"},
  };
  ExpectHints(cases);
}

// Goal: a detached volume queues pods with claims, and pods with disks of its driver.
TEST(NodeVolumeLimitsHints, CoverDeletedAttachments) {
  const ClusterEvent deleted = {EventResource::kVolumeAttachment, action::kDelete};
  const EventObjects by_ebs = WasDeleted(AttachedBy("ebs.csi.aws.com"));
  const EventObjects by_other = WasDeleted(AttachedBy("other.example.com"));
  const std::string_view broken = R"("azureDisk":{"diskURI":"d","kind":"Dedicated"})";
  const HintCase cases[] = {
      {"claim", deleted, MakePod().Pvc("a"), by_other, "Queue"},
      {"no volumes", deleted, MakePod(), by_ebs, "Skip"},
      {"ephemeral", deleted, MakePod().EphemeralVolume(), by_ebs, "Skip"},
      {"other volumes", deleted, MakePod().EmptyDir().ImageVolume("i"), by_ebs, "Skip"},
      {"its driver", deleted, Inline(kEbs), by_ebs, "Queue"},
      {"another driver", deleted, Inline(kEbs), by_other, "Skip"},
      {"another driver, and a claim after it", deleted, Inline(kEbs).Pvc("a"), by_other, "Queue"},
      {"its second disk's driver", deleted,
       MakePod().Volumes({MakeVolume(R"("cinder":{"volumeID":"a"})"), MakeVolume(kEbs)}), by_ebs,
       "Queue"},
      {"not migratable", deleted, Inline(R"("iscsi":{"iqn":"a"})"), by_ebs, "Skip"},
      {"does not translate", deleted, Inline(broken), by_other, "Queue"},
      {"migratable, not switched on, its driver", deleted, Inline(kAzureFile),
       WasDeleted(AttachedBy("file.csi.azure.com")), "Queue"},
      {"migratable, not switched on, another driver", deleted, Inline(kAzureFile), by_other,
       "Skip"},
      {"vSphere, another driver", deleted, Inline(R"("vsphereVolume":{"volumePath":"a"})"),
       by_other, "Skip"},
      {"the object is no attachment", deleted, MakePod(), WithWrongOld(by_ebs), "Queue"},
      {"one comes",
       {EventResource::kVolumeAttachment, action::kAdd},
       MakePod().Pvc("a"),
       WasAdded(AttachedBy("ebs.csi.aws.com")),
       "deaf"},
  };
  ExpectHints(cases);
}

}  // namespace
}  // namespace stowage
