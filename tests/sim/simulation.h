// One seed of the simulation: a changing cluster in which every pod is decided in several ways that
// must agree.
//
//  - the chunk form of every plugin equals its per-node form;
//  - incremental counts equal a recount, and decisions with them equal those of an index that
//    starts anew for every pod;
//  - decisions with remembered verdicts equal those of the plain form;
//  - with 100 % every node that passes the filters is found, and with less the first of these; if
//    all are wanted anyway, nothing else changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/plugin_forms.h"

namespace stowage {

// The number of cases of each kind; tests check that there were some.
struct SimulationTally {
  size_t decisions = 0;
  size_t scheduled = 0;
  size_t preempted = 0;
  size_t retried = 0;    // preemptors with a nomination
  size_t cached = 0;     // decisions for which verdicts were cached
  size_t hinted = 0;     // by OpportunisticBatching
  size_t counted = 0;    // pods that selectors matched
  size_t sampled = 0;    // searches that ended before the last node
  size_t exhausted = 0;  // samples that contain all that 100 % finds, with a choice
  FormsTally forms;
};

struct SimulationFailure {
  uint64_t seed = 0;
  size_t step = 0;
  std::string what;
};

// Returns nothing if all agreed. A longer run of a seed begins with the same steps.
std::optional<SimulationFailure> Simulate(uint64_t seed, size_t steps, SimulationTally* tally);

}  // namespace stowage
