// The plain form of a decision, node by node: the reference that decisions from the cache must
// equal (spec 05 §3–§7).

#include <algorithm>

#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/plugins/default_preemption.h"
#include "core/scheduler/scheduling_search.h"

namespace stowage {
namespace {

Status AbsentStatus(const std::set<Symbol>& plugins) {
  std::vector<std::string_view> names;
  for (const Symbol& plugin : plugins) names.push_back(plugin.view());
  return Status::UnschedulableAndUnresolvable(
      Format("node(s) didn't satisfy plugin(s) [{}]", Join(names, " ")));
}

}  // namespace

Task<void> SchedulingCycle::FinishDeciding(ProfileRuntime& profile, const Pod& pod,
                                           CycleOptions options, Search search) {
  Framework& framework = *profile.framework;
  ScheduleResult& result = search.result;
  Status fault;
  if (!search.is_decided) fault = co_await DecidePlainly(profile, pod, &search);
  if (fault.IsSuccess() && search.host != nullptr) {
    TakeHost(profile, pod, &search);
  } else if (fault.IsSuccess() && search.is_decided) {
    // PostFilter needs the PreFilter state of all plugins; the cached decision has counted these
    // calls already.
    Metrics::Pause pause(framework.metrics());
    search.state = CycleState();
    search.pre_filter = framework.RunPreFilterPlugins(search.state, pod);
  }
  if (!fault.IsSuccess()) {
    result.diagnosis.ForgetPlugins();
    result.status = fault;
    result.message = fault.Message();
    result.nominated_node_name = Symbol();
  } else if (search.host == nullptr) {
    result.status = Status::WithReasons(Code::kUnschedulable, {});
    result.has_preemption_plugin = framework.HasPlugin(DefaultPreemption::kName);
    framework.set_reports_dry_runs(options.has_detail);
    if (options.has_post_filter) co_await RunPostFilter(framework, pod, &result);
    result.message = FitErrorMessage(result.num_all_nodes, result.diagnosis);
  }
  if (options.has_detail) {
    result.detail = CycleDetail{std::move(search.pre_filter), std::move(search.feasible),
                                std::move(search.scores)};
  }
}

Task<Status> SchedulingCycle::DecidePlainly(ProfileRuntime& profile, const Pod& pod,
                                            Search* search) {
  const Framework& framework = *profile.framework;
  Status status = co_await FindNodesThatFitPod(profile, pod, search);
  const std::vector<const NodeInfo*>& feasible = search->feasible.nodes;
  search->feasible_nodes = feasible.size();
  search->evaluated_nodes = feasible.size() + search->diagnosis.node_to_status.own_count();
  if (!status.IsSuccess() || feasible.empty()) co_return status;
  if (feasible.size() == 1) {
    search->host = feasible.front();
    co_return Status::Success();
  }
  status = framework.RunPreScorePlugins(search->state, pod, feasible);
  if (!status.IsSuccess()) co_return status;
  Result<NodeScores, Status> scores = framework.RunScorePlugins(search->state, pod, feasible);
  if (!scores.ok()) co_return scores.fault();
  search->scores = scores.Take();
  if (!framework.extenders().empty()) {
    search->is_extender_scored =
        co_await AddExtenderScores(framework, pod, feasible, &*search->scores);
  } else if (!framework.has_score_plugins()) {
    search->scores->total.assign(feasible.size(), 1);
  }
  search->host = SelectHost(*search->scores, *search);
  if (search->signature) {
    for (size_t position = 0; position < feasible.size(); ++position) {
      search->ranking.push_back(
          {search->scores->total[position], static_cast<uint32_t>(feasible[position]->row())});
    }
  }
  co_return Status::Success();
}

Task<Status> SchedulingCycle::FindNodesThatFitPod(ProfileRuntime& profile, const Pod& pod,
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
    diagnosis.AddPluginStatus(outcome.status);
    co_return Status::Success();
  }
  if (!outcome.status.IsSuccess()) co_return outcome.status;
  search->hint = GetNodeHint(profile, pod, *search);
  bool is_taken = co_await TakeNominatedNode(framework, pod, search);
  if (is_taken) co_return Status::Success();

  std::span<const NodeInfo* const> nodes = snapshot_.nodes();
  std::vector<const NodeInfo*> narrowed;
  if (outcome.result.node_names) {
    // The reference lists the plugins that have refused so far, including those that refused a
    // nominated node.
    diagnosis.node_to_status.set_absent_status(AbsentStatus(diagnosis.unschedulable_plugins));
    for (const Symbol& name : *outcome.result.node_names) {
      if (const NodeInfo* node = snapshot_.Get(name); node != nullptr) narrowed.push_back(node);
    }
    // The reference iterates a set here; this follows the snapshot's order.
    StableSort(&narrowed, [](const NodeInfo* a, const NodeInfo* b) { return a->row() < b->row(); });
    nodes = narrowed;
  }
  Status status = FindNodesThatPassFilters(framework, pod, nodes, search);
  std::vector<const NodeInfo*>& feasible = search->feasible.nodes;
  size_t evaluated = feasible.size() + diagnosis.node_to_status.own_count();
  next_start_ = (next_start_ + evaluated) % snapshot_.NumNodes();
  if (!status.IsSuccess() || framework.extenders().empty()) co_return status;
  size_t before = feasible.size();
  status = co_await FindNodesThatPassExtenders(framework, pod, &search->feasible,
                                               &diagnosis.node_to_status);
  if (feasible.size() != before) diagnosis.unschedulable_plugins.insert(Symbol(kExtenderName));
  co_return status;
}

