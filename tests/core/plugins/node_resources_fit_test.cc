#include "core/plugins/node_resources_fit.h"

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/config/defaults.h"
#include "tests/support/plugin_forms.h"
#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Runner = PluginRunner<NodeResourcesFit>;
using Scores = std::vector<int64_t>;

PluginArgs Defaulted(NodeResourcesFitArgs args = {}) {
  PluginArgs any = std::move(args);
  SetArgsDefaults(Features(), &any);
  return any;
}

PluginArgs WithStrategy(std::string_view type, std::vector<ResourceSpec> resources = {},
                        std::vector<UtilizationShapePoint> shape = {}) {
  NodeResourcesFitArgs args;
  ScoringStrategy& strategy = args.scoring_strategy.emplace();
  strategy.type = std::string(type);
  strategy.resources = std::move(resources);
  if (!shape.empty()) strategy.requested_to_capacity_ratio.emplace().shape = std::move(shape);
  return Defaulted(std::move(args));
}

Status Refused(Code code, Texts reasons) { return Status::WithReasons(code, MakeSymbols(reasons)); }
Status Unschedulable(Texts reasons) { return Refused(Code::kUnschedulable, reasons); }
Status Unresolvable(Texts reasons) { return Refused(Code::kUnschedulableAndUnresolvable, reasons); }

struct FilterCase {
  std::string_view name;
  Pod pod;
  Status want;
};

// The node has 10 cpu, 20 memory and room for 32 pods; a running pod holds part of it.
void ExpectVerdicts(const Pod& running, const std::vector<FilterCase>& cases) {
  const Node node = MakeNode().Name("n").Allocatable({{"cpu", "10m"},
                                                      {"memory", "20"},
                                                      {"ephemeral-storage", "20"},
                                                      {"pods", "32"},
                                                      {"example.com/aaa", "5"},
                                                      {"kubernetes.io/something", "5"},
                                                      {"hugepages-2Mi", "5"}});
  for (const FilterCase& c : cases) {
    Runner runner(Defaulted());
    runner.handle().Add(node).Add(running);
    EXPECT_EQ(runner.Filter(c.pod, "n"), c.want) << c.name;
  }
}

// Goal: a node must have room for the pod's requests beside its running pods. Method: one node, one
// running pod, the verdict: reasons in order, and a code that depends on whether the empty node
// would fit.
TEST(NodeResourcesFit, FiltersByNativeResources) {
  ExpectVerdicts(
      MakePod().Name("running").Node("n").Req({{"cpu", "5m"}, {"memory", "5"}}),
      {
          {"nothing requested", MakePod(), Status::Success()},
          {"fits", MakePod().Req({{"cpu", "1m"}, {"memory", "1"}}), Status::Success()},
          {"equal edge", MakePod().Req({{"cpu", "5m"}, {"memory", "15"}}), Status::Success()},
          {"cpu", MakePod().Req({{"cpu", "6m"}}), Unschedulable({"Insufficient cpu"})},
          {"memory", MakePod().Req({{"memory", "16"}}), Unschedulable({"Insufficient memory"})},
          {"cpu and memory", MakePod().Req({{"cpu", "6m"}, {"memory", "16"}}),
           Unschedulable({"Insufficient cpu", "Insufficient memory"})},
          {"never fits", MakePod().Req({{"cpu", "11m"}}), Unresolvable({"Insufficient cpu"})},
          {"one of two never fits", MakePod().Req({{"cpu", "6m"}, {"memory", "21"}}),
           Unresolvable({"Insufficient cpu", "Insufficient memory"})},
          {"ephemeral storage edge", MakePod().Req({{"ephemeral-storage", "20"}}),
           Status::Success()},
          {"ephemeral storage", MakePod().Req({{"ephemeral-storage", "21"}}),
           Unresolvable({"Insufficient ephemeral-storage"})},
          {"overhead fits", MakePod().Req({{"cpu", "1m"}}).Overhead({{"cpu", "4m"}}),
           Status::Success()},
          {"overhead does not", MakePod().Req({{"cpu", "1m"}}).Overhead({{"cpu", "5m"}}),
           Unschedulable({"Insufficient cpu"})},
          {"containers add up", MakePod().Req({{"cpu", "3m"}}).Req({{"cpu", "3m"}}),
           Unschedulable({"Insufficient cpu"})},
          {"init containers do not", MakePod().InitReq({{"cpu", "5m"}}).InitReq({{"cpu", "4m"}}),
           Status::Success()},
          {"an init container alone", MakePod().Req({{"cpu", "1m"}}).InitReq({{"cpu", "6m"}}),
           Unschedulable({"Insufficient cpu"})},
          {"sidecar and container", MakePod().Req({{"cpu", "3m"}}).SidecarReq({{"cpu", "3m"}}),
           Unschedulable({"Insufficient cpu"})},
          {"sidecar beside a later init container",
           MakePod().SidecarReq({{"cpu", "2m"}}).InitReq({{"cpu", "4m"}}),
           Unschedulable({"Insufficient cpu"})},
          {"sidecar after an init container",
           MakePod().InitReq({{"cpu", "4m"}}).SidecarReq({{"cpu", "2m"}}), Status::Success()},
      });
}

