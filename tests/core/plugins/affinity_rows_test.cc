// Goal: what is kept by row equals a comparison of each node with the pod's requirements.
// Method: seeded changes of labels and of the list of nodes, pods of more requirements than are
// kept.
#include "core/plugins/affinity_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/support/fake_handle.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

Node LabelledNode(size_t number, Rng* rng) {
  return MakeNode()
      .Name("n" + std::to_string(number))
      .Label("model", "m" + std::to_string(rng->Below(3)));
}

std::vector<Pod> PodsOf(size_t requirements) {
  std::vector<Pod> pods;
  for (size_t number = 0; number < requirements; ++number) {
    const std::string model = "m" + std::to_string(number % 3);
    MakePod pod;
    if (number % 2 == 0) {
      pod.RequiredTerms({Term({Expression("model", "In", {model})})});
    } else {
      pod.NodeSelector({{"model", model}});
    }
    pods.push_back(pod);
  }
  return pods;
}

void ExpectRows(const NodeTable& table, const Pod& pod, AffinityRows* rows) {
  const RequiredNodeAffinity required = GetRequiredNodeAffinity(pod);
  for (size_t word = 0; word * NodeTable::kChunkRows < table.size(); ++word) {
    std::span<const uint8_t> unmet = rows->UnmetBy(pod, table.Chunk(word));
    ASSERT_EQ(unmet.size(), table.size());
    for (size_t row = 0; row < table.size(); ++row) {
      ASSERT_EQ(unmet[row] == 0, required.Match(*table.info(row).node()).matches) << row;
    }
  }
}

TEST(AffinityRows, EqualTheNodes) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng(seed);
    FakeHandle handle;
    size_t num_nodes = 0;
    while (num_nodes < 100) handle.Add(LabelledNode(num_nodes++, &rng));
    AffinityRows rows;
    const std::vector<Pod> pods = PodsOf(20);
    for (size_t step = 0; step < 100 && !testing::Test::HasFailure(); ++step) {
      const NodeTable& table = handle.snapshot().table();
      const NodeInfo& node = table.info(rng.Below(table.size()));
      if (step % 5 == 0) {
        handle.Remove(*node.node());
      } else if (step % 5 == 1) {
        handle.Add(LabelledNode(num_nodes++, &rng));
      } else {
        Node other = *node.node();
        other.metadata.labels.Set(Symbol("model"), Symbol("m" + std::to_string(rng.Below(3))));
        handle.Update(std::move(other));
      }
      // Mostly the same few, so that they follow several changes at once.
      const size_t number = rng.Below(8) == 0 ? rng.Below(pods.size()) : rng.Below(3);
      ExpectRows(handle.snapshot().table(), pods[number], &rows);
    }
  }
}

// Goal: a few changed rows of a pod with other requirements are not worth comparing all nodes.
TEST(AffinityRows, BeginWithNeighbours) {
  Rng rng(1);
  FakeHandle handle;
  for (size_t number = 0; number < 3; ++number) handle.Add(LabelledNode(number, &rng));
  const NodeTable& table = handle.snapshot().table();
  AffinityRows rows;
  const std::vector<uint32_t> changed = {2};
  const std::vector<Pod> pods = PodsOf(2);
  EXPECT_TRUE(rows.UnmetBy(pods[0], table.Chunk(changed)).empty());
  EXPECT_EQ(rows.UnmetBy(pods[0], table.Chunk(0)).size(), 3u);
  EXPECT_EQ(rows.UnmetBy(pods[0], table.Chunk(changed)).size(), 3u);
  EXPECT_TRUE(rows.UnmetBy(pods[1], table.Chunk(changed)).empty());
}

}  // namespace
}  // namespace stowage
