// Evaluations of a pod: their contents, and that they change nothing.
#include "core/scheduler/evaluation.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kTaint = R"("taints":[{"key":"k","value":"v","effect":"NoSchedule"}])";

// Nodes a (room for 4), b (cordoned, room for 1), c (tainted); r runs on a.
std::vector<std::string> SmallCluster() {
  return {
      NodeText{"a"},
      NodeText{
          .name = "b", .allocatable = R"("cpu":"1","pods":"9")", .spec = R"("unschedulable":true)"},
      NodeText{.name = "c", .spec = std::string(kTaint)},
      PodText{.name = "r", .cpu = "3", .node = "a"}};
}

// Refusals as "plugin:nodes ".
std::string Refusals(const JsonTree& groups) {
  std::string text;
  for (const JsonTree& group : groups.items()) {
    text += group["plugin"].text() + ":" + group["nodes"].Words();
  }
  return text;
}

TEST(Evaluation, ReportsWhatTheNextCycleWouldDo) {
  Engine engine;
  engine.Add(SmallCluster());
  JsonTree evaluation = engine.Evaluate("{}", std::string(PodText{"p"}));
  EXPECT_EQ(evaluation["apiVersion"].text(), "stowage/v1");
  EXPECT_EQ(evaluation["kind"].text(), "Evaluation");
  EXPECT_EQ(evaluation["pod"].text(), "default/p");
  EXPECT_EQ(evaluation["result"].text(), "scheduled");
  EXPECT_EQ(evaluation["node"].text(), "a");
  EXPECT_EQ(evaluation["numAllNodes"].number(), 3);
  EXPECT_EQ(evaluation["feasibleNodes"].number(), 1);
  EXPECT_EQ(Refusals(evaluation["filter"]), "NodeUnschedulable:b TaintToleration:c ");
  EXPECT_EQ(evaluation["feasible"].Words(), "a ");
  EXPECT_EQ(evaluation["best"].Words(), "a ");
  EXPECT_FALSE(evaluation["total"].exists()) << "one feasible node is not scored";
  EXPECT_FALSE(evaluation["filterAll"].exists());
  EXPECT_FALSE(evaluation["table"].exists());
  EXPECT_FALSE(evaluation["message"].exists());
}

TEST(Evaluation, ListsScoresByNodeName) {
  Engine engine;
  engine.Add({NodeText{"z"}, NodeText{.name = "m", .allocatable = R"("cpu":"8","pods":"9")"},
              NodeText{"a"}, PodText{.name = "r", .cpu = "2", .node = "z"}});
  JsonTree evaluation = engine.Evaluate("{}", std::string(PodText{"p"}));
  EXPECT_EQ(evaluation["feasible"].Words(), "a m z ");
  const JsonTree& total = evaluation["total"];
  ASSERT_EQ(total.size(), 3u);
  EXPECT_EQ(evaluation["scores"].keys(), evaluation["rawScores"].keys());
  EXPECT_EQ(evaluation["scores"].keys(), evaluation["weights"].keys());
  for (size_t node = 0; node < 3; ++node) {
    int64_t sum = 0;
    for (const JsonTree& plugin : evaluation["scores"].items()) sum += plugin[node].number();
    EXPECT_EQ(total[node].number(), sum) << node;
  }
  EXPECT_LT(total[2].number(), total[0].number()) << "z is half full";
  EXPECT_EQ(evaluation["best"].Words(), evaluation["node"].text() + " ");
}

TEST(Evaluation, ReportsWhyNoNodeFits) {
  Engine engine;
  engine.Add(SmallCluster());
  std::string pod = PodText{.name = "p", .cpu = "2", .priority = 5};
  JsonTree evaluation = engine.Evaluate("{}", pod);
  EXPECT_EQ(evaluation["result"].text(), "unschedulable");
  EXPECT_TRUE(evaluation["node"].is_null());
  EXPECT_EQ(evaluation["preemption"]["nominatedNode"].text(), "a");
  EXPECT_EQ(evaluation["preemption"]["victims"].Words(), "default/r ");
  EXPECT_EQ(evaluation["preemption"]["admissibleNodes"].Words(), "a ");
  ASSERT_EQ(evaluation["preemption"]["candidates"].size(), 1u);
  EXPECT_EQ(evaluation["preemption"]["candidates"][0]["node"].text(), "a");
  evaluation = engine.Evaluate(R"({"preemption":false})", pod);
  EXPECT_EQ(evaluation["preemption"]["nomination"].text(), "keep");
  EXPECT_FALSE(evaluation["preemption"]["victims"].exists());
  EXPECT_EQ(evaluation["message"].text(),
            "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 "
            "node(s) were unschedulable.");
}

