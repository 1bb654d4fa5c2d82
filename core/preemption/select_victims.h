// The dry run of a preemption on one node (spec 06 §4).
// Counterpart: defaultpreemption (SelectVictimsOnNode), v1.36.
#pragma once

#include <memory>

#include "core/framework/cycle_state.h"
#include "core/framework/handle.h"
#include "core/preemption/disruption_budgets.h"

namespace stowage {

// What all dry runs of one preemption share. Nothing of it is changed by them.
struct Preemptor {
  const Handle& handle;
  const CycleState& state;
  const Pod& pod;
  const DisruptionBudgets& budgets;
};

// Removes every pod of lower priority from a copy of `node` and gives back, most important first
// and those that would break a budget before the others, all that the preemptor can stay beside.
// What remains are the victims. Statuses: Success with at least one victim;
// UnschedulableAndUnresolvable when there is nobody to remove; the filters' verdict when even the
// empty node does not fit; Error when a plugin failed or no victim was needed.
DryRunResult SelectVictimsOnNode(const Preemptor& preemptor, const NodeInfo& node);

inline DryRunRef MakeDryRun(const Preemptor& preemptor, const NodeInfo& node) {
  return std::make_shared<const DryRunResult>(SelectVictimsOnNode(preemptor, node));
}

}  // namespace stowage
