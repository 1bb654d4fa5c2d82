// Goal: the pods of a group are bound together or not at all (spec 05 §13). Method: small clusters
// with the simulated API; the recordings of the family `gang` cover single decisions.
#include "core/scheduler/pod_group_cycle.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kGates =
    R"({"featureGates":{"GenericWorkload":true,"GangScheduling":true}})";
constexpr std::string_view kTopologyGates =
    R"({"featureGates":{"GenericWorkload":true,"GangScheduling":true,)"
    R"("TopologyAwareWorkloadScheduling":true}})";

std::string Group(std::string_view name, int min_count, std::string_view spec = "",
                  std::string_view version = "v1alpha2") {
  std::string json = R"({"apiVersion":"scheduling.k8s.io/)";
  json.append(version).append(R"(","kind":"PodGroup","metadata":{"name":")").append(name);
  json.append(R"(","namespace":"default","generation":3},"spec":{"schedulingPolicy":{"gang":)");
  json.append(R"({"minCount":)" + std::to_string(min_count) + "}}").append(spec);
  return json.append("}}");
}

PodText Member(const std::string& name, std::string_view cpu = "1",
               const std::string& group = "gang") {
  return {.name = name,
          .cpu = std::string(cpu),
          .spec = R"("schedulingGroup":{"podGroupName":")" + group + "\"}"};
}

TEST(PodGroupCycle, BindsTheGroupOnceMinCountPodsAreThere) {
  Engine engine(kGates);
  engine.Add({NodeText{"a"}, Group("gang", 3), Member("p"), Member("q")});
  EXPECT_EQ(engine.Decide(), "p:gated q:gated ");
  engine.Add({Member("r")});
  EXPECT_EQ(engine.Decide(), "p@a q@a r@a ");
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/p"})")["assumed"].text(), "false");
}

TEST(PodGroupCycle, WaitsForThePodGroup) {
  Engine engine(kGates);
  engine.Add({NodeText{"a"}, Member("p"), Member("q")});
  EXPECT_EQ(engine.Decide(), "p:gated q:gated ");
  engine.Add({Group("gang", 2)});
  EXPECT_EQ(engine.Decide(), "p@a q@a ");
}

// Goal: if fewer pods fit than must, none stays on its node, and the others say why.
TEST(PodGroupCycle, BindsNoneIfTooFewFit) {
  Engine engine(kGates);
  engine.Add({NodeText{"a", R"("cpu":"2","pods":"9")"}, Group("gang", 3), Member("p"), Member("q"),
              Member("r")});
  std::vector<JsonTree> decisions = engine.RunFor("Decision");
  ASSERT_EQ(decisions.size(), 5u);  // two were gated before the third came
  EXPECT_EQ(decisions[2]["message"].text(),
            "pod group is unschedulable, waiting for minCount pods from a gang to be scheduled, "
            "one or more plugins asked to wait and no plugin rejected pod");
  EXPECT_TRUE(decisions[2]["node"].is_null());
  EXPECT_TRUE(decisions[4]["message"].text().starts_with("0/1 nodes are available: 1 Insuff"));
  EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "");
  // A pod outside of the group takes the room.
  engine.Add({PodText{"single", "2"}});
  EXPECT_EQ(engine.Decide(), "single@a ");
}

// Goal: a later attempt, after the backoff, takes all pods of the group again.
TEST(PodGroupCycle, TriesAgainTogether) {
  Engine engine(kGates);
  engine.Add(
      {NodeText{"a", R"("cpu":"1","pods":"9")"}, Group("gang", 2), Member("p"), Member("q")});
  EXPECT_EQ(engine.Decide(), "p:gated p:unschedulable q:unschedulable ");
  engine.Add({NodeText{"b", R"("cpu":"1","pods":"9")"}});
  engine.Sleep(3'000'000);
  EXPECT_EQ(engine.Decide(), "p@a q@b ");
}

