#include "core/api/pod_helpers.h"

#include <gtest/gtest.h>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr Instant kNow{1000, 0};

TEST(PodHelpers, PriorityDefaultsToZero) {
  EXPECT_EQ(PodPriority(MakePod()), 0);
  EXPECT_EQ(PodPriority(MakePod().Priority(-7)), -7);
  EXPECT_EQ(PodPriority(MakePod().Priority(2'000'001'000)), 2'000'001'000);
}

TEST(PodHelpers, DetectsANodeOrANomination) {
  EXPECT_FALSE(IsAssignedOrNominated(MakePod()));
  EXPECT_TRUE(IsAssignedOrNominated(MakePod().Node("n")));
  EXPECT_TRUE(IsAssignedOrNominated(MakePod().NominatedNodeName("n")));
}

TEST(PodHelpers, DetectsADeletionTimestamp) {
  EXPECT_FALSE(IsTerminating(MakePod()));
  EXPECT_TRUE(IsTerminating(MakePod().Terminating()));
}

TEST(PodHelpers, UsesNowForAPodThatHasNotStarted) {
  EXPECT_EQ(PodStartTime(MakePod(), kNow), kNow);
  EXPECT_EQ(PodStartTime(MakePod().StartTime(5), kNow), (Instant{5, 0}));
}

TEST(PodHelpers, OrdersPodsByImportance) {
  struct {
    std::string_view name;
    Pod a;
    Pod b;
    bool want;
  } cases[] = {
      {"higher priority", MakePod().Priority(2), MakePod().Priority(1), true},
      {"lower priority", MakePod().Priority(1), MakePod().Priority(2), false},
      {"priority before start", MakePod().Priority(2).StartTime(9),
       MakePod().Priority(1).StartTime(1), true},
      {"missing priority is 0", MakePod().Priority(-1), MakePod(), false},
      {"earlier start", MakePod().StartTime(1), MakePod().StartTime(2), true},
      {"later start", MakePod().StartTime(2), MakePod().StartTime(1), false},
      {"equal", MakePod().StartTime(1), MakePod().StartTime(1), false},
      {"started before one that has not", MakePod().StartTime(999), MakePod(), true},
      {"neither has started", MakePod(), MakePod(), false},
      {"not started before one from the future", MakePod(), MakePod().StartTime(1001), true},
  };
  for (const auto& c : cases) EXPECT_EQ(MoreImportantPod(c.a, c.b, kNow), c.want) << c.name;
}

TEST(PodHelpers, DetectsRestartableInitContainers) {
  Pod pod = MakePod().InitReq({}).SidecarReq({});
  EXPECT_FALSE(IsRestartableInitContainer(pod.spec.init_containers[0]));
  EXPECT_TRUE(IsRestartableInitContainer(pod.spec.init_containers[1]));
}

}  // namespace
}  // namespace stowage
