// The engine as a whole: pods from batch to batch and turn to turn.
#include "core/scheduler/scheduler.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kHost = R"({"api":"host"})";

TEST(Scheduler, PlacesPodsAndReportsTheirNodes) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "3"}});
  std::vector<JsonTree> records = engine.Run();
  ASSERT_EQ(records.size(), 2u);
  const JsonTree& decision = records[0];
  EXPECT_EQ(decision["kind"].text(), "Decision");
  EXPECT_EQ(decision["seq"].number(), 1);
  EXPECT_EQ(decision["at"].text(), "1970-01-12T13:46:40.000000Z");
  EXPECT_EQ(decision["pod"].text(), "default/p");
  EXPECT_EQ(decision["uid"].text(), "uid-p");
  EXPECT_EQ(decision["schedulerName"].text(), "default-scheduler");
  EXPECT_EQ(decision["attempts"].number(), 1);
  EXPECT_EQ(decision["result"].text(), "scheduled");
  EXPECT_EQ(decision["node"].text(), "a");
  EXPECT_EQ(decision["numAllNodes"].number(), 1);
  EXPECT_EQ(decision["evaluatedNodes"].number(), 1);
  EXPECT_EQ(decision["feasibleNodes"].number(), 1);
  EXPECT_FALSE(decision["message"].exists());
  EXPECT_EQ(records[1]["idle"].text(), "true");
  EXPECT_EQ(records[1]["busy"].text(), "false");
  EXPECT_TRUE(records[1]["nextDeadline"].is_null());
  EXPECT_EQ(engine.Inspect(R"({"node":"a"})")["requested"]["milliCPU"].number(), 3000);
}

TEST(Scheduler, ReportsWhyAPodStaysPending) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{.name = "b", .spec = R"("unschedulable":true)"},
              PodText{.name = "p", .cpu = "5"}});
  JsonTree decision = engine.Run()[0];
  EXPECT_EQ(decision["result"].text(), "unschedulable");
  EXPECT_TRUE(decision["node"].is_null());
  EXPECT_EQ(decision["reason"].text(), "Unschedulable");
  EXPECT_EQ(decision["message"].text(),
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable. no new "
            "claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not "
            "helpful for scheduling.");
  EXPECT_EQ(decision["unschedulablePlugins"].Words(), "NodeResourcesFit NodeUnschedulable ");
  EXPECT_EQ(decision["pendingPlugins"].size(), 0u);
  ASSERT_EQ(decision["reasons"].size(), 2u);
  EXPECT_EQ(decision["reasons"][0]["plugin"].text(), "NodeResourcesFit");
  EXPECT_EQ(decision["reasons"][0]["code"].text(), "UnschedulableAndUnresolvable");
  EXPECT_EQ(decision["reasons"][0]["reason"].text(), "Insufficient cpu");
  EXPECT_EQ(decision["reasons"][0]["nodes"].number(), 1);
  EXPECT_EQ(decision["preemption"]["nomination"].text(), "clear");
  EXPECT_TRUE(decision["preemption"]["nominatedNode"].is_null());
}

// Goal: in an empty cluster the queue does not count a rejection: the pod waits out a backoff.
TEST(Scheduler, ReportsThatThereAreNoNodes) {
  Engine engine;
  engine.Add({PodText{"p"}});
  JsonTree decision = engine.Run(1)[0];
  JsonTree backoff = engine.Inspect("{}")["queues"]["backoff"];
  ASSERT_EQ(backoff.size(), 1u);
  EXPECT_EQ(backoff[0]["error"].text(), "true");
  EXPECT_EQ(engine.Decide(), "") << "not early";
  EXPECT_EQ(decision["result"].text(), "unschedulable");
  EXPECT_EQ(decision["message"].text(), "no nodes available to schedule pods");
  EXPECT_EQ(decision["numAllNodes"].number(), 0);
}

