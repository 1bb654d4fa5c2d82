// The engine's state as reported by Inspect.
#include <gtest/gtest.h>

#include <string>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

TEST(Inspect, ReportsCountsAndQueues) {
  Engine engine;
  JsonTree empty = engine.Inspect("{}");
  EXPECT_EQ(empty["now"].text(), "1970-01-01T00:00:00.000000Z") << "of the last call that had one";
  EXPECT_EQ(empty["cache"]["nodes"].number(), 0);
  engine.Add({NodeText{"a"}, PodText{.name = "r", .node = "a"},
              PodText{.name = "g", .node = "gone"}, PodText{.name = "big", .cpu = "9"}});
  engine.Run();
  engine.Add({PodText{"p"}, PodText{.name = "first", .priority = 9}});
  engine.Run(0);
  JsonTree state = engine.Inspect("{}");
  EXPECT_EQ(state["now"].text(), "1970-01-12T13:46:40.000000Z");
  EXPECT_EQ(state["queues"]["active"].Words(), "default/first default/p ");
  ASSERT_EQ(state["queues"]["unschedulable"].size(), 1u);
  const JsonTree& big = state["queues"]["unschedulable"][0];
  EXPECT_EQ(big["pod"].text(), "default/big");
  EXPECT_EQ(big["unschedulablePlugins"].Words(), "NodeResourcesFit ");
  EXPECT_EQ(big["pendingPlugins"].size(), 0u);
  EXPECT_EQ(big["lastMove"]["event"].text(), "ScheduleAttemptFailure");
  EXPECT_EQ(big["lastMove"]["queue"].text(), "unschedulable");
  EXPECT_EQ(big["lastMove"]["at"].text(), "1970-01-12T13:46:40.000000Z");
  EXPECT_EQ(state["cache"]["nodes"].number(), 1);
  EXPECT_EQ(state["cache"]["ghostNodes"].number(), 1);
  EXPECT_EQ(state["cache"]["pods"].number(), 2);
  EXPECT_EQ(state["nominated"].size(), 0u);
  EXPECT_EQ(state["assumed"].size(), 0u);
  EXPECT_EQ(state["inFlight"].size(), 0u);
  EXPECT_EQ(state["waiting"].size(), 0u);
  EXPECT_EQ(state["hash"].text().size(), 64u);
}

TEST(Inspect, ReportsTheNodesOfPods) {
  Engine engine;
  engine.Add({NodeText{"b"}, NodeText{"a"}, PodText{.name = "s", .node = "a"},
              PodText{.name = "r", .node = "a"}, PodText{.name = "g", .node = "gone"}});
  JsonTree cache = engine.Inspect(R"({"cache":true})")["cache"];
  EXPECT_EQ(cache["nodes"].keys(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(cache["nodes"]["a"].Words(), "default/r default/s ");
  EXPECT_EQ(cache["ghostNodes"]["gone"].Words(), "default/g ");
}

TEST(Inspect, ReportsWhyAPodWaits) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "9"},
              PodText{.name = "gated", .spec = R"("schedulingGates":[{"name":"x"}])"}});
  engine.Run();
  JsonTree gated = engine.Inspect(R"({"pod":"default/gated"})");
  EXPECT_EQ(gated["queue"].text(), "unschedulable");
  EXPECT_EQ(gated["gated"].text(), "true");
  EXPECT_EQ(gated["gatingPlugin"].text(), "SchedulingGates");
  EXPECT_EQ(gated["message"].text(), "waiting for scheduling gates: [x]");
  engine.Add({Event("MODIFIED", NodeText{"a", R"("cpu":"10","pods":"5")"})});
  JsonTree pod = engine.Inspect(R"({"pod":"default/p"})");
  EXPECT_EQ(pod["queue"].text(), "backoff");
  EXPECT_EQ(pod["attempts"].number(), 1);
  EXPECT_EQ(pod["lastMove"]["event"].text(), "NodeUpdateNodeAllocatable");
  EXPECT_EQ(pod["lastMove"]["plugin"].text(), "NodeResourcesFit");
  EXPECT_EQ(pod["lastMove"]["hint"].text(), "Queue");
  JsonTree backoff = engine.Inspect("{}")["queues"]["backoff"][0];
  EXPECT_EQ(backoff["pod"].text(), "default/p");
  EXPECT_EQ(backoff["expiresAt"].text(), "1970-01-12T13:46:41.000000Z");
  EXPECT_FALSE(backoff["error"].exists());
}

