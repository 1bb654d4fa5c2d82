#include "core/api/pod_requests.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr int64_t kDefaultMemory = kDefaultMemoryRequest;
constexpr PodResourcesOptions kOnNode{.use_status = true, .in_place_pod_level = true};

// "cpu=1500m memory=100", canonical and sorted by name.
std::string TextOf(const ResourceList& list) {
  std::string text;
  for (const auto& [name, quantity] : list) {
    if (!text.empty()) text += ' ';
    text += name.str() + '=' + quantity.ToString();
  }
  return text;
}

int64_t MilliCpu(const ResourceList& list) {
  const Quantity* cpu = list.Find(Symbol("cpu"));
  return cpu == nullptr ? 0 : cpu->MilliValue();
}

int64_t Memory(const ResourceList& list) {
  const Quantity* memory = list.Find(Symbol("memory"));
  return memory == nullptr ? 0 : memory->Value();
}

ContainerStatus Status(std::string_view name, TextPairs actual, TextPairs allocated) {
  ContainerStatus status;
  status.name = Symbol(name);
  status.resources.emplace().requests = MakeResourceList(actual);
  status.allocated_resources = MakeResourceList(allocated);
  return status;
}

MakePod WithSidecars() {
  return MakePod()
      .Req({{"cpu", "1"}})
      .InitReq({{"cpu", "3"}})
      .SidecarReq({{"cpu", "2"}})
      .InitReq({{"cpu", "5"}})
      .SidecarReq({{"cpu", "1"}});
}

Pod Resized(std::string_view cpu, std::string_view reason) {
  Pod pod = MakePod().Req({{"cpu", cpu}}).Condition("PodResizePending", "True", reason);
  pod.status.container_statuses = {Status("container-0", {{"cpu", "3"}}, {{"cpu", "2"}})};
  return pod;
}

// A pod whose status does not contain the infeasible request for memory.
Pod ResizedWithMemory() {
  Pod pod = Resized("1", "Infeasible");
  pod.spec.containers.Mutable()[0].resources.requests =
      MakeResourceList({{"cpu", "1"}, {"memory", "1"}});
  return pod;
}

// Goal: the amounts counted on a node. Method: the examples of spec 01 §7.1.
TEST(PodRequests, EqualTheSpecifiedAmounts) {
  struct {
    std::string_view name;
    Pod pod;
    int64_t milli_cpu;
    int64_t memory;
    int64_t non_zero_milli_cpu;
    int64_t non_zero_memory;
  } cases[] = {
      {"defaults per container, explicit zeros stay",
       MakePod().Req({{"cpu", "1"}}).Req({{"memory", "100"}}).Req({{"cpu", "0"}, {"memory", "0"}}),
       1000, 100, 1100, 209715300},
      {"sidecars", WithSidecars(), 7000, 0, 7000, 629145600},
      {"sidecars and overhead", WithSidecars().Overhead({{"cpu", "250m"}}), 7250, 0, 7250,
       629145600},
      {"pod level replaces",
       WithSidecars().Overhead({{"cpu", "250m"}}).PodLevelReq({{"cpu", "500m"}}), 750, 0, 750,
       629145600},
      {"pod level memory only", MakePod().Req({}).PodLevelReq({{"memory", "1"}}), 0, 1, 100, 1},
      {"pod level leaves no default to a name that some container mentions",
       MakePod().Req({{"memory", "100"}}).Req({}).PodLevelReq({{"cpu", "500m"}}), 500, 100, 500,
       100},
      {"the same for cpu", MakePod().Req({{"cpu", "1"}}).Req({}).PodLevelReq({{"memory", "1"}}),
       1000, 1, 1000, 1},
      {"pod level leaves a default to cpu",
       MakePod().Req({{"memory", "7"}}).Req({}).PodLevelReq({{"hugepages-2Mi", "2Mi"}}), 0, 7, 200,
       7},
      {"status above spec", Resized("1", ""), 3000, 0, 3000, kDefaultMemory},
      {"spec above status", Resized("9", ""), 9000, 0, 9000, kDefaultMemory},
      {"infeasible resize", Resized("9", "Infeasible"), 3000, 0, 3000, kDefaultMemory},
      {"infeasible resize asks for no memory either", ResizedWithMemory(), 3000, 0, 3000,
       kDefaultMemory},
      {"two silent containers", MakePod().Req({}).Req({}), 0, 0, 200, 2 * kDefaultMemory},
      {"silent init container", MakePod().Req({{"cpu", "0"}, {"memory", "0"}}).InitReq({}), 0, 0,
       100, kDefaultMemory},
      {"no containers", MakePod(), 0, 0, 0, 0},
  };
  for (const auto& c : cases) {
    NodeAccounting accounting = AccountPod(c.pod, kOnNode);
    EXPECT_EQ(MilliCpu(accounting.requests), c.milli_cpu) << c.name;
    EXPECT_EQ(Memory(accounting.requests), c.memory) << c.name;
    EXPECT_EQ(accounting.non_zero_milli_cpu, c.non_zero_milli_cpu) << c.name;
    EXPECT_EQ(accounting.non_zero_memory, c.non_zero_memory) << c.name;
  }
}

