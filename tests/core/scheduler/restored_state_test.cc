// Goal: a list overrides everything known before it: state may go back, as after etcd was restored
// from a backup. Method: pods are bound, a list shows them differently, and in the end every pod
// that fits is bound.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

std::string Mark(std::string_view type, std::string_view resource = "pods") {
  return R"({"type":")" + std::string(type) + R"(","resource":")" + std::string(resource) + "\"}";
}

// The lines of a list.
std::vector<std::string> List(std::vector<std::string> objects) {
  objects.insert(objects.begin(), Mark("SYNC_BEGIN"));
  objects.push_back(Mark("SYNC_END"));
  return objects;
}

std::string PodsOn(Engine& engine, std::string_view node) {
  return engine.Inspect(R"({"node":")" + std::string(node) + "\"}")["pods"].Words();
}

TEST(RestoredState, QueuesAPodThatBecameUnbound) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{"b"}, PodText{.name = "p", .node = "a"}});
  engine.Add(List({PodText{"p"}}));
  EXPECT_EQ(PodsOn(engine, "a"), "");
  EXPECT_EQ(engine.Inspect("{}")["queues"]["active"].Words(), "default/p ");
  EXPECT_EQ(engine.RunFor("Inconsistency").size(), 0u);
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["node"].text(), "a");
}

TEST(RestoredState, MovesAPodThatIsBoundElsewhere) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{"b"}, PodText{.name = "p", .node = "a"}});
  engine.Add(List({PodText{.name = "p", .node = "b"}}));
  EXPECT_EQ(PodsOn(engine, "a") + "|" + PodsOn(engine, "b"), "|default/p ");
  EXPECT_EQ(engine.RunFor("Inconsistency").size(), 0u);
}

// Goal: the freed resources make waiting pods active.
TEST(RestoredState, GivesFreedResourcesToWaitingPods) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "3", .node = "a"}});
  engine.Add({PodText{.name = "q", .cpu = "2"}});
  EXPECT_EQ(engine.Decide(), "q:unschedulable ");
  engine.Add({NodeText{"b", R"("cpu":"1","memory":"8Gi","pods":"110")"}});
  engine.Add(
      List({PodText{.name = "p", .cpu = "3", .node = "b"}, PodText{.name = "q", .cpu = "2"}}));
  engine.Sleep(10'000'000);
  EXPECT_EQ(engine.Decide(), "q@a ");
}

// After a restore from a backup, resource versions are used again.
TEST(RestoredState, AcceptsAnotherPodWithTheSameNameAndVersion) {
  Engine engine;
  for (std::string_view uid : {"1", "2"}) {
    PodText pod{.name = "p"};
    pod.uid = uid;
    pod.metadata = R"("resourceVersion":"7")";
    engine.Add({std::string(pod)});
  }
  engine.Add({NodeText{"a"}});
  EXPECT_EQ(engine.RunFor("Decision")[0]["uid"].text(), "2");
}

TEST(RestoredState, ReplacesAPodByAnotherOfItsName) {
  struct {
    std::string_view name;
    PodText before;
    PodText after;
    std::string_view want;
  } cases[] = {
      {"both bound", {.name = "p", .node = "a"}, {.name = "p", .node = "a", .uid = "2"}, ""},
      {"now pending", {.name = "p", .node = "a"}, {.name = "p", .uid = "2"}, "p@a "},
      {"finished",
       {.name = "p", .node = "a"},
       {.name = "p", .node = "a", .uid = "2", .status = R"("phase":"Failed")"},
       ""},
      {"another scheduler's", {.name = "p"}, {.name = "p", .scheduler = "x", .uid = "2"}, ""},
  };
  for (const auto& c : cases) {
    Engine engine(R"({"api":"host"})");
    engine.Add({NodeText{"a"}, c.before});
    engine.Add(List({c.after}));
    EXPECT_EQ(engine.Decide(), c.want) << c.name;
    EXPECT_NE(engine.Inspect("{}")["cache"]["pods"].number(), 2) << c.name;
  }
}

// Goal: an assumed pod whose name another pod has taken frees its resources.
TEST(RestoredState, RemovesAnAssumedPodWhoseNameIsReused) {
  Engine engine(R"({"api":"host"})");
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "3", .uid = "1"}});
  EXPECT_EQ(engine.Decide(), "p@a ");
  engine.Add(List({PodText{.name = "p", .cpu = "3", .uid = "2"}}));
  EXPECT_EQ(engine.Decide(), "p@a ");
}

// Goal: an object with a reused resource version counts as changed.
TEST(RestoredState, AppliesAReusedVersion) {
  Engine engine;
  std::string version = R"("resourceVersion":"7")";
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "9", .metadata = version}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  engine.Add(List({PodText{.name = "p", .cpu = "1", .metadata = version}}));
  engine.Sleep(10'000'000);
  EXPECT_EQ(engine.Decide(), "p@a ");
}

