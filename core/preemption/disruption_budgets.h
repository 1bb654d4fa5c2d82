// How preemption respects PodDisruptionBudgets (spec 06 §4, 01 §8.4).
// Counterpart: defaultpreemption (filterPodsWithPDBViolation), v1.36.
#pragma once

#include <span>
#include <vector>

#include "core/api/selector.h"
#include "core/api/workloads.h"
#include "core/framework/interface.h"

namespace stowage {

// The pods whose eviction would violate a budget, and the others; both in the order given.
struct PodsByViolation {
  std::vector<PodInfoRef> violating;
  std::vector<PodInfoRef> rest;
};

// The budgets of one preemption, with compiled selectors. A budget whose selector is absent, empty
// or invalid protects no pod.
class DisruptionBudgets {
 public:
  explicit DisruptionBudgets(const std::vector<PodDisruptionBudgetRef>& budgets);

  size_t size() const { return budgets_.size(); }

  // For each pod in order, takes one disruption from every budget that selects it; a pod violates
  // if any of these budgets is used up. Every call starts with the full budgets.
  PodsByViolation Split(std::span<const PodInfoRef> pods) const;
  // The same for units, each of which violates if one of its pods does.
  void MarkViolating(std::vector<PreemptionUnit>* units) const;

 private:
  using Allowed = std::vector<int64_t>;  // disruptions left, by budget
  struct Budget {
    PodDisruptionBudgetRef object;
    Selector selector;
  };

  static bool Protects(const Budget& budget, const Pod& pod);
  Allowed AllowedByBudget() const;
  // Takes a disruption from every budget that protects the pod. Returns whether one was used up.
  bool Violates(const Pod& pod, Allowed* allowed) const;

  std::vector<Budget> budgets_;
};

}  // namespace stowage
