#include "core/scheduler/scheduling_cycle.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/plugins/default_preemption.h"

namespace stowage {
namespace {

constexpr size_t kMinFeasibleNodesToFind = 100;
constexpr int32_t kMinFeasibleNodesPercentage = 5;
constexpr std::string_view kNodeNotFull = "node_not_full";
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

// What one search has found so far: parts of the result, and what only the search needs.
struct SchedulingCycle::Search {
  explicit Search(ScheduleResult* into) : result(*into) {}

  ScheduleResult& result;
  CycleState& state = result.state;
  Diagnosis& diagnosis = result.diagnosis;
  size_t& evaluated_nodes = result.evaluated_nodes;
  size_t& feasible_nodes = result.feasible_nodes;
  Symbol& hint = result.hint;

  PreFilterOutcome pre_filter;
  NodesUnderWay feasible;  // plain form only
  std::optional<NodeScores> scores;
  std::vector<bool> is_extender_scored;  // by position; empty without extenders
  const NodeInfo* host = nullptr;
  bool is_decided = false;  // from the cache

  // For OpportunisticBatching, where it takes part.
  std::optional<CycleStamp> stamp;
  std::optional<PodSignature> signature;
  std::vector<ScoredNode> ranking;  // of a signed pod with a choice
};

Task<ScheduleResult> SchedulingCycle::Run(ProfileRuntime& profile, const Pod& pod,
                                          CycleOptions options) {
  ScheduleResult result;
  co_await Decide(profile, pod, options, &result);
  co_return result;
}

// A coroutine only where the cache does not find a node.
Task<void> SchedulingCycle::Decide(ProfileRuntime& profile, const Pod& pod,
                                   const CycleOptions& options, ScheduleResult* result) {
  const Framework& framework = *profile.framework;
  result->num_all_nodes = snapshot_.NumNodes();
  result->not_implemented = NotImplementedFor(framework, pod);
  if (snapshot_.NumNodes() == 0) {
    result->status = Status::UnschedulableAndUnresolvable(kNoNodesAvailable);
    result->message = kNoNodesAvailable;
    result->nominated_node_name = Symbol();
    return Task<void>::Done();
  }
  Search search(result);
  if (options.stamp && IsBatching(framework)) {
    search.stamp = options.stamp;
    search.signature = framework.SignPod(pod);
  }
  search.is_decided = !options.has_detail && DecideFromCache(profile, pod, &search);
  if (search.host == nullptr) return GoOnDeciding(profile, pod, options, std::move(search));
  TakeHost(profile, pod, &search);
  return Task<void>::Done();
}

void SchedulingCycle::TakeHost(ProfileRuntime& profile, const Pod& pod, Search* search) const {
  search->result.host = search->host->name();
  StoreScheduleResults(profile, search);
  search->result.notes = profile.framework->NotesOn(search->state, pod, *search->host);
}

Task<void> SchedulingCycle::GoOnDeciding(ProfileRuntime& profile, const Pod& pod,
                                         CycleOptions options, Search search) {
  Framework& framework = *profile.framework;
  ScheduleResult& result = search.result;
  Status fault;
  if (!search.is_decided) fault = co_await DecidePlainly(profile, pod, &search);
  if (fault.IsSuccess() && search.host != nullptr) {
    TakeHost(profile, pod, &search);
  } else if (fault.IsSuccess() && search.is_decided) {
    // PostFilter goes by what PreFilter of all plugins remembers; they were counted as asked.
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
    if (options.has_post_filter) co_await RunPostFilter(framework, pod, &result);
    result.message = FitErrorMessage(result.num_all_nodes, result.diagnosis);
  }
  if (options.has_detail) {
    result.detail = CycleDetail{std::move(search.pre_filter), std::move(search.feasible),
                                std::move(search.scores)};
  }
}

// Beside plugins: the cycle of a pod group.
std::vector<Symbol> SchedulingCycle::NotImplementedFor(const Framework& framework,
                                                       const Pod& pod) const {
  std::vector<Symbol> names = framework.NotImplementedFor(pod);
  const Features& features = framework.features();
  bool has_group_cycles = features.generic_workload || features.workload_aware_preemption;
  if (pod.spec.scheduling_group && has_group_cycles) names.emplace_back("PodGroup");
  return names;
}

// Gives false, and leaves `search` alone, when the pod has to be decided plainly.
bool SchedulingCycle::DecideFromCache(ProfileRuntime& profile, const Pod& pod, Search* search) {
  const Framework& framework = *profile.framework;
  if (profile.verdicts == nullptr || !pod.status.nominated_node_name.empty()) return false;
  if (!framework.has_score_plugins()) return false;
  // What is asked about nominated pods is counted where it is asked.
  bool has_nominations = framework.nominator().size() > 0;
  if (has_nominations && framework.metrics().is_counting()) return false;
  if (HasInterestedExtender(framework.extenders(), pod)) return false;
  // What the plain form would ask is counted when it is known.
  std::optional<Metrics::Pause> pause(framework.metrics());
  const VerdictEntry* entry = profile.verdicts->Find(pod);
  if (entry == nullptr) return false;
  if (entry->has_classes()) {
    return DecideBy(ClassDecision(framework, *entry, pod), profile, &pause, search);
  }
  if (has_nominations) return false;
  return DecideBy(CachedDecision(framework, *entry, pod), profile, &pause, search);
}

// `pause` ends when all is decided.
template <typename Decision>
bool SchedulingCycle::DecideBy(Decision decision, ProfileRuntime& profile,
                               std::optional<Metrics::Pause>* pause, Search* search) {
  const Framework& framework = *profile.framework;
  if (!decision.Filter()) return false;
  OpportunisticBatch::LastNodeResult last;
  if (search->stamp) {
    last = profile.batch.LastNode(search->signature, *search->stamp, snapshot_);
    // The node that is proposed now is tried alone, which the plain form does well.
    if (last.node != nullptr && !decision.feasible().Test(last.node->row())) return false;
    if (last.node != nullptr) last.flush_reason = kNodeNotFull;
  }
  size_t want = NumFeasibleNodesToFind(framework, snapshot_.NumNodes());
  size_t start = next_start_ % snapshot_.NumNodes();
  SearchWindow window = decision.FindWindow(start, want);
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
  pause->reset();
  if (framework.metrics().is_counting())
    decision.CountEvaluations(window, last.node == nullptr ? 0 : 1);
  if (search->stamp) CountNoHint(framework, last.flush_reason);
  search->state = decision.TakeState();
  search->evaluated_nodes = window.evaluated;
  search->feasible_nodes = window.feasible;
  next_start_ = (next_start_ + window.evaluated) % snapshot_.NumNodes();
  return true;
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
    AddPluginStatus(outcome.status, &diagnosis);
    co_return Status::Success();
  }
  if (!outcome.status.IsSuccess()) co_return outcome.status;
  search->hint = GetNodeHint(profile, pod, *search);
  bool is_taken = co_await TakeNominatedNode(framework, pod, search);
  if (is_taken) co_return Status::Success();

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

// The next node of the last ranking, if the last node rejects this pod, which is like the last one.
Symbol SchedulingCycle::GetNodeHint(ProfileRuntime& profile, const Pod& pod,
                                    const Search& search) const {
  if (!search.stamp) return Symbol();
  const Framework& framework = *profile.framework;
  auto [last, flush_reason] = profile.batch.LastNode(search.signature, *search.stamp, snapshot_);
  Symbol hint;
  if (last != nullptr) {
    Status status = framework.RunFilterPlugins(search.state, pod, *last);
    if (status.IsRejected()) {
      hint = profile.batch.TakeHint();
    } else {
      flush_reason = kNodeNotFull;
    }
  }
  if (hint.empty()) CountNoHint(framework, flush_reason);
  return hint;
}

void SchedulingCycle::CountNoHint(const Framework& framework, std::string_view flush_reason) {
  std::string_view profile = framework.profile_name().view();
  framework.metrics().Add(Metric::kBatchAttempts, {profile, "no_hint"});
  if (flush_reason.empty()) return;
  framework.metrics().Add(Metric::kBatchCacheFlushed, {profile, flush_reason});
}

void SchedulingCycle::StoreScheduleResults(ProfileRuntime& profile, Search* search) const {
  if (!search->stamp) return;
  SortedScoredNodes others;
  if (!search->ranking.empty()) {
    others =
        SortedScoredNodes(std::move(search->ranking), static_cast<uint32_t>(search->host->row()),
                          snapshot_.table().names(), options_.tie_break, rng_);
  }
  const Symbol& chosen = search->host->name();
  Metrics& metrics = profile.framework->metrics();
  std::string_view name = profile.framework->profile_name().view();
  bool is_hint_used = search->hint == chosen;
  if (!search->hint.empty()) {
    metrics.Add(Metric::kBatchAttempts, {name, is_hint_used ? "hint_used" : "hint_not_used"});
  }
  if (!is_hint_used && others.empty()) {
    std::string_view reason = search->feasible_nodes > 1 ? "pod_not_batchable" : "empty_list";
    metrics.Add(Metric::kBatchCacheFlushed, {name, reason});
  }
  profile.batch.StoreScheduleResults(std::move(search->signature), search->hint, chosen,
                                     std::move(others), *search->stamp);
}

// A nominated node, else a proposed one, is tried alone. Its refusal stays in the diagnosis; errors
// of plugins and extenders are passed over.
Task<bool> SchedulingCycle::TakeNominatedNode(const Framework& framework, const Pod& pod,
                                              Search* search) {
  Symbol name = pod.status.nominated_node_name;
  if (name.empty()) name = search->hint;
  const NodeInfo* node = name.empty() ? nullptr : snapshot_.Get(name);
  if (node == nullptr) co_return false;
  Status status = framework.RunFilterPluginsWithNominatedPods(search->state, pod, *node);
  if (status.IsRejected()) {
    search->diagnosis.node_to_status.Set(node->row(), status);
    AddPluginStatus(status, &search->diagnosis);
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
      // The search notices that it has enough one feasible node late: refusals met on the way count
      // for the next start, that node does not.
      if (search->feasible.nodes.size() == want) break;
      search->feasible.nodes.push_back(node);
      if (!framework.has_filter_plugins() && search->feasible.nodes.size() == want) break;
    } else if (status.IsRejected()) {
      statuses.Set(node->row(), status);
    } else {
      return status;
    }
  }
  for (const Status& status : statuses.distinct()) AddPluginStatus(status, &search->diagnosis);
  return Status::Success();
}

const NodeInfo* SchedulingCycle::SelectHost(const NodeScores& scores, const Search& search) const {
  int64_t best = *std::max_element(scores.total.begin(), scores.total.end());
  // The reference draws a number for every node that an extender scored; 0 stands for the others.
  bool has_draws = false;
  for (size_t position = 0; position < search.is_extender_scored.size(); ++position) {
    has_draws =
        has_draws || (scores.total[position] == best && search.is_extender_scored[position]);
  }
  bool is_drawn = has_draws && options_.tie_break == TieBreak::kHeap;
  TieBreaker tie_breaker(is_drawn ? TieBreak::kRandom : options_.tie_break, rng_);
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
    result->nominated_node_name = Symbol();
    co_return;
  }
  PostFilterOutcome outcome =
      co_await framework.RunPostFilterPlugins(result->state, pod, result->diagnosis.node_to_status);
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
