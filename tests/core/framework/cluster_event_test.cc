#include "core/framework/cluster_event.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

using R = EventResource;
using Actions = std::vector<ActionType>;

Actions ActionsOf(const std::vector<ClusterEvent>& events) {
  Actions actions;
  for (const ClusterEvent& event : events) actions.push_back(event.action);
  return actions;
}

TEST(ActionType, HasTheBitsOfTheReference) {
  EXPECT_EQ(action::kUpdate, 8188u);
  EXPECT_EQ(action::kAll, 8191u);
  EXPECT_EQ(action::kAdd | action::kDelete | action::kUpdate, action::kAll);
  ActionType updates = 0;
  for (ActionType bit = action::kUpdateNodeAllocatable;
       bit <= action::kUpdatePodGeneratedResourceClaim; bit <<= 1) {
    updates |= bit;
    EXPECT_EQ(ActionOfText(ActionText(bit)), bit) << ActionText(bit);
    EXPECT_TRUE(ActionText(bit).starts_with("Update")) << ActionText(bit);
  }
  EXPECT_EQ(updates, action::kUpdate);
}

TEST(ActionType, IsReadFromItsText) {
  EXPECT_EQ(ActionOfText("Add"), action::kAdd);
  EXPECT_EQ(ActionOfText("Delete"), action::kDelete);
  EXPECT_EQ(ActionOfText("UpdateNodeTaint"), action::kUpdateNodeTaint);
  EXPECT_EQ(ActionOfText("Update"), action::kUpdate);
  EXPECT_EQ(ActionOfText("All"), action::kAll);
  EXPECT_EQ(ActionOfText("*"), action::kAll);
  for (std::string_view text : {"", "add", "UpdateNode", "Add|Delete"}) {
    EXPECT_EQ(ActionOfText(text), std::nullopt) << text;
  }
}

TEST(ClusterEvent, HasLabels) {
  struct {
    ClusterEvent event;
    std::string_view want;
  } cases[] = {
      {{R::kNode, action::kAdd}, "NodeAdd"},
      {{R::kNode, action::kUpdateNodeTaint}, "NodeUpdateNodeTaint"},
      {{R::kNode, action::kAdd | action::kUpdateNodeTaint}, "NodeAdd|UpdateNodeTaint"},
      {{R::kPod, action::kAll}, "PodAll"},
      {{R::kPersistentVolume, action::kUpdate}, "PersistentVolumeUpdate"},
      {{R::kPersistentVolumeClaim, action::kAdd}, "PersistentVolumeClaimAdd"},
      {{R::kCsiNode, action::kAdd}, "storage.k8s.io/CSINodeAdd"},
      {{R::kCsiDriver, action::kUpdate}, "storage.k8s.io/CSIDriverUpdate"},
      {{R::kVolumeAttachment, action::kDelete}, "storage.k8s.io/VolumeAttachmentDelete"},
      {{R::kCsiStorageCapacity, action::kAdd}, "storage.k8s.io/CSIStorageCapacityAdd"},
      {{R::kStorageClass, action::kAdd}, "storage.k8s.io/StorageClassAdd"},
      {{R::kResourceClaim, action::kAdd}, "resource.k8s.io/ResourceClaimAdd"},
      {{R::kResourceSlice, action::kAdd}, "resource.k8s.io/ResourceSliceAdd"},
      {{R::kDeviceClass, action::kAdd}, "resource.k8s.io/DeviceClassAdd"},
      {{R::kPodGroup, action::kAdd}, "scheduling.k8s.io/PodGroupAdd"},
      {{R::kOther, action::kAdd, Symbol("foos.v1.example.com")}, "foos.v1.example.comAdd"},
      {AssignedPodEvent(action::kUpdatePodLabel), "AssignedPodUpdatePodLabel"},
      {AssignedPodEvent(action::kDelete), "AssignedPodDelete"},
      {UnscheduledPodEvent(action::kAdd), "UnschedulablePodAdd"},
      {UnschedulableTimeoutEvent(), "UnschedulableTimeout"},
      {ForceActivateEvent(), "ForceActivate"},
      {{}, "*All"},
  };
  for (const auto& c : cases) EXPECT_EQ(c.event.Label(), c.want);
}