// The pod has no node any more, in a list, or in an event after a list without the pod.
std::vector<std::vector<std::string>> WaysBack() {
  std::string pod = PodText{"p"};
  std::vector<std::string> gone = List({});
  std::vector<std::string> listed = gone;
  for (const std::string& line : List({pod})) listed.push_back(line);
  std::vector<std::string> watched = gone;
  watched.push_back(pod);
  return {List({pod}), listed, watched};
}

// Goal: a pod has one attempt at a time. Method: the binding is answered after a list that is older
// than the known state.
TEST(RestoredState, KeepsABindingInFlightAsTheOnlyAttempt) {
  struct {
    std::string_view name;
    int status;
    std::string_view want;
  } cases[] = {{"succeeds", 201, ""}, {"fails", 500, "p@a "}};
  for (const auto& c : cases) {
    for (const std::vector<std::string>& way_back : WaysBack()) {
      Engine engine(R"({"api":"host"})");
      engine.Add({NodeText{"a"}, PodText{"p"}});
      EXPECT_EQ(engine.Decide(), "p@a ");
      JsonTree bind = engine.CallFor("bind");
      engine.Add({PodText{.name = "p", .node = "a"}});
      engine.Add(way_back);
      EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "default/p ") << c.name;
      EXPECT_EQ(engine.Decide(), "") << c.name;
      engine.Add({Completed(bind, c.status)});
      engine.Run();
      engine.Sleep(10'000'000);
      EXPECT_EQ(engine.Decide(), c.want) << c.name;
      engine.Add({PodText{.name = "p", .node = "a"}});
      EXPECT_EQ(PodsOn(engine, "a"), "default/p ") << c.name;
    }
  }
}

TEST(RestoredState, KeepsTheBindingOfAPodWhoseTerminationIsUndone) {
  Engine engine(R"({"api":"host"})");
  std::string ending = R"("deletionTimestamp":"2026-01-01T00:00:00Z")";
  engine.Add({NodeText{"a"}, PodText{"p"}});
  EXPECT_EQ(engine.Decide(), "p@a ");
  engine.Add({PodText{.name = "p", .metadata = ending}});
  EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "");
  engine.Add(List({PodText{"p"}}));
  EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "default/p ");
  EXPECT_EQ(engine.Decide(), "");
}

// Goal: an unreadable object keeps its last state and is reported.
TEST(Lists, KeepARefusedObject) {
  struct {
    std::string_view name;
    std::string line;
    std::string_view want;  // the pod on the node in the end
  } cases[] = {
      {"a bad field", PodText{.name = "p", .cpu = "lots", .node = "a"}, "default/p "},
      {"no uid",
       R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"default"}})",
       "default/p "},
      {"in a list that is typed",
       R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"1"},)"
       R"("items":[{"metadata":{"name":"p","namespace":"default","uid":7}}]})",
       "default/p "},
      {"without a name", R"({"apiVersion":"v1","kind":"Pod","metadata":{"uid":"u"}})",
       "default/p default/q "},
      {"nothing",
       R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"1"},"items":[null]})",
       "default/p default/q "},
      {"no JSON", "{", "default/p default/q "},
      {"no object", R"({"type":"ADDED","object":null})", "default/p default/q "},
      {"another kind's", NodeText{"p", R"("cpu":"lots")"}, ""},
  };
  for (const auto& c : cases) {
    Engine engine;
    engine.Add(
        {NodeText{"a"}, PodText{.name = "p", .node = "a"}, PodText{.name = "q", .node = "a"}});
    JsonTree result = engine.Apply(List({c.line}));
    EXPECT_GE(result["errors"].size(), 1u) << c.name;
    EXPECT_EQ(PodsOn(engine, "a"), c.want) << c.name;
    engine.Add(List({}));
    EXPECT_EQ(PodsOn(engine, "a"), "") << c.name << ": a whole list counts";
  }
}

TEST(Lists, MoveAUidToItsListedName) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .node = "a", .uid = "u"}});
  engine.Add(List({PodText{.name = "q", .node = "a", .uid = "u"}}));
  EXPECT_EQ(PodsOn(engine, "a"), "default/q ");
  JsonTree result = engine.Apply(List({PodText{.name = "q", .node = "a", .uid = "u"},
                                       PodText{.name = "r", .node = "a", .uid = "u"}}));
  EXPECT_EQ(result["errors"][0]["code"].text(), "FieldValueDuplicate");
  EXPECT_EQ(PodsOn(engine, "a"), "default/q ");
}

}  // namespace
}  // namespace stowage
