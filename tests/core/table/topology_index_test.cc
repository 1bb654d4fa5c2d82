#include "core/table/topology_index.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/cache/cache.h"
#include "core/config/features.h"
#include "tests/support/random_cluster.h"
#include "tests/support/recount.h"

namespace stowage {
namespace {

constexpr std::string_view kKeys[] = {"zone", "kubernetes.io/hostname", "disk"};
// More sums than are cached for one selector.
constexpr std::array<std::string_view, 6> kSums = {
    "zone", "kubernetes.io/hostname", "disk", "level", "absent", "rack"};

PodMatcher Matching(std::string_view app) {
  return {{Symbol("default")}, false, Selector::FromSet({{"app", app}})};
}

// A cluster under random changes, and the results of a walk over all of its pods.
class IndexUnderChange {
 public:
  explicit IndexUnderChange(uint64_t seed, size_t max_bytes)
      : random_(seed), index_(snapshot_.table(), steps_, max_bytes) {
    for (size_t count = 2 + random_.rng().Below(90); count > 0; --count) AddNode();
  }

  void Change() {
    switch (random_.rng().Below(8)) {
      case 0:
        if (random_.rng().Below(4) == 0) AddNode();
        if (random_.rng().Below(4) == 0) RemoveNode();
        break;
      case 1:
        Relabel();
        break;
      case 2:
      case 3:
        RemovePod();
        break;
      default:
        AddPod();
    }
  }

  void Check() {
    if (!pods_.empty() && random_.rng().Below(4) == 0) CheckInEvaluation();
    if (random_.rng().Below(4) == 0) CheckInTransaction();
    cache_.UpdateSnapshot(&snapshot_);
    if (replay_.Advance(snapshot_.table()) == RowReplay::Step::kMoved) ++moved_;
    CheckAll();
  }

  size_t counted() const { return counted_; }
  // How often rows moved within an epoch.
  size_t moved() const { return moved_; }

 private:
  // An evaluation without one pod, after which the table is restored.
  void CheckInEvaluation() {
    PodInfoRef removed = cache_.GetPod(pods_[random_.rng().Below(pods_.size())]->metadata.uid);
    Cache::SavedState saved = cache_.BeginEvaluation(removed.get(), &snapshot_);
    CheckAll();
    cache_.EndEvaluation(std::move(saved), &snapshot_);
  }

  // Changes that are taken back, whether or not readers have followed them.
  void CheckInTransaction() {
    std::vector<NodeRef> nodes = nodes_;
    std::vector<PodRef> pods = pods_;
    std::vector<std::string> gone = gone_;
    Cache::Savepoint saved = cache_.Save(snapshot_);
    for (size_t count = random_.rng().Below(12); count > 0; --count) Change();
    if (random_.rng().Below(4) > 0) cache_.UpdateSnapshot(&snapshot_);
    if (snapshot_.NumNodes() > 0 && random_.rng().Below(2) == 0) {
      cache_.UpdateSnapshot(&snapshot_);
      CheckAll();
    }
    cache_.Restore(std::move(saved), &snapshot_);
    nodes_ = std::move(nodes);
    pods_ = std::move(pods);
    gone_ = std::move(gone);
  }

  void CheckAll() {
    for (std::string_view key : kKeys) {
      ASSERT_EQ(CompareColumn(snapshot_, Symbol(key), &index_), "");
    }
    CheckCounts({Matching("web")});
    CheckCounts({Matching("db")});
    CheckSums(kSums[random_.rng().Below(kSums.size())], {Matching("web")});
    CheckSums(kSums[random_.rng().Below(kSums.size())], {Matching("web")});
    CheckSums("disk", {Matching("db")});
    CheckCounts({Matching("web"), {{}, true, Selector::FromSet({{"level", "1"}})}});
    CheckCounts({Matching("absent")});
    CheckAny();
    ASSERT_EQ(CompareTerms(snapshot_, &index_), "");
    ASSERT_EQ(CompareNodes(snapshot_), "");
    CheckFollowed();
  }

  void CheckCounts(const std::vector<PodMatcher>& matchers) {
    ASSERT_EQ(CompareCounts(snapshot_, matchers, &index_, &counted_), "");
  }

  // Pods that one of two selectors selects, beside counts that have read all rows.
  void CheckAny() {
    const PodSelection any({Matching("web"), Matching("db")}, PodSelection::Rule::kAny);
    std::shared_ptr<PodCounts> counts = index_.Counts(any);
    PodCounts read(any);
    read.Refresh(snapshot_.table());
    for (size_t row = 0; row < snapshot_.table().size(); ++row) {
      ASSERT_EQ(counts->All(row), read.All(row));
    }
  }

