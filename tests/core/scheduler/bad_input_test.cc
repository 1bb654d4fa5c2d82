// Goal: the engine survives any data in any order, and reports what it could not apply. Method:
// batches like those of a broken or late watch.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

std::string Versioned(std::string_view name, int version, std::string_view node = "") {
  return PodText{.name = std::string(name),
                 .node = std::string(node),
                 .metadata = R"("resourceVersion":")" + std::to_string(version) + "\""};
}

TEST(BadOrder, IgnoresADeletionBeforeTheAddition) {
  Engine engine;
  engine.Add({Event("DELETED", PodText{"p"}), Event("DELETED", NodeText{"a"}),
              Event("ADDED", PodText{"p"}), Event("ADDED", NodeText{"a"})});
  EXPECT_EQ(engine.Decide(), "p@a ");
}

TEST(BadOrder, TreatsAModificationOfAnUnknownPodAsAddition) {
  Engine engine;
  engine.Add({Event("MODIFIED", PodText{"p"}), Event("MODIFIED", NodeText{"a"})});
  EXPECT_EQ(engine.Decide(), "p@a ");
  engine.Add({Event("ADDED", NodeText{"a"}), Event("ADDED", PodText{.name = "p", .node = "a"})});
  EXPECT_EQ(engine.Inspect(R"({"node":"a"})")["pods"].Words(), "default/p ");
}

TEST(BadOrder, TreatsASecondAdditionAsUpdate) {
  Engine engine;
  engine.Add({NodeText{"a"}, Event("ADDED", PodText{"p"}), Event("ADDED", PodText{"p"})});
  EXPECT_EQ(engine.Decide(), "p@a ");
}

TEST(BadOrder, AcceptsAPodOnAnUnknownNode) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "r", .node = "gone"}, PodText{"p"}});
  EXPECT_EQ(engine.Decide(), "p@a ");
  EXPECT_EQ(engine.Inspect("{}")["cache"]["ghostNodes"].number(), 1);
  EXPECT_TRUE(engine.RunFor("Inconsistency").empty());
  engine.Add({Event("DELETED", PodText{.name = "r", .node = "gone"})});
  EXPECT_EQ(engine.Inspect("{}")["cache"]["ghostNodes"].number(), 0);
}

// Goal: versions are only compared for equality, so an older version is applied like any other.
TEST(BadOrder, AppliesAnOlderVersion) {
  Engine engine(R"({"api":"host"})");
  engine.Add({NodeText{"a"}, Versioned("p", 9), Versioned("p", 3), Versioned("p", 7)});
  EXPECT_EQ(engine.Decide(), "p@a ");
  engine.Add({Versioned("p", 2, "a"), Versioned("p", 1, "a")});
  EXPECT_EQ(engine.Inspect("{}")["assumed"].size(), 0u);
  EXPECT_TRUE(engine.RunFor("Inconsistency").empty());
}

TEST(BadOrder, RefusesToMoveOrUnbindABoundPod) {
  for (std::string_view node : {"b", ""}) {
    Engine engine;
    engine.Add({NodeText{"a"}, NodeText{"b"}, PodText{.name = "p", .node = "a"}});
    JsonTree result = engine.Apply({PodText{.name = "p", .node = std::string(node)}});
    ASSERT_EQ(result["errors"].size(), 1u);
    EXPECT_EQ(result["errors"][0]["field"].text(), "spec.nodeName");
    EXPECT_EQ(engine.Decide(), "");
    EXPECT_EQ(engine.Inspect(R"({"node":"a"})")["pods"].Words(), "default/p ");
  }
}

// Goal: if the deletion of a pod was missed, the pod makes room for the next one with its name.
TEST(BadOrder, ReplacesAPodByTheNextOneOfItsName) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "3", .node = "a", .uid = "first"},
              PodText{.name = "p", .cpu = "3", .uid = "second"}});
  EXPECT_EQ(engine.Decide(), "p@a ");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["uid"].text(), "second");
  EXPECT_TRUE(engine.RunFor("Inconsistency").empty());
}

