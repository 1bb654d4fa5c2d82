#include "core/plugins/node_ports.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

// Goal: a node passes if all host ports of the pod are free. Method: a pod against a node with a
// running pod.
TEST(NodePorts, FiltersByFreePorts) {
  const Status refused = Status::Unschedulable(NodePorts::kReason);
  struct {
    std::string_view name;
    Pod pod;
    MakePod running;
    Status want;
  } cases[] = {
      {"nothing wanted", MakePod(), MakePod().HostPort(80), Status::Success()},
      {"nothing used", MakePod().HostPort(80), MakePod(), Status::Success()},
      {"other port", MakePod().HostPort(80), MakePod().HostPort(81), Status::Success()},
      {"same UDP port", MakePod().HostPort(80, "UDP"), MakePod().HostPort(80, "UDP"), refused},
      {"same TCP port", MakePod().HostPort(80), MakePod().HostPort(80), refused},
      {"no protocol is TCP", MakePod().HostPort(80, ""), MakePod().HostPort(80, "TCP"), refused},
      {"other protocol", MakePod().HostPort(80, "UDP"), MakePod().HostPort(80, "TCP"),
       Status::Success()},
      {"other address", MakePod().HostPort(80, "TCP", "127.0.0.1"),
       MakePod().HostPort(80, "TCP", "127.0.0.2"), Status::Success()},
      {"same address", MakePod().HostPort(80, "TCP", "127.0.0.1"),
       MakePod().HostPort(80, "TCP", "127.0.0.1"), refused},
      {"any address wanted", MakePod().HostPort(80), MakePod().HostPort(80, "TCP", "127.0.0.1"),
       refused},
      {"any address used", MakePod().HostPort(80, "TCP", "127.0.0.1"),
       MakePod().HostPort(80, "TCP", "0.0.0.0"), refused},
      {"IPv6's any address is not special", MakePod().HostPort(80, "TCP", "::"),
       MakePod().HostPort(80, "TCP", "127.0.0.1"), Status::Success()},
      {"second of two ports", MakePod().HostPort(80).HostPort(81), MakePod().HostPort(81), refused},
      {"init container's port is not wanted", MakePod().InitHostPort(80), MakePod().HostPort(80),
       Status::Success()},
      {"init container's port is not used", MakePod().HostPort(80), MakePod().InitHostPort(80),
       Status::Success()},
      {"sidecar's port is wanted", MakePod().SidecarHostPort(80), MakePod().HostPort(80), refused},
      {"sidecar's port is used", MakePod().HostPort(80), MakePod().SidecarHostPort(80), refused},
  };
  for (auto& c : cases) {
    PluginRunner<NodePorts> runner;
    runner.handle().Add(MakeNode().Name("n").Obj()).Add(c.running.Name("running").Node("n").Obj());
    EXPECT_EQ(runner.Filter(c.pod, "n"), c.want) << c.name;
  }
}

// Goal: Filter does not run for pods without host ports.
TEST(NodePorts, SkipsPodsWithoutHostPorts) {
  PluginRunner<NodePorts> runner;
  EXPECT_TRUE(runner.PreFilter(MakePod()).IsSkip());
  EXPECT_TRUE(runner.PreFilter(MakePod().InitHostPort(80)).IsSkip());
  EXPECT_TRUE(runner.PreFilter(MakePod().HostPort(80)).IsSuccess());
  EXPECT_TRUE(runner.PreFilter(MakePod().SidecarHostPort(80)).IsSuccess());
}

TEST(NodePorts, FilterNeedsPreFilter) {
  PluginRunner<NodePorts> runner;
  runner.handle().Add(MakeNode().Name("n").Obj());
  EXPECT_EQ(runner.plugin().Filter(CycleState(), MakePod().HostPort(80), runner.handle().node("n")),
            Status::Error("reading \"PreFilterNodePorts\" from cycleState: not found"));
}

TEST(NodePorts, HintsAtPortsThatAreReleased) {
  const ClusterEvent deleted = AssignedPodEvent(action::kDelete);
  const Pod pod = MakePod().Name("p").HostPort(80);
  const HintCase cases[] = {
      {"it releases the port", deleted, pod, WasDeleted(MakePod().Name("q").HostPort(80).Node("n")),
       "Queue"},
      {"so does a nominated one", deleted, pod,
       WasDeleted(MakePod().Name("q").HostPort(80).NominatedNodeName("n")), "Queue"},
      {"it was nowhere", deleted, pod, WasDeleted(MakePod().Name("q").HostPort(80)), "Skip"},
      {"it used no host ports", deleted, pod, WasDeleted(MakePod().Name("q").Req({}).Node("n")),
       "Skip"},
      {"it used another port", deleted, pod,
       WasDeleted(MakePod().Name("q").HostPort(8080).Node("n")), "Skip"},
      {"it used another protocol", deleted, pod,
       WasDeleted(MakePod().Name("q").HostPort(80, "UDP").Node("n")), "Skip"},
      {"it used the port on one address", deleted, pod,
       WasDeleted(MakePod().Name("q").HostPort(80, "TCP", "127.0.0.1").Node("n")), "Queue"},
      {"one of two ports", deleted, MakePod().Name("p").HostPort(443).HostPort(80),
       WasDeleted(MakePod().Name("q").HostPort(80).HostPort(8080).Node("n")), "Queue"},
      {"a sidecar's port", deleted, pod,
       WasDeleted(MakePod().Name("q").SidecarHostPort(80).Node("n")), "Queue"},
      {"an init container's does not count", deleted, pod,
       WasDeleted(MakePod().Name("q").InitHostPort(80).Node("n")), "Skip"},
      {"the object is no pod", deleted, pod, WithWrongOld(WasDeleted(MakePod().Name("q"))),
       "Queue"},
      {"a node comes", NodeEvent(action::kAdd), pod, WasAdded(MakeNode().Name("n")), "Queue"},
      {"a pod comes", AssignedPodEvent(action::kAdd), pod, WasAdded(pod), "deaf"},
  };
  PluginRunner<NodePorts> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