TEST(PodRequests, AggregateContainers) {
  struct {
    std::string_view name;
    Pod pod;
    std::string want;
  } cases[] = {
      {"nothing", MakePod().Req({}), ""},
      {"sum of the containers",
       MakePod().Req({{"cpu", "1"}, {"memory", "1Gi"}}).Req({{"cpu", "500m"}}),
       "cpu=1500m memory=1Gi"},
      {"init container above the sum", MakePod().Req({{"cpu", "1"}}).InitReq({{"cpu", "3"}}),
       "cpu=3"},
      {"init containers do not add up",
       MakePod().Req({{"cpu", "1"}}).InitReq({{"cpu", "3"}}).InitReq({{"cpu", "2"}}), "cpu=3"},
      {"init container below the sum", MakePod().Req({{"cpu", "2"}}).InitReq({{"cpu", "1"}}),
       "cpu=2"},
      {"init container with names of its own",
       MakePod().Req({{"cpu", "2"}}).InitReq({{"memory", "1"}, {"cpu", "0"}}), "cpu=2 memory=1"},
      {"sidecar adds to the containers", MakePod().Req({{"cpu", "1"}}).SidecarReq({{"cpu", "2"}}),
       "cpu=3"},
      {"sidecar adds to later init containers only",
       MakePod()
           .Req({})
           .InitReq({{"cpu", "5"}})
           .SidecarReq({{"cpu", "1"}})
           .InitReq({{"cpu", "4500m"}}),
       "cpu=5500m"},
      {"sidecars use their running sum",
       MakePod().SidecarReq({{"cpu", "1"}}).SidecarReq({{"cpu", "1"}}), "cpu=2"},
      {"overhead", MakePod().Req({{"cpu", "1"}}).Overhead({{"cpu", "1m"}, {"memory", "5"}}),
       "cpu=1001m memory=5"},
      {"pod level may be smaller", MakePod().Req({{"cpu", "4"}}).PodLevelReq({{"cpu", "1"}}),
       "cpu=1"},
      {"pod level keeps the other names",
       MakePod().Req({{"cpu", "4"}, {"memory", "7"}}).PodLevelReq({{"cpu", "1"}}),
       "cpu=1 memory=7"},
      {"pod level huge pages", MakePod().Req({}).PodLevelReq({{"hugepages-2Mi", "4Mi"}}),
       "hugepages-2Mi=4Mi"},
      {"unsupported pod level names do not count",
       MakePod()
           .Req({{"cpu", "4"}})
           .PodLevelReq({{"example.com/x", "1"}, {"ephemeral-storage", "1"}}),
       "cpu=4"},
      {"all kinds of names are kept",
       MakePod().Req({{"example.com/x", "100m"}, {"storage", "1"}, {"example.com/zero", "0"}}),
       "example.com/x=100m example.com/zero=0 storage=1"},
  };
  for (const auto& c : cases) EXPECT_EQ(TextOf(PodRequests(c.pod, kOnNode)), c.want) << c.name;
}

TEST(PodRequests, RespectOptions) {
  Pod pod = MakePod().Req({{"cpu", "1"}}).PodLevelReq({{"cpu", "5"}}).Overhead({{"cpu", "100m"}});
  pod.status.container_statuses = {Status("container-0", {{"cpu", "3"}}, {})};
  pod.status.node_allocatable_resource_claim_statuses = {
      {Symbol("c"), {}, MakeResourceList({{"cpu", "2"}, {"memory", "5"}})},
      {Symbol("d"), {}, MakeResourceList({{"memory", "1"}})}};
  ResourceList defaults = MakeResourceList({{"cpu", "9"}, {"memory", "7"}});
  struct {
    std::string_view name;
    PodResourcesOptions options;
    std::string want;
  } cases[] = {
      {"none", {}, "cpu=5100m"},
      {"skip_pod_level", {.skip_pod_level = true}, "cpu=1100m"},
      {"use_status", {.use_status = true, .skip_pod_level = true}, "cpu=3100m"},
      {"non_missing_container_requests",
       {.skip_pod_level = true, .non_missing_container_requests = &defaults},
       "cpu=1100m memory=7"},
      {"use_dra_node_allocatable, replaced by requests of the pod",
       {.use_dra_node_allocatable = true},
       "cpu=5100m memory=6"},
      {"use_dra_node_allocatable",
       {.skip_pod_level = true, .use_dra_node_allocatable = true},
       "cpu=3100m memory=6"},
  };
  for (const auto& c : cases) EXPECT_EQ(TextOf(PodRequests(pod, c.options)), c.want) << c.name;
}

