// Framework runs the plugins of one profile, in order, at each extension point (spec 05 §5, §6,
// §10.2).
//
// Counterpart: framework/runtime/framework.go (frameworkImpl), v1.36.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/config/expansion.h"
#include "core/config/types.h"
#include "core/framework/handle.h"
#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/runtime/plugin_evaluations.h"
#include "core/table/row_key.h"

namespace stowage {

// What all profiles of a scheduler share. Everything must outlive the frameworks.
struct FrameworkEnvironment {
  const Snapshot& snapshot;
  TopologyIndex& topology_index;
  const PodGroupStates& pod_groups;
  const PodNominator& nominator;
  const Listers& listers;
  DraManager& dra;
  const Features& features;
  const Registry& registry;
  const Extenders& extenders;
  Calls& calls;
  Background& background;
  Metrics& metrics;
  StepBudget& steps;
  int32_t parallelism = 16;
};

// A plugin at one extension point. `index` numbers the plugins of the profile; it is also the
// plugin's bit among the skipped plugins of CycleState.
template <typename Point>
struct PluginAt {
  Point* plugin;
  Symbol name;
  size_t index;
  int64_t weight;  // Score only
};

struct PreFilterOutcome {
  Status status;
  PreFilterResult result;
  // The plugins that narrowed the nodes; or, if their narrowings have no node in common, those that
  // rejected the pod. Empty if a plugin rejected the pod itself or failed.
  std::set<Symbol> plugins;
};

struct PostFilterOutcome {
  Status status;
  PostFilterResult result;
};

// The scores of one Score plugin, parallel to the scored nodes.
struct PluginScores {
  Symbol plugin;
  int64_t weight;
  std::vector<int64_t> raw;       // what Score returned
  std::vector<int64_t> weighted;  // normalized and multiplied by the weight
};

struct NodeScores {
  std::vector<PluginScores> plugins;
  std::vector<int64_t> total;
};

// The plugins of a profile that do not vouch for their verdicts about pods of one signature, so
// that their verdicts are not cached.
struct UncachedPlugins {
  PluginBits per_class = 0;  // vouches for all rows of a class, in one cycle
  PluginBits per_node = 0;   // does not vouch
  // Vouches, and reads devices, and keeps state from PreFilter for Reserve.
  PluginBits allocating = 0;
  bool reads_devices = false;  // a plugin that vouches reads devices
};

class Framework final : public Handle {
 public:
  // A plugin that could not be built, and the reason.
  struct BuildFault {
    std::string plugin;
    std::string reason;
  };

  // Builds the plugins of a profile whose expansion succeeded.
  static Result<std::unique_ptr<Framework>, BuildFault> New(
      const KubeSchedulerProfile& profile, const ExpandedProfile& expanded,
      const FrameworkEnvironment& environment);

  // The states of the plugins that keep one, in plugin order.
  using PluginStates = std::vector<std::unique_ptr<Plugin::State>>;
  PluginStates SaveState() const;
  // Takes the states of this framework, or of another one of the same profile.
  void RestoreState(const PluginStates& states);
  // Exchanges what the plugins keep for tasks under way with `held`, which may be empty.
  void SwapTaskStates(PluginStates* held);

  // The profile's own percentage, which overrides the global one; nullopt if it has none.
  std::optional<int32_t> percentage_of_nodes_to_score() const { return percentage_; }
  bool has_filter_plugins() const { return !filter_.empty(); }
  bool has_post_filter_plugins() const { return !post_filter_.empty(); }
  bool has_score_plugins() const { return !score_.empty(); }
  bool has_post_bind_plugins() const { return !post_bind_.empty(); }
  // The first PostFilter plugin that can preempt for pod groups; null if there is none.
  PodGroupPostFilterPlugin* pod_group_post_filter() const;
  // Whether the profile has the plugin at any extension point.
  bool HasPlugin(std::string_view name) const;

  const std::vector<PluginAt<PreFilterPlugin>>& pre_filter_plugins() const { return pre_filter_; }
  const std::vector<PluginAt<FilterPlugin>>& filter_plugins() const { return filter_; }
  const std::vector<PluginAt<PreScorePlugin>>& pre_score_plugins() const { return pre_score_; }
  const std::vector<PluginAt<ScorePlugin>>& score_plugins() const { return score_; }
  // Null if the Score plugin has no notes.
  const ScoreNotesPlugin* score_notes(const PluginAt<ScorePlugin>& entry) const {
    return plugins_[entry.index]->instance.score_notes;
  }
  const Features& features() const { return environment_.features; }
  const QueueSortPlugin& queue_sort() const { return *queue_sort_; }

