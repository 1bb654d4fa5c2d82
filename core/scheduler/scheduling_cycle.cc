#include "core/scheduler/scheduling_cycle.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/plugins/default_preemption.h"

namespace stowage {
namespace {

constexpr size_t kMinFeasibleNodesToFind = 100;
constexpr int32_t kMinFeasibleNodesPercentage = 5;
constexpr std::string_view kNoNodesAvailable = "no nodes available to schedule pods";

// Records who refused, as FitError and the queue want to know it.
void AddPluginStatus(const Status& status, Diagnosis* diagnosis) {
  if (status.plugin().empty() || !status.IsRejected()) return;
  diagnosis->unschedulable_plugins.insert(status.plugin());
  if (status.code() == Code::kPending) diagnosis->pending_plugins.insert(status.plugin());
}

Status AbsentStatus(const std::set<Symbol>& plugins) {
  std::vector<std::string_view> names;
  for (const Symbol& plugin : plugins) names.push_back(plugin.view());
  return Status::UnschedulableAndUnresolvable(
      fmt::format("node(s) didn't satisfy plugin(s) [{}]", fmt::join(names, " ")));
}

}  // namespace

// What one search has found so far.
struct SchedulingCycle::Search {
  CycleState state;
  PreFilterOutcome pre_filter;
  Diagnosis diagnosis;
  std::vector<const NodeInfo*> feasible;  // plain form only
  std::optional<NodeScores> scores;
  const NodeInfo* host = nullptr;
  size_t evaluated_nodes = 0;
  size_t feasible_nodes = 0;

