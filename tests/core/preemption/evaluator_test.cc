#include "core/preemption/evaluator.h"

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "tests/core/preemption/capacity_handle.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kTerminatingMessage =
    "not eligible due to a terminating pod on the nominated node.";

// Every node refused the pod for lack of cpu.
NodeToStatus AllUnschedulable(const Handle& handle) {
  NodeToStatus statuses(handle.snapshot().NumNodes());
  for (size_t row = 0; row < statuses.rows(); ++row) {
    statuses.Set(row, Status::Unschedulable("Insufficient cpu"));
  }
  return statuses;
}

PreemptionOutcome Preempt(CapacityHandle& handle, const Pod& pod, const NodeToStatus& statuses,
                          DefaultPreemptionArgs args = {}) {
  if (handle.listers().GetPod(pod.metadata.namespace_, pod.metadata.name) == nullptr) {
    handle.fake_listers().Add(pod);
  }
  Evaluator evaluator(handle, args, handle.features());
  CycleState state;
  return RunToEnd(evaluator.Preempt(state, pod, statuses));
}

PreemptionOutcome Preempt(CapacityHandle& handle, const Pod& pod, DefaultPreemptionArgs args = {}) {
  return Preempt(handle, pod, AllUnschedulable(handle), args);
}

Names TriedNodes(const PreemptionReport& report) {
  Names names;
  for (const DryRunRef& run : report.dry_runs) names.push_back(run->node.str());
  return names;
}

Names Texts(const std::vector<Symbol>& symbols) {
  Names names;
  for (const Symbol& symbol : symbols) names.push_back(symbol.str());
  return names;
}

MakePod Leaving(int32_t priority, std::string_view status = "True",
                std::string_view reason = "PreemptionByScheduler") {
  return CpuPod("leaving", priority, "1")
      .Node("n")
      .Terminating()
      .Condition("DisruptionTarget", status, reason);
}

// Goal: which pods may preempt. Method: one node with one other pod; the preemptor has priority 10.
TEST(Evaluator, DecidesEligibility) {
  const Code u = Code::kUnschedulable;
  const Code uu = Code::kUnschedulableAndUnresolvable;
  MakePod plain = CpuPod("p", 10, "2");
  MakePod nominated = CpuPod("p", 10, "2").NominatedNodeName("n");
  struct {
    std::string_view name;
    MakePod preemptor;
    MakePod other;
    Code code_of_node;
    std::string_view want;  // empty: eligible
  } cases[] = {
      {"no policy", plain, CpuPod("o", 1, "2").Node("n"), u, ""},
      {"PreemptLowerPriority", MakePod(plain).PreemptionPolicy("PreemptLowerPriority"),
       CpuPod("o", 1, "2").Node("n"), u, ""},
      {"Never", MakePod(plain).PreemptionPolicy("Never"), CpuPod("o", 1, "2").Node("n"), u,
       "not eligible due to preemptionPolicy=Never."},
      {"nominated, no pod terminates", nominated, CpuPod("o", 1, "2").Node("n"), u, ""},
      {"nominated, a victim leaves", nominated, Leaving(9), u, kTerminatingMessage},
      {"the same without a nomination", plain, Leaving(9), u, ""},
      {"the node has become hopeless", nominated, Leaving(9), uu, ""},
      {"equal priority leaves", nominated, Leaving(10), u, ""},
      {"leaves for another reason", nominated, Leaving(9, "True", "EvictionByEvictionAPI"), u, ""},
      {"condition is false", nominated, Leaving(9, "False"), u, ""},
      {"not terminating", nominated,
       CpuPod("o", 9, "1").Node("n").Condition("DisruptionTarget", "True", "PreemptionByScheduler"),
       u, ""},
      {"the first condition counts", nominated,
       Leaving(9, "False").Condition("DisruptionTarget", "True", "PreemptionByScheduler"), u, ""},
      {"nominated node is gone", MakePod(plain).NominatedNodeName("gone"), Leaving(9), u, ""},
  };
  for (const auto& c : cases) {
    CapacityHandle handle;
    handle.Add(NodeOfCpu("n", "2")).Add(c.other.Obj());
    NodeToStatus statuses(1);
    statuses.Set(0, Status::WithReasons(c.code_of_node, {}));
    PreemptionOutcome outcome = Preempt(handle, c.preemptor, statuses);
    if (c.want.empty()) {
      EXPECT_TRUE(outcome.result.nominated_node_name.has_value()) << c.name;
    } else {
      EXPECT_EQ(outcome.status, Status::Unschedulable(c.want)) << c.name;
      EXPECT_FALSE(outcome.result.nominated_node_name.has_value()) << c.name;
      EXPECT_TRUE(outcome.report.dry_runs.empty()) << c.name;
    }
  }
}

