// Goal: pods of lower priority are evicted so that a pod group can start as a whole, or none is
// (spec 06 §10). Method: small clusters with the simulated API. No recording shows this preemption:
// the tables follow the specification alone.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kGates =
    R"({"featureGates":{"GenericWorkload":true,"GangScheduling":true,)"
    R"("WorkloadAwarePreemption":true}})";
constexpr std::string_view kHostGates =
    R"({"featureGates":{"GenericWorkload":true,"GangScheduling":true,)"
    R"("WorkloadAwarePreemption":true},"api":"host"})";

std::string Group(std::string_view name, int min_count, int priority, std::string_view spec = "") {
  std::string json = R"({"apiVersion":"scheduling.k8s.io/v1alpha2","kind":"PodGroup","metadata":{)";
  json.append(R"("name":")").append(name).append(R"(","namespace":"default","uid":"uid-of-)");
  json.append(name).append(R"("},"spec":{"schedulingPolicy":{"gang":{"minCount":)");
  json.append(std::to_string(min_count)).append("}},\"priority\":");
  return json.append(std::to_string(priority)).append(spec).append("}}");
}

std::string SizedNode(const std::string& name, const std::string& cpu) {
  return NodeText{name, R"("cpu":")" + cpu + R"(","pods":"9")"};
}

PodText Member(const std::string& name, const std::string& group = "gang") {
  return {.name = name,
          .priority = 10,
          .spec = R"("schedulingGroup":{"podGroupName":")" + group + "\"}"};
}

PodText Running(const std::string& name, const std::string& node, int priority,
                const std::string& start = "2026-01-01T00:00:00Z") {
  return {.name = name,
          .node = node,
          .priority = priority,
          .metadata = R"("labels":{"app":")" + name + "\"}",
          .status = R"("startTime":")" + start + "\""};
}

PodText RunningIn(const std::string& group, const std::string& name, const std::string& node,
                  int priority) {
  PodText pod = Running(name, node, priority);
  pod.spec = R"("schedulingGroup":{"podGroupName":")" + group + "\"}";
  return pod;
}

std::string Budget(std::string_view app, int allowed) {
  return R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b",)"
         R"("namespace":"default"},"spec":{"selector":{"matchLabels":{"app":")" +
         std::string(app) + R"("}}},"status":{"disruptionsAllowed":)" + std::to_string(allowed) +
         "}}";
}

constexpr std::string_view kWhole = R"(,"disruptionMode":"PodGroup")";
constexpr std::string_view kWholeLater = R"(,"disruptionMode":{"all":{}})";

// A gang of priority 10, its members, and the pods that are evicted for it; "-": none.
struct VictimsCase {
  std::string_view name;
  std::vector<std::string> objects;
  std::vector<PodText> members;
  std::string_view want;
};

void ExpectVictims(const VictimsCase& c) {
  Engine engine(kGates);
  engine.Add(c.objects);
  engine.Add({Group("gang", static_cast<int>(c.members.size()), 10)});
  for (const PodText& member : c.members) engine.Add({member});
  std::vector<JsonTree> groups = engine.RunFor("PodGroupDecision");
  ASSERT_GE(groups.size(), 1u) << c.name;
  const JsonTree& decision = groups.front();
  EXPECT_EQ(decision["result"].text(), "unschedulable") << c.name;
  std::string victims = decision["victims"].exists() ? decision["victims"].Words() : "-";
  EXPECT_EQ(victims, c.want) << c.name << ": " << decision["message"].text();
  EXPECT_EQ(decision["waitsForPreemption"].text() == "true", c.want != "-") << c.name;
}

