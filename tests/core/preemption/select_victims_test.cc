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
  std::vector<PodDisruptionBudget> budgets;
  std::vector<MakePod> nominated;
  Status status;
  Names victims;
  int64_t violations = 0;
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

// Goal: who has to leave. Method: one node of 4 cpu, what runs there, the preemptor.
TEST(SelectVictimsOnNode, ReprievesTheMostImportant) {
  const Pod wants_two = CpuPod("p", 10, "2");
  ExpectVictims({
      {"nobody below",
       {CpuPod("a", 10, "2"), CpuPod("b", 11, "2")},
       wants_two,
       {},
       {},
       kNoVictims,
       {}},
      {"an empty node", {}, CpuPod("p", 10, "5"), {}, {}, kNoVictims, {}},
      {"not even without them",
       {CpuPod("a", 20, "3"), CpuPod("b", 1, "1")},
       wants_two,
       {},
       {},
       kNoRoom,
       {}},
      {"all of them",
       {CpuPod("a", 1, "2"), CpuPod("b", 2, "2")},
       CpuPod("p", 10, "4"),
       {},
       {},
       Status::Success(),
       {"b", "a"}},
      {"the less important",
       {CpuPod("a", 1, "2"), CpuPod("b", 2, "2")},
       wants_two,
       {},
       {},
       Status::Success(),
       {"a"}},
      {"a missing priority is 0",
       {MakePod().Name("a").Req({{"cpu", "2"}}), CpuPod("b", 1, "2")},
       wants_two,
       {},
       {},
       Status::Success(),
       {"a"}},
      {"a large important one goes where small ones fit beside",
       {CpuPod("a", 5, "3"), CpuPod("b", 1, "1")},
       wants_two,
       {},
       {},
       Status::Success(),
       {"a"}},
      {"the later start",
       {Started(CpuPod("a", 1, "2"), 200), Started(CpuPod("b", 1, "2"), 100)},
       wants_two,
       {},
       {},
       Status::Success(),
       {"a"}},
      {"a missing start is now",
       {CpuPod("a", 1, "2"), Started(CpuPod("b", 1, "2"), 100)},
       wants_two,
       {},
       {},
       Status::Success(),
       {"a"}},
      {"equals: the node's order",
       {CpuPod("a", 1, "2"), CpuPod("b", 1, "2")},
       wants_two,
       {},
       {},
       Status::Success(),
       {"b"}},
      {"terminating pods are victims like others",
       {CpuPod("a", 1, "2").Terminating(), CpuPod("b", 2, "2")},
       wants_two,
       {},
       {},
       Status::Success(),
       {"a"}},
  });
}

// Goal: pods that would break a budget are given back first and counted when they have to go.
TEST(SelectVictimsOnNode, SparesBudgets) {
  const LabelSelector web = MakeLabelSelector({{"app", "web"}});
  auto pod = [](std::string_view name, int32_t priority, std::string_view cpu) {
    return CpuPod(name, priority, cpu).Label("app", "web");
  };
  const Pod wants_two = CpuPod("p", 10, "2");
  const Pod wants_three = CpuPod("p", 10, "3");
  ExpectVictims({
      {"protected although less important",
       {pod("a", 1, "2"), CpuPod("b", 5, "2")},
       wants_two,
       {MakeBudget("x", web, 0)},
       {},
       Status::Success(),
       {"b"},
       0},
      {"protected but in the way",
       {pod("a", 1, "2"), pod("b", 2, "2")},
       wants_two,
       {MakeBudget("x", web, 0)},
       {},
       Status::Success(),
       {"a"},
       1},
      {"the budget goes to the most important",
       {pod("a", 1, "2"), pod("b", 2, "2")},
       wants_two,
       {MakeBudget("x", web, 1)},
       {},
       Status::Success(),
       {"b"},
       0},
      {"both kinds, by importance again",
       {pod("a", 1, "2"), CpuPod("b", 5, "2")},
       CpuPod("p", 10, "4"),
       {MakeBudget("x", web, 0)},
       {},
       Status::Success(),
       {"b", "a"},
       1},
      {"three pods, one allowed",
       {pod("a", 1, "1"), pod("b", 2, "1"), pod("c", 3, "2")},
       wants_three,
       {MakeBudget("x", web, 1)},
       {},
       Status::Success(),
       {"c", "a"},
       1},
  });
}

// Goal: nominated pods of at least the preemptor's priority take room in every dry run.
TEST(SelectVictimsOnNode, CountsNominatedPods) {
  const std::vector<MakePod> running = {CpuPod("a", 1, "1"), CpuPod("b", 2, "1"),
                                        CpuPod("c", 3, "2")};
  const Pod wants_one = CpuPod("p", 10, "1");
  ExpectVictims({
      {"none", running, wants_one, {}, {}, Status::Success(), {"a"}},
      {"equal priority",
       running,
       wants_one,
       {},
       {CpuPod("q", 10, "1")},
       Status::Success(),
       {"b", "a"}},
      {"higher priority",
       running,
       wants_one,
       {},
       {CpuPod("q", 11, "2")},
       Status::Success(),
       {"c", "a"}},
      {"lower priority", running, wants_one, {}, {CpuPod("q", 9, "1")}, Status::Success(), {"a"}},
      {"leaves nothing", running, wants_one, {}, {CpuPod("q", 10, "4")}, kNoRoom, {}},
  });
}

// Goal: PreFilter extensions account for every removal and return, on a copy.
TEST(SelectVictimsOnNode, DrivesPreFilterExtensions) {
  CapacityHandle handle;
  Fill({"",
        {CpuPod("a", 1, "1"), CpuPod("b", 2, "1"), CpuPod("c", 3, "1")},
        MakePod(),
        {},
        {},
        Status::Success(),
        {}},
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

// Goal: faults of plugins are errors of the node.
TEST(SelectVictimsOnNode, ReportsFaults) {
  const Case c = {"",
                  {CpuPod("a", 1, "2"), CpuPod("b", 2, "2")},
                  CpuPod("p", 10, "2"),
                  {},
                  {},
                  Status::Success(),
                  {}};
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