TEST(ClusterEvent, MatchesEvents) {
  const Symbol foos("foos.v1.example.com");
  const ActionType add_or_taint = action::kAdd | action::kUpdateNodeTaint;
  struct {
    std::string_view name;
    ClusterEvent registered;
    ClusterEvent incoming;
    bool want;
  } cases[] = {
      {"the same", {R::kNode, action::kAdd}, {R::kNode, action::kAdd}, true},
      {"one of two", {R::kNode, add_or_taint}, {R::kNode, action::kUpdateNodeTaint}, true},
      {"another action", {R::kNode, add_or_taint}, {R::kNode, action::kDelete}, false},
      {"a bit below the largest",
       {R::kNode, add_or_taint},
       {R::kNode, action::kUpdateNodeLabel},
       false},
      {"another resource", {R::kNode, action::kAdd}, {R::kCsiNode, action::kAdd}, false},
      {"any update, a specific one",
       {R::kPod, action::kUpdate},
       AssignedPodEvent(action::kUpdatePodLabel),
       true},
      {"any update, the general one",
       {R::kPod, action::kUpdate},
       AssignedPodEvent(action::kUpdate),
       true},
      {"a specific update, the general one",
       {R::kPod, action::kUpdatePodLabel},
       AssignedPodEvent(action::kUpdate),
       false},
      {"all, the general update", {R::kPod, action::kAll}, AssignedPodEvent(action::kUpdate), true},
      {"shared bits, and incoming is larger",
       {R::kNode, action::kAdd | action::kDelete},
       {R::kNode, action::kAdd | action::kUpdateNodeTaint},
       false},
      {"pods: an assigned one", {R::kPod, action::kAdd}, AssignedPodEvent(action::kAdd), true},
      {"pods: a pending one", {R::kPod, action::kAdd}, UnscheduledPodEvent(action::kAdd), true},
      {"assigned pods: a pending one", AssignedPodEvent(action::kAdd),
       UnscheduledPodEvent(action::kAdd), false},
      {"nodes: a pod", {R::kNode, action::kAdd}, AssignedPodEvent(action::kAdd), false},
      {"everything", {}, {R::kNode, action::kUpdateNodeCondition}, true},
      {"everything: the timeout", {}, UnschedulableTimeoutEvent(), true},
      {"any resource added", {R::kWildcard, action::kAdd}, {R::kNode, action::kAdd}, true},
      {"any resource added: deleted",
       {R::kWildcard, action::kAdd},
       {R::kNode, action::kDelete},
       false},
      {"any resource added: the timeout",
       {R::kWildcard, action::kAdd},
       UnschedulableTimeoutEvent(),
       false},
      {"all of pods: the timeout", {R::kPod, action::kAll}, UnschedulableTimeoutEvent(), false},
      {"all of pods: activation", {R::kPod, action::kAll}, ForceActivateEvent(), false},
      {"by name", {R::kOther, action::kAdd, foos}, {R::kOther, action::kAdd, foos}, true},
      {"another name",
       {R::kOther, action::kAdd, foos},
       {R::kOther, action::kAdd, Symbol("bars.v1.example.com")},
       false},
  };
  for (const auto& c : cases) EXPECT_EQ(c.registered.Matches(c.incoming), c.want) << c.name;
}

