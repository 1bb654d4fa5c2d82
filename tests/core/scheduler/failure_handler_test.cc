// Goal: a pod whose attempt failed is queued again in its current state, or not at all, and its
// status reports why (spec 05 §10). Method: an engine in host mode whose writes are read; an
// extender makes a cycle wait while the cluster changes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kHost = R"({"api":"host","events":true})";
constexpr std::string_view kAsking =
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("extenders":[{"urlPrefix":"http://f","filterVerb":"filter","nodeCacheCapable":true}]})";

std::string BodyOf(const Engine& engine, std::string_view verb) {
  for (const auto& [call, body] : engine.calls()) {
    if (call["verb"].text() == verb) return body;
  }
  return "";
}

TEST(FailureHandler, WritesWhyAPodStaysPending) {
  Engine engine(kHost);
  engine.Add({NodeText{"a"}, PodText{.name = "p",
                                     .cpu = "9",
                                     .metadata = R"("generation":4)",
                                     .status = R"("nominatedNodeName":"a")"}});
  std::vector<JsonTree> records = engine.RunAll();
  EXPECT_EQ(records[0]["kind"].text(), "Decision");
  const JsonTree& event = records[1];
  EXPECT_EQ(event["kind"].text(), "Event");
  EXPECT_EQ(event["type"].text(), "Warning");
  EXPECT_EQ(event["reason"].text(), "FailedScheduling");
  EXPECT_EQ(event["action"].text(), "Scheduling");
  EXPECT_EQ(event["note"].text(), records[0]["message"].text());
  JsonTree patch = JsonTree::Parse(BodyOf(engine, "patch"));
  const JsonTree& condition = patch["status"]["conditions"][0];
  EXPECT_EQ(condition["type"].text(), "PodScheduled");
  EXPECT_EQ(condition["status"].text(), "False");
  EXPECT_EQ(condition["reason"].text(), "Unschedulable");
  EXPECT_EQ(condition["message"].text(), records[0]["message"].text());
  EXPECT_EQ(condition["observedGeneration"].text(), "4");
  EXPECT_EQ(condition["lastTransitionTime"].text(), "1970-01-12T13:46:40Z");
  EXPECT_TRUE(patch["status"]["nominatedNodeName"].is_null()) << "cleared";
}

TEST(FailureHandler, CutsNotesToTheLimitOfEvents) {
  FakeBehavior talkative{.name = "Talkative"};
  talkative.filter = [](const CycleState&, const Pod&, const NodeInfo&) {
    return Status::Unschedulable(std::string(2000, 'x'));
  };
  Engine engine({talkative}, R"("events":true)");
  engine.Add({NodeText{"a"}, PodText{"p"}});
  std::vector<JsonTree> records = engine.RunAll();
  EXPECT_GT(records[0]["message"].text().size(), 2000u) << "the decision says it all";
  std::string note = records[1]["note"].text();
  EXPECT_EQ(note.size(), 1024u);
  EXPECT_EQ(note.substr(1020), " ...");
}

// Goal: changes of the pod during its attempt determine whether it is queued again.
TEST(FailureHandler, QueuesThePodInItsCurrentState) {
  struct {
    std::string_view name;
    std::vector<std::string> meanwhile;
    std::string_view want_queue;  // p's queue afterwards; empty: none
  } cases[] = {
      {"unchanged", {}, "backoff"},
      {"changed", {PodText{.name = "p", .metadata = R"("labels":{"k":"v"})"}}, "backoff"},
      {"deleted", {Event("DELETED", PodText{"p"})}, ""},
      {"bound by another client", {PodText{.name = "p", .node = "a"}}, ""},
      {"given away", {PodText{.name = "p", .scheduler = "other"}}, ""},
      {"another pod of the name",
       {Event("DELETED", PodText{"p"}), PodText{.name = "p", .uid = "another"}},
       "active"},
  };
  for (const auto& c : cases) {
    Engine engine(R"({"api":"host"})", kAsking);
    engine.Add({NodeText{"a"}, PodText{"p"}});
    EXPECT_EQ(engine.Run().back()["waiting"].text(), "true") << c.name;
    JsonTree filter = engine.CallFor("filter");
    engine.Add(c.meanwhile);
    engine.Add({Completed(filter, 500)});
    engine.Run(0);
    JsonTree state = engine.Inspect("{}");
    EXPECT_EQ(state["inFlight"].size(), 0u) << c.name;
    std::string queue;
    if (c.name != "deleted") queue = engine.Inspect(R"({"pod":"default/p"})")["queue"].text();
    EXPECT_EQ(queue, c.want_queue) << c.name;
  }
}

// Goal: a pod that is updated after its deletion began, and before its binding fails, is queued
// once.
TEST(FailureHandler, ReportsAPodThatIsQueuedAlready) {
  Engine engine(R"({"api":"host"})");
  engine.Add({NodeText{"a"}, PodText{"p"}});
  engine.Run();
  JsonTree bind = engine.CallFor("bind");
  std::string ending = R"("deletionTimestamp":"2026-01-01T00:00:00Z")";
  engine.Add({PodText{.name = "p", .metadata = ending},
              PodText{.name = "p", .metadata = ending + R"(,"labels":{"k":"v"})"},
              Completed(bind, 500)});
  std::vector<JsonTree> records = engine.RunFor("Inconsistency");
  ASSERT_EQ(records.size(), 1u) << engine.log();
  EXPECT_EQ(records[0]["operation"].text(), "AddUnschedulableIfNotPresent");
  EXPECT_EQ(records[0]["object"].text(), "default/p");
  EXPECT_EQ(records[0]["message"].text(), "Pod default/p is already present in the active queue");
}

}  // namespace
}  // namespace stowage
