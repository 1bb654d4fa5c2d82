#include "core/table/pod_info.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "core/config/features.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

PodInfoRef Info(const Pod& pod, const Features& features = {}) {
  return MakePodInfo(std::make_shared<const Pod>(pod), features);
}

// A pod whose container has other resources allocated than it requests.
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

// Goal: values copied from another version of the pod equal freshly computed ones. Method: one
// change at a time in a pod with all parts.
TEST(PodInfo, CopiedValuesEqualComputedOnes) {
  Pod pod = Resizing();
  pod.metadata.namespace_ = Symbol("a");
  pod.spec.overhead = MakeResourceList({{"cpu", "1"}});
  pod.spec.affinity.Mutable().pod_affinity.emplace().required = {
      MakeAffinityTerm("zone", LabelSelector())};
  struct {
    std::string_view name;
    void (*change)(Pod& pod);
    bool is_shared;
  } cases[] = {
      {"its node", [](Pod& p) { p.spec.node_name = Symbol("n"); }, true},
      {"phase", [](Pod& p) { p.status.phase = Symbol("Running"); }, true},
      {"a condition",
       [](Pod& p) {
         p.status.conditions.push_back({Symbol("Ready"), {}, {}});
       },
       true},
      {"a resize that is infeasible",
       [](Pod& p) {
         p.status.conditions.push_back(
             {Symbol("PodResizePending"), Symbol("True"), Symbol("Infeasible")});
       },
       false},
      {"what the kubelet gave", [](Pod& p) { p.status.container_statuses.clear(); }, false},
      {"a container", [](Pod& p) { p.spec.containers.emplace_back(); }, false},
      {"a sidecar",
       [](Pod& p) {
         stowage::Container& sidecar = p.spec.init_containers.emplace_back();
         sidecar.restart_policy = Symbol("Always");
         sidecar.ports.emplace_back().host_port = 80;
       },
       false},
      {"overhead", [](Pod& p) { p.spec.overhead.clear(); }, false},
      {"the pod level",
       [](Pod& p) {
         p.spec.resources.emplace().requests = MakeResourceList({{"cpu", "9"}});
       },
       false},
      {"affinity", [](Pod& p) { p.spec.affinity.reset(); }, false},
      {"the namespace, which terms without one are about",
       [](Pod& p) { p.metadata.namespace_ = Symbol("b"); }, false},
  };
  PodInfoRef known = Info(pod);
  for (const auto& c : cases) {
    Pod changed = pod;
    c.change(changed);
    PodInfoRef want = Info(changed);
    PodInfoRef info = MakePodInfo(want->pod, *known, Features());
    EXPECT_EQ(info->pod, want->pod) << c.name;
    EXPECT_EQ(info->requests, want->requests) << c.name;
    EXPECT_EQ(info->non_zero_milli_cpu, want->non_zero_milli_cpu) << c.name;
    EXPECT_EQ(info->non_zero_memory, want->non_zero_memory) << c.name;
    EXPECT_EQ(info->host_ports, want->host_ports) << c.name;
    ASSERT_EQ(info->affinity_terms == nullptr, want->affinity_terms == nullptr) << c.name;
    if (info->affinity_terms != nullptr) {
      EXPECT_EQ(info->affinity_terms->required_affinity[0].identity,
                want->affinity_terms->required_affinity[0].identity)
          << c.name;
    }
    bool is_shared = info->affinity_terms == known->affinity_terms;
    EXPECT_EQ(is_shared, c.is_shared) << c.name;
    EXPECT_FALSE(!c.is_shared && CountsAlike(*known, *info)) << c.name;
  }
}

TEST(PodInfo, CountsAlikeUnlessACountedFieldChanges) {
  Pod pod = MakePod().Name("p").Node("n").Req({{"cpu", "1"}}).Label("a", "b").Pvc("c");
  struct {
    std::string_view name;
    void (*change)(Pod& pod);
    bool want;
  } cases[] = {
      {"nothing", [](Pod&) {}, true},
      {"phase", [](Pod& p) { p.status.phase = Symbol("Running"); }, true},
      {"start time",
       [](Pod& p) {
         p.status.start_time = Instant{1, 0};
       },
       true},
      {"equal labels",
       [](Pod& p) {
         p.metadata.labels = {{"a", "b"}};
       },
       true},
      {"labels", [](Pod& p) { p.metadata.labels.Set(Symbol("a"), Symbol("c")); }, false},
      {"its end begins",
       [](Pod& p) {
         p.metadata.deletion_timestamp = Instant{1, 0};
       },
       false},
      {"requests", [](Pod& p) { p.spec.containers.clear(); }, false},
      {"ports", [](Pod& p) { p.spec.containers.Mutable()[0].ports.emplace_back().host_port = 1; },
       false},
      {"affinity", [](Pod& p) { p.spec.affinity.emplace().pod_affinity.emplace(); }, false},
      {"volumes", [](Pod& p) { p.spec.volumes.clear(); }, false},
      {"another pod", [](Pod& p) { p.metadata.uid = Symbol("q"); }, false},
      {"a kept source",
       [](Pod& p) { p.metadata.source = std::make_shared<const std::string>("{}"); }, true},
      {"a source, which others read", [](Pod& p) { p.metadata.shows_source = true; }, false},
  };
  PodInfoRef known = Info(pod);
  for (const auto& c : cases) {
    Pod changed = pod;
    c.change(changed);
    PodInfoRef info = MakePodInfo(std::make_shared<const Pod>(changed), *known, Features());
    EXPECT_EQ(CountsAlike(*known, *info), c.want) << c.name;
    EXPECT_EQ(CountsAlike(*info, *known), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
