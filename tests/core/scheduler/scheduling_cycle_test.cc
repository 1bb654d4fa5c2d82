// Which nodes a cycle visits, in which order, and which one it picks (spec 05 §3–§7). Method: fake
// plugins that accept, refuse and score by the node's place n0, n1, … in the snapshot.
#include "core/scheduler/scheduling_cycle.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/extender/http_extender.h"
#include "tests/core/runtime/fake_profile.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

constexpr CycleOptions kDetailed{.has_detail = true};

std::string Name(size_t row) { return "n" + std::to_string(row); }

// A cluster of nodes n0, n1, … with one plugin that filters and one that scores.
class CycleTest : public testing::Test {
 protected:
  using Options = SchedulingCycle::Options;

  // Refuses the nodes in these rows; all others pass.
  void Refuse(std::set<size_t> rows) { refused_ = std::move(rows); }
  void AddFilter() {
    profile_.Add({.name = "Filter", .filter = [this](const auto&, const auto&, const auto& node) {
                    filtered_.push_back(node.row());
                    if (fails_at_ == node.row()) return Status::Error("boom");
                    return refused_.contains(node.row()) ? Status::Unschedulable("no") : Status();
                  }});
  }
  void AddScore(std::vector<int64_t> scores = {}) {
    profile_.Add(
        {.name = "Score", .score = [this, scores](const NodeInfo& node) -> Result<int64_t, Status> {
           ++score_calls_;
           return scores.empty() ? int64_t{0} : scores[node.row()];
         }});
  }
  void Start(size_t nodes, Options options = {}) {
    profile_.AddNodes(nodes);
    runtime_.framework = profile_.TakeFramework();
    cycle_.emplace(profile_.snapshot(), options, &rng_);
  }

  ScheduleResult Run(const Pod& pod, const CycleOptions& options = {}) {
    filtered_.clear();
    return RunToEnd(cycle_->Run(runtime_, pod, options));
  }
  ScheduleResult Run() { return Run(MakePod().Name("p")); }

  FakeProfile profile_;
  ProfileRuntime runtime_;
  Rng rng_{1};
  std::optional<SchedulingCycle> cycle_;
  std::set<size_t> refused_;
  std::optional<size_t> fails_at_;
  std::vector<size_t> filtered_;  // rows, in the order of the last run
  size_t score_calls_ = 0;
};

// numFeasibleNodesToFind, seen in the number of nodes that a search without refusals keeps.
TEST(NumFeasibleNodesToFind, EqualsTheReference) {
  struct {
    size_t nodes;
    int32_t global;
    std::optional<int32_t> profile;
    size_t want;
  } cases[] = {
      {99, 0, {}, 99},    {100, 0, {}, 100},     {500, 0, {}, 230},   {1000, 0, {}, 420},
      {2000, 0, {}, 680}, {5000, 0, {}, 500},    {6000, 0, {}, 300},  {1000, 30, {}, 300},
      {1000, 5, {}, 100}, {1000, 100, {}, 1000}, {99, 5, {}, 99},     {1000, 70, 30, 300},
      {1000, 70, 0, 420}, {1000, 0, 50, 500},    {1999, 33, {}, 659},
  };
  for (const auto& c : cases) {
    FakeProfile profile;
    profile.Add({.name = "Filter", .filter = [](const auto&...) { return Status::Success(); }});
    profile.Add({.name = "Score",
                 .score = [](const NodeInfo&) -> Result<int64_t, Status> { return int64_t{0}; }});
    profile.AddNodes(c.nodes);
    if (c.profile) profile.PercentageOfNodesToScore(*c.profile);
    ProfileRuntime runtime;
    runtime.framework = profile.TakeFramework();
    SchedulingCycle cycle(profile.snapshot(), {.percentage_of_nodes_to_score = c.global}, nullptr);
    Pod pod = MakePod().Name("p");
    ScheduleResult result = RunToEnd(cycle.Run(runtime, pod, {}));
    EXPECT_EQ(result.feasible_nodes, c.want) << c.nodes << " nodes, " << c.global << " %";
    EXPECT_EQ(result.evaluated_nodes, c.want) << c.nodes << " nodes, " << c.global << " %";
    EXPECT_EQ(cycle.next_start_node_index(), c.want % c.nodes);
  }
}

TEST_F(CycleTest, AnEmptyClusterIsNoFitError) {
  AddFilter();
  Start(0);
  ScheduleResult result = Run();
  EXPECT_EQ(result.status,
            Status::UnschedulableAndUnresolvable("no nodes available to schedule pods"));
  EXPECT_EQ(result.message, "no nodes available to schedule pods");
  EXPECT_EQ(result.nominated_node_name, Symbol()) << "cleared";
  EXPECT_EQ(result.num_all_nodes, 0u);
}

