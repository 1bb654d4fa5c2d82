// Goal: an evaluation sees the cluster as a cycle would, and a later cycle finds no trace of it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/cache/cache.h"
#include "core/table/row_replay.h"
#include "tests/core/cache/cached_objects.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

std::string OrderOf(const Snapshot& snapshot) {
  std::string names;
  for (const NodeInfo* node : snapshot.nodes()) {
    names += node->name().str() + std::to_string(node->row()) + " ";
  }
  return names;
}

TEST(CacheEvaluation, AnEvaluationRemovesAPodAndRestoresIt) {
  Cache cache;
  Snapshot snapshot;
  cache.AddNode(NodeWithImage("n"));
  PodInfoRef first = Info(PodOn("n"));
  PodInfoRef second = Info(MakePod().Name("q").Uid("v").Node("n").Req({{"cpu", "2"}}));
  EXPECT_TRUE(cache.AddPod(first).IsSuccess());
  EXPECT_TRUE(cache.AddPod(second).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  uint64_t generation = cache.GetNodeInfo(Symbol("n"))->generation();
  Cache::SavedState saved = cache.BeginEvaluation(first.get(), &snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("n"))->requested().milli_cpu, 2000);
  EXPECT_EQ(snapshot.table().requested_milli_cpu()[0], 2000);
  cache.EndEvaluation(std::move(saved), &snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("n"))->requested().milli_cpu, 3000);
  EXPECT_EQ(snapshot.table().requested_milli_cpu()[0], 3000);
  EXPECT_EQ(snapshot.table().changes().head(), 0u);
  EXPECT_EQ(cache.GetNodeInfo(Symbol("n"))->generation(), generation);
  const auto& pods = cache.GetNodeInfo(Symbol("n"))->pods();
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods[0], first);
  EXPECT_EQ(pods[1], second);
}

// Goal: a refresh freezes image counts and the order of nodes; an evaluation before it does not.
TEST(CacheEvaluation, AnEvaluationFreezesNothing) {
  Cache cache;
  Snapshot snapshot;
  cache.AddNode(NodeWithImage("a", "z1"));
  cache.AddNode(NodeWithImage("b", "z1"));
  cache.UpdateSnapshot(&snapshot);
  PodInfoRef pod = Info(PodOn("b"));
  EXPECT_TRUE(cache.AddPod(pod).IsSuccess());
  cache.AddNode(NodeWithImage("c", "z2"));
  Cache::SavedState saved = cache.BeginEvaluation(pod.get(), &snapshot);
  EXPECT_EQ(OrderOf(snapshot), "a0 c1 b2 ");
  EXPECT_EQ(NodesWithImage(cache, "b"), 3);
  cache.EndEvaluation(std::move(saved), &snapshot);
  EXPECT_EQ(OrderOf(snapshot), "a0 b1 ");
  EXPECT_EQ(NodesWithImage(cache, "b"), 2);
  EXPECT_EQ(NodesWithImage(cache, "c"), 0) << "not looked at so far";

  cache.UpdateNode(*NodeWithImage("b", "z1"), NodeWithImage("b", "z0"));
  cache.AddNode(NodeWithImage("d", "z2"));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "a0 c1 b2 d3 ");
  EXPECT_EQ(NodesWithImage(cache, "a"), 2) << "unchanged since the first refresh";
  EXPECT_EQ(NodesWithImage(cache, "b"), 4);
  EXPECT_EQ(NodesWithImage(cache, "d"), 4);
}

// Goal: an evaluation also restores an empty snapshot, and a node that was removed since the last
// refresh.
TEST(CacheEvaluation, AnEvaluationRestoresAnEmptySnapshot) {
  Cache cache;
  Snapshot snapshot;
  cache.AddNode(NodeWithImage("a"));
  cache.EndEvaluation(cache.BeginEvaluation(nullptr, &snapshot), &snapshot);
  EXPECT_EQ(snapshot.NumNodes(), 0u);
  cache.AddNode(NodeWithImage("b"));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(NodesWithImage(cache, "a"), 2);
  EXPECT_TRUE(cache.RemoveNode(*NodeWithImage("a")).IsSuccess());
  Cache::SavedState saved = cache.BeginEvaluation(nullptr, &snapshot);
  EXPECT_EQ(OrderOf(snapshot), "b0 ");
  cache.EndEvaluation(std::move(saved), &snapshot);
  EXPECT_EQ(snapshot.NumNodes(), 2u);
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "b0 ");
}

// Goal: pods are shown between two cycles only if the second one finds what it would have found.
TEST(CacheEvaluation, ShowsPodsBetweenCyclesWithoutATrace) {
  Cache cache;
  Snapshot snapshot;
  cache.ShowPods(&snapshot);
  cache.AddNode(NodeWithImage("a"));
  cache.AddNode(NodeWithImage("b"));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_TRUE(cache.AddPod(Info(PodOn("b"))).IsSuccess());
  EXPECT_EQ(snapshot.table().requested_milli_cpu()[1], 0);
  cache.ShowPods(&snapshot);
  EXPECT_EQ(snapshot.table().requested_milli_cpu()[1], 1000);
  cache.AddNode(NodeWithImage("c"));
  EXPECT_TRUE(
      cache.AddPod(Info(MakePod().Name("q").Uid("q").Node("a").Req({{"cpu", "2"}}))).IsSuccess());
  cache.ShowPods(&snapshot);
  EXPECT_EQ(snapshot.NumNodes(), 2u) << "a node has come";
  EXPECT_EQ(snapshot.table().requested_milli_cpu()[0], 0);
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(NodesWithImage(cache, "b"), 3) << "its pod has come since the first cycle";
  cache.AddNode(NodeWithImage("d"));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_TRUE(
      cache.AddPod(Info(MakePod().Name("r").Uid("r").Node("a").Req({{"cpu", "4"}}))).IsSuccess());
  cache.ShowPods(&snapshot);
  EXPECT_EQ(snapshot.table().requested_milli_cpu()[0], 2000) << "it would count the image anew";
  EXPECT_EQ(NodesWithImage(cache, "a"), 3);
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(NodesWithImage(cache, "a"), 4);
}

