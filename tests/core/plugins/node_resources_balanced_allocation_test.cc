#include "core/plugins/node_resources_balanced_allocation.h"

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/config/defaults.h"
#include "tests/support/plugin_forms.h"
#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Runner = PluginRunner<NodeResourcesBalancedAllocation>;
using Scores = std::vector<int64_t>;

PluginArgs Resources(Texts names = {}) {
  NodeResourcesBalancedAllocationArgs args;
  for (std::string_view name : names) args.resources.push_back({Symbol(name), 1});
  PluginArgs any = std::move(args);
  SetArgsDefaults(Features(), &any);
  return any;
}

Node Sized(std::string_view name, std::string_view cpu, std::string_view memory) {
  return MakeNode().Name(name).Allocatable({{"cpu", cpu}, {"memory", memory}});
}
Node WithGpu(std::string_view name, std::string_view gpu) {
  return MakeNode().Name(name).Allocatable(
      {{"cpu", "3500m"}, {"memory", "40000"}, {"example.com/gpu", gpu}});
}
Pod Asking(std::string_view cpu, std::string_view memory) {
  return MakePod().Name("p").Req({{"cpu", cpu}, {"memory", memory}});
}
Pod Running(std::string_view name, std::string_view node, TextPairs requests) {
  return MakePod().Name(name).Node(node).Req(requests);
}

// The scores of two nodes for a pod; if empty, PreScore skips.
struct ScoreCase {
  std::string_view name;
  Pod pod;
  std::vector<Node> nodes;
  std::vector<Pod> running;
  Scores want;
};

void ExpectScores(const PluginArgs& args, const std::vector<ScoreCase>& cases) {
  for (const ScoreCase& c : cases) {
    Runner runner(args);
    for (const Node& node : c.nodes) runner.handle().Add(node);
    for (const Pod& pod : c.running) runner.handle().Add(pod);
    Result<Scores, Status> scores = runner.Scores(c.pod);
    ASSERT_TRUE(scores.ok()) << c.name;
    EXPECT_EQ(*scores, c.want) << c.name;
  }
}

// Goal: the score is the change of balance by the pod, in closed form for two resources.
TEST(NodeResourcesBalancedAllocation, ScoresTheChangeOfBalance) {
  const Pod pod = Asking("3000m", "5000");
  const std::vector<Node> empty = {Sized("a", "4000m", "10000"), Sized("b", "6000m", "10000")};
  const std::vector<Node> even = {Sized("a", "10000m", "20000"), Sized("b", "10000m", "20000")};
  const std::vector<Node> wider = {Sized("a", "10000m", "20000"), Sized("b", "10000m", "50000")};
  const std::vector<Node> small = {Sized("a", "3000m", "5000"), Sized("b", "3000m", "5000")};
  const std::vector<Node> middle = {Sized("a", "6000m", "10000"), Sized("b", "6000m", "10000")};
  const Pod on_a = Running("r1", "a", {{"cpu", "3000m"}});
  const Pod on_b = Running("r2", "b", {{"cpu", "3000m"}, {"memory", "5000"}});
  ExpectScores(
      Resources(),
      {
          {"best effort", MakePod().Req({}), empty, {}, {}},
          {"other resources only", MakePod().Req({{"ephemeral-storage", "1"}}), empty, {}, {}},
          {"empty nodes", pod, empty, {}, {68, 75}},
          {"running pods", pod, even, {on_a, on_b}, {73, 74}},
          {"running pods, nodes of other sizes", pod, wider, {on_a, on_b}, {73, 70}},
          {"best and worst", Asking("0", "5000"), small, {on_a}, {100, 50}},
          {"cpu only", Asking("3000m", "0"), middle, {on_a, on_b}, {62, 62}},
          {"a share is at most 1", pod, {Sized("a", "1000m", "5000")}, {}, {75}},
          {"nothing allocatable", pod, {Sized("a", "0", "0")}, {}, {75}},
      });
}

// Goal: one resource has no balance, three have a standard deviation; a scalar counts only when the
// pod requests it.
TEST(NodeResourcesBalancedAllocation, ScoresOtherNumbersOfResources) {
  const Pod pod = Asking("3000m", "5000");
  const TextPairs without_gpu = {{"cpu", "3000m"}, {"memory", "5000"}};
  const TextPairs with_gpu = {{"cpu", "3000m"}, {"memory", "5000"}, {"example.com/gpu", "3"}};
  ExpectScores(Resources({"cpu"}), {{"one", pod, {Sized("a", "4000m", "10000")}, {}, {75}}});
  ExpectScores(Resources({"cpu", "memory", "example.com/gpu"}),
               {
                   {"requested",
                    MakePod().Req({{"example.com/gpu", "1"}}),
                    {WithGpu("a", "8"), WithGpu("b", "8")},
                    {Running("r1", "a", with_gpu), Running("r2", "b", without_gpu)},
                    {75, 76}},
                   {"not requested", pod, {WithGpu("a", "8"), WithGpu("b", "0")}, {}, {56, 56}},
               });
}

