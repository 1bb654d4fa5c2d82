// The dry run of a preemption on one node (spec 06 §4).
// Counterpart: defaultpreemption (SelectVictimsOnNode), v1.36.
#pragma once

#include <memory>

#include "core/framework/cycle_state.h"
#include "core/framework/handle.h"
#include "core/preemption/disruption_budgets.h"

namespace stowage {

// The inputs shared by all dry runs of one preemption; dry runs do not change them.
struct Preemptor {
  const Handle& handle;
  const CycleState& state;
  const Pod& pod;
  const DisruptionBudgets& budgets;
};

// Removes every pod of lower priority from a copy of `node` and adds back all that fit beside the
// preemptor: first those whose eviction would violate a budget, and among each kind the most
// important first. The rest are the victims. Status: Success with at least one victim;
// UnschedulableAndUnresolvable if there is no pod to remove; the filters' status if the preemptor
// does not fit even without these pods; Error if a plugin failed or no victim was needed.
DryRunResult SelectVictimsOnNode(const Preemptor& preemptor, const NodeInfo& node);

// The status of a node without a pod of lower priority.
const Status& NoVictims();

inline DryRunRef MakeDryRun(const Preemptor& preemptor, const NodeInfo& node) {
  return std::make_shared<const DryRunResult>(SelectVictimsOnNode(preemptor, node));
}

}  // namespace stowage
