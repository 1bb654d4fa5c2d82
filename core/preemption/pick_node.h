// The choice among the nodes on which preemption would work (spec 06 §7).
// Counterpart: pkg/scheduler/framework/preemption (pickOneNodeForPreemption), v1.36.
#pragma once

#include <vector>

#include "core/base/instant.h"
#include "core/framework/handle.h"

namespace stowage {

// The candidates that tie under all five rules, in the order given; the first is the choice. Rules:
// fewest budget violations, lowest priority of the first victim, smallest sum of priorities, fewest
// victims, latest earliest start among the victims of highest priority. Every candidate has
// victims.
// `criteria`, unless null, gets those that were applied, up to the one that decided.
std::vector<const PreemptionVictims*> BestCandidates(
    std::vector<const PreemptionVictims*> candidates, Instant now,
    std::vector<PickCriterion>* criteria = nullptr);

}  // namespace stowage