// Tries a nominated node, else a proposed node, alone. A refusal stays in the diagnosis; errors of
// plugins and extenders are ignored.
Task<bool> SchedulingCycle::TakeNominatedNode(const Framework& framework, const Pod& pod,
                                              Search* search) {
  Symbol name = pod.status.nominated_node_name;
  if (name.empty()) name = search->hint;
  const NodeInfo* node = name.empty() ? nullptr : snapshot_.Get(name);
  if (node == nullptr) co_return false;
  Status status = framework.RunFilterPluginsWithNominatedPods(search->state, pod, *node);
  if (status.IsRejected()) {
    search->diagnosis.node_to_status.Set(node->row(), status);
    search->diagnosis.AddPluginStatus(status);
  }
  if (!status.IsSuccess()) co_return false;
  search->feasible.nodes.push_back(node);
  if (framework.extenders().empty()) co_return true;
  status = co_await FindNodesThatPassExtenders(framework, pod, &search->feasible,
                                               &search->diagnosis.node_to_status);
  if (!status.IsSuccess()) search->feasible = {};
  co_return !search->feasible.nodes.empty();
}

Status SchedulingCycle::FindNodesThatPassFilters(const Framework& framework, const Pod& pod,
                                                 std::span<const NodeInfo* const> nodes,
                                                 Search* search) {
  size_t count = nodes.size();
  size_t want = NumFeasibleNodesToFind(framework, count);
  bool is_first_enough =
      !framework.has_score_plugins() &&
      std::none_of(framework.extenders().begin(), framework.extenders().end(),
                   [](const auto& one) { return one->IsFilter() || one->IsPrioritizer(); });
  if (is_first_enough) want = std::min<size_t>(want, 1);
  NodeToStatus& statuses = search->diagnosis.node_to_status;
  for (size_t visit = 0; visit < count; ++visit) {
    const NodeInfo* node = nodes[(next_start_ + visit) % count];
    Status status = framework.has_filter_plugins()
                        ? framework.RunFilterPluginsWithNominatedPods(search->state, pod, *node)
                        : Status::Success();
    if (status.IsSuccess()) {
      // The search stops only at the next feasible node after the last one that it wants: refusals
      // on the way count for the next start index, that node does not.
      if (search->feasible.nodes.size() == want) break;
      search->feasible.nodes.push_back(node);
      if (!framework.has_filter_plugins() && search->feasible.nodes.size() == want) break;
    } else if (status.IsRejected()) {
      statuses.Set(node->row(), status);
    } else {
      return status;
    }
  }
  for (const Status& status : statuses.distinct()) search->diagnosis.AddPluginStatus(status);
  return Status::Success();
}

const NodeInfo* SchedulingCycle::SelectHost(const NodeScores& scores, const Search& search) const {
  int64_t best = *std::max_element(scores.total.begin(), scores.total.end());
  // The reference draws a number for every node that an extender scored, and uses 0 for the others.
  bool has_draws = false;
  for (size_t position = 0; position < search.is_extender_scored.size(); ++position) {
    has_draws =
        has_draws || (scores.total[position] == best && search.is_extender_scored[position]);
  }
  bool is_drawn = has_draws && options_.tie_break == TieBreak::kHeap;
  TieBreaker tie_breaker(is_drawn ? TieBreak::kRandom : options_.tie_break, rng_,
                         is_drawn ? nullptr : &search.result.best);
  for (uint32_t position = 0; position < scores.total.size(); ++position) {
    if (scores.total[position] != best) continue;
    if (is_drawn && !search.is_extender_scored[position]) continue;
    tie_breaker.Offer(position, *search.feasible.nodes[position]);
  }
  return tie_breaker.winner();
}

Task<void> SchedulingCycle::RunPostFilter(Framework& framework, const Pod& pod,
                                          ScheduleResult* result) {
  if (!framework.has_post_filter_plugins()) {
    if (framework.features().behaviour.nomination_needs_post_filter) {
      result->nominated_node_name = Symbol();
    }
    co_return;
  }
  PostFilterOutcome outcome =
      co_await framework.RunPostFilterPlugins(result->state, pod, result->diagnosis.node_to_status);
  result->diagnosis.post_filter_msg = outcome.status.Message();
  result->nominated_node_name = outcome.result.nominated_node_name;
  result->preemption = framework.TakePreemptionReport();
}

}  // namespace stowage