// Goal: a new scalar resource is counted on the existing nodes, while others are removed.
TEST(BadOrder, CountsANewResourceWhileNodesAreRemoved) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{"b"}, NodeText{"c"}, PodText{.name = "p", .node = "b"}});
  engine.Add({PodText{"first"}});
  engine.Decide();
  engine.Add({Event("DELETED", NodeText{"a"}), Event("DELETED", NodeText{"c"}),
              NodeText{"b", R"("cpu":"4","memory":"8Gi","pods":"110","example.com/gpu":"1")"}});
  std::string gpu = R"("overhead":{"example.com/gpu":"1"})";
  engine.Add({PodText{.name = "q", .spec = gpu}, PodText{.name = "r", .spec = gpu}});
  EXPECT_EQ(engine.Decide(), "q@b r:unschedulable ");
}

// Goal: a change that contradicts the cache is recorded and has no other effect. Method: a list
// without a pod that was pending, and that may have been bound since.
TEST(BadOrder, RecordsAContradiction) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{"p"}, R"({"type":"SYNC_BEGIN","resource":"pods"})",
              R"({"type":"SYNC_END","resource":"pods"})"});
  std::vector<JsonTree> records = engine.RunFor("Inconsistency");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["operation"].text(), "RemovePod");
  EXPECT_EQ(records[0]["object"].text(), "default/p");
  EXPECT_EQ(engine.Decide(), "");
}

TEST(BadOrder, IgnoresCompletionsOfUnknownCalls) {
  Engine engine(R"({"api":"host"})");
  engine.Add({NodeText{"a"}, PodText{"p"}});
  engine.Run();
  JsonTree bind = engine.CallFor("bind");
  EXPECT_EQ(engine.Apply({R"({"type":"COMPLETION","call":99,"status":200})"})["ignored"].number(),
            1);
  EXPECT_EQ(engine.Apply({Completed(bind, 201), Completed(bind, 500)})["ignored"].number(), 1)
      << "the first answer counts";
  EXPECT_EQ(engine.RunFor("BindingResult").at(0)["result"].text(), "bound");
  EXPECT_EQ(engine.Apply({Completed(bind, 201)})["ignored"].number(), 1);
}

// Goal: a batch of very many events is applied, and only the final state counts.
TEST(BadOrder, AppliesAHundredThousandEventsInOneBatch) {
  constexpr int kEvents = 100'000;
  Engine engine;
  engine.Add({NodeText{.name = "a", .allocatable = R"("cpu":"1","pods":"9")"},
              PodText{.name = "waits", .cpu = "2"}});
  EXPECT_EQ(engine.Decide(), "waits:unschedulable ");
  std::vector<std::string> lines;
  for (int index = 0; index < kEvents; ++index) {
    std::string name = "p" + std::to_string(index % 50);
    lines.push_back(Event(index % 3 == 0 ? "DELETED" : "MODIFIED", Versioned(name, index + 1)));
  }
  lines.push_back(NodeText{.name = "a", .allocatable = R"("cpu":"2","pods":"9")"});
  engine.Add(lines);
  for (int index = 0; index < 50; ++index) {
    engine.Add({Event("DELETED", PodText{.name = "p" + std::to_string(index)})});
  }
  EXPECT_EQ(engine.Decide(), "waits@a ");
  EXPECT_EQ(engine.Inspect("{}")["cache"]["pods"].number(), 1);
}

TEST(BadData, IgnoresTheActivationOfUnknownPods) {
  Engine engine;
  engine.Add({R"({"type":"ACTIVATE","pods":["default/missing","x"]})"});
  EXPECT_EQ(engine.Decide(), "");
}

TEST(Activate, RetriesAPodAtOnce) {
  Engine engine(R"({"moves":true})");
  engine.Add({PodText{"p"}});
  engine.Run(1);
  engine.Add({R"({"type":"ACTIVATE","pods":["default/p"]})"});
  std::vector<JsonTree> moves = engine.RunFor("QueueMove");
  ASSERT_FALSE(moves.empty());
  EXPECT_EQ(moves[0]["event"].text(), "ForceActivate");
  EXPECT_EQ(moves[0]["from"].text(), "backoff");
  EXPECT_EQ(moves[0]["to"].text(), "active");
}

}  // namespace
}  // namespace stowage
