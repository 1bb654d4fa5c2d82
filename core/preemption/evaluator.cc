#include "core/preemption/evaluator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/api/pod_helpers.h"
#include "core/base/check.h"
#include "core/base/format.h"
#include "core/preemption/pick_node.h"
#include "core/preemption/select_victims.h"

namespace stowage {
namespace {

// The snapshot rows on which removing pods may help.
Bitset PotentialRows(const NodeToStatus& statuses) {
  auto may_help = [](const Status& status) { return status.code() == Code::kUnschedulable; };
  std::vector<uint8_t> by_id{may_help(statuses.absent_status())};
  bool are_all = by_id[0] || statuses.own_count() == statuses.rows();
  for (size_t index = 0; index < statuses.distinct().size(); ++index) {
    by_id.push_back(may_help(statuses.distinct()[index]));
    if (!by_id.back() && statuses.CountOf(index) > 0) are_all = false;
  }
  Bitset rows(statuses.rows());
  for (size_t row = 0; row < statuses.rows(); row += Bitset::kWordBits) {
    uint64_t word = 0;
    size_t count = std::min(statuses.rows() - row, Bitset::kWordBits);
    if (are_all) word = ~uint64_t{0} >> (Bitset::kWordBits - count);
    for (size_t offset = 0; offset < count && !are_all; ++offset) {
      word |= uint64_t{by_id[statuses.id(row + offset)]} << offset;
    }
    rows.SetWord(row / Bitset::kWordBits, word);
  }
  return rows;
}

// Counts the first of a word's rows together if they are known to cost as much as the best one so
// far. Returns the other rows.
uint64_t CountCommon(const CachedDryRuns& cached, size_t word, uint64_t rows,
                     CandidateSearch* search) {
  if (!search->OnlyCounts(cached.common_cost())) return rows;
  uint64_t others = rows & ~cached.Common(word);
  uint64_t before_others = (others & ~(others - 1)) - 1;
  search->Count(static_cast<size_t>(std::popcount(rows & before_others)));
  return rows & ~before_others;
}

// Joins errors into one text without duplicates: "a" or "[a, b]".
std::string Aggregate(const std::vector<std::string>& errors) {
  std::vector<std::string_view> distinct;
  for (const std::string& error : errors) {
    bool is_known = std::find(distinct.begin(), distinct.end(), error) != distinct.end();
    if (!is_known) distinct.push_back(error);
  }
  if (distinct.size() == 1) return std::string(distinct.front());
  return Format("[{}]", Join(distinct, ", "));
}

}  // namespace

struct Evaluator::DryRuns {
  std::vector<PreemptionCandidate> candidates;  // the nodes to rank, see CandidateSearch
  NodeToStatus refusals;                        // of all nodes if there are no candidates
  std::vector<std::string> errors;
  std::vector<DryRunRef> reported;
};

// The candidates to choose from: dry runs, or what extenders returned for them.
struct Evaluator::Candidates {
  std::vector<const PreemptionVictims*> victims;
  std::vector<PreemptionVictims> answered;
};

Task<PreemptionOutcome> Evaluator::Preempt(const CycleState& state, const Pod& pod,
                                           const NodeToStatus& statuses) const {
  PreemptionOutcome outcome;
  PodRef current = handle_.listers().GetPod(pod.metadata.namespace_, pod.metadata.name);
  if (current == nullptr) {
    outcome.status = Status::Error(Format("pod \"{}\" not found", pod.metadata.name.view()));
    co_return outcome;
  }
  if (std::optional<std::string> reason = WhyNotEligible(*current, statuses)) {
    outcome.status = Status::Unschedulable(*reason);
    co_return outcome;
  }
  DryRuns runs = DryRunPreemption(state, pod, *current, statuses);
  outcome.report.dry_runs = std::move(runs.reported);
  if (runs.candidates.empty()) {
    outcome.status = NoCandidateStatus(&runs);
    if (runs.errors.empty()) outcome.result.nominated_node_name = Symbol();
    co_return outcome;
  }
  if (handle_.extenders().empty()) {
    Select(*current, std::move(runs.candidates), &outcome);
    co_return outcome;
  }
  Candidates candidates;
  for (const PreemptionCandidate& one : runs.candidates) {
    candidates.answered.push_back(*one.victims);
  }
  for (const PreemptionVictims& one : candidates.answered) candidates.victims.push_back(&one);
  outcome.status = co_await CallExtenders(*current, &candidates);
  if (!outcome.status.IsSuccess()) co_return outcome;
  if (candidates.victims.empty()) {
    outcome.status = Status::Unschedulable("no candidate node for preemption");
    co_return outcome;
  }
  SelectAnswered(*current, candidates, &outcome);
  co_return outcome;
}

// Calls the extenders in order: each receives the candidates that the previous one left.
Task<Status> Evaluator::CallExtenders(const Pod& pod, Candidates* candidates) const {
  for (const std::unique_ptr<Extender>& extender : handle_.extenders()) {
    if (candidates->victims.empty()) break;
    if (!extender->SupportsPreemption() || !extender->IsInterested(pod)) continue;
    uint64_t id = handle_.calls().Send(extender->PreemptCall(pod, candidates->victims));
    Completion answer = co_await handle_.calls().Answer(id);
    auto answered = extender->Candidates(answer, handle_.snapshot());
    if (!answered.ok()) {
      if (extender->IsIgnorable()) continue;
      co_return answered.fault();
    }
    candidates->answered = answered.Take();
    candidates->victims.clear();
    for (const PreemptionVictims& victims : candidates->answered) {
      if (!victims.pods.empty()) {
        candidates->victims.push_back(&victims);
      } else if (!extender->IsIgnorable()) {
        co_return Status::Error(
            Format("expected at least one victim pod on node \"{}\"", victims.node.view()));
      }
    }
  }
  co_return Status::Success();
}

void Evaluator::SelectAnswered(const Pod& pod, const Candidates& candidates,
                               PreemptionOutcome* outcome) const {
  std::vector<PreemptionCost> costs;
  for (const PreemptionVictims* victims : candidates.victims) costs.push_back(CostOf(*victims));
  std::vector<PreemptionCandidate> rated;
  for (size_t at = 0; at < costs.size(); ++at)
    rated.push_back({candidates.victims[at], &costs[at]});
  Select(pod, std::move(rated), outcome);
}

void Evaluator::Select(const Pod& pod, std::vector<PreemptionCandidate> candidates,
                       PreemptionOutcome* outcome) const {
  std::vector<PreemptionCandidate> best = BestCandidates(
      std::move(candidates), handle_.now(), IsEvaluation() ? &outcome->report.pick_notes : nullptr);
  if (handle_.reports_dry_runs()) {
    for (const PreemptionCandidate& one : best) {
      outcome->report.admissible_nodes.push_back(one.victims->node);
    }
  }
  const PreemptionVictims& selected = *best.front().victims;
  outcome->report.selected = selected;
  outcome->report.cleared_nominations = NominationsToClear(pod, selected);
  outcome->result.nominated_node_name = selected.node;
}

std::optional<std::string> Evaluator::WhyNotEligible(const Pod& pod,
                                                     const NodeToStatus& statuses) const {
  if (pod.spec.preemption_policy == "Never") {
    return "not eligible due to preemptionPolicy=Never.";
  }
  if (pod.status.nominated_node_name.empty()) return std::nullopt;
  const NodeInfo* nominated = handle_.snapshot().Get(pod.status.nominated_node_name);
  if (nominated == nullptr) return std::nullopt;
  // Preemption cannot help on the nominated node any more, so the pod may look for another one.
  if (statuses.Get(nominated->row()).code() == Code::kUnschedulableAndUnresolvable) {
    return std::nullopt;
  }
  for (const PodInfoRef& running : nominated->pods()) {
    bool is_leaving_for_it =
        PodPriority(*running->pod) < PodPriority(pod) && IsTerminatingByPreemption(*running->pod);
    if (is_leaving_for_it) return "not eligible due to a terminating pod on the nominated node.";
  }
  return std::nullopt;
}

size_t Evaluator::NumCandidates(size_t num_nodes) const {
  size_t share = num_nodes * static_cast<size_t>(args_.min_candidate_nodes_percentage) / 100;
  size_t at_least = static_cast<size_t>(args_.min_candidate_nodes_absolute);
  return std::min(num_nodes, std::max(share, at_least));
}

// Tries the potential rows from a drawn one on, and those before it at the end. Rows that are known
// to cost as much as the best one so far are counted together.
Evaluator::DryRuns Evaluator::DryRunPreemption(const CycleState& state, const Pod& pod,
                                               const Pod& current,
                                               const NodeToStatus& statuses) const {
  NodeList nodes = handle_.snapshot().nodes();
  CHECK(statuses.rows() == nodes.size());
  DryRuns runs;
  Bitset potential = PotentialRows(statuses);
  size_t num_potential = potential.Count();
  runs.refusals = NodeToStatus(num_potential == 0 ? nodes.size() : 0);
  if (num_potential == 0) return runs;
  DisruptionBudgets budgets(handle_.listers().PodDisruptionBudgets());
  Preemptor preemptor{handle_, state, current, budgets};
  // An evaluation may concern another version of the pod.
  CachedDryRuns& cached = dry_runs_.Find(handle_, state, pod, &pod == &current);
  bool reports_all = handle_.reports_dry_runs();
  bool keeps_all = reports_all || !handle_.extenders().empty() || IsEvaluation();
  CandidateSearch search(NumCandidates(num_potential), keeps_all, handle_.now());
  size_t start = potential.Select(handle_.RandomBelow(num_potential));
  for (size_t step = 0; step <= potential.word_count() && !search.HasEnough(); ++step) {
    size_t word = (start / Bitset::kWordBits + step) % potential.word_count();
    uint64_t from_start = ~uint64_t{0} << (start % Bitset::kWordBits);
    uint64_t rows = potential.word(word) & (reports_all ? ~uint64_t{0} : cached.Promising(word));
    if (step == 0) rows &= from_start;
    if (step == potential.word_count()) rows &= ~from_start;
    for (; rows != 0 && !search.HasEnough(); rows &= rows - 1) {
      rows = CountCommon(cached, word, rows, &search);
      if (rows == 0 || search.HasEnough()) break;
      if (handle_.steps().is_exhausted()) return runs;
      size_t row = word * Bitset::kWordBits + static_cast<size_t>(std::countr_zero(rows));
      const DryRunRef& run = cached.Run(preemptor, *nodes[row]);
      if (reports_all) runs.reported.push_back(run);
      if (run->status.IsSuccess()) {
        search.Add({&run->victims, &run->cost});
      } else if (run->status.code() == Code::kError) {
        runs.errors.push_back(run->status.Message());
      }
    }
  }
  runs.candidates = search.Take();
  if (!runs.candidates.empty()) return runs;
  runs.refusals = NodeToStatus(nodes.size());
  potential.ForEach([&](size_t row) { runs.refusals.Set(row, cached.RefusalOf(row)); });
  return runs;
}

Status Evaluator::NoCandidateStatus(DryRuns* runs) const {
  if (!runs->errors.empty()) return Status::Error(Aggregate(runs->errors));
  Diagnosis diagnosis;
  diagnosis.node_to_status = std::move(runs->refusals);
  diagnosis.node_to_status.set_absent_status(
      Status::UnschedulableAndUnresolvable("Preemption is not helpful for scheduling"));
  return Status::Unschedulable(FitErrorMessage(diagnosis.node_to_status.rows(), diagnosis));
}

std::vector<PodInfoRef> Evaluator::NominationsToClear(const Pod& pod,
                                                      const PreemptionVictims& victims) const {
  bool has_live_victim =
      std::any_of(victims.pods.begin(), victims.pods.end(),
                  [](const PodInfoRef& victim) { return !IsTerminating(*victim->pod); });
  std::vector<PodInfoRef> cleared;
  // With asynchronous preemption, upstream does nothing if no victim is left to evict.
  if (features_.scheduler_async_preemption && features_.behaviour.spares_terminating_victims &&
      !has_live_victim) {
    return cleared;
  }
  for (const PodInfoRef& nominated : handle_.nominator().NominatedPodsForNode(victims.node)) {
    bool is_cleared = PodPriority(*nominated->pod) < PodPriority(pod) &&
                      !nominated->pod->status.nominated_node_name.empty();
    if (is_cleared) cleared.push_back(nominated);
  }
  return cleared;
}

}  // namespace stowage
