#include "core/scheduler/classification.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/base/check.h"

namespace stowage {
namespace {

// Whether the node without its pods would pass the filters that `state` does not skip. An error
// does not count as a refusal.
bool CouldFitOn(const Framework& framework, const CycleState& state, const Pod& pod,
                const NodeInfo& node) {
  // Checked first because it needs no copy: most refusals hold even without the node's pods.
  for (const Status& refusal : framework.RunAllFilterPlugins(state, pod, node)) {
    if (refusal.code() == Code::kUnschedulableAndUnresolvable) return false;
  }
  if (!framework.steps().Spend(node.pods().size())) return false;
  std::unique_ptr<NodeInfo> emptied = node.Clone();
  CycleState emptied_state = state.Clone();
  while (!emptied->pods().empty()) {
    PodInfoRef gone = emptied->pods().front();
    CHECK(emptied->RemovePod(gone->uid()));
    Status status = framework.RunPreFilterExtensionRemovePod(emptied_state, pod, *gone, *emptied);
    if (!status.IsSuccess()) return true;
  }
  return !framework.RunFilterPlugins(emptied_state, pod, *emptied).IsRejected();
}

// Whether the cached verdict of the row says that removing pods cannot help. The plugins would give
// the same verdict now; of several refusals the entry holds the first.
bool IsHopeless(const VerdictEntry& cached, size_t row) {
  uint8_t verdict = cached.verdicts()[row];
  return verdict != 0 &&
         cached.statuses()[verdict - 1].code() == Code::kUnschedulableAndUnresolvable;
}

bool CouldFit(ProfileRuntime& profile, const Pod& pod) {
  const Framework& framework = *profile.framework;
  CycleState state(framework.ClusterDependentPlugins(pod));
  PreFilterOutcome outcome = framework.RunPreFilterPlugins(state, pod);
  if (!outcome.status.IsSuccess()) {
    return outcome.status.code() != Code::kUnschedulableAndUnresolvable;
  }
  // Entries of pods with claims also hold the verdicts of plugins that read volumes or devices,
  // which do not count here.
  bool is_cacheable = profile.verdicts != nullptr && framework.StorageVersionFor(pod) == 0 &&
                      framework.PluginsReadingDevices(pod) == 0;
  const VerdictEntry* cached = is_cacheable ? profile.verdicts->Find(pod) : nullptr;
  const auto& nodes = framework.snapshot().nodes();
  const std::optional<std::vector<Symbol>>& names = outcome.result.node_names;
  return std::any_of(nodes.begin(), nodes.end(), [&](const NodeInfo* node) {
    bool is_absent = names && !std::binary_search(names->begin(), names->end(), node->name());
    if (is_absent || (cached != nullptr && IsHopeless(*cached, node->row()))) return false;
    return CouldFitOn(framework, state, pod, *node);
  });
}

}  // namespace

std::string_view Classify(ProfileRuntime& profile, const Pod& pod, const ScheduleResult& result) {
  if (!result.host.empty()) return "Now";
  bool is_nominated = result.nominated_node_name && !result.nominated_node_name->empty();
  return is_nominated ? "WithPreemption" : ClassifyWithoutNode(profile, pod);
}

std::string_view ClassifyWithoutNode(ProfileRuntime& profile, const Pod& pod) {
  return CouldFit(profile, pod) ? "NotNow" : "Never";
}

}  // namespace stowage
