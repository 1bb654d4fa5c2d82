// Goal: a rejected pod is queued when more of a resource that it requests is available.
#include <gtest/gtest.h>

#include "core/config/defaults.h"
#include "core/plugins/node_resources_fit.h"
#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

constexpr std::string_view kGpu = "example.com/gpu";

const ClusterEvent kNodeAdded = NodeEvent(action::kAdd);
const ClusterEvent kNodeResized = NodeEvent(action::kUpdateNodeAllocatable);
const ClusterEvent kScaledDown = AssignedPodEvent(action::kUpdatePodScaleDown);

PluginArgs Args() {
  PluginArgs args = NewPluginArgs(NodeResourcesFit::kName);
  SetArgsDefaults(Features(), &args);
  return args;
}

void Check(std::span<const HintCase> cases, const Features& features = {}) {
  PluginRunner<NodeResourcesFit> runner(Args(), features);
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

Node NodeOf(TextPairs amounts) { return MakeNode().Name("n").Allocatable(amounts); }

TEST(NodeResourcesFitHints, CoverDeletedPods) {
  const ClusterEvent deleted = AssignedPodEvent(action::kDelete);
  const Pod pod = MakePod().Name("p").Req({{"cpu", "1"}});
  const HintCase cases[] = {
      {"from a node", deleted, pod, WasDeleted(MakePod().Name("q").Node("n")), "Queue"},
      {"from a nomination", deleted, pod, WasDeleted(MakePod().Name("q").NominatedNodeName("n")),
       "Queue"},
      {"from nowhere", deleted, pod, WasDeleted(MakePod().Name("q").Req({{"cpu", "1"}})), "Skip"},
      {"the object is no pod", deleted, pod, WithWrongOld(WasDeleted(MakePod())), "Queue"},
      {"a pod comes", AssignedPodEvent(action::kAdd), pod, WasAdded(pod), "deaf"},
  };
  Check(cases);
}

TEST(NodeResourcesFitHints, CoverScaledDownPods) {
  auto placed = [](TextPairs requests) {
    return MakePod().Name("q").Req(requests).Node("n").Obj();
  };
  auto asking = [](TextPairs requests) { return MakePod().Name("p").Req(requests).Obj(); };
  const Pod big =
      placed({{"cpu", "2"}, {"memory", "2Gi"}, {"ephemeral-storage", "2Gi"}, {kGpu, "2"}});
  const Pod less_cpu =
      placed({{"cpu", "1"}, {"memory", "2Gi"}, {"ephemeral-storage", "2Gi"}, {kGpu, "2"}});
  const Pod less_memory =
      placed({{"cpu", "2"}, {"memory", "1Gi"}, {"ephemeral-storage", "2Gi"}, {kGpu, "2"}});
  const Pod less_storage =
      placed({{"cpu", "2"}, {"memory", "2Gi"}, {"ephemeral-storage", "1Gi"}, {kGpu, "2"}});
  const Pod no_gpu = placed({{"cpu", "2"}, {"memory", "2Gi"}, {"ephemeral-storage", "2Gi"}});
  const Pod cpu = asking({{"cpu", "1"}});
  const Pod own_before = asking({{"cpu", "2"}});
  const HintCase cases[] = {
      {"cpu for cpu", kScaledDown, cpu, WasUpdated(big, less_cpu), "Queue"},
      {"memory for cpu", kScaledDown, cpu, WasUpdated(big, less_memory), "Skip"},
      {"more cpu", kScaledDown, cpu, WasUpdated(less_cpu, big), "Skip"},
      {"memory for memory", kScaledDown, asking({{"memory", "1"}}), WasUpdated(big, less_memory),
       "Queue"},
      {"storage for storage", kScaledDown, asking({{"ephemeral-storage", "1"}}),
       WasUpdated(big, less_storage), "Queue"},
      {"cpu for storage", kScaledDown, asking({{"ephemeral-storage", "1"}}),
       WasUpdated(big, less_cpu), "Skip"},
      {"a scalar for a scalar", kScaledDown, asking({{kGpu, "1"}}), WasUpdated(big, no_gpu),
       "Queue"},
      {"a scalar for cpu", kScaledDown, cpu, WasUpdated(big, no_gpu), "Skip"},
      {"cpu for a request of 0", kScaledDown, asking({{"cpu", "0"}}), WasUpdated(big, less_cpu),
       "Skip"},
      {"nothing is requested", kScaledDown, MakePod().Name("p"), WasUpdated(big, less_cpu), "Skip"},
      {"itself", UnscheduledPodEvent(action::kUpdatePodScaleDown), cpu, WasUpdated(own_before, cpu),
       "Queue"},
      {"another pod that is nowhere", UnscheduledPodEvent(action::kUpdatePodScaleDown), cpu,
       WasUpdated(MakePod().Name("q").Req({{"cpu", "2"}}), MakePod().Name("q")), "Skip"},
      {"a nomination is no node", UnscheduledPodEvent(action::kUpdatePodScaleDown), cpu,
       WasUpdated(MakePod().Name("q").Req({{"cpu", "2"}}).NominatedNodeName("n"),
                  MakePod().Name("q").NominatedNodeName("n")),
       "Skip"},
      {"the new object is no pod", kScaledDown, cpu, WithWrongNew(WasUpdated(big, big)), "Queue"},
      {"labels", AssignedPodEvent(action::kUpdatePodLabel), cpu, WasUpdated(big, less_cpu), "deaf"},
  };
  Check(cases);
}

// A running pod counts with the maximum of its requested, allocated and used resources.
TEST(NodeResourcesFitHints, ScaleDownCountsHeldResources) {
  const Pod cpu = MakePod().Name("p").Req({{"cpu", "1"}});
  const Pod before = MakePod().Name("q").Req({{"cpu", "2"}}).Node("n");
  Pod asked = MakePod().Name("q").Req({{"cpu", "1"}}).Node("n");
  ContainerStatus& status = asked.status.container_statuses.emplace_back();
  status.name = Symbol("container-0");
  status.resources.emplace().requests = MakeResourceList({{"cpu", "2"}});
  const Pod done = MakePod().Name("q").Req({{"cpu", "1"}}).Node("n");
  const HintCase cases[] = {
      {"asked for, not done yet", kScaledDown, cpu, WasUpdated(before, asked), "Skip"},
      {"done", kScaledDown, cpu, WasUpdated(asked, done), "Queue"},
  };
  Check(cases);
}

TEST(NodeResourcesFitHints, CoverScaleDownAtPodLevel) {
  const Pod cpu = MakePod().Name("p").Req({{"cpu", "1"}});
  Pod before = MakePod().Name("q").PodLevelReq({{"cpu", "1"}}).Node("n");
  before.status.resources.emplace().requests = MakeResourceList({{"cpu", "2"}});
  Pod after = MakePod().Name("q").PodLevelReq({{"cpu", "1"}}).Node("n");
  after.status.resources.emplace().requests = MakeResourceList({{"cpu", "1"}});
  const HintCase asked[] = {{"the request alone", kScaledDown, cpu,
                             WasUpdated(MakePod().Name("q").PodLevelReq({{"cpu", "2"}}).Node("n"),
                                        MakePod().Name("q").PodLevelReq({{"cpu", "1"}}).Node("n")),
                             "Queue"}};
  Check(asked);
  for (bool is_on : {false, true}) {
    Features features;
    features.in_place_pod_level_resources_vertical_scaling = is_on;
    const HintCase held[] = {
        {"what is held", kScaledDown, cpu, WasUpdated(before, after), is_on ? "Queue" : "Skip"}};
    Check(held, features);
  }
}

TEST(NodeResourcesFitHints, CoverAddedNodes) {
  const Pod pod = MakePod().Name("p").Req({{"cpu", "2"}, {"memory", "2Gi"}});
  const HintCase cases[] = {
      {"large enough", kNodeAdded, pod, WasAdded(NodeOf({{"cpu", "2"}, {"memory", "2Gi"}})),
       "Queue"},
      {"too small", kNodeAdded, pod, WasAdded(NodeOf({{"cpu", "1"}, {"memory", "2Gi"}})), "Skip"},
      {"without room for any pod", kNodeAdded, MakePod().Name("p"),
       WasAdded(NodeOf({{"cpu", "2"}, {"pods", "0"}})), "Skip"},
      {"without the scalar", kNodeAdded, MakePod().Name("p").Req({{kGpu, "1"}}),
       WasAdded(NodeOf({{"cpu", "2"}})), "Skip"},
      {"with the scalar", kNodeAdded, MakePod().Name("p").Req({{kGpu, "1"}}),
       WasAdded(NodeOf({{kGpu, "1"}})), "Queue"},
      {"a scalar of 0 is no request", kNodeAdded, MakePod().Name("p").Req({{kGpu, "0"}}),
       WasAdded(NodeOf({{"cpu", "2"}})), "Queue"},
      {"the object is no node", kNodeAdded, pod, WithWrongNew(WasAdded(NodeOf({}))), "Queue"},
      {"labels", NodeEvent(action::kUpdateNodeLabel), pod, WasAdded(NodeOf({})), "deaf"},
  };
  Check(cases);
}

TEST(NodeResourcesFitHints, CoverChangedNodes) {
  const Pod pod = MakePod().Name("p").Req({{"cpu", "2"}, {kGpu, "1"}});
  const Pod modest = MakePod().Name("p");
  const Node fitting = NodeOf({{"cpu", "2"}, {"memory", "1Gi"}, {kGpu, "1"}});
  const HintCase cases[] = {
      {"more cpu", kNodeResized, pod,
       WasUpdated(fitting, NodeOf({{"cpu", "3"}, {"memory", "1Gi"}, {kGpu, "1"}})), "Queue"},
      {"more of the scalar", kNodeResized, pod,
       WasUpdated(fitting, NodeOf({{"cpu", "2"}, {"memory", "1Gi"}, {kGpu, "2"}})), "Queue"},
      {"more of what is not requested", kNodeResized, pod,
       WasUpdated(fitting, NodeOf({{"cpu", "2"}, {"memory", "9Gi"}, {kGpu, "1"}})), "Skip"},
      {"more, and still too little", kNodeResized, pod,
       WasUpdated(NodeOf({{"cpu", "1"}}), NodeOf({{"cpu", "3"}})), "Skip"},
      {"from fitting to not fitting", kNodeResized, pod,
       WasUpdated(fitting, NodeOf({{"cpu", "1"}, {kGpu, "1"}})), "Skip"},
      {"less, and still enough", kNodeResized, pod,
       WasUpdated(NodeOf({{"cpu", "9"}, {kGpu, "9"}}), fitting), "Skip"},
      {"more room for pods", kNodeResized, modest,
       WasUpdated(NodeOf({{"pods", "1"}}), NodeOf({{"pods", "2"}})), "Queue"},
      {"more cpu for a pod that requests nothing", kNodeResized, modest,
       WasUpdated(NodeOf({{"cpu", "1"}}), NodeOf({{"cpu", "2"}})), "Skip"},
      {"the old object is no node", kNodeResized, pod, WithWrongOld(WasUpdated(fitting, fitting)),
       "Queue"},
      {"taints", NodeEvent(action::kUpdateNodeTaint), pod, WasUpdated(fitting, fitting), "deaf"},
  };
  Check(cases);
}

// Filter skips ignored resources, hints do not.
TEST(NodeResourcesFitHints, CountIgnoredResources) {
  PluginArgs args = Args();
  std::get<NodeResourcesFitArgs>(args).ignored_resources = {Symbol(kGpu)};
  PluginRunner<NodeResourcesFit> runner(args);
  const Pod pod = MakePod().Name("p").Req({{"cpu", "1"}, {kGpu, "1"}});
  const Node node = NodeOf({{"cpu", "1"}});
  runner.handle().Add(node);
  EXPECT_TRUE(runner.Filter(pod, "n").IsSuccess());
  EXPECT_EQ(HintOf(runner.plugin(), kNodeAdded, pod, WasAdded(node)), "Skip");
}

TEST(NodeResourcesFitHints, CoverDeviceClassesForExtendedResources) {
  const ClusterEvent added{EventResource::kDeviceClass, action::kAdd};
  const ClusterEvent updated{EventResource::kDeviceClass, action::kUpdate};
  auto asking = [](TextPairs requests) { return MakePod().Name("p").Req(requests).Obj(); };
  auto serving = [](std::string_view resource) {
    DeviceClass one;
    one.metadata.name = Symbol("gpu");
    if (!resource.empty()) one.spec.extended_resource_name = Symbol(resource);
    return AnyObject(std::make_shared<const DeviceClass>(std::move(one)));
  };
  const EventObjects is_new{std::nullopt, serving(kGpu)};
  const EventObjects begins{serving(""), serving(kGpu)};
  const EventObjects stays{serving(kGpu), serving(kGpu)};
  constexpr std::string_view kImplicit = "deviceclass.resource.kubernetes.io/gpu";
  const HintCase cases[] = {
      {"cpu", added, asking({{"cpu", "1"}}), is_new, "Skip"},
      {"another resource", added, asking({{"example.com/fpga", "1"}}), is_new, "Skip"},
      {"the class's resource", added, asking({{kGpu, "1"}}), is_new, "Queue"},
      {"in an init container", updated, MakePod().Name("p").InitReq({{kGpu, "1"}}), begins,
       "Queue"},
      {"no change", updated, asking({{kGpu, "1"}}), stays, "Skip"},
      {"a new class by its name", added, asking({{kImplicit, "1"}}), is_new, "Queue"},
      {"a changed class by its name", updated, asking({{kImplicit, "1"}}), begins, "Skip"},
      {"nothing", updated, MakePod().Name("p"), begins, "Skip"},
      {"no objects", updated, MakePod().Name("p"), {}, "Queue"},
      {"a class goes",
       {EventResource::kDeviceClass, action::kDelete},
       asking({{kGpu, "1"}}),
       {},
       "deaf"},
  };
  Check(cases);
}

TEST(NodeResourcesFitHints, RegisterEventsByGates) {
  const Pod pod = MakePod().Name("p").Req({{"cpu", "1"}});
  const ClusterEvent class_added{EventResource::kDeviceClass, action::kAdd};
  for (bool is_on : {false, true}) {
    Features features;
    features.in_place_pod_vertical_scaling = is_on;
    features.dra_extended_resource = is_on;
    const HintCase cases[] = {
        {"scale down", UnscheduledPodEvent(action::kUpdatePodScaleDown), pod, WasUpdated(pod, pod),
         is_on ? "Queue" : "deaf"},
        {"device classes", class_added, pod, {}, is_on ? "Queue" : "deaf"},
    };
    Check(cases, features);
  }
}

// With the gate off a pod's requests are those of its containers.
TEST(NodeResourcesFitHints, CountPodLevelRequestsBehindAGate) {
  const Pod pod = MakePod().Name("p").Req({{"cpu", "1"}}).PodLevelReq({{"cpu", "4"}});
  for (bool is_on : {false, true}) {
    Features features;
    features.pod_level_resources = is_on;
    const HintCase cases[] = {
        {"two cpus", kNodeAdded, pod, WasAdded(NodeOf({{"cpu", "2"}})), is_on ? "Skip" : "Queue"}};
    Check(cases, features);
  }
}

}  // namespace
}  // namespace stowage