// Goal: the current version of the pod counts, not the one that the cycle began with.
TEST(Evaluator, ReadsTheCurrentPod) {
  CapacityHandle handle;
  handle.Add(NodeOfCpu("n", "2")).Add(CpuPod("o", 1, "2").Node("n").Obj());
  const Pod pod = CpuPod("p", 10, "2");
  Evaluator evaluator(handle, {}, handle.features());
  CycleState state;
  NodeToStatus statuses = AllUnschedulable(handle);
  EXPECT_EQ(RunToEnd(evaluator.Preempt(state, pod, statuses)).status,
            Status::Error("pod \"p\" not found"));
  handle.fake_listers().Add(CpuPod("p", 10, "2").PreemptionPolicy("Never").Obj());
  EXPECT_EQ(RunToEnd(evaluator.Preempt(state, pod, statuses)).status,
            Status::Unschedulable("not eligible due to preemptionPolicy=Never."));
}

// Goal: only nodes with exactly the status Unschedulable are tried, in snapshot order; the other
// nodes' statuses and the dry runs' results form the message.
TEST(Evaluator, TriesUnschedulableNodes) {
  CapacityHandle handle;
  for (std::string_view name : {"a", "b", "c", "d", "e"}) handle.Add(NodeOfCpu(name, "2"));
  handle.Add(CpuPod("high", 20, "1").Node("a").Obj());
  handle.Add(CpuPod("low", 1, "1").Node("a").Obj());
  const Pod pod = CpuPod("p", 10, "2");
  NodeToStatus statuses(5);
  statuses.Set(0, Status::Unschedulable("x"));
  statuses.Set(1, Status::UnschedulableAndUnresolvable("x"));
  statuses.Set(2, Status::Unschedulable("x"));
  PreemptionOutcome outcome = Preempt(handle, pod, statuses);
  EXPECT_EQ(TriedNodes(outcome.report), (Names{"a", "c"}));
  EXPECT_EQ(outcome.status,
            Status::Unschedulable("0/5 nodes are available: 1 Insufficient cpu, 1 No preemption "
                                  "victims found for incoming pod, 3 Preemption is not helpful for "
                                  "scheduling."));
  EXPECT_EQ(outcome.result.nominated_node_name, Symbol());
  EXPECT_FALSE(outcome.report.selected.has_value());

  statuses.set_absent_status(Status::Unschedulable("pre filter"));
  EXPECT_EQ(TriedNodes(Preempt(handle, pod, statuses).report), (Names{"a", "c", "d", "e"}));

  outcome = Preempt(handle, pod, NodeToStatus(5));
  EXPECT_EQ(outcome.status,
            Status::Unschedulable("0/5 nodes are available: 5 Preemption is not helpful for "
                                  "scheduling."));
  EXPECT_EQ(outcome.result.nominated_node_name, Symbol());
}

