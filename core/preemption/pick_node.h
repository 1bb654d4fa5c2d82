// The choice among the nodes on which preemption would help (spec 06 §7).
// Counterpart: pkg/scheduler/framework/preemption (pickOneNodeForPreemption), v1.36.
#pragma once

#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/framework/handle.h"

namespace stowage {

// A node on which preemption would help.
struct PreemptionCandidate {
  const PreemptionVictims* victims;
  const PreemptionCost* cost;
};

// Meets candidates, and keeps those to rank: first those without budget violations, then the
// others.
class CandidateSearch {
 public:
  // It has enough with `want` candidates, one of them without budget violations; of either kind it
  // keeps that many. Unless `keeps_all`, it keeps only the first that is best.
  CandidateSearch(size_t want, bool keeps_all, Instant now)
      : want_(want), keeps_all_(keeps_all), now_(now) {}

  bool HasEnough() const { return num_clean_ > 0 && num_clean_ + num_violating_ >= want_; }
  void Add(const PreemptionCandidate& candidate);
  // Whether candidates of this cost only count, because an earlier one of the same cost is the best
  // so far.
  bool OnlyCounts(const PreemptionCost& cost) const {
    return !keeps_all_ && num_clean_ > 0 && *clean_.front().cost == cost;
  }
  void Count(size_t count) { num_clean_ += count; }

  std::vector<PreemptionCandidate> Take();

 private:
  size_t want_;
  bool keeps_all_;
  Instant now_;
  size_t num_clean_ = 0;
  size_t num_violating_ = 0;
  std::vector<PreemptionCandidate> clean_;
  std::vector<PreemptionCandidate> violating_;
};

// The cost of at least one victim.
PreemptionCost CostOf(const PreemptionVictims& victims);

// The candidates that tie under all five rules, in the order given; the first is the choice. Rules:
// fewest budget violations, lowest priority of the first victim, smallest sum of priorities, fewest
// victims, latest earliest start among the victims of highest priority. Every candidate has
// victims.
//
// `notes`, unless null, receives JSON that explains the choice: {"nodes", "criteria"}, the
// candidates and the rules up to the one that decides. A rule is {"criterion", "amounts", "left"}:
// its amount for each node, and the nodes that are best by it. A final tie is a rule without
// amounts.
std::vector<PreemptionCandidate> BestCandidates(std::vector<PreemptionCandidate> candidates,
                                                Instant now, std::string* notes = nullptr);

}  // namespace stowage
