// Checks the effect of percentageOfNodesToScore against a walk over all nodes that does not sample.
#pragma once

#include <string>
#include <vector>

#include "tests/support/scheduling_fixture.h"

namespace stowage {

struct SamplingTally {
  size_t sampled = 0;    // searches that ended before the last node
  size_t exhausted = 0;  // samples that contain all that 100 % finds, with a choice
};

// Two cycles over the cluster of a fixture: one scores all nodes, the other a sample.
class SamplingCheck {
 public:
  // `percentage` 0: adaptive.
  SamplingCheck(int32_t percentage, SchedulingFixture* fixture)
      : fixture_(*fixture),
        percentage_(percentage),
        all_nodes_(fixture->MakeSamplingCycle(100)),
        sampling_(fixture->MakeSamplingCycle(percentage)),
        profile_(fixture->MakeProfile({VerdictCacheMode::kOff})) {}

  // Decides the pod in both ways, without consequences. Returns the first fault as text.
  std::string Check(const Pod& pod, SamplingTally* tally);

 private:
  ScheduleResult Decide(SchedulingCycle* cycle, const Pod& pod);
  std::vector<const NodeInfo*> WalkAllNodes(const Pod& pod, size_t start) const;
  size_t NumFeasibleNodesToFind(size_t num_nodes) const;

  SchedulingFixture& fixture_;
  int32_t percentage_;
  SchedulingCycle all_nodes_;
  SchedulingCycle sampling_;
  ProfileRuntime profile_;
};

}  // namespace stowage