  // The first refusal, under its plugin's name. If `first` is set, that plugin, which gated the pod
  // so far, runs before the others.
  Status RunPreEnqueuePlugins(const Pod& pod, const Symbol& first = {}) const;
  // The events that may move pods rejected by the profile's plugins: by plugin, in plugin order,
  // without the plugins that never reject.
  struct RegisteredEvents {
    Symbol plugin;
    std::vector<ClusterEventWithHint> events;
  };
  std::vector<RegisteredEvents> EventsToRegister() const;

  PreFilterOutcome RunPreFilterPlugins(CycleState& state, const Pod& pod) const;
  Status RunFilterPlugins(const CycleState& state, const Pod& pod, const NodeInfo& node) const;
  // All refusals of the node in plugin order; does not stop at the first.
  std::vector<Status> RunAllFilterPlugins(const CycleState& state, const Pod& pod,
                                          const NodeInfo& node) const;
  // Calls `found` for every refusal of the node, in plugin order, with the plugin if it can explain
  // the refusal (else null). Nominated pods count as in RunFilterPluginsWithNominatedPods.
  using FoundRefusal = std::function<void(const Refusal&, const CulpritPlugin*)>;
  void ForEachRefusal(const CycleState& state, const Pod& pod, const NodeInfo& node,
                      const FoundRefusal& found) const;
  // The filters that must be asked about the nodes: all others are known to let each of them pass.
  PluginBits FiltersAsked(const CycleState& state, const Pod& pod) const;
  // The chunk form of RunFilterPlugins; returns the candidates that pass. Only filters in `asked`
  // are called.
  uint64_t RunFilterPluginsOnChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                                   uint64_t candidates, ChunkStatuses* statuses,
                                   PluginBits asked = ~PluginBits{0}) const;
  // All arguments must outlive the task.
  Task<PostFilterOutcome> RunPostFilterPlugins(CycleState& state, const Pod& pod,
                                               const NodeToStatus& statuses) const;
  Status RunPreScorePlugins(CycleState& state, const Pod& pod, NodeList nodes) const;
  Result<NodeScores, Status> RunScorePlugins(const CycleState& state, const Pod& pod,
                                             NodeList nodes) const;
  // Normalizes one plugin's raw scores in place; an Error if a score is out of range.
  Status NormalizeScores(const PluginAt<ScorePlugin>& entry, const CycleState& state,
                         const Pod& pod, std::span<NodeScore> scores) const;
  // Lets the Reserve plugins change the copy of the pod that is assumed on the node. Returns
  // whether one of them did.
  bool ChangeAssumedPod(const CycleState& state, const Symbol& node, Pod* pod) const;
  // spec 05 §8. A failure undoes nothing.
  Status RunReservePluginsReserve(CycleState& state, const Pod& pod, const Symbol& node) const;
  // Calls all of them, in reverse order.
  void RunReservePluginsUnreserve(CycleState& state, const Pod& pod, const Symbol& node) const;
  // A status Wait comes with the plugins that wait and their timeouts.
  Status RunPermitPlugins(CycleState& state, const Pod& pod, const Symbol& node,
                          std::vector<PermitWait>* waits) const;
  // Appends the placements of a pod group within `parent`; `parent` itself without such a plugin.
  Status RunPlacementGeneratePlugins(const ObjectKey& group, const Placement& parent,
                                     std::vector<Placement>* placements) const;
  // The placements' total scores, in their order.
  Result<std::vector<int64_t>, Status> RunPlacementScorePlugins(
      const ObjectKey& group, const std::vector<PodGroupAssignments>& placements) const;
  // spec 05 §9. Success: at least one PreBind plugin has work; `state` records those that skip.
  Status RunPreBindPreFlights(CycleState& state, const Pod& pod, const Symbol& node) const;
  // For these three tasks, all arguments must outlive the task.
  Task<Status> RunPreBindPlugins(CycleState& state, const Pod& pod, const Symbol& node) const;
  Task<Status> RunBindPlugins(CycleState& state, const Pod& pod, const Symbol& node) const;
  Task<void> RunPostBindPlugins(CycleState& state, const Pod& pod, const Symbol& node) const;