// Goal: the most important pods stay, first those that a budget protects.
TEST(PodGroupPreemption, ChoosesVictims) {
  const PodText p = Member("p");
  const PodText q = Member("q");
  const VictimsCase cases[] = {
      {"the more important pod stays",
       {SizedNode("a", "2"), Running("x", "a", 3), Running("y", "a", 5)},
       {p},
       "default/x "},
      {"of equal priority, the pod that started first stays",
       {SizedNode("a", "2"), Running("x", "a", 3, "2026-01-02T00:00:00Z"), Running("y", "a", 3)},
       {p},
       "default/x "},
      {"pods that a budget protects stay first",
       {SizedNode("a", "2"), Running("x", "a", 3), Running("y", "a", 5), Budget("x", 0)},
       {p},
       "default/y "},
      {"a budget that allows the eviction protects nothing",
       {SizedNode("a", "2"), Running("x", "a", 3), Running("y", "a", 5), Budget("x", 1)},
       {p},
       "default/x "},
      {"two members on two nodes",
       {SizedNode("a", "1"), SizedNode("b", "1"), Running("x", "a", 3), Running("y", "b", 5)},
       {p, q},
       "default/y default/x "},
      {"equal priority is not lower", {SizedNode("a", "1"), Running("x", "a", 10)}, {p}, "-"},
      {"nobody is evicted if it does not help",
       {SizedNode("a", "1"), Running("x", "a", 3)},
       {p, q},
       "-"},
  };
  for (const VictimsCase& one : cases) ExpectVictims(one);
}

// Goal: which pods of groups are evicted together.
TEST(PodGroupPreemption, ChoosesAmongGroups) {
  const PodText p = Member("p");
  const VictimsCase cases[] = {
      {"a pod of a group ranks above a single pod",
       {SizedNode("a", "2"), Group("low", 1, 0), Running("x", "a", 3, "2025-01-01T00:00:00Z"),
        RunningIn("low", "y", "a", 3)},
       {p},
       "default/x "},
      {"pods of a group are single victims",
       {SizedNode("a", "1"), SizedNode("b", "1"), Group("low", 1, 0), RunningIn("low", "x", "a", 3),
        RunningIn("low", "y", "b", 3)},
       {p},
       "default/y "},
      {"unless the group is disrupted as a whole",
       {SizedNode("a", "1"), SizedNode("b", "1"), Group("low", 1, 3, kWhole),
        RunningIn("low", "x", "a", 3), RunningIn("low", "y", "b", 3)},
       {p},
       "default/x default/y "},
      {"as later versions say it",
       {SizedNode("a", "1"), SizedNode("b", "1"), Group("low", 1, 3, kWholeLater),
        RunningIn("low", "x", "a", 3), RunningIn("low", "y", "b", 3)},
       {p},
       "default/x default/y "},
      {"the larger group stays",
       {SizedNode("a", "2"), SizedNode("b", "1"), Group("low", 1, 3, kWhole),
        Group("one", 1, 3, kWhole), RunningIn("one", "z", "a", 3), RunningIn("low", "x", "a", 3),
        RunningIn("low", "y", "b", 3)},
       {p},
       "default/z "},
      {"the priority of a whole group counts, not those of its pods",
       {SizedNode("a", "1"), Group("low", 1, 10, kWhole), RunningIn("low", "x", "a", 0)},
       {p},
       "-"},
      {"otherwise that of the pod",
       {SizedNode("a", "1"), Group("low", 1, 10), RunningIn("low", "x", "a", 0)},
       {p},
       "default/x "},
  };
  for (const VictimsCase& one : cases) ExpectVictims(one);
}

// Goal: the group says why nothing is evicted.
TEST(PodGroupPreemption, SaysWhyNot) {
  PodText never = Member("p");
  never.spec += R"(,"preemptionPolicy":"Never")";
  PodText nominated = Member("p");
  nominated.status = R"("nominatedNodeName":"a")";
  PodText leaving = Running("x", "a", 3);
  leaving.metadata += R"(,"deletionTimestamp":"2026-01-02T00:00:00Z")";
  leaving.status += R"(,"conditions":[{"type":"DisruptionTarget","status":"True",)"
                    R"("reason":"PreemptionByScheduler"}])";
  struct {
    std::string_view name;
    PodText member;
    std::string running;
    std::string_view group_spec;
    std::string_view want;
  } cases[] = {
      {"no victims", Member("p"), Running("x", "a", 10), "",
       "No preemption victims found for incoming preemptor"},
      {"a pod never preempts", never, Running("x", "a", 3), "",
       "not eligible due to preemptionPolicy=Never."},
      {"victims are leaving", nominated, leaving, "",
       "not eligible due to a terminating pod on the nominated node."},
      {"the group is to be placed in one domain", Member("p"), Running("x", "a", 3),
       R"(,"schedulingConstraints":{"topology":[{"key":"rack"}]})",
       "workload aware preemption is not supported for pod groups with scheduling constraints"},
  };
  for (const auto& c : cases) {
    Engine engine(kGates);
    engine.Add({SizedNode("a", "1"), c.running, Group("gang", 1, 10, c.group_spec), c.member});
    std::vector<JsonTree> records = engine.RunAll();
    ASSERT_GE(records.size(), 2u) << c.name;
    EXPECT_EQ(records[1]["message"].text(), "pod group is unschedulable, " + std::string(c.want))
        << c.name;
    EXPECT_EQ(records[0]["preemption"]["message"].text(),
              "no new claims to deallocate, "
              "preemption: not eligible due to workload aware preemption enabled")
        << c.name;
  }
}

