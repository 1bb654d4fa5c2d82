#include "core/plugins/node_ports.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

// Goal: a host port is free or it is not. Method: a pod against a node where another pod runs.
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

// Goal: pods without host ports are not looked at on every node.
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

}  // namespace
}  // namespace stowage
