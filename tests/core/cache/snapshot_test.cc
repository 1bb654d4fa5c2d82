// Goal: an incremental refresh gives the snapshot that the specification requires, including its
// quirks.
#include "core/framework/snapshot.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/cache/cache.h"
#include "tests/core/cache/cached_objects.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

Node InZone(std::string_view name, std::string_view zone) {
  return MakeNode()
      .Name(name)
      .Label("topology.kubernetes.io/zone", zone)
      .Allocatable({{"cpu", "4"}, {"memory", "8Gi"}});
}

NodeRef Ref(Node node) { return std::make_shared<const Node>(std::move(node)); }

std::string ListText(const Snapshot& snapshot) {
  std::string text;
  for (const NodeInfo* node : snapshot.nodes()) {
    text += (text.empty() ? "" : " ") + node->name().str();
  }
  return text;
}

TEST(Snapshot, FollowsNodesInTreeOrder) {
  Cache cache;
  Snapshot snapshot;
  for (const char* name : {"a1", "a2"}) cache.AddNode(Ref(InZone(name, "a")));
  cache.AddNode(Ref(InZone("b1", "b")));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(ListText(snapshot), "a1 b1 a2");
  uint64_t numbering = snapshot.table().numbering();
  EXPECT_TRUE(cache.RemoveNode(InZone("a1", "a")).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(ListText(snapshot), "a2 b1");
  EXPECT_GT(snapshot.table().numbering(), numbering);
  EXPECT_EQ(snapshot.Get(Symbol("a1")), nullptr);
  EXPECT_EQ(snapshot.Get(Symbol("b1"))->row(), 1u);
}

// The reference's list keeps its order when only a zone label changes.
TEST(Snapshot, KeepsTheOrderWhenOnlyAZoneChanges) {
  Cache cache;
  Snapshot snapshot;
  for (const char* name : {"a1", "a2"}) cache.AddNode(Ref(InZone(name, "a")));
  cache.AddNode(Ref(InZone("b1", "b")));
  cache.UpdateSnapshot(&snapshot);
  cache.UpdateNode(InZone("a1", "a"), Ref(InZone("a1", "b")));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(ListText(snapshot), "a1 b1 a2");
  cache.AddNode(Ref(InZone("c1", "c")));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(ListText(snapshot), "a2 b1 c1 a1");
}

// A node that was removed and came back between two refreshes keeps its place.
TEST(Snapshot, KeepsThePlaceOfANodeThatCameBack) {
  Cache cache;
  Snapshot snapshot;
  for (const char* name : {"a1", "a2", "a3"}) cache.AddNode(Ref(InZone(name, "a")));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_TRUE(cache.RemoveNode(InZone("a1", "a")).IsSuccess());
  cache.AddNode(Ref(InZone("a1", "a")));
  EXPECT_TRUE(cache.AddPod(Info(MakePod().Name("p").Node("a1").Req({{"cpu", "1"}}))).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(ListText(snapshot), "a1 a2 a3");
  EXPECT_EQ(snapshot.nodes()[0]->requested().milli_cpu, 1000);
  EXPECT_EQ(snapshot.table().requested_milli_cpu()[0], 1000);
}

TEST(Snapshot, OmitsGhosts) {
  Cache cache;
  Snapshot snapshot;
  cache.AddNode(Ref(InZone("a1", "a")));
  EXPECT_TRUE(cache.AddPod(Info(MakePod().Name("p").Node("ghost"))).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(ListText(snapshot), "a1");
  cache.AddNode(Ref(InZone("ghost", "a")));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(ListText(snapshot), "a1 ghost");
  EXPECT_EQ(snapshot.nodes()[1]->pods().size(), 1u);
}

TEST(Snapshot, FreezesImageCountsUntilTheNodeChanges) {
  Cache cache;
  Snapshot snapshot;
  Symbol image("x:v1");
  cache.AddNode(MakeNode().Name("a").Image("x:v1", 100).Ref());
  cache.UpdateSnapshot(&snapshot);
  cache.AddNode(MakeNode().Name("b").Image("x:v1", 200).Ref());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("a"))->FindImage(image)->num_nodes, 1);
  EXPECT_EQ(snapshot.Get(Symbol("b"))->FindImage(image)->num_nodes, 2);
  EXPECT_EQ(snapshot.Get(Symbol("b"))->FindImage(image)->size, 100);  // from the first reporter
  EXPECT_TRUE(cache.AddPod(Info(MakePod().Name("p").Node("a"))).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("a"))->FindImage(image)->num_nodes, 2);
}

