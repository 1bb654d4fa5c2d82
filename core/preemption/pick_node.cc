#include "core/preemption/pick_node.h"

#include <algorithm>
#include <array>
#include <optional>
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

struct Cost {
  std::array<int64_t, kNumAmounts> amounts;
  // Among the victims of the highest priority, which come first in the list.
  Instant earliest_start;

  bool IsBetterThan(const Cost& other, size_t rule) const {
    return rule < kNumAmounts ? amounts[rule] < other.amounts[rule]
                              : other.earliest_start < earliest_start;
  }
};

Cost CostOf(const PreemptionVictims& victims, Instant now) {
  const Pod& first = *victims.pods.front()->pod;
  int64_t highest_priority = PodPriority(first);
  int64_t sum_of_priorities = 0;
  Instant earliest_start = PodStartTime(first, now);
  for (const PodInfoRef& victim : victims.pods) {
    int64_t priority = PodPriority(*victim->pod);
    sum_of_priorities += priority + kPriorityOffset;
    if (priority != highest_priority) continue;
    earliest_start = std::min(earliest_start, PodStartTime(*victim->pod, now));
  }
  return {{victims.num_pdb_violations, highest_priority, sum_of_priorities,
           static_cast<int64_t>(victims.pods.size())},
          earliest_start};
}

struct Candidate {
  const PreemptionVictims* victims;
  Cost cost;
};

void WriteNames(std::string_view key, const std::vector<Candidate>& candidates, JsonWriter* json) {
  json->Key(key).BeginArray();
  for (const Candidate& one : candidates) json->String(one.victims->node.view());
  json->EndArray();
}

// `rule` is one past the last if the remaining candidates tie.
void WriteRule(size_t rule, const std::vector<Candidate>& all, const std::vector<Candidate>& left,
               JsonWriter* json) {
  json->BeginObject();
  json->StringMember("criterion", rule < kRules.size() ? kRules[rule] : "the first that was met");
  json->Key("amounts").BeginArray();
  for (const Candidate& one : all) {
    if (rule < kNumAmounts) json->Int(one.cost.amounts[rule]);
    if (rule == kNumAmounts) json->String(one.cost.earliest_start.ToRfc3339());
  }
  json->EndArray();
  WriteNames("left", left, json);
  json->EndObject();
}

// Keeps the candidates that are best by the rule.
void KeepBest(size_t rule, std::vector<Candidate>* left) {
  Cost best = left->front().cost;
  for (const Candidate& one : *left) {
    if (one.cost.IsBetterThan(best, rule)) best = one.cost;
  }
  std::erase_if(*left, [&](const Candidate& one) { return best.IsBetterThan(one.cost, rule); });
}

}  // namespace

std::vector<const PreemptionVictims*> BestCandidates(
    std::vector<const PreemptionVictims*> candidates, Instant now, std::string* notes) {
  CHECK(!candidates.empty());
  std::vector<Candidate> all;
  for (const PreemptionVictims* candidate : candidates) {
    CHECK(!candidate->pods.empty());
    all.push_back({candidate, CostOf(*candidate, now)});
  }
  std::vector<Candidate> left = all;
  std::optional<JsonWriter> json;
  if (notes != nullptr) {
    json.emplace(notes).BeginObject();
    WriteNames("nodes", all, &*json);
    json->Key("criteria").BeginArray();
  }
  for (size_t rule = 0; rule < kRules.size() && left.size() > 1; ++rule) {
    KeepBest(rule, &left);
    if (json) WriteRule(rule, all, left, &*json);
  }
  if (json) {
    if (left.size() > 1) WriteRule(kRules.size(), all, {left.front()}, &*json);
    json->EndArray().EndObject();
  }
  candidates.clear();
  for (const Candidate& one : left) candidates.push_back(one.victims);
  return candidates;
}

}  // namespace stowage
