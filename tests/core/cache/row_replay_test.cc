#include "core/table/row_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/cache/cache.h"
#include "core/config/features.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

// The cpu that each node has left.
std::vector<int64_t> FreeIn(const NodeTable& table) {
  std::vector<int64_t> free;
  for (size_t row = 0; row < table.size(); ++row) {
    free.push_back(table.allocatable_milli_cpu()[row] - table.requested_milli_cpu()[row]);
  }
  return free;
}

// Keeps the free cpu by row, and reads it again only where its RowReplay says so.
class Follower {
 public:
  explicit Follower(RowReplay::Reader reader) : replay_(reader) {}

  void Follow(const NodeTable& table) {
    RowReplay::Step step = replay_.Advance(table);
    if (step == RowReplay::Step::kAll) {
      ++times_all_;
      values_ = FreeIn(table);
      num_read_ += static_cast<int>(values_.size());
    } else if (step != RowReplay::Step::kNothing) {
      if (step == RowReplay::Step::kMoved) replay_.Move(&values_, int64_t{-1}, [](int64_t) {});
      const std::span<const uint64_t> marked = replay_.marked_rows(table);
      std::vector<uint64_t> marks(marked.begin(), marked.end());
      for (uint32_t row : replay_.rows(table)) {
        values_[row] = FreeIn(table)[row];
        ++num_read_;
        if (!marks.empty()) marks[row / 64] ^= uint64_t{1} << (row % 64);
      }
      if (!marks.empty()) ++times_marked_;
      ASSERT_EQ(std::ranges::count(marks, uint64_t{0}), std::ssize(marks));
    }
    ASSERT_EQ(values_, FreeIn(table));
  }

  int times_all() const { return times_all_; }
  int times_marked() const { return times_marked_; }
  int num_read() const { return num_read_; }

 private:
  RowReplay replay_;
  std::vector<int64_t> values_;
  int times_all_ = 0;
  int times_marked_ = 0;
  int num_read_ = 0;  // rows
};

// A cache with pods and nodes that come and go, and what follows its snapshot.
class Cluster {
 public:
  explicit Cluster(uint64_t seed, size_t num_pods = 200, size_t nodes_min = 20) : rng_(seed) {
    for (size_t count = nodes_min + rng_.Below(100); count > 0; --count) AddNode();
    for (size_t count = num_pods; count > 0; --count) AddPod();
    cache_.UpdateSnapshot(&snapshot_);
    Follow();
  }

  // Changes are seen by the next snapshot, or first within an evaluation.
  void Change() {
    for (size_t count = rng_.Below(20) == 0 ? 40 : rng_.Below(4); count > 0; --count) AddPod();
    if (rng_.Below(4) == 0) RemovePod();
    if (rng_.Below(10) == 0) AddNode();
    if (rng_.Below(10) == 0 && nodes_.size() > 5) RemoveNode();
    if (rng_.Below(2) == 0) cache_.UpdateSnapshot(&snapshot_);
    if (rng_.Below(2) == 0) Follow();
  }

  // Few pods come and go, on nodes of which most have none; sometimes many before anyone looks.
  void ChangeFew() {
    constexpr size_t kManyRounds[] = {20, 200};
    const size_t rounds = rng_.Below(8) == 0 ? kManyRounds[rng_.Below(2)] : 1 + rng_.Below(4);
    for (size_t round = 0; round < rounds; ++round) {
      AddPod();
      while (pods_.size() > 6) RemovePod();
      cache_.UpdateSnapshot(&snapshot_);
    }
    if (rng_.Below(8) == 0) ChangeNode();
    if (rng_.Below(30) == 0) AddNode();
    if (rng_.Below(30) == 0) RemoveNode();
    cache_.UpdateSnapshot(&snapshot_);
    Follow();
  }

  void Evaluate() {
    PodInfoRef removed = rng_.Below(4) == 0 ? nullptr : pods_[rng_.Below(pods_.size())];
    Cache::SavedState saved = cache_.BeginEvaluation(removed.get(), &snapshot_);
    if (rng_.Below(4) != 0) Follow();
    cache_.EndEvaluation(std::move(saved), &snapshot_);
    if (rng_.Below(3) == 0) Follow();
  }

