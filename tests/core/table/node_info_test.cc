#include "core/table/node_info.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/config/features.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

PodInfoRef PodInfoOf(const Pod& pod) {
  return MakePodInfo(std::make_shared<const Pod>(pod), Features());
}

std::string Names(const std::vector<PodInfoRef>& pods) {
  std::string names;
  for (const PodInfoRef& pod : pods) names += pod->pod->metadata.name.str() + " ";
  return names;
}

NodeInfo NodeWith(const std::vector<Pod>& pods) {
  NodeInfo node{Symbol("n")};
  for (const Pod& pod : pods) node.AddPod(PodInfoOf(pod));
  return node;
}

// A pod with an anti-affinity to its own kind.
Pod Repellent(std::string_view name) {
  return MakePod().Name(name).PodAntiAffinity(MakeAffinityTerm("zone", LabelSelector()));
}

// A pod whose spec.affinity.podAffinity is present and empty.
Pod WithEmptyPodAffinity(std::string_view name) {
  Pod pod = MakePod().Name(name);
  pod.spec.affinity.emplace().pod_affinity.emplace();
  return pod;
}

TEST(NodeInfo, RemovalMovesTheLastPodIntoTheGap) {
  struct {
    std::string_view removed;
    std::string_view want;
  } cases[] = {
      {"a", "d b c "},
      {"b", "a d c "},
      {"d", "a b c "},
  };
  for (const auto& c : cases) {
    NodeInfo node = NodeWith(
        {MakePod().Name("a"), MakePod().Name("b"), MakePod().Name("c"), MakePod().Name("d")});
    EXPECT_EQ(Names(node.pods()), "a b c d ");
    EXPECT_TRUE(node.RemovePod(Symbol(c.removed)));
    EXPECT_EQ(Names(node.pods()), c.want) << c.removed;
  }
}

TEST(NodeInfo, IgnoresTheRemovalOfUnknownPods) {
  NodeInfo node = NodeWith({MakePod().Name("a").Req({{"cpu", "1"}})});
  EXPECT_FALSE(node.RemovePod(Symbol("b")));
  EXPECT_EQ(Names(node.pods()), "a ");
  EXPECT_EQ(node.requested().milli_cpu, 1000);
}

TEST(NodeInfo, SumsTheRequestsOfItsPods) {
  NodeInfo node = NodeWith({MakePod().Name("a").Req({{"cpu", "1"}, {"example.com/gpu", "2"}}),
                            MakePod().Name("b").Req({{"memory", "1Gi"}})});
  EXPECT_EQ(node.requested().milli_cpu, 1000);
  EXPECT_EQ(node.requested().memory, 1 << 30);
  EXPECT_EQ(node.requested().Scalar(Symbol("example.com/gpu")), 2);
  EXPECT_EQ(node.non_zero_milli_cpu(), 1100);
  EXPECT_EQ(node.non_zero_memory(), (1 << 30) + (200 << 20));
  EXPECT_TRUE(node.RemovePod(Symbol("a")));
  EXPECT_EQ(node.requested().milli_cpu, 0);
  EXPECT_EQ(node.requested().memory, 1 << 30);
  EXPECT_EQ(node.requested().Scalar(Symbol("example.com/gpu")), 0);
  EXPECT_EQ(node.non_zero_milli_cpu(), 100);
  EXPECT_EQ(node.non_zero_memory(), 1 << 30);
}

// Goal: after one of two pods with the same port is removed, the port is free, as in the reference.
TEST(NodeInfo, PortsAreASet) {
  HostPort port = HostPort::Make(Symbol(), Symbol("TCP"), 80);
  NodeInfo node =
      NodeWith({MakePod().Name("a").HostPort(80), MakePod().Name("b").HostPort(80).HostPort(81)});
  EXPECT_EQ(node.used_ports().size(), 2u);
  EXPECT_TRUE(node.used_ports().CheckConflict(port));
  EXPECT_TRUE(node.RemovePod(Symbol("a")));
  EXPECT_EQ(node.used_ports().size(), 1u);
  EXPECT_FALSE(node.used_ports().CheckConflict(port));
  EXPECT_TRUE(node.RemovePod(Symbol("b")));
  EXPECT_EQ(node.used_ports().size(), 0u);
}

TEST(NodeInfo, ListsPodsWithAffinity) {
  Pod preferring = MakePod()
                       .Name("preferring")
                       .PreferredPodAntiAffinity(1, MakeAffinityTerm("zone", LabelSelector()));
  Pod attracted =
      MakePod().Name("attracted").PodAffinity(MakeAffinityTerm("zone", LabelSelector()));
  Pod choosy = MakePod().Name("choosy").NodeAffinityIn("zone", {"a"});
  NodeInfo node = NodeWith({MakePod().Name("plain"), Repellent("first"), preferring, attracted,
                            WithEmptyPodAffinity("empty"), choosy, Repellent("second")});
  EXPECT_EQ(Names(node.pods_with_affinity()), "first preferring attracted empty second ");
  EXPECT_EQ(Names(node.pods_with_required_anti_affinity()), "first second ");
  EXPECT_TRUE(node.RemovePod(Symbol("first")));
  EXPECT_EQ(Names(node.pods_with_affinity()), "second preferring attracted empty ");
  EXPECT_EQ(Names(node.pods_with_required_anti_affinity()), "second ");
  EXPECT_TRUE(node.RemovePod(Symbol("second")));
  EXPECT_EQ(Names(node.pods_with_required_anti_affinity()), "");
  EXPECT_EQ(Names(node.pods()), "plain choosy preferring attracted empty ");
}