TEST(EventObjects, AreOfOneKind) {
  const PodRef pod = MakePod().Name("p").Ref();
  const NodeRef node = MakeNode().Name("n").Ref();
  EventObjects update{pod, pod};
  ASSERT_TRUE(update.As<Pod>().has_value());
  EXPECT_TRUE(update.As<Pod>()->IsUpdate());
  EXPECT_EQ(update.New<Pod>(), pod.get());
  EXPECT_EQ(update.New<Node>(), nullptr);
  EXPECT_FALSE(update.As<Node>().has_value());
  EventObjects deletion{pod, {}};
  ASSERT_TRUE(deletion.As<Pod>().has_value());
  EXPECT_EQ(deletion.As<Pod>()->old_object, pod.get());
  EXPECT_EQ(deletion.As<Pod>()->new_object, nullptr);
  EXPECT_FALSE(deletion.As<Pod>()->IsUpdate());
  EXPECT_FALSE((EventObjects{pod, node}.As<Pod>().has_value()));
  EXPECT_FALSE((EventObjects{node, pod}.As<Pod>().has_value()));
  EXPECT_FALSE(EventObjects{}.As<Pod>().has_value());
}

MakePod Sized(std::string_view cpu) { return MakePod().Name("p").Req({{"cpu", cpu}}); }

TEST(PodSchedulingPropertiesChange, ReportsEveryProperty) {
  Pod resizing = Sized("1");
  resizing.status.container_statuses.emplace_back().name = Symbol("container-0");
  resizing.status.container_statuses.Mutable()[0].resources.emplace();
  resizing.status.container_statuses.Mutable()[0].allocated_resources =
      MakeResourceList({{"cpu", "2"}});
  struct {
    std::string_view name;
    Pod before;
    Pod after;
    Actions want;
  } cases[] = {
      {"nothing", Sized("1"), Sized("1"), {action::kUpdate}},
      {"an annotation", MakePod(), MakePod().Annotation("k", "v"), {action::kUpdate}},
      {"a label", MakePod(), MakePod().Label("k", "v"), {action::kUpdatePodLabel}},
      {"labels in another order",
       MakePod().Label("a", "").Label("b", ""),
       MakePod().Label("b", "").Label("a", ""),
       {action::kUpdate}},
      {"less", Sized("2"), Sized("1"), {action::kUpdatePodScaleDown}},
      {"less by a milli", Sized("2"), Sized("1999m"), {action::kUpdatePodScaleDown}},
      {"more", Sized("1"), Sized("2"), {action::kUpdate}},
      {"none of it", Sized("1"), MakePod().Req({{"memory", "1"}}), {action::kUpdatePodScaleDown}},
      {"less of one, more of another",
       MakePod().Req({{"cpu", "2"}, {"memory", "1"}}),
       MakePod().Req({{"cpu", "1"}, {"memory", "2"}}),
       {action::kUpdatePodScaleDown}},
      {"less at pod level",
       MakePod().PodLevelReq({{"cpu", "2"}}),
       MakePod().PodLevelReq({{"cpu", "1"}}),
       {action::kUpdatePodScaleDown}},
      {"less overhead",
       MakePod().Overhead({{"cpu", "2"}}),
       MakePod().Overhead({{"cpu", "1"}}),
       {action::kUpdatePodScaleDown}},
      {"less is asked for, and still held", Sized("2"), resizing, {action::kUpdate}},
      {"less is held", resizing, Sized("1"), {action::kUpdatePodScaleDown}},
      {"the last gates go",
       MakePod().SchedulingGates({"a", "b"}),
       MakePod(),
       {action::kUpdatePodSchedulingGatesEliminated}},
      {"one of two gates goes",
       MakePod().SchedulingGates({"a", "b"}),
       MakePod().SchedulingGates({"b"}),
       {action::kUpdate}},
      {"a toleration more",
       MakePod(),
       MakePod().Toleration("k", "Exists"),
       {action::kUpdatePodToleration}},
      {"another toleration",
       MakePod().Toleration("k", "Exists"),
       MakePod().Toleration("l", "Exists"),
       {action::kUpdate}},
      {"three at once, in order",
       MakePod().SchedulingGates({"a"}),
       MakePod().Toleration("k", "Exists").Label("k", "v"),
       {action::kUpdatePodLabel, action::kUpdatePodSchedulingGatesEliminated,
        action::kUpdatePodToleration}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ActionsOf(PodSchedulingPropertiesChange(c.before, c.after, {})), c.want) << c.name;
  }
}

