// The choice among the nodes on which preemption would help (spec 06 §7).
// Counterpart: pkg/scheduler/framework/preemption (pickOneNodeForPreemption), v1.36.
#pragma once

#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/framework/handle.h"

namespace stowage {

// A node on which preemption would help.
struct PreemptionCandidate {
  const PreemptionVictims* victims;
  const PreemptionCost* cost;
};

// The cost of at least one victim.
PreemptionCost CostOf(const PreemptionVictims& victims);

// The candidates that tie under all five rules, in the order given; the first is the choice. Rules:
// fewest budget violations, lowest priority of the first victim, smallest sum of priorities, fewest
// victims, latest earliest start among the victims of highest priority. Every candidate has
// victims.
//
// `notes`, unless null, receives JSON that explains the choice: {"nodes", "criteria"}, the
// candidates and the rules up to the one that decides. A rule is {"criterion", "amounts", "left"}:
// its amount for each node, and the nodes that are best by it. A final tie is a rule without
// amounts.
std::vector<PreemptionCandidate> BestCandidates(std::vector<PreemptionCandidate> candidates,
                                                Instant now, std::string* notes = nullptr);

}  // namespace stowage
