#include "core/preemption/select_victims.h"

#include <gtest/gtest.h>

#include "tests/core/preemption/capacity_handle.h"

namespace stowage {
namespace {

using Names = std::vector<std::string>;

const Status kNoVictims =
    Status::UnschedulableAndUnresolvable("No preemption victims found for incoming pod");
const Status kNoRoom = Status::Unschedulable("Insufficient cpu");

struct Case {
  std::string_view name;
  std::vector<MakePod> running;  // on node "n" of 4 cpu
  Pod preemptor;
  Status status;
  Names victims = {};
  int64_t violations = 0;
  std::vector<PodDisruptionBudget> budgets = {};
  std::vector<MakePod> nominated = {};
};

void Fill(const Case& c, CapacityHandle* handle) {
  handle->Add(NodeOfCpu("n", "4"));
  for (MakePod pod : c.running) handle->Add(pod.Node("n").Obj());
  for (const PodDisruptionBudget& budget : c.budgets) handle->fake_listers().Add(budget);
  for (const MakePod& pod : c.nominated) {
    handle->fake_nominator().Add(Symbol("n"), MakePodInfo(pod.Ref(), Features()));
  }
}

DryRunResult DryRun(const CapacityHandle& handle, const Pod& preemptor,
                    const CycleState& state = {}) {
  DisruptionBudgets budgets(handle.listers().PodDisruptionBudgets());
  return SelectVictimsOnNode({handle, state, preemptor, budgets}, handle.node("n"));
}

void ExpectVictims(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CapacityHandle handle;
    Fill(c, &handle);
    DryRunResult result = DryRun(handle, c.preemptor);
    EXPECT_EQ(result.status, c.status) << c.name << ": " << result.status.Message();
    EXPECT_EQ(result.node, Symbol("n")) << c.name;
    if (!c.status.IsSuccess()) continue;
    EXPECT_EQ(NamesOf(result.victims.pods), c.victims) << c.name;
    EXPECT_EQ(result.victims.num_pdb_violations, c.violations) << c.name;
    EXPECT_EQ(result.victims.node, Symbol("n")) << c.name;
  }
}

MakePod Started(MakePod pod, int64_t seconds) { return pod.StartTime(seconds); }

const Status kSuccess;

// Goal: the right pods become victims. Method: one node of 4 cpu with running pods, and the
// preemptor.
TEST(SelectVictimsOnNode, ReprievesTheMostImportant) {
  const Pod two = CpuPod("p", 10, "2");
  const Pod four = CpuPod("p", 10, "4");
  const MakePod low = CpuPod("a", 1, "2");
  const MakePod high = CpuPod("b", 2, "2");
  const MakePod no_priority = MakePod().Name("a").Req({{"cpu", "2"}});
  ExpectVictims({
      {"no pod of lower priority", {CpuPod("a", 10, "2"), CpuPod("b", 11, "2")}, two, kNoVictims},
      {"an empty node", {}, CpuPod("p", 10, "5"), kNoVictims},
      {"not even without them", {CpuPod("a", 20, "3"), CpuPod("b", 1, "1")}, two, kNoRoom},
      {"all of them", {low, high}, four, kSuccess, {"b", "a"}},
      {"the less important", {low, high}, two, kSuccess, {"a"}},
      {"a missing priority is 0", {no_priority, CpuPod("b", 1, "2")}, two, kSuccess, {"a"}},
      {"a large important one where a small one fits beside",
       {CpuPod("a", 5, "3"), CpuPod("b", 1, "1")},
       two,
       kSuccess,
       {"a"}},
      {"terminating pods like others", {MakePod(low).Terminating(), high}, two, kSuccess, {"a"}},
  });
}

// Goal: for equal priorities the earlier start is kept, then the node's order decides.
TEST(SelectVictimsOnNode, ReprievesTheEarlierStart) {
  const Pod two = CpuPod("p", 10, "2");
  const MakePod a = CpuPod("a", 1, "2");
  const MakePod b = CpuPod("b", 1, "2");
  ExpectVictims({
      {"the later start", {Started(a, 200), Started(b, 100)}, two, kSuccess, {"a"}},
      {"a missing start is now", {a, Started(b, 100)}, two, kSuccess, {"a"}},
      {"equals", {a, b}, two, kSuccess, {"b"}},
      {"equals the other way round", {b, a}, two, kSuccess, {"a"}},
  });
}

// Goal: pods whose eviction would violate a budget are reprieved first, and counted if they are
// victims.
TEST(SelectVictimsOnNode, SparesBudgets) {
  const LabelSelector web = MakeLabelSelector({{"app", "web"}});
  const std::vector<PodDisruptionBudget> none = {MakeBudget("x", web, 0)};
  const std::vector<PodDisruptionBudget> one = {MakeBudget("x", web, 1)};
  auto pod = [](std::string_view name, int32_t priority, std::string_view cpu) {
    return CpuPod(name, priority, cpu).Label("app", "web");
  };
  const Pod two = CpuPod("p", 10, "2");
  const Pod three = CpuPod("p", 10, "3");
  const Pod four = CpuPod("p", 10, "4");
  const std::vector<MakePod> both = {pod("a", 1, "2"), pod("b", 2, "2")};
  const std::vector<MakePod> mixed = {pod("a", 1, "2"), CpuPod("b", 5, "2")};
  const std::vector<MakePod> small = {pod("a", 1, "1"), pod("b", 2, "1"), pod("c", 3, "2")};
  ExpectVictims({
      {"protected although less important", mixed, two, kSuccess, {"b"}, 0, none},
      {"protected but in the way", both, two, kSuccess, {"a"}, 1, none},
      {"the budget goes to the most important", both, two, kSuccess, {"b"}, 0, one},
      {"both kinds, by importance again", mixed, four, kSuccess, {"b", "a"}, 1, none},
      {"three pods, one allowed", small, three, kSuccess, {"c", "a"}, 1, one},
  });
}

// Goal: nominated pods of at least the preemptor's priority use resources in every dry run.
TEST(SelectVictimsOnNode, CountsNominatedPods) {
  const std::vector<MakePod> pods = {CpuPod("a", 1, "1"), CpuPod("b", 2, "1"), CpuPod("c", 3, "2")};
  const Pod p = CpuPod("p", 10, "1");
  ExpectVictims({
      {"none", pods, p, kSuccess, {"a"}},
      {"equal priority", pods, p, kSuccess, {"b", "a"}, 0, {}, {CpuPod("q", 10, "1")}},
      {"higher priority", pods, p, kSuccess, {"c", "a"}, 0, {}, {CpuPod("q", 11, "2")}},
      {"lower priority", pods, p, kSuccess, {"a"}, 0, {}, {CpuPod("q", 9, "1")}},
      {"leaves nothing", pods, p, kNoRoom, {}, 0, {}, {CpuPod("q", 10, "4")}},
  });
}

// Goal: PreFilter extensions run for every removal and addition, on a copy.
TEST(SelectVictimsOnNode, RunsPreFilterExtensions) {
  CapacityHandle handle;
  Fill({"three pods", {CpuPod("a", 1, "1"), CpuPod("b", 2, "1"), CpuPod("c", 3, "1")}, {}, {}},
       &handle);
  CycleState state;
  state.WriteData(std::make_unique<PodTally>());
  state.MutableData<PodTally>()->pods = 3;
  handle.set_tally_max(1);
  DryRunResult result = DryRun(handle, CpuPod("p", 10, "1"), state);
  EXPECT_TRUE(result.status.IsSuccess());
  EXPECT_EQ(NamesOf(result.victims.pods), (Names{"b", "a"}));
  EXPECT_EQ(state.ReadData<PodTally>()->pods, 3);
  EXPECT_EQ(NamesOf(handle.node("n").pods()), (Names{"a", "b", "c"}));
}

// Goal: a plugin's error becomes the node's error.
TEST(SelectVictimsOnNode, ReportsErrors) {
  const Case c = {"", {CpuPod("a", 1, "2"), CpuPod("b", 2, "2")}, CpuPod("p", 10, "2"), {}};
  {
    CapacityHandle handle;
    Fill(c, &handle);
    handle.FailRemoving("b");
    EXPECT_EQ(DryRun(handle, c.preemptor).status, Status::Error("extension failed"));
  }
  {
    CapacityHandle handle;
    Fill(c, &handle);
    handle.FailAdding("b");
    EXPECT_EQ(DryRun(handle, c.preemptor).status, Status::Error("extension failed"));
  }
  {
    CapacityHandle handle;
    Fill(c, &handle);
    EXPECT_EQ(DryRun(handle, CpuPod("p", 10, "0")).status,
              Status::Error("expected at least one victim pod on node \"n\""));
  }
}

}  // namespace
}  // namespace stowage
