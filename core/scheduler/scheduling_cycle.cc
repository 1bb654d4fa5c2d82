#include "core/scheduler/scheduling_cycle.h"

#include <algorithm>

#include "core/base/cold.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/extended_resources.h"
#include "core/scheduler/scheduling_search.h"

namespace stowage {
namespace {

constexpr size_t kMinFeasibleNodesToFind = 100;
constexpr int32_t kMinFeasibleNodesPercentage = 5;
constexpr std::string_view kNodeNotFull = "node_not_full";
constexpr std::string_view kNoNodesAvailable = "no nodes available to schedule pods";

STOWAGE_COLD bool DependsOnDevices(const Framework& framework, const Pod& pod) {
  if (!framework.HasPlugin(DynamicResources::kName)) return false;
  return !pod.spec.resource_claims.empty() ||
         IsServedByDevices(pod, framework.features(), framework.dra().extended_resources());
}

// Adds the plugins of the nodes' statuses.
STOWAGE_COLD void AddPluginStatuses(Diagnosis* diagnosis) {
  const std::vector<Status>& statuses = diagnosis->node_to_status.distinct();
  for (size_t index = 0; index < statuses.size(); ++index) {
    if (diagnosis->node_to_status.CountOf(index) > 0) diagnosis->AddPluginStatus(statuses[index]);
  }
}

}  // namespace

Task<ScheduleResult> SchedulingCycle::Run(ProfileRuntime& profile, const Pod& pod,
                                          CycleOptions options) {
  ScheduleResult result;
  co_await Decide(profile, pod, options, &result);
  co_return result;
}

// Starts a coroutine only if the cache finds no node, because a coroutine costs an allocation.
Task<void> SchedulingCycle::Decide(ProfileRuntime& profile, const Pod& pod,
                                   const CycleOptions& options, ScheduleResult* result) {
  const Framework& framework = *profile.framework;
  result->num_all_nodes = snapshot_.NumNodes();
  result->is_proved = framework.features().devices_are_proved || !DependsOnDevices(framework, pod);
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
  if (search.host == nullptr) return FinishDeciding(profile, pod, options, std::move(search));
  TakeHost(profile, pod, &search);
  return Task<void>::Done();
}

void SchedulingCycle::TakeHost(ProfileRuntime& profile, const Pod& pod, Search* search) const {
  search->result.host = search->host->name();
  StoreScheduleResults(profile, search);
  search->result.notes = profile.framework->NotesOn(search->state, pod, *search->host);
}

// Returns false and leaves `search` unchanged if the plain form must decide.
bool SchedulingCycle::DecideFromCache(ProfileRuntime& profile, const Pod& pod, Search* search) {
  const Framework& framework = *profile.framework;
  if (profile.verdicts == nullptr || !pod.status.nominated_node_name.empty()) return false;
  if (!framework.has_score_plugins()) return false;
  // Metrics count plugin calls with nominated pods in the plain form only.
  bool has_nominations = framework.nominator().size() > 0;
  if (has_nominations && framework.metrics().is_counting()) return false;
  if (HasInterestedExtender(framework.extenders(), pod)) return false;
  // Calls made here are not counted; CountEvaluations counts later what the plain form would call.
  std::optional<Metrics::Pause> pause(framework.metrics());
  const VerdictEntry* entry = profile.verdicts->Find(pod);
  if (entry == nullptr) return false;
  if (entry->has_classes()) {
    return DecideBy(ClassDecision(framework, *entry, pod, &buffers_), profile, &pause, search);
  }
  if (has_nominations) return false;
  return DecideBy(CachedDecision(framework, *entry, pod), profile, &pause, search);
}

// `pause` ends once the decision is complete.
template <typename Decision>
bool SchedulingCycle::DecideBy(Decision decision, ProfileRuntime& profile,
                               std::optional<Metrics::Pause>* pause, Search* search) {
  const Framework& framework = *profile.framework;
  if (!decision.Filter()) return false;
  OpportunisticBatch::LastNodeResult last;
  if (search->stamp) {
    last = profile.batch.LastNode(search->signature, *search->stamp, snapshot_);
    // The proposed node must be tried alone; the plain form does that.
    if (last.node != nullptr && !decision.feasible().Test(last.node->row())) return false;
    if (last.node != nullptr) last.flush_reason = kNodeNotFull;
  }
  size_t want = NumFeasibleNodesToFind(framework, snapshot_.NumNodes());
  size_t start = next_start_ % snapshot_.NumNodes();
  SearchWindow window = decision.FindWindow(start, want);
  if (window.feasible > 0 && !decision.PrepareReserve()) return false;
  const NodeInfo* host = nullptr;
  if (window.feasible == 1) {
    host = &decision.OnlyFeasible(window);
  } else if (window.feasible > 1) {
    Result<const NodeInfo*, Status> selected =
        decision.SelectHost(window, TieBreaker(options_.tie_break, rng_, &search->result.best),
                            search->signature ? &search->ranking : nullptr);
    if (!selected.ok()) return false;
    host = *selected;
  }
  search->host = host;
  if (host == nullptr) {
    search->diagnosis.node_to_status = decision.Statuses(window);
    AddPluginStatuses(&search->diagnosis);
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

// The next node of the last ranking. It is proposed only if the node of the last pod, which has the
// same signature, rejects this pod.
STOWAGE_COLD Symbol SchedulingCycle::GetNodeHint(ProfileRuntime& profile, const Pod& pod,
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
  std::optional<SortedScoredNodes> others;
  if (!search->ranking.empty()) {
    others.emplace(std::move(search->ranking), static_cast<uint32_t>(search->host->row()),
                   snapshot_.table().names(), options_.tie_break, rng_);
  }
  const Symbol& chosen = search->host->name();
  Metrics& metrics = profile.framework->metrics();
  std::string_view name = profile.framework->profile_name().view();
  bool is_hint_used = search->hint == chosen;
  if (!search->hint.empty()) {
    metrics.Add(Metric::kBatchAttempts, {name, is_hint_used ? "hint_used" : "hint_not_used"});
  }
  if (!is_hint_used && (!others || others->empty())) {
    std::string_view reason = search->feasible_nodes > 1 ? "pod_not_batchable" : "empty_list";
    metrics.Add(Metric::kBatchCacheFlushed, {name, reason});
  }
  profile.batch.StoreScheduleResults(std::move(search->signature), search->hint, chosen,
                                     std::move(others), *search->stamp);
}

size_t SchedulingCycle::NumFeasibleNodesToFind(const Framework& framework, size_t num_nodes) const {
  if (num_nodes < kMinFeasibleNodesToFind) return num_nodes;
  int32_t nodes = static_cast<int32_t>(num_nodes);
  int32_t percentage =
      framework.percentage_of_nodes_to_score().value_or(options_.percentage_of_nodes_to_score);
  if (percentage == 0) percentage = std::max(50 - nodes / 125, kMinFeasibleNodesPercentage);
  // The reference multiplies in 32 bits, which overflow only above 21 million nodes.
  auto wanted = static_cast<size_t>(static_cast<int64_t>(nodes) * percentage / 100);
  return std::max(wanted, kMinFeasibleNodesToFind);
}

}  // namespace stowage