TEST(NodeInfo, RecomputesWhenItsNodeIsSet) {
  NodeInfo node{Symbol("n")};
  EXPECT_EQ(node.node(), nullptr) << "a ghost";
  node.SetNode(MakeNode()
                   .Name("n")
                   .Allocatable({{"cpu", "4"}, {"pods", "10"}})
                   .DeclaredFeatures({"Unheard", "UserNamespacesHostNetworkSupport",
                                      "RestartAllContainersOnContainerExits"})
                   .Ref());
  EXPECT_EQ(node.allocatable().milli_cpu, 4000);
  EXPECT_EQ(node.allocatable().allowed_pod_number, 10);
  EXPECT_EQ(node.declared_features(), MakeSymbols({"RestartAllContainersOnContainerExits",
                                                   "UserNamespacesHostNetworkSupport"}))
      << "the known ones, sorted";
  node.AddPod(PodInfoOf(MakePod().Name("a").Req({{"cpu", "1"}})));
  node.SetNode(MakeNode().Name("n").Allocatable({{"memory", "1Gi"}}).Ref());
  EXPECT_EQ(node.allocatable().milli_cpu, 0);
  EXPECT_EQ(node.allocatable().memory, 1 << 30);
  EXPECT_TRUE(node.declared_features().empty());
  EXPECT_EQ(node.requested().milli_cpu, 1000) << "pods stay";
  node.RemoveNode();
  EXPECT_EQ(node.node(), nullptr);
  EXPECT_EQ(Names(node.pods()), "a ");
}

TEST(NodeInfo, FindsImagesByName) {
  NodeInfo node{Symbol("n")};
  EXPECT_EQ(node.FindImage(Symbol("b")), nullptr);
  node.SetImageStates({{Symbol("a"), {1, 1}}, {Symbol("b"), {2, 5}}, {Symbol("d"), {3, 1}}});
  ASSERT_NE(node.FindImage(Symbol("b")), nullptr);
  EXPECT_EQ(*node.FindImage(Symbol("b")), (ImageStateSummary{2, 5}));
  for (const char* name : {"", "0", "c", "e"}) {
    EXPECT_EQ(node.FindImage(Symbol(name)), nullptr) << name;
  }
}

TEST(NodeInfo, ClonesAreIndependent) {
  NodeInfo node = NodeWith({MakePod().Name("a").Req({{"cpu", "1"}}).HostPort(80)});
  std::unique_ptr<NodeInfo> clone = node.Clone();
  EXPECT_TRUE(clone->RemovePod(Symbol("a")));
  clone->AddPod(PodInfoOf(Repellent("b")));
  EXPECT_EQ(Names(node.pods()), "a ");
  EXPECT_EQ(node.requested().milli_cpu, 1000);
  EXPECT_EQ(node.used_ports().size(), 1u);
  EXPECT_TRUE(node.pods_with_affinity().empty());
  EXPECT_EQ(Names(clone->pods()), "b ");
  EXPECT_EQ(clone->requested().milli_cpu, 0);
}

// Goal: replacing a pod equals removing the old version and adding the new one. Method: both, with
// every pod of a node in turn.
TEST(NodeInfo, ReplacingAPodEqualsRemovingAndAddingIt) {
  std::vector<PodInfoRef> pods;
  for (const Pod& pod : std::vector<Pod>{
           MakePod().Name("plain").Req({{"cpu", "1"}, {"example.com/gpu", "1"}}),
           Repellent("repellent"), MakePod().Name("port").HostPort(80),
           WithEmptyPodAffinity("empty"), MakePod().Name("claim").Pvc("c"), Repellent("other"),
           MakePod().Name("same port").HostPort(80), MakePod().Name("last")}) {
    pods.push_back(PodInfoOf(pod));
  }
  for (size_t first_removed = 0; first_removed <= 2; first_removed += 2) {
    for (const PodInfoRef& pod : pods) {
      NodeInfo want{Symbol("n")};
      for (const PodInfoRef& one : pods) want.AddPod(one);
      // After the first of two pods with a port is removed, the port is free, although the second
      // has it.
      if (first_removed > 0 && pod != pods[first_removed])
        want.RemovePod(pods[first_removed]->uid());
      NodeInfo node = want;
      PodInfoRef running = WithPod(*pod, std::make_shared<const Pod>(*pod->pod));
      EXPECT_TRUE(CountsAlike(*pod, *running));
      EXPECT_TRUE(want.RemovePod(pod->uid()));
      want.AddPod(running);
      node.ReplacePod(*pod, running);
      const std::string name = pod->uid().str();
      EXPECT_EQ(node.pods(), want.pods()) << name;
      EXPECT_EQ(node.pods_with_affinity(), want.pods_with_affinity()) << name;
      EXPECT_EQ(node.pods_with_required_anti_affinity(), want.pods_with_required_anti_affinity())
          << name;
      EXPECT_EQ(node.pods_with_attachable_volumes(), want.pods_with_attachable_volumes()) << name;
      EXPECT_EQ(node.requested(), want.requested()) << name;
      EXPECT_EQ(node.non_zero_milli_cpu(), want.non_zero_milli_cpu()) << name;
      EXPECT_EQ(node.non_zero_memory(), want.non_zero_memory()) << name;
      HostPort port = HostPort::Make(Symbol(), Symbol(), 80);
      EXPECT_EQ(node.used_ports().CheckConflict(port), want.used_ports().CheckConflict(port))
          << name;
    }
  }
}

}  // namespace
}  // namespace stowage