  // The plugins' notes on the choice of a node, in plugin order.
  std::vector<DecisionNote> NotesOn(const CycleState& state, const Pod& pod,
                                    const NodeInfo& node) const;
  // Appends the fragments of all plugins for the pod. The fragments and the result depend only on
  // the pod and the sources; they never include the pod's name, uid, resource version, annotations,
  // times or text.
  UncachedPlugins AppendAllFragments(const Pod& pod, PodSignature* signature) const;
  // The same for the plugins alone that score without a normalizer and are not uncached.
  void AppendBaseFragments(const Pod& pod, UncachedPlugins uncached, PodSignature* signature) const;
  FragmentSources FragmentSourcesFor(const Pod& pod) const override;
  // Listers::storage_version for a pod with claims; 0 for others.
  uint64_t StorageVersionFor(const Pod& pod) const;
  // FragmentPlugin::FollowStorage for a pod with claims; null if there is no such plugin.
  const StorageUse* FollowStorage(const Pod& pod) const;
  // The plugins with FragmentPlugin::ReadsNodeAlone.
  PluginBits plugins_of_nodes() const { return plugins_of_nodes_; }
  // The plugins with fragments that read devices for the pod.
  PluginBits PluginsReadingDevices(const Pod& pod) const;
  // Calls PreFilter of these plugins only. False: one of them does not accept the pod.
  bool RunPreFilterOf(PluginBits plugins, CycleState& state, const Pod& pod) const;
  // The plugins whose verdicts about the pod depend on more than the pod and the node.
  PluginBits ClusterDependentPlugins(const Pod& pod) const;
  // The rows on which plugins' scores for such pods also depend on the number of nodes.
  std::vector<uint32_t> RowsCountingNodes(const Pod& pod) const;
  // The result of Derive is valid until this changes.
  struct Derivation {
    uint64_t numbering = 0;
    uint64_t node_changes = 0;
    uint64_t selection = 0;
    uint64_t terms = 0;
    friend bool operator==(const Derivation&, const Derivation&) = default;
  };
  Derivation derivation() const;
  // Calls Derive of the plugins in `classes`. False: the plain form must decide pods like this one.
  bool Derive(PluginBits classes, const Pod& pod, CycleState& derived, RowKey* key) const;
  // RunPreScorePlugins for the plugins that vouch for classes.
  Status RunPreScoreOnGroups(CycleState& state, const Pod& pod,
                             std::span<const NodeGroup> groups) const;
  // The pod's signature for OpportunisticBatching; nullopt if a plugin declines the pod or does not
  // sign.
  std::optional<PodSignature> SignPod(const Pod& pod) const;

  // Counts calls of the plugin with that index. Calls that returned Skip do not count.
  void CountEvaluations(EvaluatedPoint point, size_t plugin, size_t times = 1) const {
    if (environment_.metrics.is_counting()) evaluations_.Add(point, plugin, times);
  }
  // Sets the metric plugin_evaluation_total.
  void SetEvaluations() const;

  void set_now(Instant now) { now_ = now; }
  // Starts an evaluation; plugins' calls go to `calls` until EndEvaluation.
  void BeginEvaluation(Calls& calls) {
    calls_ = &calls;
    is_evaluation_ = true;
  }
  void EndEvaluation() {
    calls_ = &environment_.calls;
    is_evaluation_ = false;
  }
  void set_reports_dry_runs(bool reports) { reports_dry_runs_ = reports; }
  // Moves out the report of the last preemption; nullopt if there is none.
  std::optional<PreemptionReport> TakePreemptionReport() {
    return std::exchange(report_, std::nullopt);
  }

