// The simulated API server and its controllers: the result of each write.
#include "core/scheduler/simulated_api.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/scheduler/handled_cluster.h"
#include "tests/support/fake_background.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

class SimulatedApiTest : public testing::Test, protected HandledCluster, protected WatchSink {
 protected:
  SimulatedApiTest() {
    Put(MakeNode().Name("a").Allocatable({{"cpu", "8"}}));
    api_.set_now({100, 0});
    graceful_api_.set_now({100, 0});
  }

  static MakePod PodOf(std::string_view name) { return MakePod().Name(name).Req({{"cpu", "1"}}); }

  ApiResponse Bind(const Pod& pod, std::string_view node) {
    return RunToEnd(api_.Bind(background_.loop, pod, Symbol(node)));
  }
  static std::shared_ptr<Pod> AssumedOn(std::string_view node, const Pod& pod) {
    auto assumed = std::make_shared<Pod>(pod);
    assumed->spec.node_name = Symbol(node);
    return assumed;
  }
  ApiResponse Patch(const Pod& pod, const PodStatusPatch& patch) {
    return RunToEnd(api_.PatchPodStatus(background_.loop, pod, patch));
  }
  static PodStatusPatch WithCondition(std::string_view status, std::string_view message) {
    PodCondition condition;
    condition.type = Symbol("PodScheduled");
    condition.status = Symbol(status);
    condition.message = message;
    condition.last_transition_time = Instant{200, 0};
    return {std::move(condition), {}};
  }

  void OnPodPut(PodRef pod) override { handlers_.OnPut(AnyObject(std::move(pod))); }
  void OnPodDeleted(PodRef pod) override { handlers_.OnDelete(AnyObject(std::move(pod))); }
  PodRef LatestPod(const ObjectKey& key) const override {
    return store_.GetPod(key.namespace_, key.name);
  }
  void OnObjectPut(AnyObject object) override { handlers_.OnPut(object); }
  void OnObjectDeleted(AnyObject object) override { handlers_.OnDelete(object); }

  FakeBackground background_;
  RecordLog events_{{/*has_events=*/true, /*has_moves=*/false}};
  SimulatedApi api_{static_cast<WatchSink&>(*this), events_, {}, false};
  SimulatedApi graceful_api_{static_cast<WatchSink&>(*this), events_, {}, true};
};

TEST_F(SimulatedApiTest, RunsABoundPod) {
  Pod pod = PodOf("p").NominatedNodeName("b").Condition("PodScheduled", "False", "Unschedulable");
  Put(pod);
  EXPECT_EQ(Bind(pod, "a").status, 200);
  PodRef bound = GetPod("p");
  EXPECT_EQ(bound->spec.node_name, "a");
  EXPECT_EQ(bound->status.phase, "Running");
  EXPECT_TRUE(bound->status.nominated_node_name.empty());
  EXPECT_EQ(bound->status.start_time, (Instant{100, 0}));
  ASSERT_EQ(bound->status.conditions.size(), 1u);
  EXPECT_EQ(bound->status.conditions[0].status, "True");
  EXPECT_EQ(bound->status.conditions[0].last_transition_time, (Instant{100, 0}));
  EXPECT_EQ(MilliCpu("a"), 1000);
  EXPECT_EQ(queue_.NumActive(), 0u);
  EXPECT_EQ(nominator_.size(), 0u);
}

// Goal: a lent pod becomes what a copy of the pod would.
TEST_F(SimulatedApiTest, TurnsALentPodIntoTheBoundOne) {
  for (std::string_view name : {"copied", "lent"}) {
    Put(PodOf(name).NominatedNodeName("b").Condition("Ready", "False", "Starting"));
  }
  EXPECT_EQ(Bind(*GetPod("copied"), "a").status, 200);
  PodRef pod = GetPod("lent");
  std::shared_ptr<Pod> assumed = AssumedOn("a", *pod);
  api_.Lend(assumed, pod.get());
  EXPECT_EQ(Bind(*assumed, "a").status, 200);
  api_.EndLoan();
  EXPECT_EQ(GetPod("lent"), assumed);
  const Pod& copied = *GetPod("copied");
  EXPECT_EQ(assumed->spec.node_name, copied.spec.node_name);
  EXPECT_EQ(assumed->status.phase, copied.status.phase);
  EXPECT_EQ(assumed->status.nominated_node_name, copied.status.nominated_node_name);
  EXPECT_EQ(assumed->status.start_time, copied.status.start_time);
  EXPECT_EQ(assumed->status.conditions, copied.status.conditions);
  EXPECT_NE(assumed->metadata.resource_version, pod->metadata.resource_version);
  EXPECT_TRUE(pod->spec.node_name.empty());
  EXPECT_EQ(MilliCpu("a"), 2000);
}

// The pod has changed since it was assumed, or the loan has ended.
TEST_F(SimulatedApiTest, LeavesALentPodThatMayNotBecomeTheBoundOne) {
  Put(PodOf("p"));
  PodRef pod = GetPod("p");
  std::shared_ptr<Pod> assumed = AssumedOn("a", *pod);
  Put(PodOf("p").Label("k", "v"));
  api_.Lend(assumed, pod.get());
  EXPECT_EQ(Bind(*assumed, "a").status, 200);
  EXPECT_TRUE(GetPod("p")->metadata.labels.Has(Symbol("k")));
  EXPECT_TRUE(assumed->status.phase.empty());
  Put(PodOf("q"));
  pod = GetPod("q");
  assumed = AssumedOn("a", *pod);
  api_.Lend(assumed, pod.get());
  api_.EndLoan();
  EXPECT_EQ(Bind(*assumed, "a").status, 200);
  EXPECT_NE(GetPod("q"), assumed);
  EXPECT_TRUE(assumed->status.phase.empty());
}

