// NodeResourcesFit refuses nodes without room for the pod's requests, and scores the others by how
// full they become.
//
// Score counts requests per container, with defaults for containers without requests, and ignores
// requests at pod level; Filter does the opposite of both. Extended resources that devices serve
// are delegated to DynamicResources.
//
// Files: node_resources_fit.cc (filtering), …_scoring.cc, …_hints.cc (events that may help rejected
// pods), …_culprit.cc (explanations) and …_caching.cc (fragments and chunk forms).
// Counterpart: framework/plugins/noderesources/fit.go, v1.36.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/plugins/device_totals.h"
#include "core/plugins/insufficient_resources.h"
#include "core/plugins/resource_allocation.h"
#include "core/plugins/resource_scorer.h"
#include "core/table/resource.h"

namespace stowage {

class NodeResourcesFit final : public Plugin,
                               public PreFilterPlugin,
                               public PerNodeFilter<NodeResourcesFit>,
                               public PreScorePlugin,
                               public PerNodeScore<NodeResourcesFit>,
                               public PlacementScorePlugin,
                               public EnqueueExtensions,
                               public FragmentPlugin,
                               public SignPlugin,
                               public CulpritPlugin,
                               public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "NodeResourcesFit";
  static constexpr std::string_view kTooManyPods = "Too many pods";
  // Followed by the resource's name.
  static constexpr std::string_view kInsufficient = "Insufficient ";

  // The fault is an error in the arguments that the reference, too, finds only when it builds the
  // plugin.
  static Result<std::unique_ptr<NodeResourcesFit>, std::string> New(const PluginContext& context);
  explicit NodeResourcesFit(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  // Lists everything that the node lacks, in this order: pods, cpu, memory, ephemeral-storage,
  // scalars by name. Unresolvable if a request exceeds even the empty node.
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  bool PassesAll(const CycleState& state, const Pod& pod, const NodeTable& table) const override;
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override;
  Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const override;
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  bool AddScores(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                 std::span<const uint64_t> candidates, int32_t weight,
                 int32_t* totals) const override;
  // As MostAllocated scores, whichever strategy scores nodes; without devices.
  int64_t ScorePlacement(const ObjectKey& group,
                         const PodGroupAssignments& assignments) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsDevices(const Pod& pod) const override;
  bool CanSign(const Pod& pod) const override;
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;
  int64_t Missing(const Refusal& refusal) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  // Both leave out scalars of 0; FilteredRequestOf also leaves out ignored ones.
  Resource RequestOf(const Pod& pod) const;
  Resource FilteredRequestOf(const Pod& pod) const;
  bool IsIgnored(const Symbol& resource) const;

  QueueingHint IsSchedulableAfterPodEvent(const Pod& pod, const EventObjects& objects) const;
  QueueingHint IsSchedulableAfterNodeChange(const Pod& pod, const EventObjects& objects) const;
  // Which scalars of the request devices may serve.
  ServedScalars ServedScalarsOf(const Resource& request) const;
  // Whether the scaled-down pod is `pod` itself, or a bound pod that now holds less of a resource
  // that `pod` requests.
  bool HelpsToScaleDown(const Pod& pod, const Pod& before, const Pod& after) const;

  ResourceRequests ScoredRequestsOf(const Pod& pod) const;
  int64_t ScoreNode(const ResourceRequests& requests, const DeviceTotals* devices,
                    const NodeInfo& node) const;

  Handle& handle_;
  const Features& features_;
  std::vector<Symbol> ignored_resources_;
  std::vector<std::string> ignored_resource_groups_;
  ResourceAllocation allocation_;
  std::unique_ptr<const ResourceScorer> scorer_;
};

}  // namespace stowage
