#include "core/plugins/pod_group_pods_count.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Stage = PodGroupState::Stage;

// Goal: assigned, assumed and proposed pods count.
TEST(PodGroupPodsCount, CountsScheduledAndProposedPods) {
  PluginRunner<PodGroupPodsCount> runner;
  PodGroupStates& groups = runner.handle().fake_pod_groups();
  groups.set_is_enabled(true);
  const ObjectKey key{Symbol("default"), Symbol("gang")};
  Placement placement;
  PodGroupAssignments assignments{placement, {}};
  EXPECT_EQ(runner.plugin().ScorePlacement(key, assignments), 0);
  for (Stage stage : {Stage::kAssigned, Stage::kAssumed, Stage::kUnscheduled}) {
    Pod pod = MakePod().Uid(std::to_string(static_cast<int>(stage)));
    pod.spec.scheduling_group.emplace().pod_group_name = key.name;
    groups.Put(std::make_shared<const Pod>(std::move(pod)), stage);
  }
  EXPECT_EQ(runner.plugin().ScorePlacement(key, assignments), 2);
  assignments.pods = {nullptr, nullptr, nullptr};
  EXPECT_EQ(runner.plugin().ScorePlacement(key, assignments), 5);
}

TEST(PodGroupPodsCount, NormalizesByTheHighestCount) {
  struct {
    std::vector<int64_t> scores;
    std::vector<int64_t> want;
  } cases[] = {
      {{1, 2, 4}, {25, 50, 100}},   {{3, 3}, {100, 100}},      {{7}, {100}},
      {{99, 100, 1}, {99, 100, 1}}, {{2, 3, 0}, {66, 100, 0}},
  };
  PluginRunner<PodGroupPodsCount> runner;
  for (auto& c : cases) {
    EXPECT_TRUE(runner.plugin().NormalizePlacementScores(c.scores).IsSuccess());
    EXPECT_EQ(c.scores, c.want);
  }
  std::vector<int64_t> none{0, 0};
  Status status = runner.plugin().NormalizePlacementScores(none);
  EXPECT_EQ(status.code(), Code::kError);
  EXPECT_EQ(status.Message(),
            "no pods from pod group are assigned to any of the candidate placements");
}

}  // namespace
}  // namespace stowage
