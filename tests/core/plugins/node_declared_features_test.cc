#include "core/plugins/node_declared_features.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

constexpr std::string_view kRestart = "RestartAllContainersOnContainerExits";
constexpr std::string_view kUserNamespaces = "UserNamespacesHostNetworkSupport";

// Goal: a node must have declared all features that the pod needs, but no others.
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

// Goal: Filter runs only for pods that need a feature.
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

TEST(NodeDeclaredFeatures, HintsAtChangedDeclarationsAndRequirements) {
  const ClusterEvent declared = NodeEvent(action::kUpdateNodeDeclaredFeature);
  const ClusterEvent updated = UnscheduledPodEvent(action::kUpdate);
  const Pod pod = MakePod().Name("p").RestartRule("RestartAllContainers");
  const Pod plain = MakePod().Name("p");
  const Pod elsewhere = MakePod().Name("q").RestartRule("RestartAllContainers");
  const Node none = MakeNode().Name("n");
  const Node some = MakeNode().Name("n").DeclaredFeatures({"A", "B"});
  const Node turned = MakeNode().Name("n").DeclaredFeatures({"B", "A"});
  const HintCase cases[] = {
      {"any node comes", NodeEvent(action::kAdd), pod, WasAdded(none), "Queue"},
      {"features are declared", declared, pod, WasUpdated(none, some), "Queue"},
      {"features are withdrawn", declared, pod, WasUpdated(some, none), "Queue"},
      {"the same in another order", declared, pod, WasUpdated(some, turned), "Queue"},
      {"the same", declared, pod, WasUpdated(some, some), "Skip"},
      {"a requirement goes", updated, pod, WasUpdated(pod, plain), "Queue"},
      {"a requirement comes", updated, plain, WasUpdated(plain, pod), "Queue"},
      {"requirements stay", updated, pod, WasUpdated(pod, pod), "Skip"},
      {"by a label change", UnscheduledPodEvent(action::kUpdatePodLabel), pod,
       WasUpdated(pod, plain), "Queue"},
      {"of another pod", updated, pod, WasUpdated(elsewhere, MakePod().Name("q")), "Skip"},
      {"the old object is no pod", updated, pod, WithWrongOld(WasUpdated(pod, pod)), "Queue"},
      {"the new object is no node", declared, pod, WithWrongNew(WasUpdated(some, some)), "Queue"},
      {"taints", NodeEvent(action::kUpdateNodeTaint), pod, WasUpdated(none, some), "deaf"},
      {"a pod comes", UnscheduledPodEvent(action::kAdd), pod, WasAdded(pod), "deaf"},
  };
  PluginRunner<NodeDeclaredFeatures> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
  Features disabled;
  disabled.node_declared_features = false;
  PluginRunner<NodeDeclaredFeatures> off({}, disabled);
  EXPECT_TRUE(off.plugin().EventsToRegister().empty());
}

}  // namespace
}  // namespace stowage