TEST(Inspect, ReportsANodesResources) {
  Engine engine;
  engine.Add(
      {NodeText{
           .name = "a",
           .allocatable =
               R"("cpu":"4","memory":"1Gi","ephemeral-storage":"7","pods":"5","example.com/gpu":"2")",
           .status = R"("images":[{"names":["i:1","i@sha"],"sizeBytes":33}])"},
       PodText{.name = "r", .cpu = "1500m", .node = "a"}, PodText{.name = "g", .node = "gone"},
       PodText{"p"}});
  engine.Run();
  JsonTree node = engine.Inspect(R"({"node":"a"})");
  EXPECT_EQ(node["name"].text(), "a");
  EXPECT_EQ(node["ghost"].text(), "false");
  EXPECT_EQ(node["allocatable"]["milliCPU"].number(), 4000);
  EXPECT_EQ(node["allocatable"]["memory"].number(), 1 << 30);
  EXPECT_EQ(node["allocatable"]["ephemeralStorage"].number(), 7);
  EXPECT_EQ(node["allocatable"]["allowedPodNumber"].number(), 5);
  EXPECT_EQ(node["allocatable"]["scalarResources"]["example.com/gpu"].number(), 2);
  EXPECT_EQ(node["requested"]["milliCPU"].number(), 2500);
  EXPECT_EQ(node["nonZeroRequested"]["memory"].number(), 2 * 200 << 20);
  EXPECT_EQ(node["pods"].Words(), "default/r default/p ");
  EXPECT_EQ(node["images"]["i:1"]["sizeBytes"].number(), 33);
  EXPECT_EQ(node["images"]["i@sha"]["numNodes"].number(), 1);
  EXPECT_EQ(engine.Inspect(R"({"node":"gone"})")["ghost"].text(), "true");
}

TEST(Inspect, ReportsAPodsPlace) {
  Engine engine(R"({"api":"host"})");
  engine.Add({NodeText{"a"}, PodText{.name = "bound", .node = "a"}, PodText{.name = "p"},
              PodText{.name = "theirs",
                      .scheduler = "other",
                      .metadata = R"("deletionTimestamp":"2026-01-01T00:00:00Z")"}});
  JsonTree bound = engine.Inspect(R"({"pod":"default/bound"})");
  EXPECT_EQ(bound["pod"].text(), "default/bound");
  EXPECT_EQ(bound["uid"].text(), "uid-bound");
  EXPECT_EQ(bound["node"].text(), "a");
  EXPECT_EQ(bound["assumed"].text(), "false");
  EXPECT_EQ(bound["terminating"].text(), "false");
  EXPECT_TRUE(engine.Inspect(R"({"pod":"default/p"})")["node"].is_null());
  engine.Run();
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["node"].text(), "a");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["assumed"].text(), "true");
  JsonTree theirs = engine.Inspect(R"({"pod":"default/theirs"})");
  EXPECT_EQ(theirs["schedulerName"].text(), "other");
  EXPECT_EQ(theirs["terminating"].text(), "true");
}

TEST(Inspect, RefusesUnknownNames) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{"p"}});
  struct {
    std::string_view query;
    std::string_view want_field;
    std::string_view want;
  } cases[] = {
      {R"({"node":"b"})", "node", "node: Not found: \"b\""},
      {R"({"node":"never a text before"})", "node", "node: Not found: \"never a text before\""},
      {R"({"pod":"default/q"})", "pod", "pod: Not found: \"default/q\""},
      {R"({"pod":"p"})", "pod", "pod: Not found: \"p\""},
      {R"({"nodes":"n"})", "", "unknown field \"nodes\""},
  };
  for (const auto& c : cases) {
    JsonTree error = engine.Inspect(c.query, false);
    EXPECT_EQ(error["class"].text(), "InputError") << c.query;
    EXPECT_EQ(error["field"].text(), c.want_field) << c.query;
    EXPECT_EQ(error["message"].text(), c.want) << c.query;
  }
}

}  // namespace
}  // namespace stowage
