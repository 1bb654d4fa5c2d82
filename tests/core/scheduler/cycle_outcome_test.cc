// How a cycle handles the results of PreFilter, of a nominated node and of PostFilter (spec 05 §3,
// §5, §10.2).
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/scheduler/scheduling_cycle.h"
#include "tests/core/runtime/fake_profile.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

// Five nodes and one plugin whose answers the test sets.
class CycleOutcomeTest : public testing::Test {
 protected:
  CycleOutcomeTest() {
    profile_.AddNodes(5);
    profile_.Add({.name = "P",
                  .pre_filter =
                      [this](CycleState&, const Pod&, PreFilterResult* result) {
                        result->node_names = narrowing_;
                        return pre_filter_;
                      },
                  .filter =
                      [this](const CycleState&, const Pod&, const NodeInfo& node) {
                        filtered_ += node.name().str() + " ";
                        return node.name() == picky_node_ ? picky_status_ : filter_;
                      },
                  .score = [](const NodeInfo&) -> Result<int64_t, Status> { return int64_t{1}; }});
  }

  void AddPostFilter(Status status, std::optional<Symbol> nomination) {
    profile_.Add({.name = "Post",
                  .post_filter = [=, this](const NodeToStatus& statuses, PostFilterResult* result) {
                    absent_seen_ = statuses.absent_status();
                    result->nominated_node_name = nomination;
                    return status;
                  }});
  }

  ScheduleResult Run(const Pod& pod, const CycleOptions& options = {}) {
    if (!cycle_) {
      runtime_.framework = profile_.TakeFramework();
      cycle_.emplace(profile_.snapshot(), SchedulingCycle::Options{}, nullptr);
    }
    filtered_.clear();
    return RunToEnd(cycle_->Run(runtime_, pod, options));
  }
  ScheduleResult Run() { return Run(MakePod().Name("p")); }
  size_t next_start() const { return cycle_->next_start_node_index(); }

  static Pod Nominee(std::string_view node) { return MakePod().Name("p").NominatedNodeName(node); }

  Status pre_filter_;
  std::optional<std::vector<Symbol>> narrowing_;
  Status filter_;
  std::string_view picky_node_;  // gets a status of its own
  Status picky_status_;
  std::string_view last_refuses_;
  std::string filtered_;
  Status absent_seen_;

  FakeProfile profile_;
  ProfileRuntime runtime_;
  std::optional<SchedulingCycle> cycle_;
};

TEST_F(CycleOutcomeTest, APreFilterRefusalAppliesToAllNodes) {
  pre_filter_ = Status::Unschedulable("refused");
  AddPostFilter(Status::Unschedulable("no way"), std::nullopt);
  ScheduleResult result = Run();
  EXPECT_EQ(result.message, "0/5 nodes are available: refused. no way");
  EXPECT_EQ(result.status.code(), Code::kUnschedulable);
  EXPECT_EQ(result.diagnosis.unschedulable_plugins, (std::set<Symbol>{Symbol("P")}));
  Status want = Status::Unschedulable("refused").WithPlugin(Symbol("P"));
  EXPECT_EQ(result.diagnosis.pre_filter_status, want);
  EXPECT_EQ(absent_seen_, want) << "PostFilter sees it as every node's";
  EXPECT_EQ(filtered_, "");
  EXPECT_EQ(result.evaluated_nodes, 0u);
  EXPECT_EQ(next_start(), 0u) << "the start does not move";
}

TEST_F(CycleOutcomeTest, APreFilterErrorIsNoFitError) {
  pre_filter_ = Status::Error("boom");
  AddPostFilter(Status::Success(), Symbol("n0"));
  ScheduleResult result = Run();
  EXPECT_EQ(result.status, Status::Error("running PreFilter plugin \"P\": boom"));
  EXPECT_EQ(result.message, "running PreFilter plugin \"P\": boom");
  EXPECT_EQ(result.nominated_node_name, Symbol()) << "cleared, PostFilter does not run";
}

