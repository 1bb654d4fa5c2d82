// Goal: every change of an object becomes the same events as in the reference, in order, for the
// right pods (spec 02 §3-§5). Method: two rejected pods, "low" and "high", whose plugin registers
// everything and records its calls.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/objects.h"
#include "tests/core/scheduler/handled_cluster.h"

namespace stowage {
namespace {

class EventMovesTest : public testing::Test, protected HandledCluster {
 protected:
  EventMovesTest() {
    for (ActionType action :
         {action::kAdd, action::kDelete, action::kUpdatePodLabel, action::kUpdatePodScaleDown,
          action::kUpdatePodToleration, action::kUpdatePodSchedulingGatesEliminated}) {
      Listen({EventResource::kAssignedPod, action});
      Listen({EventResource::kUnschedulablePod, action});
    }
    for (ActionType action :
         {action::kAdd, action::kDelete, action::kUpdateNodeAllocatable, action::kUpdateNodeLabel,
          action::kUpdateNodeTaint, action::kUpdateNodeCondition, action::kUpdateNodeAnnotation}) {
      Listen({EventResource::kNode, action});
    }
    // General updates match only registrations of all kinds of update.
    Listen({EventResource::kAssignedPod, action::kUpdate});
    for (const auto& [name, priority] : {std::pair("high", 10), std::pair("low", 0)}) {
      queue_.Add(MakePodInfo(MakePod().Name(name).Priority(priority).Ref(), features_));
      QueuedPodRef pod = queue_.Pop();
      pod->unschedulable_plugins = {Symbol("Listener")};
      EXPECT_EQ(queue_.AddUnschedulableIfNotPresent(pod), std::nullopt);
    }
  }

  void Listen(const ClusterEvent& event) {
    hints().Add(Symbol("Listener"),
                {{event, [this, event](const Pod& pod, const EventObjects& objects) {
                    Receive(event, pod, objects);
                    return QueueingHint::kQueueSkip;
                  }}});
  }
  // The events since the last call, each followed by a space; with "(low)" if not all pods received
  // it.
  std::string TakeReceived() {
    std::string text;
    for (const ReceivedEvent& received : std::exchange(received_, {})) {
      text +=
          received.label + (received.pods == "high low " ? "" : "(" + received.pods + ")") + " ";
    }
    return text;
  }
  // Assumes a handled pod, as after its scheduling cycle.
  void Assume(const Pod& pod, std::string_view node) {
    queue_.Delete(pod);
    Pod assumed = pod;
    assumed.spec.node_name = Symbol(node);
    PodInfoRef info = MakePodInfo(std::make_shared<const Pod>(std::move(assumed)), features_);
    EXPECT_TRUE(cache_.AssumePod(info).IsSuccess());
  }

 private:
  struct ReceivedEvent {
    std::string label;
    EventObjects objects;
    std::string pods;
  };

  void Receive(const ClusterEvent& event, const Pod& pod, const EventObjects& objects) {
    bool is_same = !received_.empty() &&
                   received_.back().objects.old_object == objects.old_object &&
                   received_.back().objects.new_object == objects.new_object;
    // A registration for all updates also receives a special update.
    bool is_general = event.action == action::kUpdate;
    if (is_same && is_general && received_.back().label != event.Label()) return;
    for (ReceivedEvent& received : received_) {
      bool is_event = received.label == event.Label() &&
                      received.objects.old_object == objects.old_object &&
                      received.objects.new_object == objects.new_object;
      if (!is_event || received.pods.find(pod.metadata.name.str()) != std::string::npos) continue;
      received.pods += pod.metadata.name.str() + " ";
      return;
    }
    received_.push_back({event.Label(), objects, pod.metadata.name.str() + " "});
  }