  // Handle:
  const Symbol& profile_name() const override { return profile_name_; }
  const Snapshot& snapshot() const override { return environment_.snapshot; }
  TopologyIndex& topology_index() const override { return environment_.topology_index; }
  const PodGroupStates& pod_groups() const override { return environment_.pod_groups; }
  const PodNominator& nominator() const override { return environment_.nominator; }
  const Listers& listers() const override { return environment_.listers; }
  DraManager& dra() const override { return environment_.dra; }
  const Extenders& extenders() const override { return environment_.extenders; }
  Calls& calls() const override { return *calls_; }
  Background* background() const override {
    return is_evaluation_ ? nullptr : &environment_.background;
  }
  Metrics& metrics() const override { return environment_.metrics; }
  StepBudget& steps() const override { return environment_.steps; }
  int32_t parallelism() const override { return environment_.parallelism; }
  Instant now() const override { return now_; }
  size_t RandomBelow(size_t) override { return 0; }
  Status RunFilterPluginsWithNominatedPods(const CycleState& state, const Pod& pod,
                                           const NodeInfo& node) const override;
  Status RunPreFilterExtensionAddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                                     const NodeInfo& node) const override;
  Status RunPreFilterExtensionRemovePod(CycleState& state, const Pod& pod,
                                        const PodInfo& pod_to_remove,
                                        const NodeInfo& node) const override;
  PluginBits AppendFragments(const Pod& pod, PodSignature* signature) const override;
  bool reports_dry_runs() const override { return reports_dry_runs_; }
  void ReportPreemption(PreemptionReport report) override { report_ = std::move(report); }

 private:
  struct BuiltPlugin {
    Symbol name;
    PluginArgs args;
    PluginInstance instance;
  };

  bool SpendOn(const NodeInfo& node) const;
  uint64_t StorageSourcesFor(const Pod& pod) const;
  bool FindRefusals(const CycleState& state, const Pod& pod, const NodeInfo& node,
                    const FoundRefusal& found) const;

  explicit Framework(const FrameworkEnvironment& environment)
      : environment_(environment), calls_(&environment.calls) {}

  std::optional<BuildFault> Build(const KubeSchedulerProfile& profile,
                                  const ExpandedProfile& expanded);
  void AddExtensions(const BuiltPlugin& built);
  Task<Status> RunEachBindPlugin(CycleState& state, const Pod& pod, const Symbol& node) const;
  Task<void> RunEachPostBindPlugin(CycleState& state, const Pod& pod, const Symbol& node) const;
  template <typename Point>
  void Collect(const std::vector<ExpandedPlugin>& plugins, Point* PluginInstance::*member,
               std::vector<PluginAt<Point>>* list) const;
  Status NamedRefusal(size_t filter, Status status) const;
  bool AddNominatedPods(const Pod& pod, NodeInfo* node, CycleState* state, Status* failure) const;

  FrameworkEnvironment environment_;
  Symbol profile_name_;
  std::optional<int32_t> percentage_;

  std::vector<std::unique_ptr<BuiltPlugin>> plugins_;  // by plugin index
  PluginBits plugins_of_nodes_ = 0;
  std::vector<const DecisionNotePlugin*> notes_;
  std::vector<const SignPlugin*> sign_;  // plugins that look at nodes; null: does not sign
  // The plugin in sign_ that declined the last pod: it usually declines the next one too.
  mutable size_t last_decliner_ = 0;

  std::vector<PluginAt<PreEnqueuePlugin>> pre_enqueue_;
  const QueueSortPlugin* queue_sort_ = nullptr;
  std::vector<PluginAt<PreFilterPlugin>> pre_filter_;
  std::vector<PluginAt<FilterPlugin>> filter_;
  // By filter plugin, its last refusal in a chunk, without and with its name.
  mutable std::array<std::pair<Status, Status>, PluginEvaluations::kPlugins> last_refusals_;
  std::vector<PluginAt<PostFilterPlugin>> post_filter_;
  std::vector<PluginAt<PreScorePlugin>> pre_score_;
  std::vector<PluginAt<ScorePlugin>> score_;
  std::vector<PluginAt<ReservePlugin>> reserve_;
  std::vector<PluginAt<PermitPlugin>> permit_;
  std::vector<PluginAt<PlacementGeneratePlugin>> placement_generate_;
  std::vector<PluginAt<PlacementScorePlugin>> placement_score_;
  std::vector<PluginAt<PreBindPlugin>> pre_bind_;
  std::vector<PluginAt<BindPlugin>> bind_;
  std::vector<PluginAt<PostBindPlugin>> post_bind_;

  mutable PluginEvaluations evaluations_;
  Calls* calls_;
  bool is_evaluation_ = false;
  Instant now_;
  bool reports_dry_runs_ = true;
  std::optional<PreemptionReport> report_;
};

}  // namespace stowage