TEST(PodSchedulingPropertiesChange, ReportsClaims) {
  Pod claimed = MakePod().Name("p");
  claimed.status.resource_claim_statuses.push_back({Symbol("gpu"), Symbol("p-gpu")});
  Pod claimed_otherwise = MakePod().Name("p");
  claimed_otherwise.status.resource_claim_statuses.push_back({Symbol("gpu"), Symbol("other")});
  Pod extended = MakePod().Name("p");
  extended.status.extended_resource_claim_status.emplace().resource_claim_name = Symbol("x");
  const Actions want = {action::kUpdatePodGeneratedResourceClaim};
  const Pod none = MakePod().Name("p");
  EXPECT_EQ(ActionsOf(PodSchedulingPropertiesChange(none, claimed, {})), want);
  EXPECT_EQ(ActionsOf(PodSchedulingPropertiesChange(claimed, claimed_otherwise, {})), want);
  EXPECT_EQ(ActionsOf(PodSchedulingPropertiesChange(none, extended, {})), want);
  EXPECT_EQ(ActionsOf(PodSchedulingPropertiesChange(claimed, claimed, {})),
            Actions{action::kUpdate});
}

TEST(PodSchedulingPropertiesChange, NamesTheResourceByTheNewPod) {
  const Pod pending = MakePod().Name("p");
  const Pod assigned = MakePod().Name("p").Node("n");
  EXPECT_EQ(PodSchedulingPropertiesChange(assigned, assigned, {})[0].resource, R::kAssignedPod);
  EXPECT_EQ(PodSchedulingPropertiesChange(pending, assigned, {})[0].resource, R::kAssignedPod);
  EXPECT_EQ(PodSchedulingPropertiesChange(pending, pending, {})[0].resource, R::kUnschedulablePod);
}

TEST(NodeSchedulingPropertiesChange, ReportsEveryProperty) {
  const MakeNode base = MakeNode().Name("n").Allocatable({{"cpu", "1"}});
  auto node = [&base] { return base; };
  struct {
    std::string_view name;
    Node before;
    Node after;
    Actions want;
  } cases[] = {
      {"nothing", node(), node(), {}},
      {"uncordoned", node().Unschedulable(true), node(), {action::kUpdateNodeTaint}},
      {"cordoned", node(), node().Unschedulable(true), {}},
      {"allocatable", node(), node().Allocatable({{"cpu", "2"}}), {action::kUpdateNodeAllocatable}},
      {"allocatable, spelled otherwise", node(), node().Allocatable({{"cpu", "1000m"}}), {}},
      {"a label", node(), node().Label("k", "v"), {action::kUpdateNodeLabel}},
      {"a taint", node(), node().Taint("k", "", "NoSchedule"), {action::kUpdateNodeTaint}},
      {"taints in another order",
       node().Taint("a", "", "NoSchedule").Taint("b", "", "NoSchedule"),
       node().Taint("b", "", "NoSchedule").Taint("a", "", "NoSchedule"),
       {action::kUpdateNodeTaint}},
      {"a condition",
       node().Condition("Ready", "True"),
       node().Condition("Ready", "False"),
       {action::kUpdateNodeCondition}},
      {"conditions in another order",
       node().Condition("A", "True").Condition("B", "True"),
       node().Condition("B", "True").Condition("A", "True"),
       {}},
      {"an annotation", node(), node().Annotation("k", "v"), {action::kUpdateNodeAnnotation}},
      {"a declared feature",
       node(),
       node().DeclaredFeatures({"A"}),
       {action::kUpdateNodeDeclaredFeature}},
      {"declared features in another order",
       node().DeclaredFeatures({"A", "B"}),
       node().DeclaredFeatures({"B", "A"}),
       {action::kUpdateNodeDeclaredFeature}},
      {"an image", node(), node().Image("i", 1), {}},
      {"all at once, in order",
       node().Unschedulable(true).Taint("k", "", "NoSchedule"),
       node()
           .Allocatable({{"cpu", "2"}})
           .Label("k", "v")
           .Condition("Ready", "True")
           .Annotation("k", "v")
           .DeclaredFeatures({"A"}),
       {action::kUpdateNodeTaint, action::kUpdateNodeAllocatable, action::kUpdateNodeLabel,
        action::kUpdateNodeTaint, action::kUpdateNodeCondition, action::kUpdateNodeAnnotation,
        action::kUpdateNodeDeclaredFeature}},
  };
  for (const auto& c : cases) {
    std::vector<ClusterEvent> events = NodeSchedulingPropertiesChange(c.before, c.after);
    EXPECT_EQ(ActionsOf(events), c.want) << c.name;
    for (const ClusterEvent& event : events) EXPECT_EQ(event.resource, R::kNode) << c.name;
  }
}