// Goal: changes of pods are applied row by row; after a change of a node the order of nodes and the
// image counts are those of a first refresh.
TEST(CacheEvaluation, ASnapshotForEvaluationsIsRebuiltAfterChangesOfNodes) {
  Cache cache;
  Snapshot snapshot;
  cache.AddNode(NodeWithImage("a", "z1"));
  cache.AddNode(NodeWithImage("b", "z1"));
  cache.AddNode(NodeWithImage("c", "z2"));
  cache.UpdateSnapshotForEvaluations(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "a0 c1 b2 ");
  uint64_t epoch = snapshot.table().epoch();
  EXPECT_TRUE(cache.AddPod(Info(PodOn("c"))).IsSuccess());
  cache.UpdateSnapshotForEvaluations(&snapshot);
  EXPECT_EQ(snapshot.table().epoch(), epoch);
  EXPECT_EQ(snapshot.table().changes().head(), 1u);
  EXPECT_EQ(snapshot.table().requested_milli_cpu()[1], 1000);

  cache.UpdateNode(*NodeWithImage("c", "z2"), NodeWithImage("c", "z1"));
  cache.UpdateSnapshotForEvaluations(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "a0 b1 c2 ");
  EXPECT_EQ(snapshot.table().epoch(), epoch) << "readers can follow it";
  cache.AddNode(NodeWithImage("d", "z1"));
  cache.UpdateSnapshotForEvaluations(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "a0 b1 c2 d3 ");
  for (std::string_view name : {"a", "b", "c", "d"}) EXPECT_EQ(NodesWithImage(cache, name), 4);
  EXPECT_TRUE(cache.RemoveNode(*NodeWithImage("a", "z1")).IsSuccess());
  cache.AddNode(NodeWithImage("a", "z1"));
  cache.UpdateSnapshotForEvaluations(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "b0 c1 d2 a3 ");
  EXPECT_TRUE(cache.RemoveNode(*NodeWithImage("d", "z1")).IsSuccess());
  cache.UpdateSnapshotForEvaluations(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "b0 c1 a2 ");
  EXPECT_EQ(NodesWithImage(cache, "b"), 3);
}

// Goal: the refresh of a forgotten snapshot is a first one, but readers can follow it. Method: a
// node changes its zone, which a later refresh would not notice, and others come and go.
TEST(CacheEvaluation, ForgetsASnapshot) {
  Cache cache;
  Snapshot snapshot;
  RowReplay replay;
  cache.AddNode(NodeWithImage("a", "z1"));
  cache.AddNode(NodeWithImage("b", "z2"));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(replay.Advance(snapshot.table()), RowReplay::Step::kAll);
  cache.UpdateNode(*NodeWithImage("b", "z2"), NodeWithImage("b", "z1"));
  cache.AddNode(NodeWithImage("c", "z1"));
  EXPECT_TRUE(cache.RemoveNode(*NodeWithImage("a", "z1")).IsSuccess());

  cache.ForgetSnapshot(&snapshot);
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "b0 c1 ");
  EXPECT_EQ(NodesWithImage(cache, "b"), 2);
  EXPECT_EQ(NodesWithImage(cache, "c"), 2);
  EXPECT_EQ(replay.Advance(snapshot.table()), RowReplay::Step::kMoved);
  ASSERT_FALSE(replay.moves().moves().empty());
  EXPECT_EQ(replay.moves().moves()[0].row, 0u) << "b";
  EXPECT_EQ(replay.moves().moves()[0].previous, 1u) << "b";
  uint64_t numbering = snapshot.table().numbering();
  cache.ForgetSnapshot(&snapshot);
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(replay.Advance(snapshot.table()), RowReplay::Step::kNothing);
  EXPECT_EQ(snapshot.table().numbering(), numbering) << "the same list";

  EXPECT_TRUE(cache.AddPod(Info(PodOn("c"))).IsSuccess());
  uint64_t logged = snapshot.table().pod_log().head();
  cache.UpdateSnapshot(&snapshot);
  size_t visited = 0;
  EXPECT_TRUE(snapshot.table().pod_log().ForEachSince(
      logged, [&visited](const PodLog::Entry&) { ++visited; }));
  EXPECT_EQ(visited, 1u) << "the journals go on";
}

// Goal: a node that comes after all others have gone is new, also in an evaluation.
TEST(CacheEvaluation, ANodeIsNewAfterAllOthersHaveGone) {
  Cache cache;
  Snapshot snapshot;
  cache.AddNode(NodeWithImage("a"));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_TRUE(cache.RemoveNode(*NodeWithImage("a")).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "");
  cache.AddNode(NodeWithImage("b"));
  Cache::SavedState saved = cache.BeginEvaluation(nullptr, &snapshot);
  EXPECT_EQ(OrderOf(snapshot), "b0 ");
  cache.EndEvaluation(std::move(saved), &snapshot);
  EXPECT_EQ(OrderOf(snapshot), "");
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(OrderOf(snapshot), "b0 ");
}

}  // namespace
}  // namespace stowage
