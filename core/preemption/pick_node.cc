#include "core/preemption/pick_node.h"

#include <algorithm>

#include "core/api/pod_helpers.h"
#include "core/base/check.h"

namespace stowage {
namespace {

using Candidates = std::vector<const PreemptionVictims*>;

// Makes every summand of the priority sum at least 0, so that one more victim never makes a
// candidate look cheaper.
constexpr int64_t kPriorityOffset = int64_t{1} << 31;

int64_t HighestPriority(const PreemptionVictims& victims) {
  return PodPriority(*victims.pods.front()->pod);
}

int64_t SumOfPriorities(const PreemptionVictims& victims) {
  int64_t sum = 0;
  for (const PodInfoRef& victim : victims.pods) sum += PodPriority(*victim->pod) + kPriorityOffset;
  return sum;
}

// Among the victims of highest priority, which lead the list.
Instant EarliestStartTime(const PreemptionVictims& victims, Instant now) {
  Instant earliest = PodStartTime(*victims.pods.front()->pod, now);
  for (const PodInfoRef& victim : victims.pods) {
    if (PodPriority(*victim->pod) != HighestPriority(victims)) continue;
    earliest = std::min(earliest, PodStartTime(*victim->pod, now));
  }
  return earliest;
}

template <typename CostOf>
void KeepLowest(const CostOf& cost_of, Candidates* candidates) {
  auto lowest = cost_of(*candidates->front());
  for (const PreemptionVictims* candidate : *candidates) {
    lowest = std::min(lowest, cost_of(*candidate));
  }
  std::erase_if(*candidates,
                [&](const PreemptionVictims* candidate) { return cost_of(*candidate) != lowest; });
}

}  // namespace

std::vector<const PreemptionVictims*> BestCandidates(Candidates candidates, Instant now) {
  CHECK(!candidates.empty());
  for (const PreemptionVictims* candidate : candidates) CHECK(!candidate->pods.empty());
  KeepLowest([](const PreemptionVictims& victims) { return victims.num_pdb_violations; },
             &candidates);
  KeepLowest(HighestPriority, &candidates);
  KeepLowest(SumOfPriorities, &candidates);
  KeepLowest([](const PreemptionVictims& victims) { return victims.pods.size(); }, &candidates);
  Instant latest = EarliestStartTime(*candidates.front(), now);
  for (const PreemptionVictims* candidate : candidates) {
    latest = std::max(latest, EarliestStartTime(*candidate, now));
  }
  std::erase_if(candidates, [&](const PreemptionVictims* candidate) {
    return EarliestStartTime(*candidate, now) != latest;
  });
  return candidates;
}

}  // namespace stowage
