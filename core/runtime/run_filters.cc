// The filtering half of Framework: PreEnqueue, PreFilter, Filter, PostFilter and nominated pods.

#include <algorithm>

#include "core/api/pod_helpers.h"
#include "core/base/cold.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/runtime/framework.h"

namespace stowage {
namespace {

STOWAGE_COLD std::string NarrowingMessage(const std::set<Symbol>& plugins) {
  if (plugins.size() == 1) {
    return Format("node(s) didn't satisfy plugin {}", plugins.begin()->view());
  }
  std::vector<std::string_view> names;
  for (const Symbol& plugin : plugins) names.push_back(plugin.view());
  return Format("node(s) didn't satisfy plugin(s) [{}] simultaneously", Join(names, " "));
}

// Keeps the names that are in both lists; the first list is copied.
STOWAGE_COLD void Intersect(std::vector<Symbol> names, PreFilterResult* narrowed) {
  StableSort(&names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (!narrowed->node_names) {
    narrowed->node_names = std::move(names);
    return;
  }
  std::vector<Symbol> both;
  std::set_intersection(names.begin(), names.end(), narrowed->node_names->begin(),
                        narrowed->node_names->end(), std::back_inserter(both));
  narrowed->node_names = std::move(both);
}

// A Filter plugin's refusal of a node, under the plugin's name.
Status FilterRefusal(const Symbol& plugin, Status status) {
  if (status.IsRejected()) return std::move(status).WithPlugin(plugin);
  return Status::Error(Format("running \"{}\" filter plugin: {}", plugin.view(), status.Message()))
      .WithPlugin(plugin);
}

}  // namespace

// Charges the steps that the filters take on the node: its taints, its pods' volumes, and one step
// for each plugin.
bool Framework::SpendOn(const NodeInfo& node) const {
  if (!steps().is_counting()) return true;
  uint64_t others = filter_.size() + node.node()->spec.taints.size();
  for (const PodInfoRef& pod : node.pods_with_attachable_volumes()) {
    others += pod->pod->spec.volumes.size();
  }
  return steps().Visit() && steps().Spend(others);
}

Status Framework::RunPreEnqueuePlugins(const Pod& pod, const Symbol& first) const {
  for (const auto& entry : pre_enqueue_) {
    if (entry.name != first) continue;
    Status status = entry.plugin->PreEnqueue(pod);
    if (!status.IsSuccess()) return status.WithPlugin(entry.name);
  }
  for (const auto& entry : pre_enqueue_) {
    if (entry.name == first) continue;
    Status status = entry.plugin->PreEnqueue(pod);
    if (!status.IsSuccess()) return status.WithPlugin(entry.name);
  }
  return Status::Success();
}

PreFilterOutcome Framework::RunPreFilterPlugins(CycleState& state, const Pod& pod) const {
  PreFilterOutcome outcome;
  Status last_unschedulable;
  for (const auto& entry : pre_filter_) {
    if (state.SkipsFilter(entry.index)) continue;
    if (!steps().Visit()) return {Status::Error(StepBudget::kExhausted), {}, {}};
    PreFilterResult narrowing;
    Status status = entry.plugin->PreFilter(state, pod, snapshot().nodes(), &narrowing);
    if (status.IsSkip()) {
      state.SkipFilter(entry.index);
      continue;
    }
    CountEvaluations(EvaluatedPoint::kPreFilter, entry.index);
    if (status.code() == Code::kUnschedulable) {
      last_unschedulable = status.WithPlugin(entry.name);
      continue;
    }
    if (status.code() == Code::kUnschedulableAndUnresolvable) {
      return {status.WithPlugin(entry.name), {}, {}};
    }
    if (!status.IsSuccess()) {
      return {Status::Error(Format("running PreFilter plugin \"{}\": {}", entry.name.view(),
                                   status.Message())),
              {},
              {}};
    }
    if (!narrowing.node_names) continue;
    outcome.plugins.insert(entry.name);
    Intersect(std::move(*narrowing.node_names), &outcome.result);
    if (outcome.result.node_names->empty()) {
      outcome.status = Status::UnschedulableAndUnresolvable(NarrowingMessage(outcome.plugins));
      return outcome;
    }
  }
  outcome.status = std::move(last_unschedulable);
  return outcome;
}

Status Framework::RunFilterPlugins(const CycleState& state, const Pod& pod,
                                   const NodeInfo& node) const {
  if (!SpendOn(node)) return Status::Error(StepBudget::kExhausted);
  for (const auto& entry : filter_) {
    if (state.SkipsFilter(entry.index)) continue;
    CountEvaluations(EvaluatedPoint::kFilter, entry.index);
    Status status = entry.plugin->Filter(state, pod, node);
    if (!status.IsSuccess()) return FilterRefusal(entry.name, std::move(status));
  }
  return Status::Success();
}

STOWAGE_COLD std::vector<Status> Framework::RunAllFilterPlugins(const CycleState& state,
                                                                const Pod& pod,
                                                                const NodeInfo& node) const {
  std::vector<Status> refusals;
  if (!SpendOn(node)) return refusals;
  for (const auto& entry : filter_) {
    if (state.SkipsFilter(entry.index)) continue;
    Status status = entry.plugin->Filter(state, pod, node);
    if (!status.IsSuccess()) refusals.push_back(status.WithPlugin(entry.name));
  }
  return refusals;
}

// Returns true if there was any.
STOWAGE_COLD bool Framework::FindRefusals(const CycleState& state, const Pod& pod,
                                          const NodeInfo& node, const FoundRefusal& found) const {
  bool is_refused = false;
  if (!SpendOn(node)) return is_refused;
  for (const auto& entry : filter_) {
    if (state.SkipsFilter(entry.index)) continue;
    Status status = entry.plugin->Filter(state, pod, node);
    if (status.IsSuccess()) continue;
    is_refused = true;
    found({status.WithPlugin(entry.name), state, pod, node},
          plugins_[entry.index]->instance.culprit);
  }
  return is_refused;
}

STOWAGE_COLD void Framework::ForEachRefusal(const CycleState& state, const Pod& pod,
                                            const NodeInfo& node, const FoundRefusal& found) const {
  if (!nominator().NominatedPodsForNode(node.name()).empty()) {
    std::unique_ptr<NodeInfo> node_copy = node.Clone();
    CycleState state_copy = state.Clone();
    Status failure;
    bool added = AddNominatedPods(pod, node_copy.get(), &state_copy, &failure);
    if (!failure.IsSuccess()) return;
    if (added && FindRefusals(state_copy, pod, *node_copy, found)) return;
  }
  FindRefusals(state, pod, node, found);
}

PluginBits Framework::FiltersAsked(const CycleState& state, const Pod& pod) const {
  PluginBits asked = 0;
  for (const auto& entry : filter_) {
    if (state.SkipsFilter(entry.index)) continue;
    bool passes_all = entry.plugin->PassesAll(state, pod, snapshot().table());
    asked |= PluginBits{!passes_all} << entry.index;
  }
  return asked;
}

uint64_t Framework::RunFilterPluginsOnChunk(const CycleState& state, const Pod& pod,
                                            const NodeChunk& chunk, uint64_t candidates,
                                            ChunkStatuses* statuses, PluginBits asked) const {
  asked &= ~state.skipped_filters();
  uint64_t passed = candidates;
  if (steps().is_counting()) {
    ForEachBit(candidates, [&](size_t offset) { SpendOn(chunk.node(offset)); });
  }
  for (size_t at = 0; at < filter_.size(); ++at) {
    const auto& entry = filter_[at];
    if ((asked >> entry.index & 1) == 0) continue;
    passed = entry.plugin->FilterChunk(state, pod, chunk, passed, statuses);
    statuses->NameNew([&](Status status) { return NamedRefusal(at, std::move(status)); });
    if (passed == 0) break;
  }
  return passed;
}

// A plugin usually refuses as it did before, so that status need not be made again.
STOWAGE_COLD Status Framework::NamedRefusal(size_t filter, Status status) const {
  auto& [last, named] = last_refusals_[filter];
  if (!(status == last)) {
    last = std::move(status);
    named = FilterRefusal(filter_[filter].name, last);
  }
  return named;
}

Task<PostFilterOutcome> Framework::RunPostFilterPlugins(CycleState& state, const Pod& pod,
                                                        const NodeToStatus& statuses) const {
  PostFilterOutcome outcome;
  std::vector<Symbol> reasons;
  Symbol first_plugin;
  for (const auto& entry : post_filter_) {
    PostFilterResult result;
    Status status = co_await entry.plugin->PostFilter(state, pod, statuses, &result);
    if (status.IsSuccess() || status.code() == Code::kUnschedulableAndUnresolvable) {
      co_return PostFilterOutcome{status.WithPlugin(entry.name), std::move(result)};
    }
    if (!status.IsRejected()) {
      co_return PostFilterOutcome{Status::Error(status.Message()).WithPlugin(entry.name), {}};
    }
    if (result.nominated_node_name) outcome.result = std::move(result);
    reasons.insert(reasons.end(), status.reasons().begin(), status.reasons().end());
    if (first_plugin.empty()) first_plugin = entry.name;
  }
  outcome.status =
      Status::WithReasons(Code::kUnschedulable, std::move(reasons)).WithPlugin(first_plugin);
  co_return outcome;
}

// Adds the nominated pods that count against `pod` and returns true if there were any. If an
// extension fails, sets `*failure`.
bool Framework::AddNominatedPods(const Pod& pod, NodeInfo* node, CycleState* state,
                                 Status* failure) const {
  bool added = false;
  for (const PodInfoRef& nominated : nominator().NominatedPodsForNode(node->name())) {
    bool counts =
        PodPriority(*nominated->pod) >= PodPriority(pod) && nominated->uid() != pod.metadata.uid;
    if (!counts) continue;
    node->AddPod(nominated);
    added = true;
    *failure = RunPreFilterExtensionAddPod(*state, pod, *nominated, *node);
    if (!failure->IsSuccess()) return added;
  }
  return added;
}

Status Framework::RunFilterPluginsWithNominatedPods(const CycleState& state, const Pod& pod,
                                                    const NodeInfo& node) const {
  if (!nominator().NominatedPodsForNode(node.name()).empty()) {
    std::unique_ptr<NodeInfo> node_copy = node.Clone();
    CycleState state_copy = state.Clone();
    Status failure;
    bool added = AddNominatedPods(pod, node_copy.get(), &state_copy, &failure);
    if (!failure.IsSuccess()) return failure;
    if (added) {
      Status status = RunFilterPlugins(state_copy, pod, *node_copy);
      if (!status.IsSuccess()) return status;
    }
  }
  return RunFilterPlugins(state, pod, node);
}

Status Framework::RunPreFilterExtensionAddPod(CycleState& state, const Pod& pod,
                                              const PodInfo& pod_to_add,
                                              const NodeInfo& node) const {
  for (const auto& entry : pre_filter_) {
    const PreFilterExtensions* extensions = entry.plugin->Extensions();
    if (extensions == nullptr || state.SkipsFilter(entry.index)) continue;
    if (!steps().Visit()) return Status::Error(StepBudget::kExhausted);
    Status status = extensions->AddPod(state, pod, pod_to_add, node);
    if (status.IsSuccess()) continue;
    return Status::Error(Format("running AddPod on PreFilter plugin \"{}\": {}", entry.name.view(),
                                status.Message()));
  }
  return Status::Success();
}

Status Framework::RunPreFilterExtensionRemovePod(CycleState& state, const Pod& pod,
                                                 const PodInfo& pod_to_remove,
                                                 const NodeInfo& node) const {
  for (const auto& entry : pre_filter_) {
    const PreFilterExtensions* extensions = entry.plugin->Extensions();
    if (extensions == nullptr || state.SkipsFilter(entry.index)) continue;
    if (!steps().Visit()) return Status::Error(StepBudget::kExhausted);
    Status status = extensions->RemovePod(state, pod, pod_to_remove, node);
    if (status.IsSuccess()) continue;
    return Status::Error(Format("running RemovePod on PreFilter plugin \"{}\": {}",
                                entry.name.view(), status.Message()));
  }
  return Status::Success();
}

}  // namespace stowage