  int times_all_of_rows() const { return of_rows_.times_all(); }
  int times_all_of_others() const { return of_others_.times_all(); }
  int times_marked() const { return of_rows_.times_marked(); }
  int num_read_of_contents() const { return of_contents_.num_read(); }
  int num_read_of_others() const { return of_others_.num_read(); }
  int times_all_of_contents() const { return of_contents_.times_all(); }

 private:
  void Follow() {
    of_rows_.Follow(snapshot_.table());
    of_contents_.Follow(snapshot_.table());
    of_others_.Follow(snapshot_.table());
  }

  void AddNode() {
    nodes_.push_back(MakeNode().Name("n" + std::to_string(++num_made_)).Ref());
    cache_.AddNode(nodes_.back());
  }
  // Whether pods are on the node or not.
  void ChangeNode() {
    NodeRef& node = nodes_[rng_.Below(nodes_.size())];
    NodeRef changed = MakeNode()
                          .Name(node->metadata.name.view())
                          .Allocatable({{"cpu", std::to_string(1 + rng_.Below(90))}})
                          .Ref();
    cache_.UpdateNode(*node, changed);
    node = changed;
  }
  void RemoveNode() {
    size_t at = rng_.Below(nodes_.size());
    ASSERT_TRUE(cache_.RemoveNode(*nodes_[at]).IsSuccess());
    nodes_.erase(nodes_.begin() + static_cast<ptrdiff_t>(at));
  }
  void AddPod() {
    std::string name = "p" + std::to_string(++num_made_);
    const Pod pod = MakePod()
                        .Name(name)
                        .Uid(name)
                        .Node(nodes_[rng_.Below(nodes_.size())]->metadata.name.view())
                        .Req({{"cpu", std::to_string(1 + rng_.Below(900)) + "m"}});
    pods_.push_back(MakePodInfo(std::make_shared<const Pod>(pod), Features()));
    ASSERT_TRUE(cache_.AddPod(pods_.back()).IsSuccess());
  }
  void RemovePod() {
    size_t at = rng_.Below(pods_.size());
    ASSERT_TRUE(cache_.RemovePod(*pods_[at]->pod).IsSuccess());
    pods_.erase(pods_.begin() + static_cast<ptrdiff_t>(at));
  }

  Rng rng_;
  Cache cache_;
  Snapshot snapshot_;
  std::vector<NodeRef> nodes_;
  std::vector<PodInfoRef> pods_;
  size_t num_made_ = 0;
  Follower of_rows_{RowReplay::Reader::kOfRows};
  Follower of_contents_{RowReplay::Reader::kOfContents};
  Follower of_others_{RowReplay::Reader::kOfOtherLogs};
};

// Goal: what is kept by row equals the table outside and within evaluations, and a reader of rows
// need not read all of them after each.
TEST(RowReplay, FollowsEvaluations) {
  int times_all_of_rows = 0;
  int times_all_of_others = 0;
  int times_marked = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Cluster cluster(seed);
    for (int step = 0; step < 60 && !testing::Test::HasFailure(); ++step) {
      cluster.Change();
      cluster.Evaluate();
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    times_all_of_rows += cluster.times_all_of_rows();
    times_all_of_others += cluster.times_all_of_others();
    times_marked += cluster.times_marked();
  }
  EXPECT_GT(times_marked, 50);
  EXPECT_LT(times_all_of_rows * 3, times_all_of_others);
}

// Goal: nodes without pods that had none when they were read are left out, also if more has changed
// than the log holds; no other row is.
TEST(RowReplay, LeavesOutVacantRows) {
  int num_read = 0;
  int num_read_of_others = 0;
  int times_all = 0;
  int times_all_of_others = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    // Among so many nodes, 20 rounds are marked rather than sorted or skipped.
    Cluster cluster(seed, 4, seed % 10 == 0 ? 320 : 20);
    for (int step = 0; step < 60 && !testing::Test::HasFailure(); ++step) {
      cluster.ChangeFew();
      if (step % 16 == 0) cluster.Evaluate();
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    num_read += cluster.num_read_of_contents();
    num_read_of_others += cluster.num_read_of_others();
    times_all += cluster.times_all_of_contents();
    times_all_of_others += cluster.times_all_of_others();
  }
  EXPECT_LT(num_read, num_read_of_others);
  EXPECT_LT(times_all * 5, times_all_of_others * 4);
}

}  // namespace
}  // namespace stowage
