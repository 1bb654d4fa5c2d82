// The operands of NodeResourcesBalancedAllocation's score: the share of each resource, and both
// balances.
#include <vector>

#include "core/framework/score_notes.h"
#include "core/plugins/node_resources_balanced_allocation.h"

namespace stowage {

// A pod that requests none of the resources is not scored.
int64_t NodeResourcesBalancedAllocation::NoteScore(const NotedScore& scored,
                                                   ScoreNotes* notes) const {
  const auto* stored = scored.state.Read<PreScoreState>();
  ResourceRequests requests = RequestsOf(scored.pod);
  std::vector<Symbol> names;
  std::vector<ResourceUse> uses = allocation_.UsesOn(
      scored.node(), requests, stored != nullptr ? PointerTo(stored->devices) : nullptr, &names);
  for (size_t index = 0; index < uses.size(); ++index) {
    const ResourceUse& use = uses[index];
    notes->AddOperand(
        "{}: {} + {} of {} is {}, without the pod {}",
        {names[index].view(), use.allocated, use.requested - use.allocated, use.allocatable,
         DecimalText(use.Fraction(use.requested)), DecimalText(use.Fraction(use.allocated))});
  }
  Balances balances = BalancesOf(uses);
  int64_t score = ScoreOf(balances);
  constexpr int64_t kHalf = kMaxNodeScore / 2;
  if (!features_.behaviour.balanced_allocation_scores_change) {
    notes->AddResult("balance, (1 − standard deviation) × {} = {}", {kMaxNodeScore, score});
    return score;
  }
  notes->AddResult("balance, (1 − standard deviation) × {}: with the pod {}, without it {}",
                   {kMaxNodeScore, balances.with_pod, balances.without_pod});
  notes->AddResult("{} + ({} + {} − {}) / 2 = {}",
                   {kHalf, kHalf, balances.with_pod, balances.without_pod, score});
  return score;
}

}  // namespace stowage
