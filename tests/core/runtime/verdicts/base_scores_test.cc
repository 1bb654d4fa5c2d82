// Goal: bases that follow the table equal bases that are all read, and only rows that have changed
// are scored. Method: seeded changes of a cluster, with a score that depends on a node and its
// pods.
#include "core/runtime/verdicts/base_scores.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bitset.h"
#include "core/base/rng.h"
#include "core/cache/cache.h"
#include "core/config/features.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

int32_t ScoreOf(const NodeTable& table, size_t row) {
  const NodeInfo& node = table.info(row);
  return static_cast<int32_t>(node.pods().size() * 100 + node.name().view().size() + table.size());
}

// Scores rows, and counts them.
class Scorer {
 public:
  explicit Scorer(bool can_add = true) : can_add_(can_add) {}

  bool operator()(const NodeChunk& chunk, std::span<const uint64_t> candidates,
                  int32_t* totals) const {
    ForEachBit(candidates, [&](size_t offset) {
      totals[offset] += ScoreOf(chunk.table, chunk.row(offset));
      ++num_scored;
    });
    return can_add_;
  }

  mutable size_t num_scored = 0;

 private:
  bool can_add_;
};

class ChangingNodes {
 public:
  explicit ChangingNodes(uint64_t seed) : rng_(seed) {
    for (size_t count = 1 + rng_.Below(200); count > 0; --count) AddNode();
  }

  const NodeTable& table() {
    cache_.UpdateSnapshot(&snapshot_);
    return snapshot_.table();
  }
  // Returns the largest number of rows that have changed.
  size_t Change() {
    if (rng_.Below(10) == 0) {
      AddNode();
      return num_nodes_;
    }
    size_t count = rng_.Below(8) == 0 ? rng_.Below(300) : rng_.Below(4);
    for (size_t pod = 0; pod < count; ++pod) AddPod();
    return count;
  }

 private:
  void AddNode() { cache_.AddNode(MakeNode().Name("n" + std::to_string(num_nodes_++)).Ref()); }
  void AddPod() {
    std::string name = "p" + std::to_string(num_pods_++);
    PodRef pod =
        MakePod().Name(name).Uid(name).Node("n" + std::to_string(rng_.Below(num_nodes_))).Ref();
    ASSERT_TRUE(cache_.AddPod(MakePodInfo(pod, features_)).IsSuccess());
  }

  Rng rng_;
  Features features_;
  Cache cache_;
  Snapshot snapshot_;
  size_t num_nodes_ = 0;
  size_t num_pods_ = 0;
};

TEST(BaseScores, FollowTheTable) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    ChangingNodes nodes(seed);
    BaseScores scores;
    Scorer scorer;
    ASSERT_TRUE(scores.Follow(nodes.table(), scorer));
    for (size_t step = 0; step < 40; ++step) {
      const size_t num_changes = nodes.Change();
      const NodeTable& table = nodes.table();
      scorer.num_scored = 0;
      ASSERT_TRUE(scores.Follow(table, scorer));
      // If many have changed, all are scored.
      const size_t words = (table.size() + 63) / 64;
      EXPECT_LE(scorer.num_scored, num_changes >= 5 * words ? table.size() : num_changes);
      for (size_t row = 0; row < table.size(); ++row) {
        ASSERT_EQ(scores.bases()[row], ScoreOf(table, row)) << seed << " " << step;
      }
      scorer.num_scored = 0;
      ASSERT_TRUE(scores.Follow(table, scorer));
      EXPECT_EQ(scorer.num_scored, 0u);
    }
  }
}

TEST(BaseScores, StayOffOnceAPluginHasNoQuickForm) {
  ChangingNodes nodes(1);
  BaseScores scores;
  Scorer scorer(false);
  EXPECT_FALSE(scores.Follow(nodes.table(), scorer));
  EXPECT_FALSE(scores.Follow(nodes.table(), scorer));
  nodes.Change();
  EXPECT_FALSE(scores.Follow(nodes.table(), Scorer()));
}

}  // namespace
}  // namespace stowage
