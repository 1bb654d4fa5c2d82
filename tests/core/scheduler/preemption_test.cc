// Preemption from decision to placement: with simulated answers, with victims that terminate, and
// with a host that carries it out (spec 06).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

// Node "a" with room for 4, full of two pods of priority 0.
std::vector<std::string> FullNode() {
  return {NodeText{"a"}, PodText{.name = "v", .cpu = "2", .node = "a"},
          PodText{.name = "w", .cpu = "2", .node = "a"}};
}

std::string Preemptor(std::string cpu) {
  return PodText{.name = "p", .cpu = std::move(cpu), .priority = 10};
}

// Answers the engine's calls to the API server with success until there are none.
void AnswerAll(Engine* engine) {
  while (!engine->calls().empty()) {
    std::vector<std::string> lines;
    for (const auto& [call, body] : engine->calls()) lines.push_back(Completed(call, 200));
    engine->Add(lines);
    engine->RunAll(0);
  }
}

// Goal: victims leave beside the cycles, one after the other. The first deletion makes PreEnqueue
// run again for the preemptor, the last one ungates it.
TEST(Preemption, RetriesThePreemptorAfterSimulatedVictimsAreGone) {
  Engine engine;
  engine.Add(FullNode()).Add({Preemptor("3")});
  std::vector<JsonTree> records = engine.Run();
  ASSERT_EQ(records.size(), 4u);
  const JsonTree& first = records[0];
  EXPECT_EQ(first["result"].text(), "unschedulable");
  EXPECT_EQ(first["message"].text(), "0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_EQ(first["nominatedNodeName"].text(), "a");
  EXPECT_EQ(first["preemption"]["message"].text(), "");
  EXPECT_EQ(first["preemption"]["nominatedNode"].text(), "a");
  EXPECT_EQ(first["preemption"]["nomination"].text(), "set");
  EXPECT_EQ(first["preemption"]["victims"].Words(), "default/v default/w ");
  EXPECT_EQ(records[1]["result"].text(), "gated");
  EXPECT_EQ(records[1]["plugin"].text(), "DefaultPreemption");
  EXPECT_EQ(records[1]["message"].text(), "waiting for the preemption for this pod to be finished");
  const JsonTree& second = records[2];
  EXPECT_EQ(second["result"].text(), "scheduled");
  EXPECT_EQ(second["node"].text(), "a");
  EXPECT_EQ(second["attempts"].number(), 2);
  EXPECT_FALSE(second["preemption"].exists());
  EXPECT_EQ(engine.Inspect(R"({"node":"a"})")["pods"].Words(), "default/p ");
  EXPECT_EQ(engine.Inspect("{}")["nominated"].size(), 0u);
  engine.Inspect(R"({"pod":"default/v"})", false);
}

// Goal: an active pod is scheduled before a preemptor in backoff, and finds the nominated resources
// taken.
TEST(Preemption, ReservesTheFreedResourcesForThePreemptor) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "v", .cpu = "4", .node = "a"},
              PodText{.name = "first", .cpu = "4", .priority = 20}, Preemptor("4")});
  EXPECT_EQ(engine.Decide(), "first:unschedulable p:unschedulable first@a ");
}

TEST(Preemption, IsSkippedIfOnlyANodeSelectorFails) {
  Engine engine;
  engine.Add(FullNode())
      .Add({PodText{.name = "p", .priority = 10, .spec = R"("nodeSelector":{"no":"such"})"}});
  JsonTree decision = engine.Run()[0];
  EXPECT_EQ(decision["message"].text(),
            "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new "
            "claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not "
            "helpful for scheduling.");
  EXPECT_EQ(decision["preemption"]["nomination"].text(), "clear");
}

TEST(Preemption, RespectsPreemptionPolicyNever) {
  Engine engine;
  engine.Add(FullNode())
      .Add({PodText{.name = "p", .priority = 10, .spec = R"("preemptionPolicy":"Never")"}});
  JsonTree decision = engine.Run()[0];
  EXPECT_EQ(decision["message"].text(),
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, "
            "preemption: not eligible due to preemptionPolicy=Never.");
  EXPECT_EQ(decision["preemption"]["nomination"].text(), "keep");
}

