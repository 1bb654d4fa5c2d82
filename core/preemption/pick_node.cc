#include "core/preemption/pick_node.h"

#include <algorithm>
#include <functional>
#include <string>

#include "core/api/pod_helpers.h"
#include "core/base/check.h"

namespace stowage {
namespace {

// Makes every summand of the priority sum at least 0, so that one more victim never makes a
// candidate look cheaper.
constexpr int64_t kPriorityOffset = int64_t{1} << 31;

// What the five rules compare.
struct Cost {
  int64_t num_pdb_violations = 0;
  int64_t highest_priority = 0;
  int64_t sum_of_priorities = 0;
  int64_t num_victims = 0;
  // Among the victims of highest priority, which lead the list.
  Instant earliest_start = {};
};

Cost CostOf(const PreemptionVictims& victims, Instant now) {
  const Pod& first = *victims.pods.front()->pod;
  Cost cost;
  cost.num_pdb_violations = victims.num_pdb_violations;
  cost.highest_priority = PodPriority(first);
  cost.num_victims = static_cast<int64_t>(victims.pods.size());
  cost.earliest_start = PodStartTime(first, now);
  for (const PodInfoRef& victim : victims.pods) {
    int64_t priority = PodPriority(*victim->pod);
    cost.sum_of_priorities += priority + kPriorityOffset;
    if (priority != cost.highest_priority) continue;
    cost.earliest_start = std::min(cost.earliest_start, PodStartTime(*victim->pod, now));
  }
  return cost;
}

std::string JsonOf(int64_t amount) { return std::to_string(amount); }
std::string JsonOf(Instant start) { return '"' + start.ToRfc3339() + '"'; }

// The candidates that are left, reduced by one rule after the other.
class Ranking {
 public:
  Ranking(const std::vector<const PreemptionVictims*>& candidates, Instant now,
          std::vector<PickCriterion>* criteria)
      : left_(candidates), criteria_(criteria) {
    for (const PreemptionVictims* candidate : candidates) {
      CHECK(!candidate->pods.empty());
      costs_.push_back(CostOf(*candidate, now));
    }
    left_costs_ = costs_;
  }

  // Keeps those with the first amount in the order of `is_better`.
  template <typename Amount, typename IsBetter>
  void KeepBest(std::string_view name, Amount Cost::*amount, IsBetter is_better) {
    if (left_.size() == 1) return;
    Amount best = left_costs_.front().*amount;
    for (const Cost& cost : left_costs_) best = is_better(cost.*amount, best) ? cost.*amount : best;
    size_t kept = 0;
    for (size_t index = 0; index < left_.size(); ++index) {
      if (left_costs_[index].*amount != best) continue;
      left_[kept] = left_[index];
      left_costs_[kept++] = left_costs_[index];
    }
    left_.resize(kept);
    left_costs_.resize(kept);
    if (criteria_ == nullptr) return;
    PickCriterion& criterion = Note(name);
    for (const Cost& cost : costs_) criterion.amounts.push_back(JsonOf(cost.*amount));
    for (const PreemptionVictims* one : left_) criterion.left.push_back(one->node);
  }
  void NoteTie() {
    if (criteria_ != nullptr && left_.size() > 1) {
      Note("the first that was met").left.push_back(left_.front()->node);
    }
  }
  const std::vector<const PreemptionVictims*>& left() const { return left_; }

 private:
  PickCriterion& Note(std::string_view name) {
    return criteria_->emplace_back(PickCriterion{name, {}, {}});
  }

  std::vector<const PreemptionVictims*> left_;
  std::vector<Cost> left_costs_;  // parallel to it
  std::vector<Cost> costs_;       // of all candidates
  std::vector<PickCriterion>* criteria_;
};

}  // namespace

std::vector<const PreemptionVictims*> BestCandidates(
    std::vector<const PreemptionVictims*> candidates, Instant now,
    std::vector<PickCriterion>* criteria) {
  CHECK(!candidates.empty());
  Ranking ranking(candidates, now, criteria);
  ranking.KeepBest("fewest PDB violations", &Cost::num_pdb_violations, std::less<>());
  ranking.KeepBest("lowest priority of the most important victim", &Cost::highest_priority,
                   std::less<>());
  ranking.KeepBest("lowest sum of priorities, 2³¹ added to each", &Cost::sum_of_priorities,
                   std::less<>());
  ranking.KeepBest("fewest victims", &Cost::num_victims, std::less<>());
  ranking.KeepBest("latest start of the most important victims", &Cost::earliest_start,
                   std::greater<>());
  ranking.NoteTie();
  return ranking.left();
}

}  // namespace stowage
