// The effect of added, changed and deleted objects on the cache, the queue and nominations (spec 02
// §3, §4).
#include "core/scheduler/event_handlers.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/core/scheduler/handled_cluster.h"

namespace stowage {
namespace {

class EventHandlersTest : public testing::Test, protected HandledCluster {
 protected:
  // Assumes a pod as host mode does between placement and confirmation.
  void Assume(const Pod& pod, std::string_view node) {
    Status gated;
    EXPECT_NE(queue_.PopSpecific(ObjectKey::Of(pod.metadata), &gated), nullptr);
    queue_.Done(pod.metadata.uid);
    Pod assumed = pod;
    assumed.spec.node_name = Symbol(node);
    PodInfoRef info = MakePodInfo(std::make_shared<const Pod>(std::move(assumed)), features_);
    EXPECT_TRUE(cache_.AssumePod(info).IsSuccess());
  }

  // The place of the pod "p" and the usage of node a: "active", "cached on a", "nominated to n", …
  std::string State() const {
    std::string state;
    if (GetPod("p") != nullptr) state += "listed ";
    for (const QueuedPodRef& pod : queue_.ActivePods()) {
      state += "active:" + pod->pod().metadata.name.str() + " ";
    }
    for (const char* uid : {"p", "p2"}) {
      PodInfoRef cached = cache_.GetPod(Symbol(uid));
      if (cached == nullptr) continue;
      state += cache_.IsAssumedPod(Symbol(uid)) ? "assumed:" : "added:";
      state += std::string(uid) + "@" + cached->pod->spec.node_name.str() + " ";
    }
    for (const char* uid : {"p", "p2"}) {
      if (Symbol node = nominator_.NodeOf(Symbol(uid)); !node.empty()) {
        state += "nominated:" + std::string(uid) + "@" + node.str() + " ";
      }
    }
    return state;
  }