// Goal: after an error no plugin counts as rejecting the pod, even if one rejected a node before.
TEST_F(CycleOutcomeTest, AScoringErrorDropsTheRejectingPlugins) {
  picky_node_ = "n3";
  picky_status_ = Status::Unschedulable("no");
  profile_.Add({.name = "S", .score = [](const NodeInfo&) -> Result<int64_t, Status> {
                  return Status::Error("boom");
                }});
  ScheduleResult result = Run();
  EXPECT_EQ(result.message, "running Score plugins: plugin \"S\" failed with: boom");
  EXPECT_FALSE(result.status.IsRejected());
  EXPECT_TRUE(result.diagnosis.unschedulable_plugins.empty());
}

TEST_F(CycleOutcomeTest, NarrowingKeepsTheNamedNodesThatExist) {
  narrowing_ = MakeSymbols({"n3", "missing", "n1"});
  filter_ = Status::Unschedulable("no");
  ScheduleResult result = Run();
  EXPECT_EQ(filtered_, "n1 n3 ") << "in snapshot order";
  EXPECT_EQ(result.message,
            "0/5 nodes are available: 2 no, 3 node(s) didn't satisfy plugin(s) [P].");
  EXPECT_EQ(next_start(), 2u) << "modulo all nodes";
  filter_ = Status::Success();
  EXPECT_EQ(Run().host, "n1") << "the start is 2 modulo 2 nodes";
  EXPECT_EQ(next_start(), 4u);
  narrowing_ = MakeSymbols({"n0", "n1", "n2"});
  EXPECT_EQ(Run().host, "n1") << "4 modulo 3";
  EXPECT_EQ(filtered_, "n1 n2 n0 ");
  EXPECT_EQ(next_start(), 2u);
}

TEST_F(CycleOutcomeTest, NarrowingToMissingNodesFails) {
  narrowing_ = MakeSymbols({"missing"});
  AddPostFilter(Status::Unschedulable("x"), std::nullopt);
  ScheduleResult result = Run();
  EXPECT_EQ(result.message, "0/5 nodes are available: 5 node(s) didn't satisfy plugin(s) [P]. x");
  EXPECT_EQ(absent_seen_,
            Status::UnschedulableAndUnresolvable("node(s) didn't satisfy plugin(s) [P]"));
  EXPECT_EQ(result.diagnosis.unschedulable_plugins, (std::set<Symbol>{Symbol("P")}));
  EXPECT_EQ(next_start(), 0u);
}

TEST_F(CycleOutcomeTest, ANominatedNodeThatFitsIsTheOnlyOneTried) {
  ScheduleResult result = Run(Nominee("n3"), {.has_detail = true});
  EXPECT_EQ(result.host, "n3");
  EXPECT_EQ(filtered_, "n3 ");
  EXPECT_EQ(result.feasible_nodes, 1u);
  EXPECT_EQ(result.evaluated_nodes, 1u);
  EXPECT_FALSE(result.detail->scores.has_value());
  EXPECT_EQ(next_start(), 0u) << "the start does not move";
}

TEST_F(CycleOutcomeTest, ANominatedNodeMayBeOutsideTheNarrowing) {
  narrowing_ = MakeSymbols({"n1"});
  EXPECT_EQ(Run(Nominee("n3")).host, "n3");
}

TEST_F(CycleOutcomeTest, ANominatedNodeThatDoesNotFitIsFollowedByAllNodes) {
  picky_node_ = "n3";
  picky_status_ = Status::Unschedulable("picky");
  ScheduleResult result = Run(Nominee("n3"));
  EXPECT_EQ(filtered_, "n3 n0 n1 n2 n3 n4 ");
  EXPECT_EQ(result.host, "n0");
  EXPECT_EQ(result.evaluated_nodes, 5u) << "n3 counts once";
  filter_ = Status::Unschedulable("no");
  EXPECT_EQ(Run(Nominee("n3")).message, "0/5 nodes are available: 1 picky, 4 no.");
  narrowing_ = MakeSymbols({"n0"});
  result = Run(Nominee("n3"));
  EXPECT_EQ(result.message,
            "0/5 nodes are available: 1 no, 1 picky, 3 node(s) didn't satisfy plugin(s) [P].")
      << "its refusal stays in the diagnosis";
}

