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
  int64_t num_pdb_violations;
  int64_t highest_priority;
  int64_t sum_of_priorities;
  size_t num_victims;
  // Among the victims of highest priority, which lead the list.
  Instant earliest_start;

  friend bool operator==(const Cost&, const Cost&) = default;
  friend bool operator<(const Cost& a, const Cost& b) {
    return a.Tie() != b.Tie() ? a.Tie() < b.Tie() : b.earliest_start < a.earliest_start;
  }

 private:
  std::tuple<int64_t, int64_t, int64_t, size_t> Tie() const {
    return {num_pdb_violations, highest_priority, sum_of_priorities, num_victims};
  }
};

Cost CostOf(const PreemptionVictims& victims, Instant now) {
  const Pod& first = *victims.pods.front()->pod;
  Cost cost{victims.num_pdb_violations, PodPriority(first), 0, victims.pods.size(),
            PodStartTime(first, now)};
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