// Goal: after the evictions the group starts. A pod that has a node in the first attempt is
// nominated to it.
TEST(PodGroupPreemption, StartsOnceTheVictimsAreGone) {
  Engine engine(kGates);
  engine.Add({SizedNode("a", "1"), SizedNode("b", "1"), Running("x", "b", 3), Group("gang", 2, 10),
              Member("p"), Member("q")});
  std::vector<JsonTree> decisions = engine.RunFor("Decision");
  ASSERT_GE(decisions.size(), 3u);
  EXPECT_EQ(decisions[1]["message"].text(), "pod group is unschedulable");
  EXPECT_EQ(decisions[1]["nominatedNodeName"].text(), "a");
  EXPECT_TRUE(decisions[2]["message"].text().starts_with("0/2 nodes are available"));
  EXPECT_FALSE(engine.Inspect(R"({"pod":"default/x"})", false)["node"].exists());
  engine.Sleep(3'000'000);
  EXPECT_EQ(engine.Decide(), "p@a q@b ");
}

// Goal: the trials leave no trace but the evictions: others are decided as if there was no group.
TEST(PodGroupPreemption, LeavesNoTraceIfItFails) {
  std::string states[2];
  for (bool has_group : {false, true}) {
    Engine engine(kGates);
    engine.Add(
        {SizedNode("a", "2"), SizedNode("b", "2"), Running("x", "a", 3), Running("y", "b", 4)});
    engine.Add({PodText{"first"}});
    engine.Run();
    if (has_group) {
      std::vector<std::string> objects{Group("gang", 5, 10)};
      for (const char* name : {"p1", "p2", "p3", "p4", "p5"}) objects.push_back(Member(name));
      engine.Add(objects);
      engine.Run();
    }
    engine.Add({PodText{"last"}});
    engine.Run();
    std::string& state = states[has_group ? 1 : 0];
    for (const char* query : {R"({"node":"a"})", R"({"node":"b"})"}) {
      JsonTree node = engine.Inspect(query);
      state += node["pods"].Words() + node["requested"]["milliCPU"].text() + " ";
    }
  }
  EXPECT_EQ(states[1], states[0]);
}

// Goal: with the host's API the group waits while victims are being evicted, and the writes name
// the group.
TEST(PodGroupPreemption, GatesTheGroupDuringEvictions) {
  Engine engine(kHostGates);
  engine.Add({SizedNode("a", "1"), Running("x", "a", 3), Group("gang", 1, 10), Member("p")});
  std::vector<JsonTree> decisions = engine.RunFor("Decision");
  std::string patch;
  for (const auto& [call, body] : engine.calls()) {
    if (call["path"].text().ends_with("/pods/x/status")) patch = body;
  }
  EXPECT_NE(patch.find("default-scheduler: preempting to accommodate a higher priority podgroup"),
            std::string::npos)
      << patch;
  EXPECT_EQ(decisions.back()["message"].text(),
            "waiting for the preemption for this pod group to be finished");
}

// Goal: forks and reverted transactions decide alike.
TEST(PodGroupPreemption, ForksAndRevertsDecideAlike) {
  Engine engine(kGates);
  engine.Add({SizedNode("a", "1"), Running("x", "a", 3), Group("gang", 1, 10)});
  engine.Run();
  Engine fork = engine.Fork();
  engine.Begin();
  for (Engine* one : {&fork, &engine}) {
    one->Add({Member("p")});
    EXPECT_EQ(one->RunFor("PodGroupDecision")[0]["victims"].Words(), "default/x ");
  }
  engine.Revert();
  EXPECT_EQ(engine.Inspect(R"({"pod":"default/x"})")["node"].text(), "a");
  engine.Add({Member("p")});
  EXPECT_EQ(engine.RunFor("PodGroupDecision")[0]["victims"].Words(), "default/x ");
}

}  // namespace
}  // namespace stowage
