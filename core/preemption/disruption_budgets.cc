#include "core/preemption/disruption_budgets.h"

#include <algorithm>

namespace stowage {

DisruptionBudgets::DisruptionBudgets(const std::vector<PodDisruptionBudgetRef>& budgets) {
  for (const PodDisruptionBudgetRef& budget : budgets) {
    auto selector = Selector::Make(budget->spec.selector);
    if (!selector.ok() || selector->Empty() || selector->MatchesNothing()) continue;
    budgets_.push_back({budget, selector.Take()});
  }
}

bool DisruptionBudgets::Protects(const Budget& budget, const Pod& pod) {
  const PodDisruptionBudget& object = *budget.object;
  if (object.metadata.namespace_ != pod.metadata.namespace_) return false;
  // A pod without labels matches no budget, not even one whose selector requires absent labels.
  if (pod.metadata.labels.empty() || !budget.selector.Matches(pod.metadata.labels)) return false;
  // The API server has already counted these pods.
  const std::vector<Symbol>& disrupted = object.status.disrupted_pods;
  return std::find(disrupted.begin(), disrupted.end(), pod.metadata.name) == disrupted.end();
}

DisruptionBudgets::Allowed DisruptionBudgets::AllowedByBudget() const {
  Allowed allowed;
  for (const Budget& budget : budgets_) {
    allowed.push_back(budget.object->status.disruptions_allowed);
  }
  return allowed;
}

bool DisruptionBudgets::Violates(const Pod& pod, Allowed* allowed) const {
  bool violates = false;
  for (size_t index = 0; index < budgets_.size(); ++index) {
    if (!Protects(budgets_[index], pod)) continue;
    if (--(*allowed)[index] < 0) violates = true;
  }
  return violates;
}

PodsByViolation DisruptionBudgets::Split(std::span<const PodInfoRef> pods) const {
  Allowed allowed = AllowedByBudget();
  PodsByViolation split;
  for (const PodInfoRef& pod : pods) {
    (Violates(*pod->pod, &allowed) ? split.violating : split.rest).push_back(pod);
  }
  return split;
}

void DisruptionBudgets::MarkViolating(std::vector<PreemptionUnit>* units) const {
  Allowed allowed = AllowedByBudget();
  for (PreemptionUnit& unit : *units) {
    for (const PodInfoRef& pod : unit.pods) {
      if (Violates(*pod->pod, &allowed)) unit.violates = true;
    }
  }
}

}  // namespace stowage
