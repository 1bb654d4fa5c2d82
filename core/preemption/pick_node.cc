#include "core/preemption/pick_node.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/api/encode/json_writer.h"
#include "core/api/pod_helpers.h"
#include "core/base/check.h"

namespace stowage {
namespace {

// Makes every term of the priority sum at least 0, so that an additional victim never makes a
// candidate look cheaper.
constexpr int64_t kPriorityOffset = int64_t{1} << 31;

// The rules in order. For the first four the lowest amount is best, for the last the latest time.
constexpr size_t kNumAmounts = 4;
constexpr std::array<std::string_view, kNumAmounts + 1> kRules = {
    "fewest PDB violations", "lowest priority of the most important victim",
    "lowest sum of priorities, 2³¹ added to each", "fewest victims",
    "latest start of the most important victims"};

bool IsBetter(const PreemptionCost& a, const PreemptionCost& b, size_t rule, Instant now) {
  return rule < kNumAmounts ? a.amounts[rule] < b.amounts[rule]
                            : b.EarliestStart(now) < a.EarliestStart(now);
}

// By the first rule under which they do not tie.
bool IsBetter(const PreemptionCost& a, const PreemptionCost& b, Instant now) {
  if (a.amounts != b.amounts) return a.amounts < b.amounts;
  return IsBetter(a, b, kNumAmounts, now);
}

void WriteNames(std::string_view key, const std::vector<PreemptionCandidate>& candidates,
                JsonWriter* json) {
  json->Key(key).BeginArray();
  for (const PreemptionCandidate& one : candidates) json->String(one.victims->node.view());
  json->EndArray();
}

// `rule` is one past the last if the remaining candidates tie.
void WriteRule(size_t rule, Instant now, const std::vector<PreemptionCandidate>& all,
               const std::vector<PreemptionCandidate>& left, JsonWriter* json) {
  json->BeginObject();
  json->StringMember("criterion", rule < kRules.size() ? kRules[rule] : "the first that was met");
  json->Key("amounts").BeginArray();
  for (const PreemptionCandidate& one : all) {
    if (rule < kNumAmounts) json->Int(one.cost->amounts[rule]);
    if (rule == kNumAmounts) json->String(one.cost->EarliestStart(now).ToRfc3339());
  }
  json->EndArray();
  WriteNames("left", left, json);
  json->EndObject();
}

// Keeps the candidates that are best by the rule.
void KeepBest(size_t rule, Instant now, std::vector<PreemptionCandidate>* left) {
  const PreemptionCost* best = left->front().cost;
  for (const PreemptionCandidate& one : *left) {
    if (IsBetter(*one.cost, *best, rule, now)) best = one.cost;
  }
  std::erase_if(
      *left, [&](const PreemptionCandidate& one) { return IsBetter(*best, *one.cost, rule, now); });
}

// Keeps the candidates that are best by all rules.
void KeepBest(Instant now, std::vector<PreemptionCandidate>* left) {
  size_t kept = 0;
  for (const PreemptionCandidate& one : *left) {
    const PreemptionCost& best = *left->front().cost;
    if (kept > 0 && IsBetter(best, *one.cost, now)) continue;
    if (IsBetter(*one.cost, best, now)) kept = 0;
    (*left)[kept++] = one;
  }
  left->resize(kept);
}

// The same, rule by rule.
void KeepBest(Instant now, std::vector<PreemptionCandidate>* left, std::string* notes) {
  const std::vector<PreemptionCandidate> all = *left;
  JsonWriter json(notes);
  json.BeginObject();
  WriteNames("nodes", all, &json);
  json.Key("criteria").BeginArray();
  for (size_t rule = 0; rule < kRules.size() && left->size() > 1; ++rule) {
    KeepBest(rule, now, left);
    WriteRule(rule, now, all, *left, &json);
  }
  if (left->size() > 1) WriteRule(kRules.size(), now, all, {left->front()}, &json);
  json.EndArray().EndObject();
}

}  // namespace

PreemptionCost CostOf(const PreemptionVictims& victims) {
  CHECK(!victims.pods.empty());
  int64_t highest_priority = PodPriority(*victims.pods.front()->pod);
  PreemptionCost cost;
  cost.amounts = {victims.num_pdb_violations, highest_priority, 0,
                  static_cast<int64_t>(victims.pods.size())};
  for (const PodInfoRef& victim : victims.pods) {
    int64_t priority = PodPriority(*victim->pod);
    cost.amounts[2] += priority + kPriorityOffset;
    if (priority != highest_priority) continue;
    const std::optional<Instant>& start = victim->pod->status.start_time;
    if (!start) {
      cost.has_waiting = true;
    } else if (!cost.earliest_start || *start < *cost.earliest_start) {
      cost.earliest_start = start;
    }
  }
  return cost;
}

void CandidateSearch::Add(const PreemptionCandidate& candidate) {
  bool is_clean = candidate.victims->num_pdb_violations == 0;
  size_t& count = is_clean ? num_clean_ : num_violating_;
  if (count == want_) return;
  ++count;
  std::vector<PreemptionCandidate>& kept = is_clean ? clean_ : violating_;
  if (keeps_all_ || kept.empty()) {
    kept.push_back(candidate);
  } else if (IsBetter(*candidate.cost, *kept.front().cost, now_)) {
    kept.front() = candidate;
  }
}

std::vector<PreemptionCandidate> CandidateSearch::Take() {
  clean_.insert(clean_.end(), violating_.begin(), violating_.end());
  return std::move(clean_);
}

std::vector<PreemptionCandidate> BestCandidates(std::vector<PreemptionCandidate> candidates,
                                                Instant now, std::string* notes) {
  CHECK(!candidates.empty());
  if (notes != nullptr) {
    KeepBest(now, &candidates, notes);
  } else {
    KeepBest(now, &candidates);
  }
  return candidates;
}

}  // namespace stowage
