// Goal: the assertions of `npm run sim` hold for the first seeds, and every kind of comparison
// occurs.
#include "tests/sim/simulation.h"

#include <gtest/gtest.h>

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 200;
constexpr size_t kSteps = 20;

TEST(Simulation, AgreesWithItself) {
  SimulationTally tally;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    if (std::optional<SimulationFailure> failure = Simulate(seed, kSteps, &tally)) {
      FAIL() << "seed " << seed << ", step " << failure->step << ": " << failure->what
             << "\nagain: npm run sim -- --half cpp --seed " << seed;
    }
  }
  EXPECT_GT(tally.scheduled, tally.decisions / 3);
  EXPECT_GT(tally.decisions - tally.scheduled, tally.decisions / 5);
  EXPECT_GT(tally.preempted, kSeeds / 20);
  EXPECT_GT(tally.retried, kSeeds / 20);
  EXPECT_GT(tally.cached, tally.decisions / 5);
  EXPECT_GT(tally.hinted, kSeeds / 10);
  EXPECT_GT(tally.counted, tally.decisions / 3);
  EXPECT_GT(tally.sampled, kSeeds / 10);
  EXPECT_GT(tally.exhausted, tally.decisions / 10);
  for (const char* plugin :
       {"InterPodAffinity", "NodeAffinity", "NodeDeclaredFeatures", "NodeName", "NodePorts",
        "NodeResourcesFit", "NodeUnschedulable", "PodTopologySpread", "TaintToleration"}) {
    EXPECT_GT(tally.forms.refusals[plugin], 0u) << plugin;
  }
  for (const char* plugin :
       {"ImageLocality", "InterPodAffinity", "NodeAffinity", "NodeResourcesBalancedAllocation",
        "NodeResourcesFit", "PodTopologySpread", "TaintToleration"}) {
    EXPECT_GT(tally.forms.scores[plugin], 0u) << plugin;
  }
}

}  // namespace
}  // namespace stowage