  std::vector<ReceivedEvent> received_;
};

MakePod PodP() { return MakePod().Name("p").ResourceVersion("1"); }

struct ChangedPod {
  std::string_view name;
  std::optional<Pod> before;
  std::optional<Pod> after;  // nullopt: deleted
  std::string_view want;
};

TEST_F(EventMovesTest, CoversAssignedPods) {
  MakePod on_a = PodP().Node("a").Req({{"cpu", "2"}});
  MakePod labeled = MakePod(on_a).Label("k", "v");
  MakePod finished = MakePod(on_a).Phase("Succeeded");
  ChangedPod cases[] = {
      {"added", std::nullopt, on_a, "AssignedPodAdd "},
      {"added, of another scheduler", std::nullopt, MakePod(on_a).SchedulerName("x"),
       "AssignedPodAdd "},
      {"a resync", on_a, on_a, "AssignedPodUpdate "},
      {"an unimportant change", on_a, MakePod(on_a).Annotation("k", "v"), "AssignedPodUpdate "},
      {"a label", on_a, labeled, "AssignedPodUpdatePodLabel "},
      {"less", on_a, PodP().Node("a").Req({{"cpu", "1"}}), "AssignedPodUpdatePodScaleDown "},
      {"several changes", on_a, MakePod(labeled).Toleration("t", "Exists"),
       "AssignedPodUpdatePodLabel AssignedPodUpdatePodToleration "},
      {"it leaves", on_a, MakePod(on_a).Terminating(), "AssignedPodUpdate "},
      {"it has finished", on_a, finished, "AssignedPodDelete "},
      {"deleted", on_a, std::nullopt, "AssignedPodDelete "},
      {"another pod of the name there", on_a, MakePod(on_a).Uid("p2"), "AssignedPodUpdate "},
      {"another pod of the name elsewhere", on_a, MakePod(on_a).Uid("p2").Node("b"),
       "AssignedPodDelete AssignedPodAdd "},
      {"another pod of the name waits", on_a, PodP().Uid("p2"), "AssignedPodDelete "},
  };
  for (const ChangedPod& c : cases) {
    if (c.before) Put(*c.before);
    TakeReceived();
    c.after ? Put(*c.after) : DeletePod("p");
    EXPECT_EQ(TakeReceived(), c.want) << c.name;
    DeletePod("p");
  }
}

TEST_F(EventMovesTest, CoversPendingPods) {
  MakePod nominated = PodP().Priority(5).NominatedNodeName("a");
  ChangedPod cases[] = {
      {"added", std::nullopt, PodP(), ""},
      {"changed", PodP(), PodP().ResourceVersion("2").Label("k", "v"), ""},
      {"deleted", PodP(), std::nullopt, ""},
      {"bound by another client", nominated, MakePod(nominated).Node("b"), "AssignedPodAdd "},
      {"its nomination goes", nominated, PodP().ResourceVersion("2").Priority(5),
       "AssignedPodDelete(low ) "},
      {"its nomination moves", nominated,
       MakePod(nominated).ResourceVersion("2").NominatedNodeName("b"), "AssignedPodDelete(low ) "},
      {"its nomination stays", nominated, MakePod(nominated).ResourceVersion("2").Label("k", "v"),
       ""},
      {"a resync is nothing", nominated, PodP().Priority(5), ""},
      {"a nominated one is deleted", nominated, std::nullopt, "AssignedPodDelete(low ) "},
      {"a nominated one has finished", nominated, MakePod(nominated).Phase("Failed"),
       "AssignedPodDelete(low ) "},
      {"equal priority counts", PodP().Priority(10).NominatedNodeName("a"), std::nullopt,
       "AssignedPodDelete "},
      {"none below", PodP().Priority(-1).NominatedNodeName("a"), std::nullopt, ""},
      {"another scheduler's", PodP().SchedulerName("x").NominatedNodeName("a"), std::nullopt, ""},
      {"another scheduler's is bound", PodP().SchedulerName("x"),
       PodP().SchedulerName("x").Node("a"), "AssignedPodAdd "},
      {"given away", nominated, MakePod(nominated).ResourceVersion("2").SchedulerName("x"),
       "AssignedPodDelete(low ) "},
  };
  for (const ChangedPod& c : cases) {
    if (c.before) Put(*c.before);
    TakeReceived();
    c.after ? Put(*c.after) : DeletePod("p");
    EXPECT_EQ(TakeReceived(), c.want) << c.name;
    DeletePod("p");
    EXPECT_EQ(queue_.NumActive(), 0u) << c.name;
  }
}

TEST_F(EventMovesTest, CoversAssumedPods) {
  struct {
    std::string_view name;
    std::optional<Pod> after;
    std::string_view want;
    bool is_assumed;
  } cases[] = {
      {"changed", PodP().ResourceVersion("2").Label("k", "v"), "", true},
      {"its end begins", PodP().ResourceVersion("2").Terminating(), "AssignedPodDelete ", false},
      {"its end begins, says a resync", PodP().Terminating(), "", true},
      {"deleted", std::nullopt, "AssignedPodDelete ", false},
      {"bound", PodP().ResourceVersion("2").Node("a"), "AssignedPodAdd ", false},
      {"bound elsewhere", PodP().ResourceVersion("2").Node("b"), "AssignedPodAdd ", false},
  };
  for (const auto& c : cases) {
    Put(PodP().Obj());
    Assume(PodP(), "a");
    TakeReceived();
    c.after ? Put(*c.after) : DeletePod("p");
    EXPECT_EQ(TakeReceived(), c.want) << c.name;
    EXPECT_EQ(cache_.IsAssumedPod(Symbol("p")), c.is_assumed) << c.name;
    EXPECT_EQ(Inconsistencies(), "") << c.name;
    DeletePod("p");
    EXPECT_EQ(cache_.NumPods(), 0u) << c.name;
  }
}

TEST_F(EventMovesTest, KeepsATerminatingAssumedPodAfterAnUpdate) {
  Put(PodP().Terminating().Obj());
  Assume(PodP().Terminating(), "a");
  Put(PodP().ResourceVersion("2").Terminating().Label("k", "v").Obj());
  EXPECT_EQ(TakeReceived(), "");
  EXPECT_TRUE(cache_.IsAssumedPod(Symbol("p"))) << "it was leaving when it was assumed";
}

// Goal: a pod that a list no longer mentions is removed from everything, although its last state is
// unknown.
TEST_F(EventMovesTest, CoversAPodWhoseDeletionWasMissed) {
  struct {
    std::string_view name;
    Pod pod;
    bool is_assumed;
    std::string_view want;
    std::string_view want_inconsistency;
  } cases[] = {
      {"assigned", PodP().Node("a"), false, "AssignedPodDelete ", ""},
      {"assumed", PodP(), true, "AssignedPodDelete ", ""},
      {"pending", PodP(), false, "AssignedPodDelete ",
       "RemovePod default/p: pod p(default/p) is not found in scheduler cache, so cannot be "
       "removed "
       "from it\n"},
      {"nominated", PodP().Priority(5).NominatedNodeName("a"), false,
       "AssignedPodDelete AssignedPodDelete(low ) ",
       "RemovePod default/p: pod p(default/p) is not found in scheduler cache, so cannot be "
       "removed "
       "from it\n"},
  };
  for (const auto& c : cases) {
    Put(c.pod);
    if (c.is_assumed) Assume(c.pod, "a");
    TakeReceived();
    LosePod("p");
    EXPECT_EQ(TakeReceived(), c.want) << c.name;
    EXPECT_EQ(Inconsistencies(), c.want_inconsistency) << c.name;
    EXPECT_EQ(cache_.NumPods() + queue_.NumActive() + nominator_.size(), 0u) << c.name;
    EXPECT_EQ(GetPod("p"), nullptr) << c.name;
  }
}

// Goal: a deletion that names the pod's node removes it there, even if its binding was missed.
TEST_F(EventMovesTest, CoversAPodWhoseBindingWasMissed) {
  for (std::string_view node : {"a", "b"}) {
    Put(PodP().Obj());
    Assume(PodP(), "a");
    TakeReceived();
    Delete(PodP().Node(node));
    EXPECT_EQ(TakeReceived(), "AssignedPodDelete ") << node;
    EXPECT_EQ(cache_.NumPods(), 0u) << node;
    EXPECT_EQ(Inconsistencies(), "") << node;
  }
}

// Goal: the deletion of an older pod of the same name does not affect the current one, and frees
// the resources of an assumed one.
TEST_F(EventMovesTest, CoversAPodWhoseNameWasReused) {
  for (bool is_assumed : {false, true}) {
    for (bool is_there : {false, true}) {
      Pod older = PodP().Uid("older");
      Put(older);
      if (is_assumed) Assume(older, "a");
      Put(PodP().Obj());
      if (!is_there) Delete(PodP().Obj());
      TakeReceived();
      older.spec.node_name = Symbol("a");
      Delete(older);
      EXPECT_EQ(TakeReceived(), is_assumed ? "AssignedPodDelete " : "");
      EXPECT_EQ(cache_.NumPods() + queue_.NumActive(), 0u);
      EXPECT_EQ(Inconsistencies(), "");
    }
  }
}

TEST_F(EventMovesTest, CoversNodes) {
  MakeNode node = MakeNode().Name("a").Allocatable({{"cpu", "4"}});
  struct {
    std::string_view name;
    Node before;
    Node after;
    std::string_view want;
  } cases[] = {
      {"a heartbeat", node, node, ""},
      {"cordoned", node, MakeNode(node).Unschedulable(true), ""},
      {"uncordoned", MakeNode(node).Unschedulable(true), node, "NodeUpdateNodeTaint "},
      {"more", node, MakeNode(node).Allocatable({{"cpu", "8"}}), "NodeUpdateNodeAllocatable "},
      {"a label", node, MakeNode(node).Label("k", "v"), "NodeUpdateNodeLabel "},
      {"a taint", node, MakeNode(node).Taint("k", "", "NoSchedule"), "NodeUpdateNodeTaint "},
      {"a condition", node, MakeNode(node).Condition("Ready", "True"), "NodeUpdateNodeCondition "},
      {"an annotation", node, MakeNode(node).Annotation("k", "v"), "NodeUpdateNodeAnnotation "},
      {"all in their order", node,
       MakeNode(node).Label("k", "v").Annotation("k", "v").Allocatable({{"cpu", "8"}}),
       "NodeUpdateNodeAllocatable NodeUpdateNodeLabel NodeUpdateNodeAnnotation "},
  };
  for (const auto& c : cases) {
    Put(c.before);
    EXPECT_EQ(TakeReceived(), "NodeAdd ") << c.name;
    Put(c.after);
    EXPECT_EQ(TakeReceived(), c.want) << c.name;
    DeleteNode("a");
    EXPECT_EQ(TakeReceived(), "NodeDelete ") << c.name;
  }
  DeleteNode("never seen");
  EXPECT_EQ(TakeReceived(), "");
}

// Goal: at the event of a node's removal the node is still in the cache, and at the event of its
// addition it is there already.
TEST_F(EventMovesTest, AddsNodesBeforeAndRemovesThemAfterTheirEvents) {
  std::string seen;
  for (ActionType action : {action::kAdd, action::kDelete}) {
    hints().Add(Symbol("Listener"), {{{EventResource::kNode, action},
                                      [this, &seen](const Pod& pod, const EventObjects&) {
                                        if (pod.metadata.name == "low") {
                                          seen += std::to_string(cache_.NumNodes()) + " ";
                                        }
                                        return QueueingHint::kQueueSkip;
                                      }}});
  }
  Put(MakeNode().Name("a").Obj());
  DeleteNode("a");
  EXPECT_EQ(seen, "1 1 ");
  EXPECT_EQ(cache_.NumNodes(), 0u);
}

// A cluster-scoped object that has only a name.
AnyObject Named(ObjectKind kind, std::string_view name) {
  std::string json = R"({"metadata":{"name":")" + std::string(name) + R"("}})";
  return *DecodeObject(json, InfoOf(kind), 2).object;
}

// Goal: for other kinds, only the registered changes become events.
TEST_F(EventMovesTest, CoversOtherKinds) {
  struct {
    ObjectKind kind;
    EventResource resource;
    ActionType registered;
    std::string_view want;  // for add, update and delete
  } cases[] = {
      {ObjectKind::kCsiNode, EventResource::kCsiNode, action::kAdd | action::kUpdate, "AU"},
      {ObjectKind::kCsiDriver, EventResource::kCsiDriver, action::kUpdate, "U"},
      {ObjectKind::kVolumeAttachment, EventResource::kVolumeAttachment, action::kDelete, "D"},
      {ObjectKind::kStorageClass, EventResource::kStorageClass, action::kAll, "AUD"},
      {ObjectKind::kPersistentVolume, EventResource::kPersistentVolume, action::kAdd, "A"},
      {ObjectKind::kResourceSlice, EventResource::kResourceSlice, 0, ""},
  };
  for (const auto& c : cases) {
    std::string received;
    if (c.registered != 0) {
      hints().Add(
          Symbol("Listener"),
          {{{c.resource, c.registered}, [&received](const Pod& pod, const EventObjects& objects) {
              if (pod.metadata.name == "high") return QueueingHint::kQueueSkip;
              received += !objects.old_object ? "A" : !objects.new_object ? "D" : "U";
              return QueueingHint::kQueueSkip;
            }}});
    }
    AnyObject first = Named(c.kind, "x");
    AnyObject second = Named(c.kind, "x");
    handlers_.OnPut(first);
    handlers_.OnPut(second);
    handlers_.OnDelete(second);
    handlers_.OnDelete(second);
    EXPECT_EQ(received, c.want) << InfoOf(c.kind).name;
    hints() = QueueingHintMap();
  }
}

}  // namespace
}  // namespace stowage