TEST(Snapshot, LogsOnlyRowsThatPluginsCanSeeChange) {
  Cache cache;
  Snapshot snapshot;
  Node node = InZone("a", "z");
  cache.AddNode(Ref(node));
  cache.UpdateSnapshot(&snapshot);
  uint64_t head = snapshot.table().changes().head();
  Node heartbeat = node;
  heartbeat.status.conditions.push_back({Symbol("Ready"), Symbol("True")});
  cache.UpdateNode(node, Ref(heartbeat));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.table().changes().head(), head);
  Node cordoned = heartbeat;
  cordoned.spec.unschedulable = true;
  cache.UpdateNode(heartbeat, Ref(cordoned));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.table().changes().head(), head + 1);
}

// Goal: a heartbeat refreezes the image counts, like any change of a node, and has no other effect.
// Method: heartbeats of a node with images, in a cluster where image counts change.
TEST(Snapshot, AHeartbeatOnlyRefreezesImageCounts) {
  Cache cache;
  Snapshot snapshot;
  Cache asked;  // for evaluations only
  Snapshot evaluations;
  Symbol image("x:v1");
  auto beat = [](std::string_view status) {
    return MakeNode()
        .Name("a")
        .Label("topology.kubernetes.io/zone", "z")
        .Allocatable({{"cpu", "4"}})
        .Image("x:v1", 100)
        .Condition("Ready", status)
        .Ref();
  };
  NodeRef node = beat("True");
  cache.AddNode(node);
  asked.AddNode(node);
  EXPECT_TRUE(cache.AddPod(Info(MakePod().Name("p").Node("a"))).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  asked.UpdateSnapshotForEvaluations(&evaluations);
  uint64_t epoch = evaluations.table().epoch();
  uint64_t head = snapshot.table().changes().head();
  uint64_t log_head = snapshot.table().pod_log().head();
  for (std::string_view status : {"False", "True"}) {
    NodeRef next = beat(status);
    cache.UpdateNode(*node, next);
    asked.UpdateNode(*node, next);
    node = next;
    cache.UpdateSnapshot(&snapshot);
    asked.UpdateSnapshotForEvaluations(&evaluations);
    EXPECT_EQ(snapshot.nodes()[0]->node(), next.get());
    EXPECT_EQ(snapshot.table().changes().head(), head);
    EXPECT_EQ(snapshot.table().pod_log().head(), log_head);
    EXPECT_EQ(evaluations.table().epoch(), epoch) << "it is not made anew";
  }
  cache.AddNode(MakeNode().Name("b").Image("x:v1", 200).Ref());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("a"))->FindImage(image)->num_nodes, 1);
  cache.UpdateNode(*node, beat("True"));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("a"))->FindImage(image)->num_nodes, 2);
}

// An image whose only node is updated gets the size from that node.
TEST(Snapshot, AHeartbeatOfTheLastReporterSetsTheSizeOfAnImage) {
  Cache cache;
  Snapshot snapshot;
  Symbol image("x:v1");
  NodeRef first = MakeNode().Name("a").Image("x:v1", 100).Ref();
  NodeRef second = MakeNode().Name("b").Image("x:v1", 200).Ref();
  cache.AddNode(first);
  cache.AddNode(second);
  cache.UpdateNode(*second, second);
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("b"))->FindImage(image)->size, 100);
  EXPECT_TRUE(cache.RemoveNode(*first).IsSuccess());
  cache.UpdateNode(*second, second);
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("b"))->FindImage(image)->size, 200);
}