// Goal: it reports the chosen node, its victims, and the nodes that tied with it.
TEST(Evaluator, NominatesTheBestNode) {
  CapacityHandle handle;
  for (std::string_view name : {"a", "b", "c", "d"}) handle.Add(NodeOfCpu(name, "2"));
  handle.Add(CpuPod("a1", 5, "2").Node("a").StartTime(1).Obj());
  handle.Add(CpuPod("b1", 2, "1").Node("b").StartTime(1).Obj());
  handle.Add(CpuPod("b2", 1, "1").Node("b").StartTime(1).Obj());
  handle.Add(CpuPod("c1", 2, "2").Node("c").StartTime(1).Obj());
  handle.Add(CpuPod("d1", 2, "2").Node("d").StartTime(1).Obj());
  PreemptionOutcome outcome = Preempt(handle, CpuPod("p", 10, "2"));
  EXPECT_TRUE(outcome.status.IsSuccess());
  EXPECT_EQ(outcome.result.nominated_node_name, Symbol("c"));
  EXPECT_EQ(Texts(outcome.report.admissible_nodes), (Names{"c", "d"}));
  ASSERT_TRUE(outcome.report.selected.has_value());
  EXPECT_EQ(outcome.report.selected->node, Symbol("c"));
  EXPECT_EQ(NamesOf(outcome.report.selected->pods), (Names{"c1"}));
  ASSERT_EQ(TriedNodes(outcome.report), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(NamesOf(outcome.report.dry_runs[1]->victims.pods), (Names{"b1", "b2"}));
}

// Nodes n0, n1, … of 1 cpu, each with one pod of lower priority. In the first `violating` nodes
// that pod has a label that a budget protects.
void AddFullNodes(CapacityHandle* handle, size_t count, size_t violating) {
  for (size_t number = 0; number < count; ++number) {
    std::string name = "n" + std::to_string(number);
    handle->Add(NodeOfCpu(name, "1"));
    MakePod pod = CpuPod(name + "-pod", 1, "1").Node(name).StartTime(1);
    if (number < violating) pod.Label("app", "web");
    handle->Add(pod.Obj());
  }
  handle->fake_listers().Add(MakeBudget("web", MakeLabelSelector({{"app", "web"}}), 0));
}

// Goal: the number of nodes tried and ranked is limited. Method: full nodes; on the first ones a
// budget is violated.
TEST(Evaluator, LimitsCandidates) {
  struct {
    std::string_view name;
    size_t nodes;
    size_t violating;
    DefaultPreemptionArgs args;
    size_t start;
    size_t tried;
    size_t admissible;
    std::string_view selected;
  } cases[] = {
      {"all of few", 40, 0, {}, 0, 40, 40, "n0"},
      {"at least the absolute number", 250, 0, {}, 0, 100, 100, "n0"},
      {"a share of many", 1500, 0, {}, 0, 150, 150, "n0"},
      {"from the start on, around the end", 250, 0, {}, 200, 100, 100, "n200"},
      {"violating ones only: all are tried, the first ranked", 250, 250, {}, 0, 250, 100, "n0"},
      {"until the first clean one", 250, 150, {}, 0, 151, 1, "n150"},
      {"clean ones come first", 250, 10, {}, 245, 100, 90, "n245"},
      {"percentage alone", 10, 0, {50, 0}, 0, 5, 5, "n0"},
      {"truncated", 19, 0, {10, 0}, 0, 1, 1, "n0"},
  };
  for (const auto& c : cases) {
    CapacityHandle handle;
    AddFullNodes(&handle, c.nodes, c.violating);
    handle.set_draw(c.start);
    PreemptionOutcome outcome = Preempt(handle, CpuPod("p", 10, "1"), c.args);
    EXPECT_EQ(outcome.report.dry_runs.size(), c.tried) << c.name;
    EXPECT_EQ(outcome.report.admissible_nodes.size(), c.admissible) << c.name;
    EXPECT_EQ(outcome.result.nominated_node_name, Symbol(c.selected)) << c.name;
    handle.set_reports_dry_runs(false);
    outcome = Preempt(handle, CpuPod("p", 10, "1"), c.args);
    EXPECT_TRUE(outcome.report.dry_runs.empty()) << c.name;
    EXPECT_TRUE(outcome.report.admissible_nodes.empty()) << c.name;
    EXPECT_EQ(outcome.result.nominated_node_name, Symbol(c.selected)) << c.name;
  }
}

// Goal: if no one reads the dry runs, nodes whose result is known may be left out, without any
// other effect. Method: both ways, in clusters of several words of rows, some of which removal
// cannot help, with full nodes, nodes of important pods, empty ones, and errors.
TEST(Evaluator, DecidesAlikeWithoutReportingDryRuns) {
  size_t num_selected = 0;
  size_t num_refused = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed);
    CapacityHandle handle;
    size_t count = 1 + rng.Below(200);
    uint64_t share = 1 + rng.Below(60);
    for (size_t number = 0; number < count; ++number) {
      std::string name = "n" + std::to_string(number);
      handle.Add(NodeOfCpu(name, "2"));
      int32_t priority = rng.Below(share) == 0 ? static_cast<int32_t>(rng.Below(3)) : 10;
      MakePod pod = CpuPod(name + "-pod", priority, "2").Node(name);
      if (rng.Below(2) == 0) pod.StartTime(static_cast<int64_t>(rng.Below(3)));
      if (rng.Below(3) == 0) pod.Label("app", "web");
      if (rng.Below(50) > 0) handle.Add(pod.Obj());
    }
    handle.fake_listers().Add(MakeBudget("web", MakeLabelSelector({{"app", "web"}}), 0));
    NodeToStatus statuses = AllUnschedulable(handle);
    for (size_t row = 0; row < count && seed % 2 == 0; ++row) {
      if (rng.Below(4) == 0) statuses.Set(row, Status::UnschedulableAndUnresolvable("taint"));
    }
    size_t num_potential = 0;
    for (size_t row = 0; row < count; ++row) {
      if (statuses.Get(row).code() == Code::kUnschedulable) ++num_potential;
    }
    if (num_potential > 0) handle.set_draw(rng.Below(num_potential));
    const Pod pod = CpuPod("p", 10, seed % 5 == 0 ? "3" : "2");
    PreemptionOutcome want = Preempt(handle, pod, statuses, {10, 20});
    handle.set_reports_dry_runs(false);
    PreemptionOutcome outcome = Preempt(handle, pod, statuses, {10, 20});
    EXPECT_EQ(outcome.status, want.status) << "seed " << seed;
    EXPECT_EQ(outcome.result.nominated_node_name, want.result.nominated_node_name);
    ASSERT_EQ(outcome.report.selected.has_value(), want.report.selected.has_value());
    ++(want.report.selected ? num_selected : num_refused);
    if (!want.report.selected) continue;
    EXPECT_EQ(outcome.report.selected->node, want.report.selected->node) << "seed " << seed;
    EXPECT_EQ(outcome.report.selected->pods, want.report.selected->pods) << "seed " << seed;
  }
  EXPECT_GT(num_selected, 50u);
  EXPECT_GT(num_refused, 50u);
}