TEST(Scheduler, OrdersPodsByPriorityThenArrival) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .allocatable = R"("cpu":"100","pods":"100")"},
              PodText{.name = "z"}, PodText{.name = "y", .priority = 5},
              PodText{.name = "old", .metadata = R"("creationTimestamp":"2026-01-01T00:00:00Z")"},
              PodText{.name = "new", .metadata = R"("creationTimestamp":"2026-01-02T00:00:00Z")"},
              PodText{.name = "x"}});
  EXPECT_EQ(engine.Decide(), "y@a z@a old@a new@a x@a ") << "their creation does not matter";
}

TEST(Scheduler, BoundsTheCyclesOfATurn) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{"p"}, PodText{"q"}, PodText{"r"}});
  std::vector<JsonTree> records = engine.Run(0);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["idle"].text(), "false");
  records = engine.Run(2);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[2]["idle"].text(), "false");
  records = engine.Run(2);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1]["idle"].text(), "true");
  EXPECT_EQ(engine.Run().size(), 1u);
}

// Goal: a pod is retried after a change that its rejecting plugin considers relevant, not after
// others.
TEST(Scheduler, RetriesAPodAfterARelevantChange) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "5"}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  EXPECT_EQ(engine.Decide(), "") << "nothing changed";
  engine.Apply({"no JSON"});
  EXPECT_EQ(engine.Decide(), "") << "nothing changed";
  engine.Add({NodeText{"b"}});
  EXPECT_EQ(engine.Decide(), "") << "as small as the other";
  engine.Add({NodeText{.name = "b", .allocatable = R"("cpu":"6","pods":"1")"}});
  JsonTree decision = engine.Run()[0];
  EXPECT_EQ(decision["node"].text(), "b");
  EXPECT_EQ(decision["attempts"].number(), 2);
  EXPECT_EQ(decision["poppedFrom"].text(), "backoff") << "an idle scheduler does not wait";
}

TEST(Scheduler, CountsPodsOfOtherSchedulersWithoutSchedulingThem) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "theirs", .scheduler = "other"},
              PodText{.name = "bound", .cpu = "3", .node = "a", .scheduler = "other"},
              PodText{.name = "p", .cpu = "2"}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  engine.Add({Event("DELETED", PodText{.name = "bound", .node = "a"})});
  EXPECT_EQ(engine.Decide(), "p@a ");
}

// Goal: a waiting pod whose scheduler name changes belongs to the other scheduler from then on.
TEST(Scheduler, DropsAPodGivenToAnotherScheduler) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "5"}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  engine.Add({PodText{.name = "p", .cpu = "5", .scheduler = "other"}});
  EXPECT_EQ(engine.Decide(), "");
  engine.Add({NodeText{.name = "b", .allocatable = R"("cpu":"9","pods":"9")"}});
  EXPECT_EQ(engine.Decide(), "");
  EXPECT_FALSE(engine.Inspect(R"({"pod":"default/p"})")["queue"].exists());
}

TEST(Scheduler, SkipsTerminatingPods) {
  Engine engine;
  engine.Add({NodeText{"a"},
              PodText{.name = "p", .metadata = R"("deletionTimestamp":"2026-01-01T00:00:00Z")"}});
  std::vector<JsonTree> records = engine.Run();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]["result"].text(), "skipped");
  EXPECT_EQ(records[0]["message"].text(), "skip schedule deleting pod: default/p");
  EXPECT_TRUE(records[0]["node"].is_null());
  engine.Add({NodeText{"b"}});
  EXPECT_EQ(engine.Decide(), "") << "it waits for nothing";
}

TEST(Scheduler, LeavesGatedPodsPending) {
  Engine engine;
  engine.Add({NodeText{"a"},
              PodText{.name = "p", .spec = R"("schedulingGates":[{"name":"x"},{"name":"y"}])"}});
  JsonTree decision = engine.Run()[0];
  EXPECT_EQ(decision["result"].text(), "gated");
  EXPECT_EQ(decision["plugin"].text(), "SchedulingGates");
  EXPECT_EQ(decision["message"].text(), "waiting for scheduling gates: [x y]");
  EXPECT_EQ(decision["attempts"].number(), 0) << "nothing was tried";
  EXPECT_TRUE(decision["node"].is_null());
  EXPECT_EQ(engine.Decide(), "");
  engine.Add({PodText{"p"}});
  EXPECT_EQ(engine.Decide(), "p@a ");
}

