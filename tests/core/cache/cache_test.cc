#include "core/cache/cache.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/config/features.h"
#include "tests/core/cache/cached_objects.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

int64_t MilliCpuOn(const Cache& cache, std::string_view node) {
  const NodeInfo* info = cache.GetNodeInfo(Symbol(node));
  return info == nullptr ? -1 : info->requested().milli_cpu;
}

TEST(Cache, AssumesConfirmsAndForgets) {
  Cache cache;
  cache.AddNode(MakeNode().Name("n").Allocatable({{"cpu", "4"}}).Ref());
  Pod pod = PodOn("n");
  EXPECT_TRUE(cache.AssumePod(Info(pod)).IsSuccess());
  EXPECT_TRUE(cache.IsAssumedPod(Symbol("u")));
  EXPECT_EQ(MilliCpuOn(cache, "n"), 1000);
  EXPECT_EQ(cache.AssumePod(Info(pod)).Message(),
            "pod u(default/p) is in the cache, so can't be assumed");
  EXPECT_TRUE(cache.ForgetPod(pod).IsSuccess());
  EXPECT_EQ(MilliCpuOn(cache, "n"), 0);
  EXPECT_TRUE(cache.ForgetPod(pod).IsSuccess());

  EXPECT_TRUE(cache.AssumePod(Info(pod)).IsSuccess());
  EXPECT_TRUE(cache.AddPod(Info(pod)).IsSuccess());
  EXPECT_FALSE(cache.IsAssumedPod(Symbol("u")));
  EXPECT_EQ(MilliCpuOn(cache, "n"), 1000);
  EXPECT_EQ(cache.AddPod(Info(pod)).Message(), "pod u(default/p) was already in added state");
  EXPECT_EQ(cache.ForgetPod(pod).Message(),
            "pod u(default/p) wasn't assumed so cannot be forgotten");
}

TEST(Cache, AddOnAnotherNodeReplacesTheAssumedPod) {
  Cache cache;
  EXPECT_TRUE(cache.AssumePod(Info(PodOn("a"))).IsSuccess());
  EXPECT_TRUE(cache.AddPod(Info(PodOn("b"))).IsSuccess());
  EXPECT_EQ(cache.GetNodeInfo(Symbol("a")), nullptr);
  EXPECT_EQ(MilliCpuOn(cache, "b"), 1000);
}

TEST(Cache, RefusesUnknownPodsAndNodes) {
  Cache cache;
  Pod pod = PodOn("n");
  EXPECT_EQ(cache.RemovePod(pod).Message(),
            "pod u(default/p) is not found in scheduler cache, so cannot be removed from it");
  EXPECT_EQ(cache.UpdatePod(pod, Info(pod)).Message(),
            "pod u(default/p) is not added to scheduler cache, so cannot be updated");
  EXPECT_EQ(cache.RemoveNode(MakeNode().Name("n")).Message(), "node n is not found");
  Pod without_uid = pod;
  without_uid.metadata.uid = Symbol();
  EXPECT_EQ(cache.AssumePod(Info(without_uid)).Message(),
            "cannot get cache key for pod with empty UID");
  EXPECT_TRUE(cache.AssumePod(Info(pod)).IsSuccess());
  EXPECT_EQ(cache.UpdatePod(pod, Info(pod)).Message(),
            "assumed pod u(default/p) should not be updated");
  EXPECT_EQ(cache.ForgetPod(PodOn("m")).Message(),
            "pod u(default/p) was assumed on m but assigned to n");
}

enum class Operation { kAssume, kForget, kAdd, kUpdate, kRemove };
enum class State { kNone, kAssumed, kAdded };

// Pod p with cpu 1; the uid may be empty.
Pod PodOf(std::string_view node, std::string_view uid = "u") {
  Pod pod = MakePod().Name("p").Node(node).Req({{"cpu", "1"}});
  pod.metadata.uid = Symbol(uid);
  return pod;
}

Status Apply(Cache& cache, Operation operation, const Pod& pod, const Pod& new_pod) {
  switch (operation) {
    case Operation::kAssume:
      return cache.AssumePod(Info(pod));
    case Operation::kForget:
      return cache.ForgetPod(pod);
    case Operation::kAdd:
      return cache.AddPod(Info(pod));
    case Operation::kUpdate:
      return cache.UpdatePod(pod, Info(new_pod));
    case Operation::kRemove:
      return cache.RemovePod(pod);
  }
  return Status::Error("no such operation");
}