TEST(Preemption, WaitsForGracefulVictims) {
  Engine engine(R"({"simulate":{"gracefulDeletion":true}})");
  engine.Add(FullNode()).Add({Preemptor("3")});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ") << "not tried at once";
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/v"})")["terminating"].text(), "true");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["nominatedNodeName"].text(), "a");
  engine.Add({NodeText{"full", R"("cpu":"1","pods":"0")"}});
  EXPECT_EQ(engine.Decide(), "") << "such a node does not help it";
  engine.Add({R"({"type":"SCHEDULE_ONE","pod":"default/p"})"});
  JsonTree decision = engine.Run()[0];
  EXPECT_EQ(decision["message"].text(),
            "0/2 nodes are available: 1 Too many pods, 2 Insufficient cpu. no new claims to "
            "deallocate, preemption: not eligible due to a terminating pod on the nominated node.");
  EXPECT_EQ(decision["preemption"]["nomination"].text(), "keep");
  EXPECT_EQ(decision["nominatedNodeName"].text(), "a");
  engine.Add({Event("DELETED", PodText{.name = "v"}), Event("DELETED", PodText{.name = "w"})});
  EXPECT_EQ(engine.Decide(), "p@a ");
}

TEST(Preemption, ReservesResourcesAgainstLowerPriorities) {
  Engine engine(R"({"simulate":{"gracefulDeletion":true}})");
  engine.Add(FullNode()).Add({Preemptor("3")});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  engine.Add({Event("DELETED", PodText{.name = "v"}), PodText{.name = "lesser", .cpu = "2"},
              R"({"type":"SCHEDULE_ONE","pod":"default/lesser"})"});
  EXPECT_EQ(engine.Decide(1), "lesser:unschedulable ") << "2 are free, p needs 3";
  engine.Add({PodText{.name = "greater", .cpu = "2", .priority = 11},
              R"({"type":"SCHEDULE_ONE","pod":"default/greater"})"});
  EXPECT_EQ(engine.Decide(1), "greater@a ") << "it need not mind";
}

TEST(Preemption, ClearsNominationsOfLowerPriority) {
  Engine engine(R"({"simulate":{"gracefulDeletion":true}})");
  engine.Add({NodeText{"a"}, PodText{.name = "v", .cpu = "4", .node = "a"},
              PodText{.name = "lesser", .cpu = "4", .priority = 5}});
  EXPECT_EQ(engine.Decide(), "lesser:unschedulable ");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/lesser"})")["nominatedNodeName"].text(), "a");
  engine.Add({Event("DELETED", PodText{.name = "v"}),
              PodText{.name = "other", .cpu = "3", .node = "a"}, Preemptor("4"),
              R"({"type":"SCHEDULE_ONE","pod":"default/p"})"});
  JsonTree decision = engine.Run(1)[0];
  EXPECT_EQ(decision["preemption"]["victims"].Words(), "default/other ");
  EXPECT_EQ(decision["clearedNominations"].Words(), "default/lesser ");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/lesser"})")["nominatedNodeName"].text(), "");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["nominatedNodeName"].text(), "a");
}

TEST(Preemption, SendsEvictionsToTheHost) {
  Engine engine(R"({"api":"host"})");
  engine.Add(FullNode()).Add({Preemptor("3")});
  JsonTree decision = engine.Run()[0];
  EXPECT_EQ(decision["preemption"]["victims"].Words(), "default/v default/w ");
  EXPECT_EQ(engine.Inspect(R"({"node":"a"})")["pods"].size(), 2u) << "nothing happens by itself";
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["nominatedNodeName"].text(), "a");
  AnswerAll(&engine);
  EXPECT_EQ(engine.Decide(), "");
  engine.Add({Event("DELETED", PodText{.name = "v", .cpu = "2", .node = "a"}),
              Event("DELETED", PodText{.name = "w", .cpu = "2", .node = "a"})});
  EXPECT_EQ(engine.Decide(), "p@a ");
}

// Goal: a victim that is deleted from outside does not ungate the preemptor while another victim is
// evicted.
TEST(Preemption, WaitsForTheHostsEvictions) {
  Engine engine(R"({"api":"host"})");
  engine.Add(FullNode()).Add({Preemptor("3")});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  engine.Add({Event("DELETED", PodText{.name = "v", .cpu = "2", .node = "a"})});
  EXPECT_EQ(engine.Decide(), "p:gated ");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["gatingPlugin"].text(), "DefaultPreemption");
}

