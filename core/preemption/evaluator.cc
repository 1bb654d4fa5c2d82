#include "core/preemption/evaluator.h"

#include <algorithm>
#include <utility>

#include "core/api/pod_helpers.h"
#include "core/base/check.h"
#include "core/base/format.h"
#include "core/preemption/pick_node.h"
#include "core/preemption/select_victims.h"

namespace stowage {
namespace {

// The snapshot rows on which removing pods may help.
class PotentialRows {
 public:
  explicit PotentialRows(const NodeToStatus& statuses) : num_rows_(statuses.rows()) {
    std::vector<bool> may_help{MayHelp(statuses.absent_status())};  // by id
    are_all_ = may_help[0] || statuses.own_count() == num_rows_;
    for (size_t index = 0; index < statuses.distinct().size(); ++index) {
      may_help.push_back(MayHelp(statuses.distinct()[index]));
      if (!may_help.back() && statuses.CountOf(index) > 0) are_all_ = false;
    }
    for (size_t row = 0; row < num_rows_ && !are_all_; ++row) {
      if (may_help[statuses.id(row)]) rows_.push_back(row);
    }
  }

  bool empty() const { return size() == 0; }
  size_t size() const { return are_all_ ? num_rows_ : rows_.size(); }
  size_t operator[](size_t index) const { return are_all_ ? index : rows_[index]; }

 private:
  static bool MayHelp(const Status& status) { return status.code() == Code::kUnschedulable; }

  size_t num_rows_;
  bool are_all_;
  std::vector<size_t> rows_;  // unused if removal may help on all rows
};

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
  std::vector<DryRunRef> results;
  // The nodes to rank, as indexes of `results`: first those without budget violations, then the
  // others.
  std::vector<size_t> candidates;
  NodeToStatus refusals;  // of the nodes that are no candidates
  std::vector<std::string> errors;
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
  outcome.report.dry_runs = std::move(runs.results);
  if (runs.candidates.empty()) {
    outcome.status = NoCandidateStatus(runs);
    if (runs.errors.empty()) outcome.result.nominated_node_name = Symbol();
    co_return outcome;
  }
  Candidates candidates;
  for (size_t index : runs.candidates) {
    candidates.victims.push_back(&outcome.report.dry_runs[index]->victims);
  }
  if (!handle_.extenders().empty()) {
    outcome.status = co_await CallExtenders(*current, &candidates);
    if (!outcome.status.IsSuccess()) co_return outcome;
  }
  if (candidates.victims.empty()) {
    outcome.status = Status::Unschedulable("no candidate node for preemption");
    co_return outcome;
  }
  Select(*current, candidates.victims, &outcome);
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

void Evaluator::Select(const Pod& pod, const std::vector<const PreemptionVictims*>& candidates,
                       PreemptionOutcome* outcome) const {
  bool is_evaluation = handle_.background() == nullptr;
  std::vector<const PreemptionVictims*> best = BestCandidates(
      candidates, handle_.now(), is_evaluation ? &outcome->report.pick_notes : nullptr);
  for (const PreemptionVictims* victims : best) {
    outcome->report.admissible_nodes.push_back(victims->node);
  }
  outcome->report.selected = *best.front();
  outcome->report.cleared_nominations = NominationsToClear(pod, *best.front());
  outcome->result.nominated_node_name = best.front()->node;
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

Evaluator::DryRuns Evaluator::DryRunPreemption(const CycleState& state, const Pod& pod,
                                               const Pod& current,
                                               const NodeToStatus& statuses) const {
  NodeList nodes = handle_.snapshot().nodes();
  CHECK(statuses.rows() == nodes.size());
  DryRuns runs;
  PotentialRows potential(statuses);
  if (potential.empty()) {
    runs.refusals = NodeToStatus(nodes.size());
    return runs;
  }
  DisruptionBudgets budgets(handle_.listers().PodDisruptionBudgets());
  Preemptor preemptor{handle_, state, current, budgets};
  // An evaluation may concern another version of the pod.
  CachedDryRuns* cached = &pod == &current ? dry_runs_.Find(handle_, state, pod) : nullptr;
  HopelessDryRuns& hopeless = dry_runs_.Hopeless(handle_.snapshot().table());
  size_t want = NumCandidates(potential.size());
  size_t start = handle_.RandomBelow(potential.size());
  std::vector<size_t> clean;
  std::vector<size_t> violating;
  for (size_t tried = 0; tried < potential.size(); ++tried) {
    if (handle_.steps().is_exhausted()) break;
    size_t at = start + tried;
    size_t row = potential[at < potential.size() ? at : at - potential.size()];
    DryRunRef found = hopeless.Find(preemptor, *nodes[row]);
    if (found == nullptr) {
      found = cached != nullptr ? cached->Run(preemptor, *nodes[row])
                                : MakeDryRun(preemptor, *nodes[row]);
    }
    const DryRunResult& run = *runs.results.emplace_back(std::move(found));
    if (!run.status.IsSuccess()) {
      if (run.status.code() == Code::kError) runs.errors.push_back(run.status.Message());
      continue;
    }
    std::vector<size_t>& list = run.victims.num_pdb_violations == 0 ? clean : violating;
    if (list.size() < want) list.push_back(runs.results.size() - 1);
    if (!clean.empty() && clean.size() + violating.size() >= want) break;
  }
  runs.candidates = std::move(clean);
  runs.candidates.insert(runs.candidates.end(), violating.begin(), violating.end());
  if (!runs.candidates.empty()) return runs;
  runs.refusals = NodeToStatus(nodes.size());
  for (size_t tried = 0; tried < runs.results.size(); ++tried) {
    const Status& status = runs.results[tried]->status;
    if (!status.IsSuccess()) {
      runs.refusals.Set(potential[(start + tried) % potential.size()], status);
    }
  }
  return runs;
}

Status Evaluator::NoCandidateStatus(const DryRuns& runs) const {
  if (!runs.errors.empty()) return Status::Error(Aggregate(runs.errors));
  Diagnosis diagnosis;
  diagnosis.node_to_status = runs.refusals;
  diagnosis.node_to_status.set_absent_status(
      Status::UnschedulableAndUnresolvable("Preemption is not helpful for scheduling"));
  return Status::Unschedulable(FitErrorMessage(runs.refusals.rows(), diagnosis));
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
