#include "core/plugins/image_locality.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Scores = std::vector<int64_t>;

constexpr int64_t kMb = 1024 * 1024;

struct ScoreCase {
  std::string_view name;
  Pod pod;
  std::vector<Node> nodes;
  Scores want;
};

void ExpectScores(const ScoreCase& c) {
  PluginRunner<ImageLocality> runner;
  for (const Node& node : c.nodes) runner.handle().Add(node);
  auto scores = runner.Scores(c.pod);
  ASSERT_TRUE(scores.ok()) << c.name;
  EXPECT_EQ(*scores, c.want) << c.name;
}

// Goal: nodes with large images, shared by many nodes, score higher. Method: scores of all nodes.
TEST(ImageLocality, PrefersNodesWithThePodsImages) {
  const Node node_40_300_2000 = MakeNode()
                                    .Name("n0")
                                    .Image("gcr.io/40:latest", 40 * kMb)
                                    .Image("gcr.io/300:latest", 300 * kMb)
                                    .Image("gcr.io/2000:latest", 2000 * kMb);
  const Node node_250_10 =
      MakeNode().Name("n1").Image("gcr.io/250:latest", 250 * kMb).Image("gcr.io/10:v1", 10 * kMb);
  const Node node_4000 = MakeNode().Name("n0").Image("gcr.io/4000:latest", 4000 * kMb);
  const Node empty = MakeNode().Name("n2");
  const Node node_300_600_900 = MakeNode()
                                    .Name("n0")
                                    .Image("gcr.io/300:latest", 300 * kMb)
                                    .Image("gcr.io/600:latest", 600 * kMb)
                                    .Image("gcr.io/900:latest", 900 * kMb);
  const Node node_60_40_900 = MakeNode()
                                  .Name("n0")
                                  .Image("gcr.io/600:latest", 600 * kMb)
                                  .Image("gcr.io/40:latest", 40 * kMb)
                                  .Image("gcr.io/900:latest", 900 * kMb);
  const Node node_30_40 =
      MakeNode().Name("n0").Image("gcr.io/30:latest", 30 * kMb).Image("gcr.io/40:latest", 40 * kMb);
  const Node node_30 = MakeNode().Name("n1").Image("gcr.io/30:latest", 30 * kMb);
  Node renamed_900 = node_300_600_900;
  renamed_900.metadata.name = Symbol("n1");

  const ScoreCase cases[] = {
      {"one image each",
       MakePod().Container("gcr.io/40").Container("gcr.io/250"),
       {node_40_300_2000, node_250_10},
       {0, 5}},
      {"both images on one node",
       MakePod().Container("gcr.io/40").Container("gcr.io/300"),
       {node_40_300_2000, node_250_10},
       {7, 0}},
      {"above the maximum",
       MakePod().Container("gcr.io/4000").Container("gcr.io/10"),
       {node_4000, node_250_10},
       {100, 0}},
      {"on one of three nodes",
       MakePod().Container("gcr.io/4000").Container("gcr.io/10"),
       {node_4000, node_250_10, empty},
       {66, 0, 0}},
      {"spread over two of three",
       MakePod().Container("gcr.io/300").Container("gcr.io/600").Container("gcr.io/900"),
       {node_60_40_900, renamed_900, empty},
       {32, 36, 0}},
      {"small images",
       MakePod().Container("gcr.io/30").Container("gcr.io/40"),
       {node_30_40, node_30},
       {1, 0}},
  };
  for (const ScoreCase& c : cases) ExpectScores(c);
}

// Goal: every kind of image reference counts as in the reference.
TEST(ImageLocality, CountsEveryReference) {
  const Node node_40_300_2000 = MakeNode()
                                    .Name("n0")
                                    .Image("gcr.io/40:latest", 40 * kMb)
                                    .Image("gcr.io/300:latest", 300 * kMb)
                                    .Image("gcr.io/2000:latest", 2000 * kMb);
  const Node node_250_10 =
      MakeNode().Name("n1").Image("gcr.io/250:latest", 250 * kMb).Image("gcr.io/10:v1", 10 * kMb);
  const ScoreCase cases[] = {
      {"image volume adds, but not to the divisor",
       MakePod().Container("gcr.io/10").ImageVolume("gcr.io/300"),
       {node_40_300_2000, node_250_10},
       {12, 0}},
      {"init container",
       MakePod().InitContainer("gcr.io/300").Container("gcr.io/10"),
       {node_40_300_2000, node_250_10},
       {6, 0}},
      {"one image in two containers counts twice",
       MakePod().Container("gcr.io/300").Container("gcr.io/300"),
       {node_40_300_2000, node_250_10},
       {14, 0}},
      {"a tag is part of the name",
       MakePod().Container("gcr.io/300:v2"),
       {node_40_300_2000, node_250_10},
       {0, 0}},
      {"no containers", MakePod(), {node_40_300_2000, node_250_10}, {0, 0}},
  };
  for (const ScoreCase& c : cases) ExpectScores(c);
}

}  // namespace
}  // namespace stowage