// Goal: a failed eviction activates the preemptor, despite its backoff.
TEST(Preemption, ActivatesThePreemptorAfterAFailedEviction) {
  Engine engine(R"({"api":"host","moves":true})");
  engine.Add({NodeText{"a"}, PodText{.name = "v", .cpu = "4", .node = "a"}, Preemptor("3")});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  std::vector<std::string> lines;
  for (const auto& [call, body] : engine.calls()) {
    if (call["pod"].text() == "default/v") lines.push_back(Completed(call, 422, "{}"));
  }
  ASSERT_EQ(lines.size(), 1u) << engine.log();
  engine.Add(lines);
  std::vector<JsonTree> moves = engine.RunFor("QueueMove");
  ASSERT_FALSE(moves.empty());
  EXPECT_EQ(moves[0]["pod"].text(), "default/p");
  EXPECT_EQ(moves[0]["event"].text(), "ForceActivate");
  EXPECT_EQ(moves[0]["to"].text(), "active");
}

// Goal: a cycle that evicts synchronously retries a write too, and then continues.
TEST(Preemption, RetriesWritesWithinTheCycleWithoutTheGate) {
  Engine engine(R"({"api":"host","featureGates":{"SchedulerAsyncPreemption":false}})");
  engine.Add({NodeText{"a"}, PodText{.name = "v", .cpu = "4", .node = "a"}, Preemptor("3")});
  EXPECT_EQ(engine.Decide(), "");
  ASSERT_EQ(engine.calls().size(), 1u);
  engine.Add({Completed(engine.calls()[0].first, 409, "{}")});
  JsonTree turn = engine.RunAll(0).back();
  EXPECT_EQ(turn["waiting"].text(), "true");
  EXPECT_NE(turn["nextDeadline"].text(), "null") << "when it tries again";
  EXPECT_TRUE(engine.calls().empty());
  engine.Sleep(20'000);
  engine.RunAll(0);
  ASSERT_EQ(engine.calls().size(), 1u);
  EXPECT_EQ(engine.calls()[0].first["verb"].text(), "patch");
  engine.Add({Completed(engine.calls()[0].first, 200)});
  engine.RunAll(0);
  ASSERT_EQ(engine.calls().size(), 1u);
  engine.Add({Completed(engine.calls()[0].first, 200)});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
}

// Goal: an update that was under way before the nomination was written does not clear it.
TEST(Preemption, KeepsTheNominationAfterAnUpdateWithoutOne) {
  Engine engine(R"({"api":"host"})");
  engine.Add(FullNode()).Add({Preemptor("3")});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  engine.Add({Preemptor("3")});
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["nominatedNodeName"].text(), "a");
  engine.Add(
      {PodText{.name = "p", .cpu = "3", .priority = 10, .status = R"("nominatedNodeName":"a")"}});
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["nominatedNodeName"].text(), "a");
  engine.Add({Preemptor("3")});
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["nominatedNodeName"].text(), "")
      << "it was there and is gone";
}

// Goal: the report of one pod's preemption does not appear with the next pod. Method: a PreFilter
// plugin refuses the second pod before DynamicResources ran, so DefaultPreemption does not run for
// it.
TEST(Preemption, IsNotReportedForTheNextPod) {
  Engine engine;
  constexpr std::string_view kConflict =
      R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["a"]},{"key":"metadata.name","operator":"In","values":["b"]}]}]}}})";
  engine.Add(FullNode())
      .Add({Preemptor("3"), PodText{.name = "q", .spec = std::string(kConflict)}});
  std::vector<JsonTree> records = engine.Run();
  EXPECT_EQ(records[0]["preemption"]["victims"].size(), 2u);
  auto of_q = std::find_if(records.begin(), records.end(), [](const JsonTree& record) {
    return record["pod"].text() == "default/q";
  });
  ASSERT_NE(of_q, records.end());
  const JsonTree& decision = *of_q;
  EXPECT_EQ(decision["message"].text(),
            "0/1 nodes are available: pod affinity terms conflict. not found");
  EXPECT_EQ(decision["preemption"]["message"].text(), "not found");
  EXPECT_EQ(decision["preemption"]["nomination"].text(), "keep");
  EXPECT_FALSE(decision["preemption"]["victims"].exists());
}

}  // namespace
}  // namespace stowage