// Goal: scalar resources count like native ones, in order of name.
TEST(NodeResourcesFit, FiltersByScalarResources) {
  ExpectVerdicts(
      MakePod().Name("running").Node("n").Req({{"example.com/aaa", "2"}, {"hugepages-2Mi", "5"}}),
      {
          {"fits", MakePod().Req({{"example.com/aaa", "3"}}), Status::Success()},
          {"taken", MakePod().Req({{"example.com/aaa", "4"}}),
           Unschedulable({"Insufficient example.com/aaa"})},
          {"beyond capacity", MakePod().Req({{"example.com/aaa", "6"}}),
           Unresolvable({"Insufficient example.com/aaa"})},
          {"several containers",
           MakePod().Req({{"example.com/aaa", "2"}}).Req({{"example.com/aaa", "2"}}),
           Unschedulable({"Insufficient example.com/aaa"})},
          {"init container", MakePod().InitReq({{"example.com/aaa", "4"}}),
           Unschedulable({"Insufficient example.com/aaa"})},
          {"several init containers",
           MakePod().InitReq({{"example.com/aaa", "3"}}).InitReq({{"example.com/aaa", "3"}}),
           Status::Success()},
          {"unknown to the node", MakePod().Req({{"example.com/bbb", "1"}}),
           Unresolvable({"Insufficient example.com/bbb"})},
          {"unknown, nothing of it requested", MakePod().Req({{"example.com/bbb", "0"}}),
           Status::Success()},
          {"kubernetes.io", MakePod().Req({{"kubernetes.io/something", "6"}}),
           Unresolvable({"Insufficient kubernetes.io/something"})},
          {"huge pages", MakePod().Req({{"hugepages-2Mi", "1"}}),
           Unschedulable({"Insufficient hugepages-2Mi"})},
          {"by name after the native ones",
           MakePod().Req({{"hugepages-2Mi", "1"}, {"example.com/aaa", "4"}, {"cpu", "11m"}}),
           Unresolvable(
               {"Insufficient cpu", "Insufficient example.com/aaa", "Insufficient hugepages-2Mi"})},
          {"no resource name of the scheduler", MakePod().Req({{"storage", "100"}}),
           Status::Success()},
      });
}

// Goal: pod-level requests replace the containers' for Filter.
TEST(NodeResourcesFit, FiltersByPodLevelResources) {
  ExpectVerdicts(
      MakePod().Name("running").Node("n").Req({{"cpu", "5m"}}),
      {
          {"fits", MakePod().Req({{"cpu", "9m"}}).PodLevelReq({{"cpu", "5m"}}), Status::Success()},
          {"does not", MakePod().Req({{"cpu", "1m"}}).PodLevelReq({{"cpu", "6m"}}),
           Unschedulable({"Insufficient cpu"})},
          {"huge pages", MakePod().PodLevelReq({{"hugepages-2Mi", "6"}}),
           Unresolvable({"Insufficient hugepages-2Mi"})},
          {"memory", MakePod().PodLevelReq({{"memory", "20"}}), Status::Success()},
      });
}

