// PodDisruptionBudgets as preemption respects them (spec 06 §4, 01 §8.4).
// Counterpart: defaultpreemption (filterPodsWithPDBViolation), v1.36.
#pragma once

#include <span>
#include <vector>

#include "core/api/selector.h"
#include "core/api/workloads.h"
#include "core/table/pod_info.h"

namespace stowage {

// Pods whose eviction would break a budget, and the others; both in the order in which they came.
struct PodsByViolation {
  std::vector<PodInfoRef> violating;
  std::vector<PodInfoRef> rest;
};

// The budgets of one preemption, with their selectors compiled. A budget whose selector is absent,
// empty or invalid protects nobody.
class DisruptionBudgets {
 public:
  explicit DisruptionBudgets(const std::vector<PodDisruptionBudgetRef>& budgets);

  size_t size() const { return budgets_.size(); }

  // Takes one disruption from every budget that a pod falls under, pod by pod; a pod that finds one
  // of them used up violates. Every call starts from the full budgets.
  PodsByViolation Split(std::span<const PodInfoRef> pods) const;

 private:
  struct Budget {
    PodDisruptionBudgetRef object;
    Selector selector;
  };

  static bool Protects(const Budget& budget, const Pod& pod);

  std::vector<Budget> budgets_;
};

}  // namespace stowage