TEST_F(SimulatedApiTest, RefusesInvalidWritesLikeAnApiServer) {
  Put(PodOf("bound").Node("a"));
  Put(PodOf("other"));
  EXPECT_EQ(Bind(PodOf("gone"), "a").reason, "NotFound");
  EXPECT_EQ(Bind(PodOf("gone"), "a").message, "pods \"gone\" not found");
  EXPECT_EQ(Bind(PodOf("other").Uid("another"), "a").status, 404) << "not the one that was meant";
  ApiResponse conflict = Bind(PodOf("bound"), "b");
  EXPECT_EQ(conflict.status, 409);
  EXPECT_EQ(
      conflict.message,
      "Operation cannot be fulfilled on pods/binding \"bound\": pod bound is already assigned "
      "to node \"a\"");
  EXPECT_EQ(GetPod("bound")->spec.node_name, "a");
  EXPECT_TRUE(RunToEnd(api_.DeletePod(background_.loop, PodOf("gone"))).IsNotFound());
  EXPECT_TRUE(Patch(PodOf("gone"), WithCondition("False", "m")).IsNotFound());
}

TEST_F(SimulatedApiTest, StartsPodsAfterThoseFromOutside) {
  api_.Observe(PodOf("without a start"));
  api_.Observe(PodOf("later").StartTime(500));
  api_.Observe(PodOf("earlier").StartTime(3));
  Put(PodOf("p"));
  Bind(PodOf("p"), "a");
  EXPECT_EQ(GetPod("p")->status.start_time, (Instant{500, 0}));
  api_.set_now({600, 0});
  Put(PodOf("q"));
  Bind(PodOf("q"), "a");
  EXPECT_EQ(GetPod("q")->status.start_time, (Instant{600, 0}));
}

TEST_F(SimulatedApiTest, GivesWritesVersionsAfterThoseFromOutside) {
  api_.Observe(PodOf("x").ResourceVersion("41"));
  api_.Observe(PodOf("y").ResourceVersion("7"));
  api_.Observe(PodOf("z").ResourceVersion("no number"));
  Put(PodOf("p"));
  Patch(PodOf("p"), WithCondition("False", "m"));
  EXPECT_EQ(GetPod("p")->metadata.resource_version, "42");
  Bind(PodOf("p"), "a");
  EXPECT_EQ(GetPod("p")->metadata.resource_version, "43");
}

TEST_F(SimulatedApiTest, DeletesVictims) {
  Put(PodOf("v").Node("a"));
  Put(PodOf("stays").Node("a"));
  EXPECT_TRUE(RunToEnd(api_.DeletePod(background_.loop, PodOf("v").Node("a"))).ok());
  EXPECT_EQ(GetPod("v"), nullptr);
  EXPECT_EQ(MilliCpu("a"), 1000);
}

TEST_F(SimulatedApiTest, KeepsGracefulVictimsTerminating) {
  Put(PodOf("v").Node("a"));
  Put(PodOf("w").Node("a").Terminating(7));
  for (std::string_view name : {"v", "w"}) {
    EXPECT_TRUE(RunToEnd(graceful_api_.DeletePod(background_.loop, PodOf(name))).ok());
  }
  EXPECT_EQ(GetPod("v")->metadata.deletion_timestamp, (Instant{100, 0}));
  EXPECT_EQ(GetPod("w")->metadata.deletion_timestamp, (Instant{7, 0})) << "was leaving already";
  EXPECT_EQ(MilliCpu("a"), 2000) << "they take room until they are gone";
}

TEST_F(SimulatedApiTest, PatchesStatuses) {
  Put(PodOf("p"));
  PodRef before = GetPod("p");
  EXPECT_TRUE(Patch(*before, {{}, Symbol()}).ok());
  EXPECT_EQ(GetPod("p"), before) << "nothing to write";
  Patch(*before, {{}, Symbol("a")});
  EXPECT_EQ(GetPod("p")->status.nominated_node_name, "a");
  EXPECT_EQ(nominator_.NodeOf(Symbol("p")), "a") << "as a watch says";
  Patch(*GetPod("p"), {{}, Symbol()});
  EXPECT_TRUE(GetPod("p")->status.nominated_node_name.empty());
  EXPECT_EQ(nominator_.size(), 0u);
}

TEST_F(SimulatedApiTest, ChangesTheTransitionTimeOnlyWithTheStatus) {
  Put(PodOf("p"));
  Patch(*GetPod("p"), WithCondition("False", "first"));
  PodStatusPatch second = WithCondition("False", "second");
  second.condition->last_transition_time = Instant{300, 0};
  Patch(*GetPod("p"), second);
  ASSERT_EQ(GetPod("p")->status.conditions.size(), 1u);
  EXPECT_EQ(GetPod("p")->status.conditions[0].message, "second");
  EXPECT_EQ(GetPod("p")->status.conditions[0].last_transition_time, (Instant{200, 0}));
}

TEST_F(SimulatedApiTest, OnlyRecordsEvents) {
  api_.RecordEvent(PodOf("p"), Symbol("s"), {true, "FailedScheduling", "Scheduling", "why"});
  std::string text;
  events_.TakeInto(&text);
  JsonTree record = JsonTree::Parse(std::string_view(text).substr(0, text.find('\n')));
  EXPECT_EQ(record["kind"].text(), "Event");
  EXPECT_EQ(record["type"].text(), "Warning");
  EXPECT_EQ(record["note"].text(), "why");
}

}  // namespace
}  // namespace stowage