TEST(Evaluation, SummaryOmitsOnlyTheNodes) {
  Engine engine;
  engine.Add(SmallCluster());
  for (std::string cpu : {"1", "2", "9"}) {
    std::string pod = PodText{.name = "p", .cpu = cpu, .priority = 5};
    JsonTree nodes = engine.Evaluate(R"({"classify":true})", pod);
    JsonTree summary = engine.Evaluate(R"({"classify":true,"detail":"summary"})", pod);
    for (std::string_view key : {"result", "node", "fits", "message", "feasibleNodes"}) {
      EXPECT_EQ(summary[key].exists(), nodes[key].exists()) << key;
      EXPECT_EQ(summary[key].text(), nodes[key].text()) << key;
    }
    EXPECT_EQ(summary["preemption"]["victims"].Words(), nodes["preemption"]["victims"].Words());
    for (std::string_view key : {"filter", "feasible", "best", "table"}) {
      EXPECT_FALSE(summary[key].exists()) << key;
    }
    EXPECT_FALSE(summary["preemption"]["candidates"].exists());
  }
}

TEST(Evaluation, AllPluginsReportsEveryRefusal) {
  Engine engine;
  engine.Add(SmallCluster());
  JsonTree evaluation =
      engine.Evaluate(R"({"allPlugins":true})", std::string(PodText{.name = "p", .cpu = "2"}));
  EXPECT_EQ(Refusals(evaluation["filter"]),
            "NodeResourcesFit:a NodeUnschedulable:b TaintToleration:c ");
  EXPECT_EQ(Refusals(evaluation["filterAll"]),
            "NodeResourcesFit:a NodeResourcesFit:b NodeUnschedulable:b TaintToleration:c ");
}

TEST(Evaluation, EveryNodeAddsVerdictsOutsideTheSample) {
  Engine engine("{}", R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
                          "kind":"KubeSchedulerConfiguration","percentageOfNodesToScore":1})");
  for (size_t index = 0; index < 150; ++index) {
    engine.Add({NodeText{.name = "n" + std::to_string(index),
                         .spec = index >= 140 ? std::string(kTaint) : ""}});
  }
  std::string pod = PodText{"p"};
  JsonTree sampled = engine.Evaluate("{}", pod);
  EXPECT_EQ(sampled["evaluatedNodes"].number(), 100);
  EXPECT_EQ(sampled["filter"].size(), 0u);
  JsonTree all = engine.Evaluate(R"({"everyNode":true})", pod);
  EXPECT_EQ(all["evaluatedNodes"].number(), 100) << "the cycle stays what it is";
  EXPECT_EQ(all["feasible"].Words(), sampled["feasible"].Words());
  EXPECT_EQ(all["total"].Words(), sampled["total"].Words());
  EXPECT_EQ(all["node"].text(), sampled["node"].text());
  ASSERT_EQ(all["filter"].size(), 1u);
  EXPECT_EQ(all["filter"][0]["nodes"].size(), 10u);
}

TEST(Evaluation, TableDistinguishesTheSample) {
  Engine engine("{}", R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
                          "kind":"KubeSchedulerConfiguration","percentageOfNodesToScore":1})");
  for (size_t index = 0; index < 110; ++index) {
    engine.Add({NodeText{.name = "n" + std::to_string(index)}});
  }
  std::string pod = PodText{"p"};
  auto outside = [&](std::string_view options) {
    JsonTree evaluation = engine.Evaluate(options, pod);
    size_t count = 0;
    for (const JsonTree& cell : evaluation["table"]["cells"]["NodeResourcesFit"].items()) {
      if (cell.number() == -2) ++count;
    }
    return count;
  };
  EXPECT_EQ(outside(R"({"detail":"table"})"), 10u);
  EXPECT_EQ(outside(R"({"detail":"table","everyNode":true})"), 0u);
}

