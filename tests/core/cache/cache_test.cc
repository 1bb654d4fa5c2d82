#include "core/cache/cache.h"

#include <gtest/gtest.h>

#include "core/config/features.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

PodInfoRef Info(const Pod& pod) {
  return MakePodInfo(std::make_shared<const Pod>(pod), Features());
}

Pod PodOn(std::string_view node) {
  return MakePod().Name("p").Uid("u").Node(node).Req({{"cpu", "1"}, {"memory", "1Gi"}});
}

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

TEST(Cache, RefusesWhatItDoesNotKnow) {
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

// Goal: what was added is subtracted, although the object has changed since.
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

TEST(Cache, PutsBackWhatAQuestionTookOut) {
  Cache cache;
  cache.AddNode(MakeNode().Name("n").Allocatable({{"cpu", "4"}}).Ref());
  PodInfoRef first = Info(PodOn("n"));
  PodInfoRef second = Info(MakePod().Name("q").Uid("v").Node("n").Req({{"cpu", "2"}}));
  EXPECT_TRUE(cache.AddPod(first).IsSuccess());
  EXPECT_TRUE(cache.AddPod(second).IsSuccess());
  std::unique_ptr<NodeInfo> saved = cache.TakeOutPod(*first);
  EXPECT_EQ(MilliCpuOn(cache, "n"), 2000);
  cache.PutBackNodeInfo(std::move(*saved));
  EXPECT_EQ(MilliCpuOn(cache, "n"), 3000);
  const auto& pods = cache.GetNodeInfo(Symbol("n"))->pods();
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods[0], first);
  EXPECT_EQ(pods[1], second);
}

}  // namespace
}  // namespace stowage