// The search ends at the first feasible node beyond the wanted number: refusals before it count for
// the next start index, that node does not.
TEST_F(CycleTest, StopsOneFeasibleNodeLate) {
  AddFilter();
  AddScore();
  Refuse({3, 101, 102});
  Start(120);
  ScheduleResult result = Run(MakePod().Name("p"), kDetailed);
  EXPECT_EQ(result.feasible_nodes, 100u);
  EXPECT_EQ(result.evaluated_nodes, 103u) << "n0 to n102";
  EXPECT_EQ(filtered_.size(), 104u) << "n103 was looked at";
  EXPECT_EQ(result.detail->feasible.nodes.back()->name(), Name(100));
  EXPECT_EQ(result.diagnosis.node_to_status.own_count(), 3u);
  EXPECT_EQ(cycle_->next_start_node_index(), 103u);
}

TEST_F(CycleTest, TheNextSearchStartsWhereTheLastOneEnded) {
  AddFilter();
  AddScore();
  Start(120);
  std::vector<size_t> starts;
  for (size_t run = 0; run < 4; ++run) {
    Run();
    starts.push_back(filtered_.front());
  }
  EXPECT_EQ(starts, (std::vector<size_t>{0, 100, 80, 60}));
  EXPECT_EQ(cycle_->next_start_node_index(), 40u);
  EXPECT_EQ(filtered_.back(), 40u) << "wrapped around to the node that was too many";
}

TEST_F(CycleTest, RefusedNodesMoveTheStartToo) {
  AddFilter();
  AddScore();
  Refuse({0, 1, 2, 3, 4});
  Start(5);
  EXPECT_EQ(Run().message, "0/5 nodes are available: 5 no.");
  EXPECT_EQ(cycle_->next_start_node_index(), 0u);
  Refuse({1});
  ScheduleResult result = Run();
  EXPECT_EQ(result.evaluated_nodes, 5u);
  EXPECT_EQ(cycle_->next_start_node_index(), 0u);
}

TEST_F(CycleTest, TakesTheFirstFeasibleNodeWithoutScoring) {
  AddFilter();
  Refuse({1});
  Start(5);
  std::vector<std::string> hosts;
  for (size_t run = 0; run < 5; ++run) hosts.push_back(Run().host.str());
  EXPECT_EQ(hosts, (std::vector<std::string>{"n0", "n2", "n3", "n4", "n0"}))
      << "n1 was met on the way from n0 to n2";
}

// An extender that is not interested in pods without GPUs.
ExtenderConfig GpuExtender() {
  ExtenderConfig config;
  config.managed_resources = {{Symbol("example.com/gpu"), false}};
  return config;
}

TEST_F(CycleTest, FindsAllNodesForFilteringExtenders) {
  for (auto verb : {&ExtenderConfig::filter_verb, &ExtenderConfig::prioritize_verb}) {
    ExtenderConfig config = GpuExtender();
    config.*verb = "verb";
    FakeProfile profile;
    profile.extenders() = NewExtenders({config}, {});
    profile.Add({.name = "Filter", .filter = [](const auto&...) { return Status::Success(); }});
    profile.AddNodes(5);
    ProfileRuntime runtime;
    runtime.framework = profile.TakeFramework();
    SchedulingCycle cycle(profile.snapshot(), {}, &rng_);
    Pod pod = MakePod().Name("p");
    ScheduleResult result = RunToEnd(cycle.Run(runtime, pod, {}));
    EXPECT_EQ(result.feasible_nodes, 5u) << "whether or not it is asked about this pod";
    EXPECT_EQ(result.host, "n0") << "without scores every total is equal";
  }
}

TEST_F(CycleTest, FindsOneNodeForBindingExtenders) {
  AddFilter();
  ExtenderConfig config;
  config.bind_verb = "bind";
  profile_.extenders() = NewExtenders({config}, {});
  Start(5);
  EXPECT_EQ(Run().feasible_nodes, 1u);
}

TEST_F(CycleTest, TakesTheWantedNumberWithoutFilters) {
  AddScore();
  Start(120);
  ScheduleResult result = Run(MakePod().Name("p"), kDetailed);
  EXPECT_EQ(result.feasible_nodes, 100u);
  EXPECT_EQ(cycle_->next_start_node_index(), 100u);
  result = Run(MakePod().Name("p"), kDetailed);
  EXPECT_EQ(result.detail->feasible.nodes.front()->name(), Name(100));
  EXPECT_EQ(result.detail->feasible.nodes.back()->name(), Name(79));
}

TEST_F(CycleTest, AFilterErrorEndsTheSearchAndMovesTheStart) {
  AddFilter();
  AddScore();
  Refuse({1});
  fails_at_ = 3;
  Start(5);
  ScheduleResult result = Run();
  EXPECT_EQ(result.status,
            Status::Error("running \"Filter\" filter plugin: boom").WithPlugin(Symbol("Filter")));
  EXPECT_EQ(result.message, "running \"Filter\" filter plugin: boom");
  EXPECT_EQ(result.nominated_node_name, Symbol()) << "cleared";
  EXPECT_TRUE(result.host.empty());
  EXPECT_EQ(cycle_->next_start_node_index(), 3u);
}