TEST(Evaluation, TableHasAColumnPerFilter) {
  Engine engine;
  engine.Add(SmallCluster());
  JsonTree evaluation =
      engine.Evaluate(R"({"detail":"table"})", std::string(PodText{.name = "p", .cpu = "2"}));
  const JsonTree& table = evaluation["table"];
  EXPECT_EQ(table["nodes"].Words(), "a b c ");
  EXPECT_EQ(table["cells"].keys().size(), table["plugins"].size());
  std::map<std::string, std::string> refused_by;  // reasons by plugin
  for (const JsonTree& plugin : table["plugins"].items()) {
    ASSERT_EQ(table["cells"][plugin.text()].size(), 3u) << plugin.text();
    for (const JsonTree& cell : table["cells"][plugin.text()].items()) {
      if (cell.number() <= 0) continue;
      const JsonTree& status = table["statuses"][static_cast<size_t>(cell.number() - 1)];
      EXPECT_EQ(status["plugin"].text(), plugin.text());
      refused_by[plugin.text()] += status["reasons"].Words();
    }
  }
  std::map<std::string, std::string> want = {
      {"NodeUnschedulable", "node(s) were unschedulable "},
      {"TaintToleration", "node(s) had untolerated taint(s) "},
      {"NodeResourcesFit", "Insufficient cpu "}};
  EXPECT_EQ(refused_by, want);
  EXPECT_EQ(table["cells"]["NodeUnschedulable"].Words(), "0 2 0 ") << "after a's status";
  EXPECT_EQ(table["cells"]["TaintToleration"][1].number(), -1) << "b was refused before";
  EXPECT_EQ(table["cells"]["NodeResourcesFit"][2].number(), -1) << "c was refused before";
  EXPECT_EQ(table["skipped"].Words().find("NodeResourcesFit"), std::string::npos);
}

TEST(Evaluation, ReportsPreFilterRefusalsAndNarrowings) {
  Engine engine;
  engine.Add(SmallCluster());
  auto terms = [](std::string expressions) {
    return std::string(PodText{
        .name = "p",
        .spec =
            R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[)" +
            expressions + "]}]}}}"});
  };
  std::string in_a = R"({"key":"metadata.name","operator":"In","values":["a"]})";
  std::string in_x = R"({"key":"metadata.name","operator":"In","values":["x"]})";
  JsonTree narrowed = engine.Evaluate("{}", terms(in_a));
  EXPECT_EQ(narrowed["node"].text(), "a");
  EXPECT_EQ(narrowed["preFilterResult"].Words(), "a ");
  EXPECT_EQ(narrowed["absent"]["reasons"].Words(),
            "node(s) didn't satisfy plugin(s) [NodeAffinity] ");
  JsonTree refused = engine.Evaluate(R"({"allPlugins":true,"everyNode":true,"detail":"table"})",
                                     terms(in_a + "," + in_x));
  EXPECT_EQ(refused["preFilter"]["plugin"].text(), "NodeAffinity");
  EXPECT_EQ(refused["preFilter"]["code"].text(), "UnschedulableAndUnresolvable");
  EXPECT_FALSE(refused["filterAll"].exists()) << "no filter was prepared";
  EXPECT_FALSE(refused["table"].exists());
}

// Goal: if the nominated node is taken, the other nodes have no status, and none is written.
TEST(Evaluation, ANominatedNodeLeavesNoStatusForAbsentNodes) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{"b"}});
  auto pod = [](std::string_view nominated) {
    return std::string(PodText{
        .name = "p",
        .spec = R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
                R"({"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",)"
                R"("values":["a"]}]}]}}})",
        .status = R"("nominatedNodeName":")" + std::string(nominated) + "\""});
  };
  JsonTree taken = engine.Evaluate("{}", pod("a"));
  EXPECT_EQ(taken["preFilterResult"].Words(), "a ");
  EXPECT_FALSE(taken["absent"].exists());
  JsonTree refused = engine.Evaluate("{}", pod("b"));
  EXPECT_EQ(refused["node"].text(), "a");
  EXPECT_EQ(refused["absent"]["reasons"].Words(),
            "node(s) didn't satisfy plugin(s) [NodeAffinity] ");
}

