#include "core/framework/pod_info.h"

#include <gtest/gtest.h>

#include <memory>

#include "core/config/features.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

PodInfoRef Info(const Pod& pod, const Features& features = {}) {
  return MakePodInfo(std::make_shared<const Pod>(pod), features);
}

// A pod whose kubelet has given its container another amount than it asks for.
Pod Resizing() {
  Pod pod = MakePod().Name("p").Req({{"cpu", "1"}});
  ContainerStatus& status = pod.status.container_statuses.emplace_back();
  status.name = pod.spec.containers[0].name;
  status.allocated_resources = MakeResourceList({{"cpu", "3"}});
  status.resources.emplace().requests = MakeResourceList({{"cpu", "3"}});
  return pod;
}

TEST(PodInfo, ComputesRequestsAndPortsOnce) {
  PodInfoRef info = Info(MakePod().Name("p").Req({{"cpu", "2"}}).HostPort(80).HostPort(0));
  EXPECT_EQ(info->uid(), "p");
  EXPECT_EQ(info->requests.milli_cpu, 2000);
  EXPECT_EQ(info->requests.memory, 0);
  EXPECT_EQ(info->non_zero_milli_cpu, 2200) << "containers without a request count 100m";
  EXPECT_EQ(info->non_zero_memory, int64_t{3} * 200 << 20);
  ASSERT_EQ(info->host_ports.size(), 1u);
  EXPECT_EQ(info->host_ports[0].port, 80);
}

TEST(PodInfo, FollowsTheFeatureGates) {
  Features gates_on;
  Features without_resize;
  without_resize.in_place_pod_vertical_scaling = false;
  Features without_pod_level;
  without_pod_level.pod_level_resources = false;
  Pod pod_level = MakePod().Name("p").Req({{"cpu", "1"}}).PodLevelReq({{"cpu", "5"}});
  struct {
    std::string_view name;
    Pod pod;
    const Features& features;
    int64_t want_milli_cpu;
  } cases[] = {
      {"what the kubelet gave counts", Resizing(), gates_on, 3000},
      {"not without in-place resize", Resizing(), without_resize, 1000},
      {"the pod level counts", pod_level, gates_on, 5000},
      {"not without pod-level resources", pod_level, without_pod_level, 1000},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Info(c.pod, c.features)->requests.milli_cpu, c.want_milli_cpu) << c.name;
  }
}

TEST(PodInfo, KeepsItsPartsUnderAnotherVersionOfThePod) {
  PodInfoRef info = Info(MakePod().Name("p").Req({{"cpu", "2"}}).HostPort(80));
  PodRef bound = MakePod().Name("p").Node("n").Ref();
  PodInfoRef moved = WithPod(*info, bound);
  EXPECT_EQ(moved->pod, bound);
  EXPECT_EQ(moved->requests.milli_cpu, 2000);
  EXPECT_EQ(moved->host_ports.size(), 1u);
  EXPECT_TRUE(info->pod->spec.node_name.empty());
}

}  // namespace
}  // namespace stowage