TEST(WithImpliedNodeTaints, AddsTaintsToAddedNodes) {
  struct {
    std::string_view name;
    std::vector<ClusterEvent> registered;
    bool want;
  } cases[] = {
      {"nothing", {}, false},
      {"added nodes", {{R::kNode, action::kAdd}}, true},
      {"added and relabelled nodes", {{R::kNode, action::kAdd | action::kUpdateNodeLabel}}, true},
      {"relabelled nodes", {{R::kNode, action::kUpdateNodeLabel}}, false},
      {"taints are registered", {{R::kNode, action::kAdd | action::kUpdateNodeTaint}}, false},
      {"taints are registered apart",
       {{R::kNode, action::kUpdateNodeTaint}, {R::kNode, action::kAdd}},
       false},
      {"all of nodes", {{R::kNode, action::kAll}}, false},
      {"added pods", {{R::kPod, action::kAdd}}, false},
      {"added CSINodes", {{R::kCsiNode, action::kAdd}}, false},
  };
  for (const auto& c : cases) {
    std::vector<ClusterEventWithHint> events;
    auto skip = [](const Pod&, const EventObjects&) { return QueueingHint::kQueueSkip; };
    for (const ClusterEvent& event : c.registered) events.push_back({event, skip});
    std::vector<ClusterEventWithHint> all = WithImpliedNodeTaints(events);
    ASSERT_EQ(all.size(), events.size() + (c.want ? 1 : 0)) << c.name;
    if (!c.want) continue;
    EXPECT_EQ(all.back().event.Label(), "NodeUpdateNodeTaint") << c.name;
    EXPECT_EQ(all.back().hint, nullptr) << c.name << ": always queue";
  }
}

TEST(EventsOfSilentPlugin, OmitVolumeAttachmentsAndResourceSlices) {
  std::vector<std::string> want = {
      "PodAll",
      "NodeAll",
      "PersistentVolumeAll",
      "PersistentVolumeClaimAll",
      "storage.k8s.io/CSINodeAll",
      "storage.k8s.io/CSIDriverAll",
      "storage.k8s.io/CSIStorageCapacityAll",
      "storage.k8s.io/StorageClassAll",
      "resource.k8s.io/ResourceClaimAll",
      "resource.k8s.io/DeviceClassAll",
  };
  auto labels = [](const Features& features) {
    std::vector<std::string> all;
    for (const ClusterEventWithHint& one : EventsOfSilentPlugin(features)) {
      EXPECT_EQ(one.hint, nullptr) << one.event.Label();
      all.push_back(one.event.Label());
    }
    return all;
  };
  EXPECT_EQ(labels({}), want);
  Features groups;
  groups.generic_workload = true;
  want.push_back("scheduling.k8s.io/PodGroupAll");
  EXPECT_EQ(labels(groups), want);
}

}  // namespace
}  // namespace stowage