TEST_F(CycleTest, ASingleFeasibleNodeIsNotScored) {
  AddFilter();
  AddScore();
  Refuse({0, 2});
  Start(3);
  ScheduleResult result = Run(MakePod().Name("p"), kDetailed);
  EXPECT_EQ(result.host, "n1");
  EXPECT_EQ(score_calls_, 0u);
  EXPECT_FALSE(result.detail->scores.has_value());
  Refuse({0});
  EXPECT_EQ(Run().host, "n1");
  EXPECT_EQ(score_calls_, 2u);
}

TEST_F(CycleTest, ReportsTheRefusingPlugins) {
  profile_.Add({.name = "A", .filter = [](const auto&, const auto&, const auto& node) {
                  return node.row() == 0 ? Status::UnschedulableAndUnresolvable("a") : Status();
                }});
  profile_.Add({.name = "B", .filter = [](const auto&...) {
                  return Status::WithReasons(Code::kPending, MakeSymbols({"b1", "b2"}));
                }});
  Start(3);
  ScheduleResult result = Run();
  EXPECT_EQ(result.status.code(), Code::kUnschedulable);
  EXPECT_EQ(result.message, "0/3 nodes are available: 1 a, 2 b1, 2 b2.");
  EXPECT_EQ(result.diagnosis.unschedulable_plugins, (std::set<Symbol>{Symbol("A"), Symbol("B")}));
  EXPECT_EQ(result.diagnosis.pending_plugins, (std::set<Symbol>{Symbol("B")}));
  EXPECT_EQ(result.diagnosis.node_to_status.Get(0),
            Status::UnschedulableAndUnresolvable("a").WithPlugin(Symbol("A")));
}

// spec 05 §7: the first pop of the heap over the feasible list.
TEST(Pick, TakesTheFirstPopOfTheReferencesHeap) {
  struct {
    std::vector<int64_t> totals;
    std::string_view want;
  } cases[] = {
      {{5, 5, 5, 5, 5}, "n0"},          {{1, 5, 5, 5, 3}, "n1"}, {{3, 3, 5, 5, 5, 5, 1}, "n3"},
      {{1, 2, 3, 4, 5, 5, 5, 5}, "n7"}, {{4, 5, 5}, "n1"},       {{0, 100}, "n1"},
  };
  for (const auto& c : cases) {
    FakeProfile profile;
    profile.AddNodes(c.totals.size());
    profile.Add({.name = "Filter", .filter = [](const auto&...) { return Status::Success(); }});
    profile.Add({.name = "Score", .score = [&c](const NodeInfo& node) -> Result<int64_t, Status> {
                   return c.totals[node.row()];
                 }});
    ProfileRuntime runtime;
    runtime.framework = profile.TakeFramework();
    SchedulingCycle cycle(profile.snapshot(), {}, nullptr);
    Pod pod = MakePod().Name("p");
    EXPECT_EQ(RunToEnd(cycle.Run(runtime, pod, {})).host, c.want);
  }
}

TEST_F(CycleTest, BreaksTiesByNameAndAtRandom) {
  AddFilter();
  AddScore(std::vector<int64_t>(12, 7));
  Start(12, {.tie_break = TieBreak::kName});
  Run();
  EXPECT_EQ(Run().host, "n0");
  SchedulingCycle random(profile_.snapshot(), {.tie_break = TieBreak::kRandom}, &rng_);
  Pod pod = MakePod().Name("p");
  std::set<std::string> hosts;
  for (size_t run = 0; run < 200; ++run) {
    hosts.insert(RunToEnd(random.Run(runtime_, pod, {})).host.str());
  }
  EXPECT_EQ(hosts.size(), 12u);
}

TEST_F(CycleTest, BreaksTiesInTheRotatedList) {
  AddFilter();
  AddScore();
  Start(120);
  EXPECT_EQ(Run().host, "n0");
  EXPECT_EQ(Run().host, "n100");
  EXPECT_EQ(Run().host, "n80");
}

TEST_F(CycleTest, AScoringFailureIsAnError) {
  AddFilter();
  profile_.Add({.name = "Score",
                .score = [](const NodeInfo&) -> Result<int64_t, Status> { return int64_t{101}; }});
  Start(2);
  ScheduleResult result = Run();
  EXPECT_EQ(result.status.code(), Code::kError);
  EXPECT_EQ(result.message,
            "applying score defaultWeights on Score plugins: plugin \"Score\" returns an invalid "
            "score 101, it should in the range of [0, 100] after normalizing");
  EXPECT_EQ(result.nominated_node_name, Symbol()) << "cleared";
}

TEST_F(CycleTest, ACopyForEvaluationHasItsOwnStart) {
  AddFilter();
  AddScore();
  Start(120);
  Run();
  SchedulingCycle copy = cycle_->CopyForEvaluation(&rng_);
  EXPECT_EQ(copy.next_start_node_index(), 100u);
  Pod pod = MakePod().Name("p");
  EXPECT_EQ(RunToEnd(copy.Run(runtime_, pod, kDetailed)).host, "n100");
  EXPECT_EQ(copy.next_start_node_index(), 80u);
  EXPECT_EQ(cycle_->next_start_node_index(), 100u);
}

}  // namespace
}  // namespace stowage