  static MakePod PodP() { return MakePod().Name("p").Req({{"cpu", "1"}}); }
};

TEST_F(EventHandlersTest, AddsPodsToTheQueueOrTheCache) {
  struct {
    std::string_view name;
    Pod pod;
    std::string_view want;
  } cases[] = {
      {"assigned", PodP().Node("a"), "listed added:p@a "},
      {"assigned, of another scheduler", PodP().Node("a").SchedulerName("x"), "listed added:p@a "},
      {"pending", PodP(), "listed active:p "},
      {"pending, of another profile", PodP().SchedulerName("second-scheduler"), "listed active:p "},
      {"pending, of another scheduler", PodP().SchedulerName("x"), "listed "},
      {"pending, of no scheduler", PodP().SchedulerName(""), "listed "},
      {"pending and nominated", PodP().NominatedNodeName("a"), "listed active:p nominated:p@a "},
      {"nominated by another scheduler", PodP().SchedulerName("x").NominatedNodeName("a"),
       "listed "},
      {"assigned, nomination and all", PodP().Node("a").NominatedNodeName("b"),
       "listed added:p@a "},
      {"pending and terminating", PodP().Terminating(), "listed active:p "},
      {"finished well", PodP().Node("a").Phase("Succeeded"), ""},
      {"finished badly", PodP().Node("a").Phase("Failed"), ""},
      {"finished before it ran", PodP().Phase("Failed"), ""},
      {"running", PodP().Node("a").Phase("Running"), "listed added:p@a "},
  };
  for (const auto& c : cases) {
    Put(c.pod);
    EXPECT_EQ(State(), c.want) << c.name;
    DeletePod("p");
    EXPECT_EQ(State(), "") << c.name;
  }
}

TEST_F(EventHandlersTest, MovesUpdatedPods) {
  struct {
    std::string_view name;
    Pod before;
    Pod after;
    std::string_view want;
  } cases[] = {
      {"assigned as before", PodP().Node("a"), PodP().Node("a").Label("k", "v"),
       "listed added:p@a "},
      {"assigned and finished", PodP().Node("a"), PodP().Node("a").Phase("Succeeded"), ""},
      {"pending as before", PodP(), PodP().Label("k", "v"), "listed active:p "},
      {"pending and finished", PodP().NominatedNodeName("a"), PodP().Phase("Failed"), ""},
      {"bound by another client", PodP().NominatedNodeName("b"), PodP().Node("a"),
       "listed added:p@a "},
      {"nominated", PodP(), PodP().NominatedNodeName("a"), "listed active:p nominated:p@a "},
      {"nominated elsewhere", PodP().NominatedNodeName("a"), PodP().NominatedNodeName("b"),
       "listed active:p nominated:p@b "},
      {"no more nominated", PodP().NominatedNodeName("a"), PodP(), "listed active:p "},
      {"another scheduler's is bound", PodP().SchedulerName("x"),
       PodP().SchedulerName("x").Node("a"), "listed added:p@a "},
      {"another scheduler's changes", PodP().SchedulerName("x"),
       PodP().SchedulerName("x").Label("k", "v"), "listed "},
      {"another pod of the name, assigned both", PodP().Node("a"), PodP().Uid("p2").Node("a"),
       "listed added:p2@a "},
      {"another pod of the name, on another node", PodP().Node("a"), PodP().Uid("p2").Node("b"),
       "listed added:p2@b "},
      {"another pod of the name, pending both", PodP().NominatedNodeName("a"), PodP().Uid("p2"),
       "listed active:p "},
      {"another pod of the name, now pending", PodP().Node("a"), PodP().Uid("p2"),
       "listed active:p "},
      {"another pod of the name, now assigned", PodP(), PodP().Uid("p2").Node("b"),
       "listed added:p2@b "},
      {"given to another scheduler", PodP().NominatedNodeName("a"), PodP().SchedulerName("x"),
       "listed "},
      {"given to this scheduler", PodP().SchedulerName("x"), PodP().Uid("p2"), "listed active:p "},
  };
  for (const auto& c : cases) {
    Put(c.before);
    Put(c.after);
    EXPECT_EQ(State(), c.want) << c.name;
    DeletePod("p");
    EXPECT_EQ(State(), "") << c.name;
    EXPECT_EQ(Inconsistencies(), "") << c.name;
  }
}

TEST_F(EventHandlersTest, UpdatesAPendingPod) {
  Put(PodP());
  Put(PodP().Req({{"cpu", "2"}}));
  EXPECT_EQ(queue_.NumActive(), 1u);
  EXPECT_EQ(queue_.Pop()->pod_info->requests.milli_cpu, 3000);
}

TEST_F(EventHandlersTest, UpdatesAnAssignedPod) {
  Put(MakeNode().Name("a").Allocatable({{"cpu", "8"}}));
  Put(PodP().Node("a").SchedulerName("x"));
  EXPECT_EQ(MilliCpu("a"), 1000);
  Put(PodP().Node("a").SchedulerName("x").Req({{"cpu", "2"}}));
  EXPECT_EQ(MilliCpu("a"), 3000);
  DeletePod("p");
  EXPECT_EQ(MilliCpu("a"), 0);
}

TEST_F(EventHandlersTest, HandlesAssumedPods) {
  Pod pod = PodP();
  struct {
    std::string_view name;
    Pod after;
    std::string_view want;
  } cases[] = {
      {"an update of the unbound pod changes nothing", PodP().Label("k", "v"),
       "listed assumed:p@a "},
      {"the binding arrives", PodP().Node("a"), "listed added:p@a "},
      {"it was bound elsewhere", PodP().Node("b"), "listed added:p@b "},
      {"it is to be deleted", PodP().Terminating(), "listed "},
      {"it is finished", PodP().Phase("Failed"), ""},
  };
  for (const auto& c : cases) {
    Put(pod);
    Assume(pod, "a");
    EXPECT_EQ(State(), "listed assumed:p@a ") << c.name;
    Put(c.after);
    EXPECT_EQ(State(), c.want) << c.name;
    DeletePod("p");
    EXPECT_EQ(State(), "") << c.name;
  }
}

TEST_F(EventHandlersTest, ForgetsADeletedAssumedPod) {
  Put(MakeNode().Name("a").Allocatable({{"cpu", "8"}}));
  Pod pod = PodP();
  Put(pod);
  Assume(pod, "a");
  EXPECT_EQ(MilliCpu("a"), 1000);
  DeletePod("p");
  EXPECT_EQ(State(), "");
  EXPECT_EQ(MilliCpu("a"), 0);
}

// Goal: the deletion of a pod that waits in Permit rejects it, and its binding cycle ends it.
TEST_F(EventHandlersTest, RejectsADeletedWaitingPod) {
  for (bool is_terminating : {false, true}) {
    Pod pod = PodP();
    Put(pod);
    Assume(pod, "a");
    waiting_pods_.Add(WaitingPod(cache_.GetPod(Symbol("p"))->pod, {{Symbol("W"), 1000}}, {}));
    if (is_terminating) {
      Put(PodP().Terminating());
    } else {
      DeletePod("p");
    }
    const std::optional<Status>& outcome = waiting_pods_.Get(Symbol("p"))->outcome();
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(*outcome, Status::Unschedulable("removed"));
    EXPECT_TRUE(cache_.IsAssumedPod(Symbol("p"))) << "not taken back twice";
    CHECK(cache_.ForgetPod(*cache_.GetPod(Symbol("p"))->pod).IsSuccess());
    waiting_pods_.Remove(Symbol("p"));
    store_.Remove(ObjectKind::kPod, {Symbol("default"), Symbol("p")});
  }
}

TEST_F(EventHandlersTest, IgnoresDeletionsOfUnknownObjects) {
  Put(PodP().Node("a"));
  DeletePod("q");
  DeleteNode("a");
  handlers_.OnDelete(std::make_shared<const Service>());
  LosePod("q");
  EXPECT_EQ(State(), "listed added:p@a ");
  EXPECT_EQ(MilliCpu("a"), 1000);
}

TEST_F(EventHandlersTest, AddsUpdatesAndRemovesNodes) {
  Put(MakeNode().Name("a").Allocatable({{"cpu", "8"}}));
  EXPECT_EQ(cache_.NumNodes(), 1u);
  Put(MakeNode().Name("a").Allocatable({{"cpu", "4"}}));
  EXPECT_EQ(cache_.NumNodes(), 1u);
  EXPECT_EQ(cache_.GetNodeInfo(Symbol("a"))->allocatable().milli_cpu, 4000);
  DeleteNode("a");
  EXPECT_EQ(cache_.NumNodes(), 0u);
  EXPECT_EQ(cache_.GetNodeInfo(Symbol("a")), nullptr);
}

TEST_F(EventHandlersTest, KeepsARemovedNodeWithPodsAsAGhost) {
  Put(MakeNode().Name("a").Allocatable({{"cpu", "8"}}));
  Put(PodP().Node("a"));
  DeleteNode("a");
  EXPECT_EQ(cache_.NumNodes(), 0u);
  EXPECT_EQ(cache_.GetNodeInfo(Symbol("a"))->node(), nullptr);
  EXPECT_EQ(State(), "listed added:p@a ");
  Put(MakeNode().Name("a").Allocatable({{"cpu", "8"}}));
  EXPECT_EQ(MilliCpu("a"), 1000) << "revived with its pod";
  DeleteNode("a");
  DeletePod("p");
  EXPECT_EQ(cache_.NumNodeInfos(), 0u);
}

TEST_F(EventHandlersTest, AcceptsAPodBeforeItsNode) {
  Put(PodP().Node("a"));
  EXPECT_EQ(cache_.NumNodes(), 0u);
  EXPECT_EQ(cache_.NumNodeInfos(), 1u);
  Put(MakeNode().Name("a").Allocatable({{"cpu", "8"}}));
  EXPECT_EQ(cache_.NumNodes(), 1u);
  EXPECT_EQ(MilliCpu("a"), 1000);
}

TEST_F(EventHandlersTest, IsResponsibleForPodsOfItsProfiles) {
  EXPECT_TRUE(handlers_.IsResponsibleFor(MakePod().Name("p")));
  EXPECT_TRUE(handlers_.IsResponsibleFor(MakePod().Name("p").SchedulerName("second-scheduler")));
  EXPECT_FALSE(handlers_.IsResponsibleFor(MakePod().Name("p").SchedulerName("x")));
}

}  // namespace
}  // namespace stowage