// Goal: the rows of spec 04 §3 that need a second node or another uid. Method: a pod u on node n in
// the given state, one operation, its message, and the sums of n and m afterwards.
TEST(Cache, FollowsThePodStateMachine) {
  struct {
    std::string_view name;
    Operation operation;
    State state;
    Pod pod;
    Pod new_pod;  // kUpdate
    std::string_view message;
    int64_t milli_cpu_n;
    int64_t milli_cpu_m;
  } cases[] = {
      {"update on another node", Operation::kUpdate, State::kAdded, PodOf("n"), PodOf("m"),
       "pod u(default/p) updated on a different node than previously added to", 1000, 0},
      {"update with another uid", Operation::kUpdate, State::kAdded, PodOf("n"),
       MakePod().Name("p").Uid("v").Node("n").Req({{"cpu", "3"}}), "", 3000, 0},
      {"update of the old uid counts by the cached node", Operation::kUpdate, State::kAdded,
       PodOf("m"), PodOf("n"), "", 1000, 0},
      {"update without a uid", Operation::kUpdate, State::kAdded, PodOf("n", ""), PodOf("n"),
       "cannot get cache key for pod with empty UID", 1000, 0},
      {"update to no uid", Operation::kUpdate, State::kAdded, PodOf("n"), PodOf("n", ""),
       "cannot get cache key for pod with empty UID", 1000, 0},
      {"removal on another node", Operation::kRemove, State::kAdded, PodOf("m"), Pod(),
       "pod u(default/p) was added to a different node than it is removed from", 1000, 0},
      {"removal of an assumed pod on another node", Operation::kRemove, State::kAssumed, PodOf("m"),
       Pod(), "pod u(default/p) was added to a different node than it is removed from", 1000, 0},
      {"removal on no node", Operation::kRemove, State::kAdded, PodOf(""), Pod(), "", 0, 0},
      {"removal of an assumed pod on no node", Operation::kRemove, State::kAssumed, PodOf(""),
       Pod(), "", 0, 0},
      {"removal without a uid", Operation::kRemove, State::kAdded, PodOf("n", ""), Pod(),
       "cannot get cache key for pod with empty UID", 1000, 0},
      {"forgetting without a uid", Operation::kForget, State::kAssumed, PodOf("n", ""), Pod(),
       "cannot get cache key for pod with empty UID", 1000, 0},
      {"adding without a uid", Operation::kAdd, State::kNone, PodOf("n", ""), Pod(),
       "cannot get cache key for pod with empty UID", 0, 0},
      {"adding an assumed pod on another node", Operation::kAdd, State::kAssumed, PodOf("m"), Pod(),
       "", 0, 1000},
      {"assuming an added pod", Operation::kAssume, State::kAdded, PodOf("m"), Pod(),
       "pod u(default/p) is in the cache, so can't be assumed", 1000, 0},
  };
  for (const auto& c : cases) {
    Cache cache;
    for (std::string_view name : {"n", "m"}) cache.AddNode(MakeNode().Name(name).Ref());
    PodInfoRef cached = Info(PodOf("n"));
    Status before;
    if (c.state == State::kAssumed) before = cache.AssumePod(cached);
    if (c.state == State::kAdded) before = cache.AddPod(cached);
    EXPECT_TRUE(before.IsSuccess()) << c.name;
    Status status = Apply(cache, c.operation, c.pod, c.new_pod);
    EXPECT_EQ(status.IsSuccess(), c.message.empty()) << c.name;
    EXPECT_EQ(status.Message(), c.message) << c.name;
    EXPECT_EQ(MilliCpuOn(cache, "n"), c.milli_cpu_n) << c.name;
    EXPECT_EQ(MilliCpuOn(cache, "m"), c.milli_cpu_m) << c.name;
    EXPECT_EQ(cache.NumPods(), c.milli_cpu_n + c.milli_cpu_m > 0 ? 1u : 0u) << c.name;
    EXPECT_EQ(cache.IsAssumedPod(Symbol("u")), c.state == State::kAssumed && c.milli_cpu_n > 0)
        << c.name;
  }
}

TEST(Cache, AnUpdateWithAnotherUidReplacesThePod) {
  Cache cache;
  EXPECT_TRUE(cache.AddPod(Info(PodOf("n"))).IsSuccess());
  EXPECT_TRUE(cache.UpdatePod(PodOf("n"), Info(PodOf("n", "v"))).IsSuccess());
  EXPECT_EQ(cache.GetPod(Symbol("u")), nullptr);
  ASSERT_NE(cache.GetPod(Symbol("v")), nullptr);
  EXPECT_TRUE(cache.RemovePod(PodOf("n", "v")).IsSuccess());
  EXPECT_EQ(cache.NumNodeInfos(), 0u);
}