// Goal: the pod slot is the first reason and never unresolvable.
TEST(NodeResourcesFit, ReportsTooManyPodsFirst) {
  const Node full = MakeNode().Name("n").Allocatable({{"cpu", "10m"}, {"pods", "1"}});
  const Node no_slots = MakeNode().Name("n").Allocatable({{"cpu", "10m"}, {"pods", "0"}});
  struct {
    std::string_view name;
    Node node;
    Pod pod;
    Status want;
  } cases[] = {
      {"requests nothing", full, MakePod(), Unschedulable({"Too many pods"})},
      {"node takes no pods", no_slots, MakePod(), Unschedulable({"Too many pods"})},
      {"no allocatable at all", MakeNode().Name("n"), MakePod(), Unschedulable({"Too many pods"})},
      {"with another reason", full, MakePod().Req({{"cpu", "6m"}}),
       Unschedulable({"Too many pods", "Insufficient cpu"})},
      {"with an unresolvable one", full, MakePod().Req({{"cpu", "11m"}}),
       Unresolvable({"Too many pods", "Insufficient cpu"})},
  };
  for (const auto& c : cases) {
    Runner runner(Defaulted());
    runner.handle().Add(c.node).Add(MakePod().Name("running").Node("n").Req({{"cpu", "5m"}}));
    EXPECT_EQ(runner.Filter(c.pod, "n"), c.want) << c.name;
  }
}

// Goal: extended resources can be ignored, by name or by the part before the first slash.
TEST(NodeResourcesFit, IgnoresConfiguredExtendedResources) {
  NodeResourcesFitArgs by_name;
  by_name.ignored_resources = MakeSymbols({"example.com/aaa", "kubernetes.io/something"});
  NodeResourcesFitArgs by_group;
  by_group.ignored_resource_groups = {"example.com", "kubernetes.io"};
  struct {
    std::string_view name;
    NodeResourcesFitArgs args;
    std::string_view resource;
    bool is_ignored;
  } cases[] = {
      {"nothing ignored", {}, "example.com/aaa", false},
      {"by name", by_name, "example.com/aaa", true},
      {"other name", by_name, "example.com/bbb", false},
      {"by group", by_group, "example.com/bbb", true},
      {"other group", by_group, "sub.example.com/bbb", false},
      {"not extended, by name", by_name, "kubernetes.io/something", false},
      {"not extended, by group", by_group, "kubernetes.io/something", false},
  };
  for (const auto& c : cases) {
    Runner runner(Defaulted(c.args));
    runner.handle().Add(MakeNode().Name("n").Allocatable({{"cpu", "1"}}));
    Status status = runner.Filter(MakePod().Req({{c.resource, "1"}}), "n");
    EXPECT_EQ(status.IsSuccess(), c.is_ignored) << c.name;
  }
}

// Goal: Filter without PreFilter is an error in both forms.
TEST(NodeResourcesFit, FilterNeedsPreFilter) {
  Runner runner(Defaulted());
  runner.handle().Add(MakeNode().Name("n").Allocatable({{"cpu", "1"}}));
  const Status want =
      Status::Error("error reading \"PreFilterNodeResourcesFit\" from cycleState: not found");
  CycleState empty;
  EXPECT_EQ(runner.plugin().Filter(empty, MakePod(), runner.handle().node("n")), want);
  ChunkStatuses statuses;
  NodeChunk chunk = runner.handle().snapshot().table().Chunk(0);
  EXPECT_EQ(runner.plugin().FilterChunk(empty, MakePod(), chunk, 1, &statuses), 0u);
  EXPECT_EQ(statuses[0], want);
}

struct ScoreCase {
  std::string_view name;
  Pod pod;
  std::vector<Node> nodes;
  std::vector<Pod> running;
  PluginArgs args;
  Scores want;
};

