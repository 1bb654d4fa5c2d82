// One seed of the simulation: a changing cluster whose every pod is decided in several ways that
// must agree.
//
//  - the chunk form of every plugin says what its per-node form says;
//  - incremental counts are what a recount finds, and decisions made with them are those of an
//    index that starts anew for every pod;
//  - remembered verdicts decide as the plain form does;
//  - with 100 % every node that passes the filters is found, and with less the first of these;
//    where all are wanted anyway, nothing else changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/plugin_forms.h"

namespace stowage {

// What a simulation came across; a check that never had anything to check is none.
struct SimulationTally {
  size_t decisions = 0;
  size_t scheduled = 0;
  size_t preempted = 0;
  size_t retried = 0;    // preemptors with a nomination
  size_t cached = 0;     // decisions for which verdicts were at hand
  size_t hinted = 0;     // by OpportunisticBatching
  size_t counted = 0;    // pods that selectors matched
  size_t sampled = 0;    // searches that ended before the last node
  size_t exhausted = 0;  // sampled searches that found all that 100 % finds, with a choice
  FormsTally forms;
};

struct SimulationFailure {
  uint64_t seed = 0;
  size_t step = 0;
  std::string what;
};

// Nothing when all agreed. More steps of a seed begin with the same ones.
std::optional<SimulationFailure> Simulate(uint64_t seed, size_t steps, SimulationTally* tally);

}  // namespace stowage