// Goal: a record is one line of JSON for any text in it.
TEST(Scheduler, EscapesTextsInRecords) {
  Engine engine;
  engine.Add(
      {PodText{.name = "p", .spec = R"("schedulingGates":[{"name":"a\"b\\c\nd\u2028e\u0000f"}])"}});
  EXPECT_EQ(engine.Run()[0]["message"].text(),
            std::string("waiting for scheduling gates: [a\"b\\c\nd\u2028e") + std::string(1, '\0') +
                "f]");
}

TEST(Scheduler, ProfilesShareClusterAndQueue) {
  Engine engine("{}", R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
      "kind":"KubeSchedulerConfiguration","profiles":[{"schedulerName":"first"},
      {"schedulerName":"second","plugins":{"filter":{"disabled":[{"name":"NodeResourcesFit"}]},
       "multiPoint":{"disabled":[{"name":"NodeResourcesFit"}]}}}]})");
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "9", .scheduler = "first"},
              PodText{.name = "q", .cpu = "9", .scheduler = "second"},
              PodText{.name = "r", .scheduler = "default-scheduler"}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable q@a ");
}

TEST(Scheduler, WaitsForTheFirstLists) {
  Engine engine;
  engine.Add({R"({"type":"SYNC_BEGIN","resource":"nodes"})",
              R"({"type":"SYNC_BEGIN","resource":"pods"})", Event("ADDED", PodText{"p"}),
              R"({"type":"SYNC_END","resource":"pods","resourceVersion":"7"})"});
  std::vector<JsonTree> records = engine.Run();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["idle"].text(), "true");
  engine.Add({Event("ADDED", NodeText{"a"}), R"({"type":"SYNC_END","resource":"nodes"})"});
  EXPECT_EQ(engine.Decide(), "p@a ");
}

TEST(Scheduler, RemovesObjectsThatALaterListOmits) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{"b"}, PodText{.name = "p", .cpu = "4", .node = "a"},
              PodText{.name = "q", .cpu = "4", .node = "b"}, PodText{.name = "r", .cpu = "4"}});
  EXPECT_EQ(engine.Decide(), "r:unschedulable ");
  engine.Add({R"({"type":"SYNC_BEGIN","resource":"pods"})",
              Event("ADDED", PodText{.name = "q", .cpu = "4", .node = "b"}),
              Event("ADDED", PodText{.name = "r", .cpu = "4"}),
              R"({"type":"SYNC_END","resource":"pods"})"});
  EXPECT_EQ(engine.Decide(), "r@a ");
}

TEST(Scheduler, LetsTheHostBindAssumedPods) {
  Engine engine(kHost);
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "3"}, PodText{.name = "q", .cpu = "3"}});
  EXPECT_EQ(engine.Decide(), "p@a q:unschedulable ") << "an assumed pod takes room";
  EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "default/p ");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["assumed"].text(), "true");
  engine.Add({PodText{.name = "p", .cpu = "3", .metadata = R"("labels":{"not":"bound"})"}});
  EXPECT_EQ(engine.Decide(), "") << "p is not tried again";
  engine.Add({PodText{.name = "p", .cpu = "3", .node = "a"}});
  EXPECT_EQ(engine.Inspect("{}")["assumed"].size(), 0u);
  EXPECT_EQ(engine.Inspect(R"({"node":"a"})")["requested"]["milliCPU"].number(), 3000);
  engine.Add({Event("DELETED", PodText{.name = "p", .cpu = "3", .node = "a"})});
  EXPECT_EQ(engine.Decide(), "q@a ");
  engine.Add({Event("DELETED", PodText{.name = "q", .cpu = "3"})});
  EXPECT_EQ(engine.Inspect("{}")["assumed"].size(), 0u);
  EXPECT_EQ(engine.Inspect(R"({"node":"a"})")["requested"]["milliCPU"].number(), 0);
}

}  // namespace
}  // namespace stowage