// Goal: the pod's real requests count, including those at pod level.
TEST(NodeResourcesBalancedAllocation, CountsRealRequests) {
  const Node node = Sized("a", "4000m", "10000");
  auto score = [&](const Pod& pod, const std::vector<Pod>& running) {
    Runner runner(Resources());
    runner.handle().Add(node);
    for (const Pod& other : running) runner.handle().Add(other);
    return *runner.Scores(pod);
  };
  EXPECT_EQ(score(MakePod().Req({}).PodLevelReq({{"cpu", "3000m"}, {"memory", "5000"}}), {}),
            Scores({68}));
  EXPECT_EQ(score(Asking("3000m", "5000"), {MakePod().Name("silent").Node("a").Req({})}),
            Scores({68}));
}

// Goal: without PreScore's state, Score returns the same, and 0 for best-effort pods.
TEST(NodeResourcesBalancedAllocation, ScoresWithoutPreScore) {
  Runner runner(Resources());
  runner.handle().Add(Sized("a", "4000m", "10000"));
  CycleState empty;
  const NodeInfo& node = runner.handle().node("a");
  EXPECT_EQ(*runner.plugin().Score(empty, Asking("3000m", "5000"), node), 68);
  EXPECT_EQ(*runner.plugin().Score(empty, MakePod().Req({}), node), 0);
  ChunkScores scores{};
  NodeChunk chunk = runner.handle().snapshot().table().Chunk(0);
  scores[0] = -1;
  EXPECT_TRUE(runner.plugin().ScoreChunk(empty, MakePod().Req({}), chunk, 1, &scores).IsSuccess());
  EXPECT_EQ(scores[0], 0);
}

std::string Amount(Rng& rng) { return std::to_string(rng.Below(30)); }

// Goal: the column form scores like the rule. Method: random nodes and pods, two to four resources.
TEST(NodeResourcesBalancedAllocation, ChunksEqualNodes) {
  const PluginArgs choices[] = {
      Resources(), Resources({"cpu", "memory", "ephemeral-storage"}),
      Resources({"cpu", "memory", "ephemeral-storage", "example.com/gpu"})};
  Rng rng(7);
  std::map<int64_t, size_t> seen;
  for (int round = 0; round < 40; ++round) {
    Runner runner(choices[rng.Below(std::size(choices))]);
    size_t num_nodes = 1 + rng.Below(64);
    for (size_t number = 0; number < num_nodes; ++number) {
      std::string name = "n" + std::to_string(number);
      runner.handle().Add(MakeNode().Name(name).Allocatable({{"cpu", Amount(rng)},
                                                             {"memory", Amount(rng)},
                                                             {"ephemeral-storage", Amount(rng)},
                                                             {"example.com/gpu", Amount(rng)}}));
      runner.handle().Add(Running(name + "-pod", name,
                                  {{"cpu", Amount(rng)},
                                   {"memory", Amount(rng)},
                                   {"ephemeral-storage", Amount(rng)},
                                   {"example.com/gpu", Amount(rng)}}));
    }
    const Pod pod = MakePod().Req({{"cpu", "3"},
                                   {"memory", Amount(rng)},
                                   {"ephemeral-storage", Amount(rng)},
                                   {"example.com/gpu", Amount(rng)}});
    CycleState& state = runner.state();
    ASSERT_TRUE(runner.plugin().PreScore(state, pod, {}).IsSuccess());
    NodeChunk chunk = runner.handle().snapshot().table().Chunk(0);
    std::optional<ChunkScores> added = AddedScores(runner.plugin(), state, pod, chunk, chunk.all());
    ASSERT_TRUE(added);
    const ChunkScores& scores = *added;
    for (size_t offset = 0; offset < num_nodes; ++offset) {
      EXPECT_EQ(scores[offset], *runner.plugin().Score(state, pod, chunk.node(offset)));
      EXPECT_GE(scores[offset], 50);
      EXPECT_LE(scores[offset], kMaxNodeScore);
      ++seen[scores[offset]];
    }
  }
  EXPECT_GT(seen.size(), 20u);
}

// Goal: the fragment is the pod's requests of the configured resources.
TEST(NodeResourcesBalancedAllocation, FragmentHoldsWhatItReads) {
  Runner runner(Resources());
  auto fragment = [&](const Pod& pod) {
    PodSignature signature;
    EXPECT_TRUE(runner.plugin().AppendFragment(pod, &signature));
    return signature;
  };
  const PodSignature base = fragment(Asking("1", "2"));
  EXPECT_EQ(fragment(MakePod().Req({{"cpu", "1000m"}, {"memory", "2"}, {"example.com/gpu", "1"}})),
            base);
  EXPECT_NE(fragment(Asking("2", "2")), base);
  EXPECT_NE(fragment(Asking("1", "3")), base);
}

}  // namespace
}  // namespace stowage