void ExpectScores(const std::vector<ScoreCase>& cases) {
  for (const ScoreCase& c : cases) {
    Runner runner(c.args);
    for (const Node& node : c.nodes) runner.handle().Add(node);
    for (const Pod& pod : c.running) runner.handle().Add(pod);
    Result<Scores, Status> scores = runner.Scores(c.pod);
    ASSERT_TRUE(scores.ok()) << c.name;
    EXPECT_EQ(*scores, c.want) << c.name;
  }
}

Node Sized(std::string_view name, std::string_view cpu, std::string_view memory) {
  return MakeNode().Name(name).Allocatable({{"cpu", cpu}, {"memory", memory}});
}
Pod Asking(std::string_view cpu, std::string_view memory) {
  return MakePod().Name("p").Req({{"cpu", cpu}, {"memory", memory}});
}
Pod Running(std::string_view name, std::string_view node, TextPairs requests) {
  return MakePod().Name(name).Node(node).Req(requests);
}

// Goal: the three strategies on the same two nodes.
TEST(NodeResourcesFit, ScoresByStrategy) {
  const std::vector<Node> nodes = {Sized("a", "4000m", "10000"), Sized("b", "6000m", "10000")};
  const std::vector<Pod> running = {Running("r1", "a", {{"cpu", "2000m"}, {"memory", "4000"}}),
                                    Running("r2", "b", {{"cpu", "1000m"}, {"memory", "2000"}})};
  const Pod small = Asking("1000m", "2000");
  const Pod large = Asking("3000m", "5000");
  const auto ratio = ScoringStrategy::kRequestedToCapacityRatio;
  ExpectScores({
      {"least", small, nodes, running, WithStrategy(ScoringStrategy::kLeastAllocated), {32, 63}},
      {"most", small, nodes, running, WithStrategy(ScoringStrategy::kMostAllocated), {67, 36}},
      {"ratio, empty first",
       large,
       nodes,
       running,
       WithStrategy(ratio, {}, {{0, 10}, {100, 0}}),
       {10, 32}},
      {"ratio, full first",
       large,
       nodes,
       running,
       WithStrategy(ratio, {}, {{0, 0}, {100, 10}}),
       {95, 68}},
      {"ratio, nothing scores",
       large,
       nodes,
       running,
       WithStrategy(ratio, {}, {{0, 0}, {100, 0}}),
       {0, 0}},
  });
}

// Goal: LeastAllocated scores the free percentages. The pods request 0 explicitly, because a
// missing request counts with its default.
TEST(NodeResourcesFit, ScoresFreeResources) {
  const PluginArgs least = Defaulted();
  const Pod cpu_only = Asking("3000m", "0");
  const Pod both = Asking("3000m", "5000");
  const TextPairs r_cpu = {{"cpu", "3000m"}, {"memory", "0"}};
  const TextPairs r_both = {{"cpu", "3000m"}, {"memory", "5000"}};
  const std::vector<Node> equal = {Sized("a", "10000m", "20000"), Sized("b", "10000m", "20000")};
  const std::vector<Node> wider = {Sized("a", "10000m", "20000"), Sized("b", "10000m", "50000")};
  const std::vector<Node> small = {Sized("a", "4000m", "10000"), Sized("b", "6000m", "10000")};
  const std::vector<Node> same_small = {Sized("a", "4000m", "10000"), Sized("b", "4000m", "10000")};
  const std::vector<Pod> running = {Running("r1", "a", r_cpu), Running("r2", "b", r_both)};
  ExpectScores({
      {"nothing requested", Asking("0", "0"), same_small, {}, least, {100, 100}},
      {"nodes of other sizes", both, small, {}, least, {37, 50}},
      {"running pods", both, equal, running, least, {57, 45}},
      {"running pods, nodes of other sizes", both, wider, running, least, {57, 60}},
      {"over capacity", cpu_only, same_small, running, least, {50, 25}},
      {"nothing allocatable",
       both,
       {Sized("a", "0", "0"), Sized("b", "0", "0")},
       {},
       least,
       {0, 0}},
      {"weights",
       both,
       small,
       {},
       WithStrategy(ScoringStrategy::kLeastAllocated, {{Symbol("memory"), 2}, {Symbol("cpu"), 1}}),
       {41, 50}},
  });
}