  void CheckSums(std::string_view key, const std::vector<PodMatcher>& matchers) {
    ASSERT_EQ(CompareSums(snapshot_, Symbol(key), matchers, &index_), "");
  }

  // A sum over some nodes that has followed all changes equals one that has read all rows.
  void CheckFollowed() {
    auto has_disk = [](const Node& node) { return node.metadata.labels.Has(Symbol("disk")); };
    if (followed_ == nullptr) {
      followed_ = std::make_shared<PodSums>(index_.Column(Symbol("zone")),
                                            index_.Counts({{Matching("web")}}), has_disk);
    }
    followed_->Refresh(snapshot_.table());
    PodSums made(followed_->column(), followed_->counts(), has_disk);
    made.Refresh(snapshot_.table());
    ASSERT_EQ(followed_->total(), made.total());
    ASSERT_EQ(followed_->size(), made.size());
    for (uint32_t value = 0; value < made.num_values(); ++value) {
      ASSERT_EQ(followed_->NumRows(value), made.NumRows(value));
      ASSERT_EQ(followed_->Live(value), made.Live(value));
      ASSERT_EQ(followed_->All(value), made.All(value));
    }
  }

  void AddNode() {
    bool comes_back = !gone_.empty() && random_.rng().Below(2) == 0;
    std::string name = comes_back ? gone_.back() : "n" + std::to_string(next_node_++);
    if (comes_back) gone_.pop_back();
    nodes_.push_back(std::make_shared<const Node>(random_.RandomNode(name)));
    cache_.AddNode(nodes_.back());
  }

  // Removes a node but keeps its pods, which count again if the node comes back.
  void RemoveNode() {
    if (nodes_.size() == 1) return;
    std::swap(nodes_[random_.rng().Below(nodes_.size())], nodes_.back());
    ASSERT_TRUE(cache_.RemoveNode(*nodes_.back()).IsSuccess());
    gone_.push_back(nodes_.back()->metadata.name.str());
    nodes_.pop_back();
  }

  void Relabel() {
    NodeRef& node = nodes_[random_.rng().Below(nodes_.size())];
    auto changed = std::make_shared<const Node>(random_.RandomNode(node->metadata.name.view()));
    cache_.UpdateNode(*node, changed);
    node = changed;
  }

  void AddPod() {
    Pod pod = random_.RandomPod("p" + std::to_string(next_pod_++));
    pod.spec.node_name = nodes_[random_.rng().Below(nodes_.size())]->metadata.name;
    if (random_.rng().Below(6) == 0) pod.metadata.deletion_timestamp = Instant{1, 0};
    pods_.push_back(std::make_shared<const Pod>(std::move(pod)));
    ASSERT_TRUE(cache_.AddPod(MakePodInfo(pods_.back(), features_)).IsSuccess());
  }

  void RemovePod() {
    if (pods_.empty()) return;
    size_t at = random_.rng().Below(pods_.size());
    ASSERT_TRUE(cache_.RemovePod(*pods_[at]).IsSuccess());
    pods_.erase(pods_.begin() + static_cast<ptrdiff_t>(at));
  }

  RandomCluster random_;
  Features features_;
  Cache cache_;
  Snapshot snapshot_;
  StepBudget steps_;
  TopologyIndex index_;
  std::vector<NodeRef> nodes_;
  std::vector<PodRef> pods_;
  std::vector<std::string> gone_;  // names of nodes
  size_t next_node_ = 0;
  size_t next_pod_ = 0;
  size_t counted_ = 0;
  RowReplay replay_;
  std::shared_ptr<PodSums> followed_;
  size_t moved_ = 0;
};

// Goal: cached counts equal a recount. Method: random changes with some comparisons, once with room
// for all counts and once for one.
TEST(TopologyIndex, EqualsARecount) {
  size_t moved = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    IndexUnderChange cluster(seed, seed % 2 == 0 ? 1 : size_t{1} << 20);
    for (size_t step = 0; step < 60; ++step) {
      for (size_t change = 0; change < 1 + seed % 5; ++change) cluster.Change();
      cluster.Check();
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
    EXPECT_GT(cluster.counted(), 0u);
    moved += cluster.moved();
  }
  EXPECT_GT(moved, 100u);
}

}  // namespace
}  // namespace stowage