TEST(PodRequests, IncludeContainerStatuses) {
  struct {
    std::string_view name;
    std::vector<ContainerStatus> statuses;
    std::vector<ContainerStatus> init_statuses;
    std::string want;
  } cases[] = {
      {"union of the names",
       {Status("container-0", {{"memory", "5"}}, {{"pods", "1"}})},
       {},
       "cpu=1 memory=5 pods=1"},
      {"status of another container", {Status("other", {{"cpu", "5"}}, {})}, {}, "cpu=1"},
      {"one map of names for both lists", {}, {Status("container-0", {{"cpu", "5"}}, {})}, "cpu=5"},
      {"ordinary init containers have no status",
       {},
       {Status("init-0", {{"cpu", "5"}}, {})},
       "cpu=1"},
  };
  for (const auto& c : cases) {
    Pod pod = MakePod().Req({{"cpu", "1"}}).InitReq({{"cpu", "1"}});
    pod.status.container_statuses = c.statuses;
    pod.status.init_container_statuses = c.init_statuses;
    EXPECT_EQ(TextOf(PodRequests(pod, kOnNode)), c.want) << c.name;
  }

  Pod without_resources = MakePod().Req({{"cpu", "1"}});
  without_resources.status.container_statuses = {Status("container-0", {}, {{"cpu", "5"}})};
  without_resources.status.container_statuses.Mutable()[0].resources.reset();
  EXPECT_EQ(TextOf(PodRequests(without_resources, kOnNode)), "cpu=1");

  Pod sidecar = MakePod().SidecarReq({{"cpu", "1"}});
  sidecar.status.init_container_statuses = {Status("init-0", {{"cpu", "5"}}, {})};
  EXPECT_EQ(TextOf(PodRequests(sidecar, kOnNode)), "cpu=5");
}

TEST(PodRequests, IncludeThePodStatus) {
  Pod pod = MakePod().Req({{"cpu", "1"}}).PodLevelReq({{"cpu", "2"}, {"memory", "1"}});
  pod.status.resources.emplace().requests = MakeResourceList({{"cpu", "4"}});
  pod.status.allocated_resources = MakeResourceList({{"cpu", "3"}, {"hugepages-1Gi", "1Gi"}});
  EXPECT_EQ(TextOf(PodRequests(pod, kOnNode)), "cpu=4 memory=1");
  EXPECT_EQ(TextOf(PodRequests(pod, {.use_status = true})), "cpu=2 memory=1");
  EXPECT_EQ(TextOf(PodRequests(pod, {.in_place_pod_level = true})), "cpu=2 memory=1");

  pod.status.conditions = {{Symbol("PodResizePending"), Symbol("True"), Symbol("Infeasible")}};
  EXPECT_EQ(TextOf(PodRequests(pod, kOnNode)), "cpu=4 memory=0");
}

TEST(PodRequests, UseTheFirstResizeCondition) {
  struct {
    std::string_view first;
    std::string_view second;
    bool want;
  } cases[] = {
      {"Infeasible", "Deferred", true},
      {"Deferred", "Infeasible", false},
  };
  for (const auto& c : cases) {
    Pod pod = MakePod()
                  .Condition("Ready", "False", "Infeasible")
                  .Condition("PodResizePending", "True", c.first)
                  .Condition("PodResizePending", "True", c.second);
    EXPECT_EQ(IsPodResizeInfeasible(pod), c.want) << c.first;
  }
  EXPECT_FALSE(IsPodResizeInfeasible(MakePod()));
}

TEST(PodRequests, DetectPodLevelRequestsByASupportedName) {
  Pod none = MakePod();
  Pod unsupported = MakePod().PodLevelReq({{"ephemeral-storage", "1"}});
  Pod requests = MakePod().PodLevelReq({{"memory", "0"}});
  Pod limits = MakePod().PodLevelReq({});
  limits.spec.resources.Mutable().limits = MakeResourceList({{"hugepages-2Mi", "2Mi"}});
  EXPECT_FALSE(IsPodLevelRequestsSet(none));
  EXPECT_FALSE(IsPodLevelRequestsSet(unsupported));
  EXPECT_TRUE(IsPodLevelRequestsSet(requests));
  EXPECT_FALSE(IsPodLevelRequestsSet(limits));
}

// The scalar names of the last example in spec 01 §7.1, rounded up as on a node.
TEST(PodRequests, RoundUpScalars) {
  Pod pod = MakePod().Req({{"example.com/x", "100m"},
                           {"kubernetes.io/foo", "3"},
                           {"attachable-volumes-z", "2"},
                           {"hugepages-2Mi", "2Mi"},
                           {"example.com/zero", "0"}});
  ResourceList requests = AccountPod(pod, kOnNode).requests;
  EXPECT_EQ(requests.Find(Symbol("example.com/x"))->Value(), 1);
  EXPECT_EQ(requests.Find(Symbol("kubernetes.io/foo"))->Value(), 3);
  EXPECT_EQ(requests.Find(Symbol("attachable-volumes-z"))->Value(), 2);
  EXPECT_EQ(requests.Find(Symbol("hugepages-2Mi"))->Value(), 2097152);
  EXPECT_EQ(requests.Find(Symbol("example.com/zero"))->Value(), 0);
}

}  // namespace
}  // namespace stowage