// Goal: the right requests count. Those at pod level never do, a container without a request counts
// with a default, and an extended resource counts only if it is requested.
TEST(NodeResourcesFit, ScoresRequestsPerContainer) {
  const PluginArgs least = Defaulted();
  const PluginArgs with_gpu = WithStrategy(ScoringStrategy::kLeastAllocated,
                                           {{Symbol("cpu"), 1}, {Symbol("example.com/gpu"), 3}});
  const std::vector<Node> big = {Sized("a", "1000m", "1000Mi")};
  const std::vector<Node> gpu = {
      MakeNode().Name("a").Allocatable({{"cpu", "1000m"}, {"example.com/gpu", "10"}})};
  const std::vector<Pod> uses_gpu = {
      Running("r", "a", {{"cpu", "100m"}, {"example.com/gpu", "4"}})};
  ExpectScores({
      {"best effort: 100m and 200Mi", MakePod().Req({}), big, {}, least, {85}},
      {"two silent containers", MakePod().Req({}).Req({}), big, {}, least, {70}},
      {"pod level does not count",
       MakePod().Req({}).PodLevelReq({{"cpu", "900m"}}),
       big,
       {},
       least,
       {85}},
      {"explicit zero stays", Asking("0", "0"), big, {}, least, {100}},
      {"silent running pods count with defaults",
       Asking("0", "0"),
       big,
       {MakePod().Name("r").Node("a").Req({})},
       least,
       {85}},
      {"extended resource not requested", Asking("100m", "0"), gpu, uses_gpu, with_gpu, {80}},
      {"extended resource requested",
       MakePod().Req({{"cpu", "100m"}, {"example.com/gpu", "1"}}),
       gpu,
       uses_gpu,
       with_gpu,
       {57}},
      {"node has none of it",
       MakePod().Req({{"cpu", "100m"}, {"example.com/gpu", "1"}}),
       {Sized("a", "1000m", "1000Mi")},
       {},
       with_gpu,
       {90}},
  });
}

// Goal: without PreScore's state, Score returns the same.
TEST(NodeResourcesFit, ScoresWithoutPreScore) {
  Runner runner(Defaulted());
  runner.handle().Add(Sized("a", "1000m", "1000Mi"));
  CycleState empty;
  const Pod pod = MakePod().Req({});
  Result<int64_t, Status> score = runner.plugin().Score(empty, pod, runner.handle().node("a"));
  ASSERT_TRUE(score.ok());
  EXPECT_EQ(*score, 85);
}

// A random amount that is often a boundary value.
std::string Amount(Rng& rng) {
  static constexpr std::string_view kAmounts[] = {"0", "1", "2", "3", "5", "8"};
  return std::string(kAmounts[rng.Below(std::size(kAmounts))]);
}

MakePod RandomPod(Rng& rng) {
  MakePod pod;
  pod.Req({{"cpu", Amount(rng)}, {"memory", Amount(rng)}});
  if (rng.Below(2) == 0) pod.Req({{"ephemeral-storage", Amount(rng)}});
  if (rng.Below(3) == 0) pod.Req({{"example.com/gpu", Amount(rng)}});
  if (rng.Below(3) == 0) pod.Req({{"hugepages-2Mi", Amount(rng)}});
  if (rng.Below(4) == 0) pod.PodLevelReq({{"cpu", Amount(rng)}});
  return pod;
}

void FillRandomly(Rng& rng, FakeHandle& handle, size_t num_nodes) {
  for (size_t number = 0; number < num_nodes; ++number) {
    std::string name = "n" + std::to_string(number);
    handle.Add(MakeNode().Name(name).Allocatable({{"cpu", Amount(rng)},
                                                  {"memory", Amount(rng)},
                                                  {"ephemeral-storage", Amount(rng)},
                                                  {"pods", Amount(rng)},
                                                  {"example.com/gpu", Amount(rng)}}));
    for (uint64_t pod = rng.Below(4); pod > 0; --pod) {
      handle.Add(RandomPod(rng).Name(name + "-" + std::to_string(pod)).Node(name));
    }
  }
}

