// PreScore, Score, NormalizeScore and weights of a profile with fake plugins (spec 05 §6).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/runtime/fake_profile.h"

namespace stowage {
namespace {

using Scores = std::vector<int64_t>;

// A plugin that gives the nodes n0, n1, … these scores.
FakeBehavior Scoring(std::string name, Scores scores, int64_t weight = 1) {
  FakeBehavior behavior;
  behavior.name = std::move(name);
  behavior.weight = weight;
  behavior.score = [scores](const NodeInfo& node) -> Result<int64_t, Status> {
    return scores[node.row()];
  };
  return behavior;
}

Status Halve(std::span<NodeScore> scores) {
  for (NodeScore& score : scores) score.score /= 2;
  return Status::Success();
}

Result<NodeScores, Status> RunScores(FakeProfile* profile, CycleState* state) {
  Framework& framework = profile->framework();
  Pod pod = MakePod().Name("p");
  NodeList nodes = profile->snapshot().nodes();
  Status status = framework.RunPreScorePlugins(*state, pod, nodes);
  if (!status.IsSuccess()) return status;
  return framework.RunScorePlugins(*state, pod, nodes);
}

TEST(RunScorePlugins, NormalizesWeightsAndSums) {
  FakeProfile profile;
  profile.AddNodes(3);
  profile.Add(Scoring("Plain", {10, 0, 100}));
  FakeBehavior halved = Scoring("Halved", {200, 7, -1}, 3);
  halved.normalize = Halve;
  profile.Add(halved);
  CycleState state;
  NodeScores scores = RunScores(&profile, &state).Take();
  EXPECT_EQ(scores.total, (Scores{310, 9, 100}));
  ASSERT_EQ(scores.plugins.size(), 2u);
  EXPECT_EQ(scores.plugins[0].plugin, "Plain");
  EXPECT_EQ(scores.plugins[0].weight, 1);
  EXPECT_EQ(scores.plugins[0].raw, (Scores{10, 0, 100}));
  EXPECT_EQ(scores.plugins[0].weighted, (Scores{10, 0, 100}));
  EXPECT_EQ(scores.plugins[1].plugin, "Halved");
  EXPECT_EQ(scores.plugins[1].weight, 3);
  EXPECT_EQ(scores.plugins[1].raw, (Scores{200, 7, -1}));
  EXPECT_EQ(scores.plugins[1].weighted, (Scores{300, 9, 0}));
}

TEST(RunScorePlugins, ScoresOnlyTheNodesGiven) {
  FakeProfile profile;
  profile.AddNodes(3).Add(Scoring("A", {1, 2, 3}));
  const NodeInfo* nodes[] = {&profile.node("n2"), &profile.node("n0")};
  Result<NodeScores, Status> scores =
      profile.framework().RunScorePlugins(CycleState(), MakePod().Name("p"), nodes);
  EXPECT_EQ(scores->total, (Scores{3, 1}));
}

TEST(RunScorePlugins, OmitsPluginsThatSkipInPreScore) {
  FakeProfile profile;
  profile.AddNodes(2);
  FakeBehavior skipping = Scoring("Skipping", {50, 50});
  skipping.pre_score = [](NodeList) { return Status::Skip(); };
  FakeBehavior scoring = Scoring("Scoring", {1, 2});
  size_t nodes_seen = 0;
  scoring.pre_score = [&nodes_seen](NodeList nodes) {
    nodes_seen = nodes.size();
    return Status::Success();
  };
  profile.Add(skipping).Add(scoring);
  CycleState state;
  NodeScores scores = RunScores(&profile, &state).Take();
  EXPECT_EQ(scores.total, (Scores{1, 2}));
  ASSERT_EQ(scores.plugins.size(), 1u);
  EXPECT_EQ(scores.plugins[0].plugin, "Scoring");
  EXPECT_EQ(nodes_seen, 2u);
}

TEST(RunScorePlugins, GivesZeroTotalsWithoutPlugins) {
  FakeProfile profile;
  profile.AddNodes(2);
  CycleState state;
  NodeScores scores = RunScores(&profile, &state).Take();
  EXPECT_EQ(scores.total, (Scores{0, 0}));
  EXPECT_TRUE(scores.plugins.empty());
}

TEST(RunScorePlugins, ReportsTheFailedStep) {
  auto fails = [](const auto&...) { return Status::Error("boom"); };
  FakeBehavior pre_score = Scoring("A", {0, 0});
  pre_score.pre_score = fails;
  FakeBehavior rejecting_pre_score = Scoring("A", {0, 0});
  rejecting_pre_score.pre_score = [](NodeList) { return Status::Unschedulable("no"); };
  FakeBehavior score = Scoring("A", {0, 0});
  score.score = [](const NodeInfo&) -> Result<int64_t, Status> { return Status::Error("boom"); };
  FakeBehavior normalize = Scoring("A", {0, 0});
  normalize.normalize = fails;
  FakeBehavior normalized_too_high = Scoring("A", {0, 202});
  normalized_too_high.normalize = Halve;
  struct {
    std::string_view name;
    FakeBehavior behavior;
    std::string_view want;
  } cases[] = {
      {"PreScore", pre_score, "running PreScore plugin \"A\": boom"},
      {"a PreScore that rejects", rejecting_pre_score, "running PreScore plugin \"A\": no"},
      {"Score", score, "running Score plugins: plugin \"A\" failed with: boom"},
      {"NormalizeScore", normalize,
       "running Normalize on Score plugins: plugin \"A\" failed with: boom"},
      {"a score that is too high", Scoring("A", {100, 101}),
       "applying score defaultWeights on Score plugins: plugin \"A\" returns an invalid score 101, "
       "it should in the range of [0, 100] after normalizing"},
      {"a score that is too low", Scoring("A", {-1, 0}),
       "applying score defaultWeights on Score plugins: plugin \"A\" returns an invalid score -1, "
       "it should in the range of [0, 100] after normalizing"},
      {"the range holds after normalizing", normalized_too_high,
       "applying score defaultWeights on Score plugins: plugin \"A\" returns an invalid score 101, "
       "it should in the range of [0, 100] after normalizing"},
  };
  for (const auto& c : cases) {
    FakeProfile profile;
    profile.AddNodes(2).Add(c.behavior);
    CycleState state;
    Result<NodeScores, Status> scores = RunScores(&profile, &state);
    ASSERT_FALSE(scores.ok()) << c.name;
    EXPECT_EQ(scores.fault(), Status::Error(c.want)) << c.name << ": " << scores.fault().Message();
  }
}

}  // namespace
}  // namespace stowage
