#include "core/plugins/topology_placement_generator.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/format.h"
#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Stage = PodGroupState::Stage;

class TopologyPlacementGeneratorTest : public testing::Test {
 protected:
  TopologyPlacementGeneratorTest() {
    handle().fake_pod_groups().set_is_enabled(true);
    handle().Add(MakeNode().Name("a").Label("rack", "r2"));
    handle().Add(MakeNode().Name("b").Label("rack", "r1"));
    handle().Add(MakeNode().Name("c"));
    handle().Add(MakeNode().Name("d").Label("rack", "r2"));
  }

  FakeHandle& handle() { return runner_.handle(); }
  void AddGroup(std::vector<std::string> keys) {
    PodGroup group;
    group.metadata.name = Symbol("gang");
    group.metadata.namespace_ = Symbol("default");
    for (const std::string& key : keys) {
      if (!group.spec.scheduling_constraints) group.spec.scheduling_constraints.emplace();
      group.spec.scheduling_constraints->topology.push_back({Symbol(key)});
    }
    handle().fake_listers().Add(group);
  }
  void Know(std::string_view name, std::string_view node, Stage stage) {
    Pod pod = MakePod().Name(name).Uid(name);
    pod.spec.node_name = Symbol(node);
    pod.spec.scheduling_group.emplace().pod_group_name = Symbol("gang");
    handle().fake_pod_groups().Put(std::make_shared<const Pod>(std::move(pod)), stage);
  }
  // "r1: b; r2: a d; ", or the failure.
  std::string Generate() {
    NodeList nodes = handle().snapshot().nodes();
    Placement parent{Symbol(), {nodes.begin(), nodes.end()}};
    std::vector<Placement> placements;
    Status status = runner_.plugin().GeneratePlacements({Symbol("default"), Symbol("gang")}, parent,
                                                        &placements);
    if (!status.IsSuccess()) return Format("{}: {}", CodeName(status.code()), status.Message());
    std::string text;
    for (const Placement& placement : placements) {
      text += placement.name.str() + ":";
      for (const NodeInfo* node : placement.nodes) text += " " + node->name().str();
      text += "; ";
    }
    return text;
  }

  PluginRunner<TopologyPlacementGenerator> runner_;
};

TEST_F(TopologyPlacementGeneratorTest, FailsWithoutTheGroup) {
  EXPECT_EQ(Generate(), "Error: podgroup.scheduling.k8s.io \"gang\" not found");
}

TEST_F(TopologyPlacementGeneratorTest, KeepsTheParentWithoutAConstraint) {
  AddGroup({});
  EXPECT_EQ(Generate(), ": a b c d; ");
}

// Goal: one placement per domain, nodes in the parent's order, nodes without the label nowhere.
TEST_F(TopologyPlacementGeneratorTest, MakesOnePlacementPerDomain) {
  AddGroup({"rack"});
  EXPECT_EQ(Generate(), "r1: b; r2: a d; ");
}

TEST_F(TopologyPlacementGeneratorTest, MakesNoneIfNoNodeHasTheKey) {
  AddGroup({"row"});
  EXPECT_EQ(Generate(), "");
}

// Goal: scheduled pods of the group, and only they, determine the domain.
TEST_F(TopologyPlacementGeneratorTest, StaysInTheDomainOfScheduledPods) {
  AddGroup({"rack"});
  Know("p", "b", Stage::kUnscheduled);
  EXPECT_EQ(Generate(), "r1: b; r2: a d; ");
  Know("q", "a", Stage::kAssigned);
  Know("r", "d", Stage::kAssumed);
  EXPECT_EQ(Generate(), "r2: a d; ");
}

TEST_F(TopologyPlacementGeneratorTest, ScheduledPodsMustAgree) {
  AddGroup({"rack"});
  constexpr std::string_view kError = "Error: cannot determine domain for already scheduled pods: ";
  Know("p", "gone", Stage::kAssigned);
  EXPECT_EQ(Generate(), std::string(kError) +
                            "getting node for pod default/p: nodeinfo not found "
                            "for node name \"gone\"");
  Know("p", "c", Stage::kAssigned);
  EXPECT_EQ(Generate(), std::string(kError) + "no topology domain found for pod default/p");
  Know("p", "a", Stage::kAssigned);
  Know("q", "b", Stage::kAssigned);
  EXPECT_EQ(Generate(), std::string(kError) + "more than 1 domain found for pod group: r1, r2");
}

}  // namespace
}  // namespace stowage
