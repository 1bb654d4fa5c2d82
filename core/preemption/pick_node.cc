#include "core/preemption/pick_node.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "core/api/pod_helpers.h"
#include "core/base/check.h"

namespace stowage {
namespace {

// Makes every summand of the priority sum at least 0, so that one more victim never makes a
// candidate look cheaper.
constexpr int64_t kPriorityOffset = int64_t{1} << 31;

// The five rules in their order: what costs less wins.
struct Cost {
  int64_t num_pdb_violations = 0;
  int64_t highest_priority = 0;
  int64_t sum_of_priorities = 0;
  size_t num_victims = 0;
  // Among the victims of highest priority, which lead the list.
  Instant earliest_start = {};
};

bool operator<(const Cost& a, const Cost& b) {
  auto first_four = [](const Cost& cost) {
    return std::tie(cost.num_pdb_violations, cost.highest_priority, cost.sum_of_priorities,
                    cost.num_victims);
  };
  if (first_four(a) != first_four(b)) return first_four(a) < first_four(b);
  return b.earliest_start < a.earliest_start;
}

Cost CostOf(const PreemptionVictims& victims, Instant now) {
  const Pod& first = *victims.pods.front()->pod;
  Cost cost;
  cost.num_pdb_violations = victims.num_pdb_violations;
  cost.highest_priority = PodPriority(first);
  cost.num_victims = victims.pods.size();
  cost.earliest_start = PodStartTime(first, now);
  for (const PodInfoRef& victim : victims.pods) {
    int64_t priority = PodPriority(*victim->pod);
    cost.sum_of_priorities += priority + kPriorityOffset;
    if (priority != cost.highest_priority) continue;
    cost.earliest_start = std::min(cost.earliest_start, PodStartTime(*victim->pod, now));
  }
  return cost;
}

}  // namespace

std::vector<const PreemptionVictims*> BestCandidates(
    std::vector<const PreemptionVictims*> candidates, Instant now) {
  CHECK(!candidates.empty());
  std::vector<const PreemptionVictims*> best;
  std::optional<Cost> lowest;
  for (const PreemptionVictims* candidate : candidates) {
    CHECK(!candidate->pods.empty());
    Cost cost = CostOf(*candidate, now);
    if (lowest && *lowest < cost) continue;
    if (!lowest || cost < *lowest) best.clear();
    lowest = cost;
    best.push_back(candidate);
  }
  return best;
}

}  // namespace stowage