// A node whose zone label differs from the one it was added with.
TEST(Cache, RemovalFromTheWrongZoneLeavesTreeAndImages) {
  auto in_zone = [](std::string_view zone) {
    return MakeNode().Name("n").Label("topology.kubernetes.io/zone", zone).Image("i", 100).Ref();
  };
  Cache cache;
  cache.AddNode(in_zone("z"));
  EXPECT_EQ(cache.RemoveNode(*in_zone("y")).Message(),
            R"(node "n" in group ":\x00:y" was not found)");
  EXPECT_EQ(cache.GetNodeInfo(Symbol("n")), nullptr);
  EXPECT_EQ(cache.NumNodes(), 1u);
  // The image keeps its first reporter, and so its size.
  Snapshot snapshot;
  cache.AddNode(in_zone("z"));
  cache.AddNode(MakeNode().Name("m").Image("i", 200).Ref());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.Get(Symbol("m"))->FindImage(Symbol("i"))->size, 100);
  EXPECT_EQ(snapshot.Get(Symbol("m"))->FindImage(Symbol("i"))->num_nodes, 2);
}

// Goal: the cache subtracts what it added, even if the object has changed since.
TEST(Cache, SubtractsWhatItAdded) {
  Cache cache;
  cache.AddNode(MakeNode().Name("n").Allocatable({{"cpu", "4"}}).Ref());
  Pod pod = PodOn("n");
  EXPECT_TRUE(cache.AddPod(Info(pod)).IsSuccess());
  Pod grown = MakePod().Name("p").Uid("u").Node("n").Req({{"cpu", "3"}});
  EXPECT_TRUE(cache.UpdatePod(pod, Info(grown)).IsSuccess());
  EXPECT_EQ(MilliCpuOn(cache, "n"), 3000);
  EXPECT_TRUE(cache.RemovePod(pod).IsSuccess());
  EXPECT_EQ(MilliCpuOn(cache, "n"), 0);
}

TEST(Cache, KeepsAGhostUntilItsLastPodIsGone) {
  Cache cache;
  NodeRef node = MakeNode().Name("n").Allocatable({{"cpu", "4"}}).Ref();
  Pod pod = PodOn("n");
  EXPECT_TRUE(cache.AddPod(Info(pod)).IsSuccess());
  EXPECT_EQ(cache.NumNodes(), 0u);
  EXPECT_EQ(cache.NumNodeInfos(), 1u);
  cache.AddNode(node);
  EXPECT_EQ(MilliCpuOn(cache, "n"), 1000);
  EXPECT_TRUE(cache.RemoveNode(*node).IsSuccess());
  EXPECT_EQ(cache.GetNodeInfo(Symbol("n"))->node(), nullptr);
  EXPECT_TRUE(cache.RemovePod(pod).IsSuccess());
  EXPECT_EQ(cache.NumNodeInfos(), 0u);
}