// A cache whose nodes come and go.
class ChangingNodes {
 public:
  explicit ChangingNodes(uint64_t seed) : rng_(seed) {
    for (size_t count = 0; count < 20; ++count) Add();
  }

  // Changes nodes. The last one is new, so that the next refresh lists the nodes.
  void Change() {
    for (size_t changes = rng_.Below(5); changes > 0; --changes) {
      size_t at = rng_.Below(nodes_.size());
      Node node = nodes_[at];
      if (rng_.Below(2) == 0) {
        EXPECT_TRUE(cache_.RemoveNode(node).IsSuccess());
        nodes_.erase(nodes_.begin() + static_cast<ptrdiff_t>(at));
        // It may come back before the next refresh.
        if (rng_.Below(3) == 0) Add(node);
      } else {
        nodes_[at] = InZone(node.metadata.name.view(), Zone());
        cache_.UpdateNode(node, Ref(nodes_[at]));
      }
    }
    for (size_t count = 1 + rng_.Below(3); count > 0; --count) Add();
  }

  void ExpectSnapshot() {
    ASSERT_EQ(snapshot_.NumNodes(), nodes_.size());
    std::vector<Symbol> names = cache_.NodeNames();
    for (uint32_t row = 0; row < names.size(); ++row) {
      const NodeInfo* node = cache_.GetNodeInfo(names[row]);
      EXPECT_EQ(snapshot_.nodes()[row], node);
      EXPECT_EQ(snapshot_.Get(names[row]), node);
      EXPECT_EQ(node->row(), row);
    }
  }

  // Lists some nodes only, and decides nothing.
  void Restrict() {
    std::vector<const NodeInfo*> some;
    for (const NodeInfo* node : snapshot_.nodes()) {
      if (rng_.Below(3) > 0) some.push_back(node);
    }
    cache_.SetPlacement(some, &snapshot_);
  }

  void Evaluate() { cache_.EndEvaluation(cache_.BeginEvaluation(nullptr, &snapshot_), &snapshot_); }
  void Refresh() { cache_.UpdateSnapshot(&snapshot_); }
  void Save() {
    saved_nodes_ = nodes_;
    savepoint_.emplace(cache_.Save(snapshot_));
  }
  void Restore() {
    cache_.Restore(std::move(*savepoint_), &snapshot_);
    savepoint_.reset();
    nodes_ = saved_nodes_;
  }

  Rng& rng() { return rng_; }

 private:
  std::string Zone() { return "zone-" + std::to_string(rng_.Below(4)); }
  void Add() { Add(InZone("n" + std::to_string(++num_added_), Zone())); }
  void Add(const Node& node) {
    nodes_.push_back(node);
    cache_.AddNode(Ref(node));
  }

  Rng rng_;
  Cache cache_;
  Snapshot snapshot_;
  std::vector<Node> nodes_;
  size_t num_added_ = 0;
  std::vector<Node> saved_nodes_;
  std::optional<Cache::Savepoint> savepoint_;
};

// Goal: a list that is changed in place is the one that the cache's nodes give. Method: random
// changes between refreshes, with evaluations, placements and savepoints in between.
TEST(Snapshot, ListsTheNodesOfTheTree) {
  for (uint64_t seed = 1; seed <= 40 && !testing::Test::HasFailure(); ++seed) {
    ChangingNodes nodes(seed);
    for (size_t step = 0; step < 30 && !testing::Test::HasFailure(); ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
      nodes.Refresh();
      nodes.ExpectSnapshot();
      size_t kind = nodes.rng().Below(6);
      if (kind == 0) {
        nodes.Save();
        nodes.Change();
        nodes.Refresh();
        nodes.ExpectSnapshot();
        nodes.Restore();
        nodes.ExpectSnapshot();
      }
      if (kind == 1) nodes.Restrict();
      nodes.Change();
      if (kind == 2) nodes.Evaluate();
    }
  }
}

}  // namespace
}  // namespace stowage