// Goal: the column forms equal the rule, node by node. Method: random clusters of 1 to 100 nodes
// and random pods, every strategy, every chunk, a random half of the candidates.
TEST(NodeResourcesFit, ChunksEqualNodes) {
  const auto ratio = ScoringStrategy::kRequestedToCapacityRatio;
  const std::vector<ResourceSpec> resources = {{Symbol("cpu"), 3},
                                               {Symbol("memory"), 1},
                                               {Symbol("ephemeral-storage"), 2},
                                               {Symbol("example.com/gpu"), 5}};
  const PluginArgs strategies[] = {Defaulted(),
                                   WithStrategy(ScoringStrategy::kMostAllocated, resources),
                                   WithStrategy(ratio, resources, {{0, 3}, {40, 10}, {100, 0}})};
  Rng rng(36);
  size_t refused = 0;
  for (int round = 0; round < 60; ++round) {
    Runner runner(strategies[rng.Below(std::size(strategies))]);
    size_t num_nodes = 1 + rng.Below(100);
    FillRandomly(rng, runner.handle(), num_nodes);
    const Pod pod = RandomPod(rng);
    ASSERT_TRUE(runner.PreFilter(pod).IsSuccess());
    ASSERT_TRUE(runner.plugin().PreScore(runner.state(), pod, {}).IsSuccess());
    for (size_t first = 0; first < num_nodes; first += NodeTable::kChunkRows) {
      NodeChunk chunk = runner.handle().snapshot().table().Chunk(first / NodeTable::kChunkRows);
      uint64_t candidates = chunk.all() & rng.Next();
      ChunkStatuses statuses;
      uint64_t passed =
          runner.plugin().FilterChunk(runner.state(), pod, chunk, candidates, &statuses);
      std::optional<ChunkScores> scores =
          AddedScores(runner.plugin(), runner.state(), pod, chunk, candidates);
      ASSERT_TRUE(scores);
      EXPECT_EQ(passed & ~candidates, 0u);
      for (size_t offset = 0; offset < chunk.rows.size(); ++offset) {
        if ((candidates >> offset & 1) == 0) continue;
        Status want = runner.plugin().Filter(runner.state(), pod, chunk.node(offset));
        EXPECT_EQ((passed >> offset & 1) != 0, want.IsSuccess());
        EXPECT_EQ(want.IsSuccess() ? Status::Success() : statuses[offset], want);
        EXPECT_EQ((*scores)[offset],
                  *runner.plugin().Score(runner.state(), pod, chunk.node(offset)));
        refused += want.IsSuccess() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(refused, 100u);
}

// Goal: two pods differ in their fragments exactly if they differ in something that Filter or Score
// reads.
TEST(NodeResourcesFit, FragmentHoldsWhatItReads) {
  Runner runner(Defaulted());
  auto fragment = [&](const Pod& pod) {
    PodSignature signature;
    EXPECT_TRUE(runner.plugin().AppendFragment(pod, &signature));
    return signature;
  };
  const PodSignature base = fragment(Asking("1", "2"));
  EXPECT_EQ(fragment(MakePod().Name("q").Label("a", "b").Req({{"cpu", "1000m"}, {"memory", "2"}})),
            base);
  EXPECT_NE(fragment(Asking("2", "2")), base);
  EXPECT_NE(fragment(Asking("1", "3")), base);
  EXPECT_NE(fragment(MakePod().Req({{"cpu", "1"}, {"memory", "2"}, {"ephemeral-storage", "1"}})),
            base);
  EXPECT_NE(fragment(MakePod().Req({{"cpu", "1"}, {"memory", "2"}, {"example.com/gpu", "1"}})),
            base);
  // Equal for Filter but not for Score, and the reverse.
  EXPECT_NE(fragment(MakePod().Req({{"cpu", "1"}, {"memory", "2"}}).Req({})), base);
  EXPECT_NE(fragment(MakePod().Req({{"cpu", "1"}, {"memory", "2"}}).PodLevelReq({{"cpu", "3"}})),
            base);
}

}  // namespace
}  // namespace stowage