// Goal: confirming an assumed pod replaces an entry without changing any sum, so readers that count
// pods need not read the row again; everything else is as if the pod had been removed and added.
// Method: a second cache in which the pod is removed and added instead of confirmed.
TEST(Cache, ConfirmingAPodChangesNoSums) {
  Cache cache;
  Cache twin;
  Snapshot snapshot;
  PodInfoRef others[] = {Info(MakePod().Name("o1").Node("n")),
                         Info(MakePod().Name("o2").Node("n"))};
  PodInfoRef assumed = Info(PodOn("n"));
  for (Cache* one : {&cache, &twin}) {
    one->AddNode(NodeWithImage("n"));
    EXPECT_TRUE(one->AddPod(others[0]).IsSuccess());
    EXPECT_TRUE(one->AssumePod(assumed).IsSuccess());
    EXPECT_TRUE(one->AddPod(others[1]).IsSuccess());
  }
  cache.UpdateSnapshot(&snapshot);
  const NodeInfo& node = *cache.GetNodeInfo(Symbol("n"));
  uint64_t pod_generation = node.pod_generation();
  uint64_t pod_list_generation = node.pod_list_generation();

  Pod running = *assumed->pod;
  running.status.phase = Symbol("Running");
  running.status.start_time = Instant{1, 0};
  PodInfoRef bound = MakePodInfo(std::make_shared<const Pod>(running), *assumed, Features());
  EXPECT_TRUE(cache.AddPod(bound).IsSuccess());
  EXPECT_TRUE(twin.RemovePod(*assumed->pod).IsSuccess());
  EXPECT_TRUE(twin.AddPod(bound).IsSuccess());
  EXPECT_EQ(node.pods(), (std::vector<PodInfoRef>{others[0], others[1], bound}));
  EXPECT_EQ(node.pods(), twin.GetNodeInfo(Symbol("n"))->pods());
  EXPECT_EQ(node.generation(), twin.GetNodeInfo(Symbol("n"))->generation());
  EXPECT_EQ(cache.GetPod(Symbol("u")), bound);
  EXPECT_EQ(cache.NumAssumedPods(), 0u);
  EXPECT_EQ(node.pod_generation(), pod_generation);
  EXPECT_GT(node.pod_list_generation(), pod_list_generation);

  cache.AddNode(NodeWithImage("m"));
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(NodesWithImage(cache, "n"), 2) << "the node counts as changed";
  pod_list_generation = node.pod_list_generation();
  uint64_t head = snapshot.table().changes().head();
  uint64_t log_head = snapshot.table().pod_log().head();
  PodInfoRef later = WithPod(*bound, std::make_shared<const Pod>(running));
  EXPECT_TRUE(cache.UpdatePod(running, later).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(node.pods().back(), later);
  EXPECT_GT(node.pod_list_generation(), pod_list_generation);
  EXPECT_EQ(snapshot.table().changes().head(), head);
  EXPECT_EQ(snapshot.table().pod_log().head(), log_head);

  Pod terminating = running;
  terminating.metadata.deletion_timestamp = Instant{2, 0};
  PodInfoRef leaving = WithPod(*later, std::make_shared<const Pod>(terminating));
  EXPECT_TRUE(cache.UpdatePod(running, leaving).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(snapshot.table().changes().head(), head + 1);
  EXPECT_EQ(snapshot.table().pod_log().head(), log_head + 2);
}

// A ghost is removed with its last pod, including its allocatable resources; the confirmed pod then
// creates it again.
TEST(Cache, ConfirmingAPodOfAGhostRecreatesTheNode) {
  Cache cache;
  NodeRef node = MakeNode().Name("n").Allocatable({{"cpu", "4"}}).Ref();
  cache.AddNode(node);
  PodInfoRef assumed = Info(PodOn("n"));
  EXPECT_TRUE(cache.AssumePod(assumed).IsSuccess());
  EXPECT_TRUE(cache.RemoveNode(*node).IsSuccess());
  EXPECT_EQ(cache.GetNodeInfo(Symbol("n"))->allocatable().milli_cpu, 4000);
  EXPECT_TRUE(cache.AddPod(WithPod(*assumed, assumed->pod)).IsSuccess());
  EXPECT_EQ(cache.GetNodeInfo(Symbol("n"))->allocatable().milli_cpu, 0);
  EXPECT_EQ(MilliCpuOn(cache, "n"), 1000);
}

TEST(Cache, ListsAssumedPodsByUid) {
  Cache cache;
  for (std::string_view uid : {"3", "1", "2"}) {
    EXPECT_TRUE(cache.AssumePod(Info(MakePod().Name(uid).Uid(uid).Node("n"))).IsSuccess());
  }
  EXPECT_TRUE(cache.AddPod(Info(MakePod().Name("2").Uid("2").Node("n"))).IsSuccess());
  EXPECT_TRUE(cache.AddPod(Info(MakePod().Name("4").Uid("4").Node("n"))).IsSuccess());
  std::string uids;
  for (const PodInfoRef& pod : cache.AssumedPods()) uids += pod->uid().str() + " ";
  EXPECT_EQ(uids, "1 3 ");
  EXPECT_EQ(cache.NumAssumedPods(), 2u);
}

TEST(Cache, ListsNodesByNameWithGhosts) {
  Cache cache;
  cache.AddNode(MakeNode().Name("c").Ref());
  cache.AddNode(MakeNode().Name("a").Ref());
  EXPECT_TRUE(cache.AddPod(Info(PodOn("b"))).IsSuccess());
  std::string names;
  for (const NodeInfo* info : cache.NodeInfos()) {
    names += info->name().str() + (info->node() == nullptr ? "* " : " ");
  }
  EXPECT_EQ(names, "a b* c ");
}

}  // namespace
}  // namespace stowage
