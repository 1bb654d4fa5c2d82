#include "core/plugins/node_declared_features.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

constexpr std::string_view kRestart = "RestartAllContainersOnContainerExits";
constexpr std::string_view kUserNamespaces = "UserNamespacesHostNetworkSupport";

// Goal: a node must have declared all features that the pod needs, and none that it does not.
TEST(NodeDeclaredFeatures, FiltersByRequiredFeatures) {
  const Pod restarts = MakePod().RestartRule("RestartAllContainers");
  const Pod needs_both =
      MakePod().InitRestartRule("RestartAllContainers").HostNetwork(true).HostUsers(false);
  const Status refused = Status::UnschedulableAndUnresolvable(NodeDeclaredFeatures::kReason);
  struct {
    std::string_view name;
    Pod pod;
    Node node;
    Status want;
  } cases[] = {
      {"nothing needed", MakePod(), MakeNode().Name("n"), Status::Success()},
      {"exactly declared", restarts, MakeNode().Name("n").DeclaredFeatures({kRestart}),
       Status::Success()},
      {"more declared", restarts,
       MakeNode().Name("n").DeclaredFeatures({"Unknown", kUserNamespaces, kRestart}),
       Status::Success()},
      {"one of two declared", needs_both, MakeNode().Name("n").DeclaredFeatures({kRestart}),
       refused},
      {"both declared", needs_both,
       MakeNode().Name("n").DeclaredFeatures({kRestart, kUserNamespaces}), Status::Success()},
      {"none declared", restarts, MakeNode().Name("n"), refused},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(RunFilter<NodeDeclaredFeatures>(c.pod, c.node), c.want) << c.name;
  }
}

// Goal: only pods that need a feature are looked at on every node.
TEST(NodeDeclaredFeatures, InfersRequirementsFromThePod) {
  struct {
    std::string_view name;
    Pod pod;
    bool want_skip;
  } cases[] = {
      {"plain pod", MakePod(), true},
      {"other restart rule", MakePod().RestartRule("Restart"), true},
      {"restart of all containers", MakePod().RestartRule("RestartAllContainers"), false},
      {"the same in an init container", MakePod().InitRestartRule("RestartAllContainers"), false},
      {"host network, host users unset", MakePod().HostNetwork(true), true},
      {"host network, host users", MakePod().HostNetwork(true).HostUsers(true), true},
      {"host network, own users", MakePod().HostNetwork(true).HostUsers(false), false},
      {"own users alone", MakePod().HostUsers(false), true},
  };
  Features disabled;
  disabled.node_declared_features = false;
  for (const auto& c : cases) {
    PluginRunner<NodeDeclaredFeatures> runner;
    EXPECT_EQ(runner.PreFilter(c.pod), c.want_skip ? Status::Skip() : Status::Success()) << c.name;
    PluginRunner<NodeDeclaredFeatures> off({}, disabled);
    off.handle().Add(MakeNode().Name("n"));
    EXPECT_TRUE(off.PreFilter(c.pod).IsSkip()) << c.name;
    EXPECT_TRUE(off.plugin().Filter(CycleState(), c.pod, off.handle().node("n")).IsSuccess())
        << c.name;
  }
}

TEST(NodeDeclaredFeatures, FilterNeedsPreFilter) {
  PluginRunner<NodeDeclaredFeatures> runner;
  runner.handle().Add(MakeNode().Name("n"));
  EXPECT_EQ(
      runner.plugin().Filter(CycleState(), MakePod(), runner.handle().node("n")),
      Status::Error("error reading \"PreFilterNodeDeclaredFeatures\" from cycle-state: not found"));
}

}  // namespace
}  // namespace stowage