TEST(Evaluation, ReportsAGatedPod) {
  Engine engine;
  engine.Add(SmallCluster());
  std::string pod = PodText{.name = "p", .spec = R"("schedulingGates":[{"name":"x"}])"};
  JsonTree evaluation = engine.Evaluate("{}", pod);
  EXPECT_EQ(evaluation["result"].text(), "gated");
  EXPECT_EQ(evaluation["plugin"].text(), "SchedulingGates");
  EXPECT_EQ(evaluation["message"].text(), "waiting for scheduling gates: [x]");
  EXPECT_TRUE(evaluation["node"].is_null());
  EXPECT_FALSE(evaluation["feasible"].exists());
  evaluation = engine.Evaluate(R"({"allPlugins":true})", pod);
  EXPECT_EQ(evaluation["result"].text(), "gated");
  EXPECT_EQ(evaluation["message"].text(), "waiting for scheduling gates: [x]");
  EXPECT_TRUE(evaluation["node"].is_null());
  EXPECT_EQ(evaluation["feasible"].Words(), "a ") << "asked all the same";
  std::string summary = R"({"detail":"summary","allPlugins":true,"culprits":true})";
  EXPECT_EQ(engine.Evaluate(summary, pod)["message"].text(), "waiting for scheduling gates: [x]");
  std::string large =
      PodText{.name = "p", .cpu = "9", .spec = R"("schedulingGates":[{"name":"x"}])"};
  evaluation = engine.Evaluate(R"({"allPlugins":true,"preemption":false})", large);
  EXPECT_EQ(evaluation["plugin"].text(), "SchedulingGates");
  EXPECT_EQ(evaluation["message"].text(),
            "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), "
            "1 node(s) were unschedulable.")
      << "of the filters, if they refuse every node";
}

TEST(Evaluation, WorksWithoutNodes) {
  Engine engine;
  JsonTree evaluation = engine.Evaluate(R"({"allPlugins":true,"everyNode":true,"detail":"table"})",
                                        std::string(PodText{"p"}));
  EXPECT_EQ(evaluation["message"].text(), "no nodes available to schedule pods");
  EXPECT_EQ(evaluation["numAllNodes"].number(), 0);
}

TEST(Evaluation, TreatsABoundPodAsJustRemoved) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "r", .cpu = "4", .node = "a"}});
  JsonTree evaluation = engine.Evaluate(R"({"pod":"default/r"})");
  EXPECT_EQ(evaluation["result"].text(), "scheduled") << engine.log();
  EXPECT_EQ(evaluation["node"].text(), "a");
}

TEST(Evaluation, RefusesInvalidEvaluations) {
  Engine engine;
  engine.Add({PodText{"p"}, PodText{.name = "theirs", .scheduler = "other"}});
  std::string uid_of_p = PodText{.name = "q", .uid = "uid-p"};
  struct {
    std::string_view options;
    std::string pod;
    std::string_view want_code;
    std::string_view want_field;
    std::string_view want;
  } cases[] = {
      {"{", "", "MalformedJson", "", ""},
      {R"({"everything":true})", "", "FieldValueNotSupported", "", "unknown field \"everything\""},
      {R"({"allPlugins":1})", "", "FieldValueTypeInvalid", "allPlugins", ""},
      {R"({"pod":"default/p","detail":"short"})", "", "FieldValueNotSupported", "detail",
       "detail: Unsupported value: \"short\": supported values: \"summary\", \"nodes\", \"table\""},
      {R"({"pod":"default/p","detail":"summary","everyNode":true})", "", "FieldValueInvalid",
       "everyNode", "everyNode: Invalid value: true: may not be set with detail \"summary\""},
      {R"({"pod":"default/p","detail":"summary","allPlugins":true})", "", "FieldValueInvalid",
       "allPlugins", "allPlugins: Invalid value: true: may not be set with detail \"summary\""},
      {R"({"pod":"default/q"})", "", "FieldValueInvalid", "pod", "pod: Not found: \"default/q\""},
      {"{}", "", "MalformedJson", "", ""},
      {"{}", "{", "MalformedJson", "", ""},
      {"{}", NodeText{"a"}, "FieldValueRequired", "pod", "pod: Required value: one Pod"},
      {"{}", PodText{.name = "q", .cpu = "lots"}, "FieldValueInvalid",
       "spec.containers[0].resources.requests[cpu]", ""},
      {R"({"pod":"default/theirs"})", "", "FieldValueInvalid", "spec.schedulerName",
       "spec.schedulerName: no profile has the name \"other\""},
      {"{}", uid_of_p, "FieldValueDuplicate", "metadata.uid",
       "metadata.uid: Duplicate value: \"uid-p\": is the uid of pod default/p"},
  };
  for (const auto& c : cases) {
    JsonTree error = engine.Evaluate(c.options, c.pod, false);
    EXPECT_EQ(error["class"].text(), "InputError") << c.options << c.pod;
    EXPECT_EQ(error["code"].text(), c.want_code) << c.options << c.pod;
    EXPECT_EQ(error["field"].text(), c.want_field) << c.options << c.pod;
    if (c.want.empty()) continue;
    EXPECT_EQ(error["message"].text(), c.want);
  }
}

}  // namespace
}  // namespace stowage