// Goal: a pod that fits, and whose group is gone, has the same record however its node was found.
TEST(PodGroupCycle, RecordsNoRefusalsBesideTheNodeThatItFound) {
  for (std::string_view cache : {"off", "firstUse"}) {
    Engine engine(R"({"verdictCache":")" + std::string(cache) + "\"," +
                  std::string(kGates.substr(1)));
    engine.Add({NodeText{"a", R"("cpu":"1","pods":"9")"}, NodeText{"b", R"("cpu":"0","pods":"9")"},
                Group("gang", 2), Member("p"), Member("q")});
    EXPECT_EQ(engine.Decide(), "p:gated p:unschedulable q:unschedulable ") << cache;
    engine.Add({NodeText{"c", R"("cpu":"0","pods":"9")"}, Event("DELETED", Group("gang", 2))});
    engine.Sleep(3'000'000);
    std::vector<JsonTree> decisions = engine.RunFor("Decision");
    ASSERT_EQ(decisions.size(), 4u) << cache;  // at last both are gated
    EXPECT_EQ(decisions[0]["message"].text(),
              "running Permit plugin \"GangScheduling\": failed to get podGroup default/gang: "
              "podgroup.scheduling.k8s.io \"gang\" not found");
    EXPECT_EQ(decisions[0]["feasibleNodes"].number(), 1) << cache;
    EXPECT_EQ(decisions[0]["reasons"].size(), 0u) << cache;
  }
}

// Goal: a pod whose deletion was missed counts no longer once another pod has its name.
TEST(PodGroupCycle, ForgetsAPodWhoseNameAnotherHas) {
  Engine engine(kGates);
  engine.Add({NodeText{"a"}, Group("gang", 2), Member("p")});
  EXPECT_EQ(engine.Decide(), "p:gated ");
  PodText single{.name = "p", .uid = "another"};
  engine.Add({Event("MODIFIED", single), Member("q")});
  EXPECT_EQ(engine.Decide(), "q:gated ");
  EXPECT_EQ(engine.Inspect("{}")["podGroups"][0]["unscheduled"].Words(), "default/q ");
}

TEST(PodGroupCycle, RecordsTheGroupAndItsCondition) {
  Engine engine(R"({"featureGates":{"GenericWorkload":true,"GangScheduling":true},"api":"host"})");
  engine.Add({NodeText{"a"}, Group("gang", 1), Member("p")});
  std::vector<JsonTree> records = engine.RunAll();
  std::vector<std::string> kinds;
  for (const JsonTree& record : records) kinds.push_back(record["kind"].text());
  EXPECT_EQ(kinds, (std::vector<std::string>{"Decision", "PodGroupDecision", "Turn"}));
  EXPECT_EQ(records[1]["podGroup"].text(), "default/gang");
  EXPECT_EQ(records[1]["result"].text(), "scheduled");
  EXPECT_EQ(records[1]["decisions"].items()[0].text(), records[0]["seq"].text());
  std::string patch;
  for (const auto& [call, body] : engine.calls()) {
    if (call["path"].text().ends_with("/podgroups/gang/status")) patch = body;
  }
  EXPECT_EQ(patch, R"({"status":{"conditions":[{"lastTransitionTime":"1970-01-12T13:46:40Z",)"
                   R"("message":"","observedGeneration":3,"reason":"Scheduled","status":"True",)"
                   R"("type":"PodGroupScheduled"}]}})");
}

// Goal: PodGroups of v1.36, whose disruption mode the API server fills in, and of later versions
// are read.
TEST(PodGroupCycle, ReadsAllVersionsOfPodGroup) {
  struct {
    std::string_view version;
    std::string_view mode;
  } cases[] = {
      {"v1alpha2", R"("Pod")"},         {"v1alpha2", R"("PodGroup")"}, {"v1alpha2", "null"},
      {"v1alpha3", R"({"single":{}})"}, {"v1beta1", R"({"all":{}})"},
  };
  for (const auto& c : cases) {
    Engine engine(kGates);
    std::string mode = R"(,"disruptionMode":)" + std::string(c.mode);
    engine.Add({NodeText{"a"}, Group("gang", 1, mode, c.version), Member("p")});
    EXPECT_EQ(engine.Decide(), "p@a ") << c.version << c.mode;
  }
}

TEST(PodGroupCycle, RefusesDifferentSchedulers) {
  Engine engine(kGates, R"({"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                        R"("kind":"KubeSchedulerConfiguration","profiles":[{"schedulerName":"a"},)"
                        R"({"schedulerName":"b"}]})");
  PodText p = Member("p");
  PodText q = Member("q");
  p.scheduler = "a";
  q.scheduler = "b";
  engine.Add({NodeText{"n"}, Group("gang", 2), p, q});
  std::vector<JsonTree> decisions = engine.RunFor("Decision");
  ASSERT_EQ(decisions.size(), 3u);
  for (size_t index : {1, 2}) {
    EXPECT_EQ(decisions[index]["message"].text(),
              "all pods in a single pod group should have the same .spec.schedulerName set, got: "
              "\"b\" and \"a\"");
  }
}

