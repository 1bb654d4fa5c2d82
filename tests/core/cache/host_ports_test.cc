#include <gtest/gtest.h>

#include "core/cache/cache.h"
#include "core/config/features.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

// A port that two pods have is freed with the first of them, and used again after an update of the
// other: rows that were read in between must be read again.
TEST(HostPortsOfNodes, AnUpdateMayUseAFreedPortAgain) {
  Cache cache;
  Snapshot snapshot;
  auto add = [&cache](std::string_view name) {
    Pod pod = MakePod().Name(name).Node("n").HostPort(81);
    PodInfoRef info = MakePodInfo(std::make_shared<const Pod>(pod), Features());
    EXPECT_TRUE(cache.AddPod(info).IsSuccess());
    return info;
  };
  cache.AddNode(std::make_shared<const Node>(MakeNode().Name("n")));
  PodInfoRef first = add("first");
  PodInfoRef other = add("other");
  EXPECT_TRUE(cache.RemovePod(*first->pod).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  const NodeInfo& node = *cache.GetNodeInfo(Symbol("n"));
  EXPECT_EQ(node.used_ports().size(), 0u);
  uint64_t head = snapshot.table().changes().head();

  PodInfoRef later = WithPod(*other, std::make_shared<const Pod>(*other->pod));
  EXPECT_TRUE(cache.UpdatePod(*other->pod, later).IsSuccess());
  cache.UpdateSnapshot(&snapshot);
  EXPECT_EQ(node.used_ports().size(), 1u);
  EXPECT_EQ(snapshot.table().changes().head(), head + 1);
}

}  // namespace
}  // namespace stowage