  // For OpportunisticBatching, where it takes part.
  std::optional<CycleStamp> stamp;
  std::optional<PodSignature> signature;
  Symbol hint;
  std::vector<ScoredNode> ranking;  // of a signed pod with a choice
};

ScheduleResult SchedulingCycle::Run(ProfileRuntime& profile, const Pod& pod,
                                    const CycleOptions& options) {
  Framework& framework = *profile.framework;
  ScheduleResult result;
  result.num_all_nodes = snapshot_.NumNodes();
  result.not_implemented = NotImplementedFor(framework, pod);
  if (snapshot_.NumNodes() == 0) {
    result.status = Status::UnschedulableAndUnresolvable(kNoNodesAvailable);
    result.message = kNoNodesAvailable;
    result.nominated_node_name = Symbol();
    return result;
  }
  Search search;
  if (options.stamp && IsBatching(framework)) {
    search.stamp = options.stamp;
    search.signature = framework.SignPod(pod);
  }
  bool is_decided = !options.has_detail && DecideFromCache(profile, pod, &search);
  Status fault = is_decided ? Status::Success() : DecidePlainly(profile, pod, &search);
  result.hint = search.hint;
  result.evaluated_nodes = search.evaluated_nodes;
  result.feasible_nodes = search.feasible_nodes;
  result.diagnosis = std::move(search.diagnosis);
  if (!fault.IsSuccess()) {
    result.status = fault;
    result.message = fault.Message();
    result.nominated_node_name = Symbol();
  } else if (search.host != nullptr) {
    result.host = search.host->name();
    StoreScheduleResults(profile, &search);
  } else {
    result.status = Status::WithReasons(Code::kUnschedulable, {});
    result.has_preemption_plugin = framework.HasPlugin(DefaultPreemption::kName);
    if (is_decided) search.pre_filter = framework.RunPreFilterPlugins(search.state, pod);
    if (options.has_post_filter) RunPostFilter(framework, pod, &search.state, &result);
    result.message = FitErrorMessage(result.num_all_nodes, result.diagnosis);
  }
  if (options.has_detail) {
    result.detail = CycleDetail{std::move(search.pre_filter), std::move(search.feasible),
                                std::move(search.scores), std::move(search.state)};
  }
  return result;
}

// Beside plugins: what extenders would have been asked, and the cycle of a pod group.
std::vector<Symbol> SchedulingCycle::NotImplementedFor(const Framework& framework,
                                                       const Pod& pod) const {
  std::vector<Symbol> names = framework.NotImplementedFor(pod);
  bool is_wanted =
      std::any_of(options_.extenders.begin(), options_.extenders.end(),
                  [&pod](const Extender& extender) { return IsInterested(extender, pod); });
  if (is_wanted) names.emplace_back("Extender");
  const Features& features = framework.features();
  bool has_group_cycles = features.generic_workload || features.workload_aware_preemption;
  if (pod.spec.scheduling_group && has_group_cycles) names.emplace_back("PodGroup");
  if (IsBatching(framework) && framework.IsSignatureMissing(pod)) {
    names.emplace_back("OpportunisticBatching");
  }
  return names;
}

// Gives false, and leaves `search` alone, when the pod has to be decided plainly.
bool SchedulingCycle::DecideFromCache(ProfileRuntime& profile, const Pod& pod, Search* search) {
  const Framework& framework = *profile.framework;
  if (profile.verdicts == nullptr || !pod.status.nominated_node_name.empty()) return false;
  if (framework.nominator().size() > 0 || !framework.has_score_plugins()) return false;
  const VerdictEntry* entry = profile.verdicts->Find(pod);
  if (entry == nullptr) return false;
  CachedDecision decision(framework, *entry, pod);
  if (!decision.Filter()) return false;
  if (search->stamp) {
    const NodeInfo* last = profile.batch.LastNode(search->signature, *search->stamp, snapshot_);
    // The node that is proposed now is tried alone, which the plain form does well.
    if (last != nullptr && !decision.feasible().Test(last->row())) return false;
  }
  size_t want = NumFeasibleNodesToFind(framework, snapshot_.NumNodes());
  size_t start = next_start_ % snapshot_.NumNodes();
  SearchWindow window = FindWindow(decision.feasible(), start, want);
  if (window.feasible == 0) {
    search->diagnosis.node_to_status = decision.Statuses(window);
    for (const Status& status : search->diagnosis.node_to_status.distinct()) {
      AddPluginStatus(status, &search->diagnosis);
    }
  } else if (window.feasible == 1) {
    search->host = &decision.OnlyFeasible(window);
  } else {
    Result<const NodeInfo*, Status> host =
        decision.SelectHost(window, TieBreaker(options_.tie_break, rng_),
                            search->signature ? &search->ranking : nullptr);
    if (!host.ok()) return false;
    search->host = *host;
  }
  search->evaluated_nodes = window.evaluated;
  search->feasible_nodes = window.feasible;
  next_start_ = (next_start_ + window.evaluated) % snapshot_.NumNodes();
  return true;
}

Status SchedulingCycle::DecidePlainly(ProfileRuntime& profile, const Pod& pod, Search* search) {
  const Framework& framework = *profile.framework;
  Status status = FindNodesThatFitPod(profile, pod, search);
  search->feasible_nodes = search->feasible.size();
  search->evaluated_nodes = search->feasible_nodes + search->diagnosis.node_to_status.own_count();
  if (!status.IsSuccess() || search->feasible.empty()) return status;
  if (search->feasible.size() == 1) {
    search->host = search->feasible.front();
    return Status::Success();
  }
  status = framework.RunPreScorePlugins(search->state, pod, search->feasible);
  if (!status.IsSuccess()) return status;
  Result<NodeScores, Status> scores =
      framework.RunScorePlugins(search->state, pod, search->feasible);
  if (!scores.ok()) return scores.fault();
  search->scores = scores.Take();
  if (!framework.has_score_plugins()) search->scores->total.assign(search->feasible.size(), 1);
  search->host = SelectHost(*search->scores, *search);
  if (search->signature) {
    for (size_t position = 0; position < search->feasible.size(); ++position) {
      search->ranking.push_back({search->scores->total[position],
                                 static_cast<uint32_t>(search->feasible[position]->row())});
    }
  }
  return Status::Success();
}

Status SchedulingCycle::FindNodesThatFitPod(ProfileRuntime& profile, const Pod& pod,
                                            Search* search) {
  const Framework& framework = *profile.framework;
  Diagnosis& diagnosis = search->diagnosis;
  diagnosis.node_to_status = NodeToStatus(snapshot_.NumNodes());
  search->pre_filter = framework.RunPreFilterPlugins(search->state, pod);
  const PreFilterOutcome& outcome = search->pre_filter;
  diagnosis.unschedulable_plugins = outcome.plugins;
  if (outcome.status.IsRejected()) {
    diagnosis.node_to_status.set_absent_status(outcome.status);
    diagnosis.pre_filter_msg = outcome.status.Message();
    diagnosis.pre_filter_status = outcome.status;
    AddPluginStatus(outcome.status, &diagnosis);
    return Status::Success();
  }
  if (!outcome.status.IsSuccess()) return outcome.status;
  search->hint = GetNodeHint(profile, pod, *search);
  if (TakeNominatedNode(framework, pod, search)) return Status::Success();

  std::span<const NodeInfo* const> nodes = snapshot_.nodes();
  std::vector<const NodeInfo*> narrowed;
  if (outcome.result.node_names) {
    diagnosis.node_to_status.set_absent_status(AbsentStatus(outcome.plugins));
    for (const Symbol& name : *outcome.result.node_names) {
      if (const NodeInfo* node = snapshot_.Get(name); node != nullptr) narrowed.push_back(node);
    }
    // The reference's order is that of a set; ours is the snapshot's.
    std::sort(narrowed.begin(), narrowed.end(),
              [](const NodeInfo* a, const NodeInfo* b) { return a->row() < b->row(); });
    nodes = narrowed;
  }
  Status status = FindNodesThatPassFilters(framework, pod, nodes, search);
  size_t evaluated = search->feasible.size() + diagnosis.node_to_status.own_count();
  next_start_ = (next_start_ + evaluated) % snapshot_.NumNodes();
  return status;
}

// The next node of the last ranking, if the last node rejects this pod, which is like the last one.
Symbol SchedulingCycle::GetNodeHint(ProfileRuntime& profile, const Pod& pod,
                                    const Search& search) const {
  if (!search.stamp) return Symbol();
  const NodeInfo* last = profile.batch.LastNode(search.signature, *search.stamp, snapshot_);
  if (last == nullptr) return Symbol();
  Status status = profile.framework->RunFilterPlugins(search.state, pod, *last);
  return status.IsRejected() ? profile.batch.TakeHint() : Symbol();
}

void SchedulingCycle::StoreScheduleResults(ProfileRuntime& profile, Search* search) const {
  if (!search->stamp) return;
  SortedScoredNodes others;
  if (!search->ranking.empty()) {
    others =
        SortedScoredNodes(std::move(search->ranking), static_cast<uint32_t>(search->host->row()),
                          snapshot_.table().names(), options_.tie_break, rng_);
  }
  profile.batch.StoreScheduleResults(std::move(search->signature), search->hint,
                                     search->host->name(), std::move(others), *search->stamp);
}

// A nominated node, else a proposed one, is tried alone. Its refusal stays in the diagnosis; an
// error is ignored.
bool SchedulingCycle::TakeNominatedNode(const Framework& framework, const Pod& pod,
                                        Search* search) {
  const Symbol& nominated = pod.status.nominated_node_name;
  const Symbol& name = nominated.empty() ? search->hint : nominated;
  if (name.empty()) return false;
  const NodeInfo* node = snapshot_.Get(name);
  if (node == nullptr) return false;
  Status status = framework.RunFilterPluginsWithNominatedPods(search->state, pod, *node);
  if (status.IsSuccess()) {
    search->feasible.push_back(node);
    return true;
  }
  if (status.IsRejected()) {
    search->diagnosis.node_to_status.Set(node->row(), status);
    AddPluginStatus(status, &search->diagnosis);
  }
  return false;
}

Status SchedulingCycle::FindNodesThatPassFilters(const Framework& framework, const Pod& pod,
                                                 std::span<const NodeInfo* const> nodes,
                                                 Search* search) {
  size_t count = nodes.size();
  size_t want = NumFeasibleNodesToFind(framework, count);
  bool is_first_enough =
      !framework.has_score_plugins() &&
      std::none_of(options_.extenders.begin(), options_.extenders.end(),
                   [](const Extender& extender) {
                     return !extender.filter_verb.empty() || !extender.prioritize_verb.empty();
                   });
  if (is_first_enough) want = std::min<size_t>(want, 1);
  for (size_t visit = 0; visit < count; ++visit) {
    const NodeInfo* node = nodes[(next_start_ + visit) % count];
    Status status = framework.has_filter_plugins()
                        ? framework.RunFilterPluginsWithNominatedPods(search->state, pod, *node)
                        : Status::Success();
    if (status.IsSuccess()) {
      // The search notices that it has enough one feasible node late: refusals met on the way count
      // for the next start, that node does not.
      if (search->feasible.size() == want) break;
      search->feasible.push_back(node);
      if (!framework.has_filter_plugins() && search->feasible.size() == want) break;
    } else if (status.IsRejected()) {
      search->diagnosis.node_to_status.Set(node->row(), status);
      AddPluginStatus(status, &search->diagnosis);
    } else {
      return status;
    }
  }
  return Status::Success();
}

const NodeInfo* SchedulingCycle::SelectHost(const NodeScores& scores, const Search& search) const {
  int64_t best = *std::max_element(scores.total.begin(), scores.total.end());
  TieBreaker tie_breaker(options_.tie_break, rng_);
  for (uint32_t position = 0; position < scores.total.size(); ++position) {
    if (scores.total[position] == best) tie_breaker.Offer(position, *search.feasible[position]);
  }
  return tie_breaker.winner();
}

void SchedulingCycle::RunPostFilter(Framework& framework, const Pod& pod, CycleState* state,
                                    ScheduleResult* result) {
  if (!framework.has_post_filter_plugins()) {
    result->nominated_node_name = Symbol();
    return;
  }
  PostFilterOutcome outcome =
      framework.RunPostFilterPlugins(*state, pod, result->diagnosis.node_to_status);
  result->diagnosis.post_filter_msg = outcome.status.Message();
  result->nominated_node_name = outcome.result.nominated_node_name;
  result->preemption = framework.TakePreemptionReport();
}

size_t SchedulingCycle::NumFeasibleNodesToFind(const Framework& framework, size_t num_nodes) const {
  if (num_nodes < kMinFeasibleNodesToFind) return num_nodes;
  int32_t nodes = static_cast<int32_t>(num_nodes);
  int32_t percentage =
      framework.percentage_of_nodes_to_score().value_or(options_.percentage_of_nodes_to_score);
  if (percentage == 0) percentage = std::max(50 - nodes / 125, kMinFeasibleNodesPercentage);
  // The reference multiplies in 32 bits, which do not overflow below 21 million nodes.
  auto wanted = static_cast<size_t>(static_cast<int64_t>(nodes) * percentage / 100);
  return std::max(wanted, kMinFeasibleNodesToFind);
}

}  // namespace stowage