// Goal: a percentage that truncates to 0 leaves no candidate, even if every node would do.
TEST(Evaluator, RanksNothingWithoutRoomForCandidates) {
  CapacityHandle handle;
  AddFullNodes(&handle, 5, 0);
  PreemptionOutcome outcome = Preempt(handle, CpuPod("p", 10, "1"), {10, 0});
  EXPECT_EQ(outcome.status,
            Status::Unschedulable("0/5 nodes are available: 5 Preemption is not helpful for "
                                  "scheduling."));
  EXPECT_EQ(outcome.report.dry_runs.size(), 5u);
}

// Goal: errors are reported only if there is no candidate; the nomination then stays unchanged.
TEST(Evaluator, ReportsErrorsWithoutCandidates) {
  const Pod needs_no_victim = CpuPod("p", 10, "0");
  CapacityHandle handle;
  AddFullNodes(&handle, 1, 0);
  PreemptionOutcome outcome = Preempt(handle, needs_no_victim);
  EXPECT_EQ(outcome.status, Status::Error("expected at least one victim pod on node \"n0\""));
  EXPECT_FALSE(outcome.result.nominated_node_name.has_value());

  CapacityHandle two;
  AddFullNodes(&two, 2, 0);
  EXPECT_EQ(Preempt(two, needs_no_victim).status,
            Status::Error("[expected at least one victim pod on node \"n0\", expected at least one "
                          "victim pod on node \"n1\"]"));

  CapacityHandle alike;
  alike.Add(NodeOfCpu("a", "1")).Add(NodeOfCpu("b", "1"));
  alike.Add(CpuPod("same", 1, "1").Namespace("x").Uid("1").Node("a").Obj());
  alike.Add(CpuPod("same", 1, "1").Namespace("y").Uid("2").Node("b").Obj());
  alike.FailRemoving("same");
  EXPECT_EQ(Preempt(alike, CpuPod("p", 10, "1")).status, Status::Error("extension failed"));

  CapacityHandle one_fails;
  AddFullNodes(&one_fails, 2, 0);
  one_fails.FailRemoving("n0-pod");
  outcome = Preempt(one_fails, CpuPod("p", 10, "1"));
  EXPECT_TRUE(outcome.status.IsSuccess());
  EXPECT_EQ(outcome.result.nominated_node_name, Symbol("n1"));
  EXPECT_EQ(outcome.report.dry_runs[0]->status, Status::Error("extension failed"));
}

// Goal: pods of lower priority lose a nomination that their status shows, unless no pod is evicted.
TEST(Evaluator, ClearsLowerNominations) {
  struct {
    std::string_view name;
    bool victim_is_terminating;
    bool is_asynchronous;
    Names want;
  } cases[] = {
      {"a live victim", false, true, {"low", "lower"}},
      {"a live victim, synchronous", false, false, {"low", "lower"}},
      {"the victim leaves already", true, true, {}},
      {"the victim leaves already, synchronous", true, false, {"low", "lower"}},
  };
  for (const auto& c : cases) {
    CapacityHandle handle;
    handle.features().scheduler_async_preemption = c.is_asynchronous;
    handle.Add(NodeOfCpu("n", "2")).Add(NodeOfCpu("other", "1"));
    MakePod victim = CpuPod("victim", 1, "2").Node("n");
    if (c.victim_is_terminating) victim.Terminating();
    handle.Add(victim.Obj());
    auto nominate = [&handle](const MakePod& pod, std::string_view node) {
      handle.fake_nominator().Add(Symbol(node), MakePodInfo(pod.Ref(), Features()));
    };
    nominate(CpuPod("equal", 10, "0").NominatedNodeName("n"), "n");
    nominate(CpuPod("low", 9, "1").NominatedNodeName("n"), "n");
    nominate(CpuPod("in-memory", 8, "1"), "n");
    nominate(CpuPod("lower", -1, "1").NominatedNodeName("n"), "n");
    nominate(CpuPod("elsewhere", 1, "1").NominatedNodeName("other"), "other");
    PreemptionOutcome outcome = Preempt(handle, CpuPod("p", 10, "2"));
    ASSERT_TRUE(outcome.status.IsSuccess()) << c.name;
    EXPECT_EQ(NamesOf(outcome.report.cleared_nominations), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