// Goal: a group of several topology domains takes the one where all of it fits.
TEST(PodGroupCycle, PlacesTheGroupInOneDomain) {
  auto node = [](const std::string& name, const std::string& rack, const std::string& cpu) {
    return NodeText{name, R"("cpu":")" + cpu + R"(","pods":"9")",
                    R"("labels":{"rack":")" + rack + "\"}"};
  };
  const std::string group =
      Group("gang", 2, R"(,"schedulingConstraints":{"topology":[{"key":"rack"}]})");
  Engine engine(kTopologyGates);
  engine.Add({node("a", "r1", "1"), node("b", "r2", "1"), node("c", "r2", "1"), group, Member("p"),
              Member("q")});
  std::vector<JsonTree> records = engine.RunFor("PodGroupDecision");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["result"].text(), "scheduled");
  EXPECT_EQ(records[0]["placement"].text(), "r2");
  EXPECT_NE(engine.Inspect(R"({"pod":"default/p"})")["node"].text(), "a");
  EXPECT_NE(engine.Inspect(R"({"pod":"default/q"})")["node"].text(), "a");
  // The next pod sees all nodes again.
  engine.Add({PodText{"single"}});
  EXPECT_EQ(engine.Decide(), "single@a ");
}

TEST(PodGroupCycle, SaysThatNoPlacementFits) {
  Engine engine(kTopologyGates);
  engine.Add({NodeText{"a", R"("cpu":"1","pods":"9")", R"("labels":{"rack":"r1"})"},
              NodeText{"b", R"("cpu":"1","pods":"9")", R"("labels":{"rack":"r2"})"},
              Group("gang", 2, R"(,"schedulingConstraints":{"topology":[{"key":"rack"}]})"),
              Member("p"), Member("q")});
  std::vector<JsonTree> records = engine.RunFor("PodGroupDecision");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["message"].text(),
            "0/2 placements are available, first placement status: pod group is unschedulable");
  EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "");
}

TEST(PodGroupCycle, FailsIfNoNodeHasTheTopologyKey) {
  Engine engine(kTopologyGates);
  engine.Add({NodeText{"a"},
              Group("gang", 2, R"(,"schedulingConstraints":{"topology":[{"key":"rack"}]})"),
              Member("p"), Member("q")});
  EXPECT_EQ(engine.Decide(), "p:gated p:unschedulable q:unschedulable ");
  EXPECT_EQ(engine.Inspect("{}")["assumed"].Words(), "");
}

// Goal: the members of groups belong to the copied and to the restored state.
TEST(PodGroupCycle, ForksAndRevertsKeepTheGroups) {
  Engine engine(kGates);
  engine.Add({NodeText{"a"}, Group("gang", 2), Member("p")});
  engine.Run();
  Engine fork = engine.Fork();
  fork.Add({Member("q")});
  EXPECT_EQ(fork.Decide(), "p@a q@a ");
  engine.Begin();
  engine.Add({Member("q")});
  EXPECT_EQ(engine.Decide(), "p@a q@a ");
  engine.Revert();
  engine.Add({Member("r")});
  EXPECT_EQ(engine.Decide(), "p@a r@a ");
}

// Goal: a group that must wait for evictions takes no node before they are done.
TEST(PodGroupCycle, WaitsForPreemption) {
  Engine engine(kGates);
  engine.Add({NodeText{"a", R"("cpu":"2","pods":"9")"},
              PodText{.name = "victim", .cpu = "1", .node = "a"}, Group("gang", 2)});
  PodText p = Member("p");
  PodText q = Member("q");
  p.priority = q.priority = 10;
  engine.Add({p, q});
  std::vector<JsonTree> decisions = engine.RunFor("Decision");
  // At last the preempting pod is gated until its victim is gone.
  ASSERT_EQ(decisions.size(), 4u);
  EXPECT_EQ(decisions[3]["plugin"].text(), "DefaultPreemption");
  EXPECT_EQ(decisions[1]["message"].text(),
            "pod group is unschedulable, pod group is waiting for preemption to complete");
  EXPECT_EQ(decisions[1]["nominatedNodeName"].text(), "a");
  EXPECT_EQ(decisions[2]["message"].text(), "0/1 nodes are available: 1 Insufficient cpu.");
  engine.Sleep(3'000'000);
  EXPECT_EQ(engine.Decide(), "p@a q@a ");
}

}  // namespace
}  // namespace stowage