// Goal: the absent nodes' status lists the plugin that refused the nominated node, because the list
// is built after that try.
TEST_F(CycleOutcomeTest, AbsentNodesStatusNamesThePluginThatRefusedTheNominatedNode) {
  profile_.Add({.name = "Last", .filter = [this](const CycleState&, const Pod&, const NodeInfo& n) {
                  return n.name() == last_refuses_ ? Status::Unschedulable("last")
                                                   : Status::Success();
                }});
  narrowing_ = MakeSymbols({"n0"});
  last_refuses_ = "n3";
  filter_ = Status::Success();
  picky_node_ = "n0";
  picky_status_ = Status::Unschedulable("picky");
  EXPECT_EQ(
      Run(Nominee("n3")).message,
      "0/5 nodes are available: 1 last, 1 picky, 3 node(s) didn't satisfy plugin(s) [Last P].");
  last_refuses_ = "n0";
  picky_node_ = "n3";
  EXPECT_EQ(Run(Nominee("n3")).message,
            "0/5 nodes are available: 1 last, 1 picky, 3 node(s) didn't satisfy plugin(s) [P].")
      << "a plugin that refuses a node later is not in the list";
}

TEST_F(CycleOutcomeTest, AnErrorOnTheNominatedNodeIsIgnored) {
  narrowing_ = MakeSymbols({"n0"});
  picky_node_ = "n3";
  picky_status_ = Status::Error("boom");
  ScheduleResult result = Run(Nominee("n3"));
  EXPECT_EQ(result.host, "n0");
  EXPECT_FALSE(result.diagnosis.node_to_status.HasOwn(3));
}

TEST_F(CycleOutcomeTest, AnUnknownNominatedNodeIsIgnored) {
  EXPECT_EQ(Run(Nominee("missing")).host, "n0");
  EXPECT_EQ(filtered_, "n0 n1 n2 n3 n4 ");
}

TEST_F(CycleOutcomeTest, WithoutPostFilterTheNominationIsCleared) {
  filter_ = Status::Unschedulable("no");
  ScheduleResult result = Run(Nominee("missing"));
  EXPECT_EQ(result.message, "0/5 nodes are available: 5 no.");
  EXPECT_EQ(result.nominated_node_name, Symbol());
}

TEST_F(CycleOutcomeTest, PostFilterCanBeSkipped) {
  AddPostFilter(Status::Success(), Symbol("n1"));
  filter_ = Status::Unschedulable("no");
  ScheduleResult result = Run(Nominee("missing"), {.has_post_filter = false});
  EXPECT_EQ(result.nominated_node_name, std::nullopt);
  EXPECT_EQ(result.message, "0/5 nodes are available: 5 no.");
}

TEST(CycleOutcome, PostFilterDecidesAboutTheNomination) {
  struct {
    std::string_view name;
    Status status;
    std::optional<Symbol> nomination;
    std::string_view want_message;
    std::optional<Symbol> want;
  } cases[] = {
      {"a node is nominated", {}, Symbol("n1"), "0/1 nodes are available: 1 no.", Symbol("n1")},
      {"it is cleared", Status::Unschedulable("msg"), Symbol(),
       "0/1 nodes are available: 1 no. msg", Symbol()},
      {"it stays", Status::Unschedulable("msg"), {}, "0/1 nodes are available: 1 no. msg", {}},
      {"an Error says so and leaves it",
       Status::Error("not found"),
       Symbol("n1"),
       "0/1 nodes are available: 1 no. not found",
       {}},
      {"a final refusal", Status::UnschedulableAndUnresolvable("never"), Symbol(),
       "0/1 nodes are available: 1 no. never", Symbol()},
  };
  for (const auto& c : cases) {
    FakeProfile profile;
    profile.AddNodes(1);
    profile.Add(
        {.name = "F", .filter = [](const auto&...) { return Status::Unschedulable("no"); }});
    profile.Add({.name = "Post", .post_filter = [&c](const auto&, PostFilterResult* result) {
                   result->nominated_node_name = c.nomination;
                   return c.status;
                 }});
    ProfileRuntime runtime;
    runtime.framework = profile.TakeFramework();
    SchedulingCycle cycle(profile.snapshot(), {}, nullptr);
    Pod pod = MakePod().Name("p");
    ScheduleResult result = RunToEnd(cycle.Run(runtime, pod, {}));
    EXPECT_EQ(result.status.code(), Code::kUnschedulable) << c.name << ": whatever PostFilter said";
    EXPECT_EQ(result.message, c.want_message) << c.name;
    EXPECT_EQ(result.nominated_node_name, c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
