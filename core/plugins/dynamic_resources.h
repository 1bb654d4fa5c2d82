// DynamicResources finds nodes where devices for a pod's ResourceClaims are available, allocates
// the devices, and reserves the claims for the pod before it is bound. It also serves extended
// resources from devices. Counterpart: framework/plugins/dynamicresources, v1.36; spec
// plugins/dynamic-resources, plugins/dynamic-resources-extended.
//
// dynamic_resources.cc holds the extension points of the scheduling cycle, _claims.* finds a pod's
// claims, _filtering.cc the search on a node, _scoring.cc the score, _deallocation.cc PostFilter,
// _extended.* the claims for extended resources, _node_allocatable.* what devices take of the
// node's own resources, _binding.cc what is written for a chosen node, _binding_conditions.* the
// conditions of devices, _hints.cc the hints, _culprit.cc and _refused_requests.* explain refusals.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/plugins/dynamic_resources_state.h"

namespace stowage {

class DynamicResources final : public Plugin,
                               public PreEnqueuePlugin,
                               public PreFilterPlugin,
                               public PerNodeFilter<DynamicResources>,
                               public PostFilterPlugin,
                               public PerNodeScore<DynamicResources>,
                               public ScoreExtensions,
                               public ReservePlugin,
                               public PreBindPlugin,
                               public EnqueueExtensions,
                               public DecisionNotePlugin,
                               public FragmentPlugin,
                               public SignPlugin,
                               public CulpritPlugin,
                               public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "DynamicResources";
  static constexpr std::string_view kReasonNoClaims = "no new claims to deallocate";
  static constexpr std::string_view kReasonStillUnschedulable = "still not schedulable";
  static constexpr std::string_view kReasonCannotAllocate = "cannot allocate all claims";
  static constexpr std::string_view kReasonNotAvailable = "resourceclaim not available on the node";
  static constexpr std::string_view kReasonExtendedClaim =
      "cannot schedule extended resource claim";
  static constexpr std::string_view kReasonCannotFit = "cannot fit resource";

  explicit DynamicResources(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  Status PreEnqueue(const Pod& pod) const override;
  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  // An Error if another plugin's PreFilter refused the pod before this plugin's PreFilter ran.
  Task<Status> PostFilter(CycleState& state, const Pod& pod, const NodeToStatus& statuses,
                          PostFilterResult* result) override;
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  Status ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                    uint64_t candidates, ChunkScores* scores) const override;
  const ScoreExtensions* Normalizer() const override { return this; }
  bool ScoresNothing(const CycleState& state) const override;
  Status NormalizeScore(const CycleState& state, const Pod& pod,
                        std::span<NodeScore> scores) const override;
  // Puts what the devices take of the node into the pod's status. Nothing else takes it back: with
  // the assumed pod, that is forgotten.
  bool ChangeAssumedPod(const CycleState& state, const Symbol& node, Pod* pod) const override;
  Status Reserve(CycleState& state, const Pod& pod, const Symbol& node) override;
  void Unreserve(CycleState& state, const Pod& pod, const Symbol& node) override;
  Status PreBindPreFlight(CycleState& state, const Pod& pod, const Symbol& node) override;
  Task<Status> PreBind(CycleState& state, const Pod& pod, const Symbol& node) override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  // "claims": {claim: allocation} of the claims that will be reserved for the pod; the claim of its
  // extended resources, which has no name yet, has its generateName.
  std::optional<DecisionNote> NoteOn(const CycleState& state, const Pod& pod,
                                     const NodeInfo& node) const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsDevices(const Pod& pod) const override;
  bool CanSign(const Pod& pod) const override { return pod.spec.resource_claims.empty(); }
  void SignPod(const Pod&, PodSignature*) const override {}
  // The claims, and of each request how many devices of the node each rule leaves.
  void WriteCulprit(const Refusal& refusal, JsonWriter* json) const override;
  int64_t Missing(const Refusal& refusal) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;
  int64_t NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  // Null if the pod has no claims, or PreFilter did not run.
  static DynamicResourcesData* DataIn(const CycleState& state);

  // What Filter found on the node, or would find there for this pod: a cached verdict may come from
  // another pod. Null if nothing is to be allocated there.
  const NodeAllocation* AllocationOn(const CycleState& state, const Pod& pod,
                                     const NodeInfo& node) const;
  // The pod's claims in `data`; an UnschedulableAndUnresolvable status says why there are none yet.
  Status FindClaims(const Pod& pod, DynamicResourcesData* data) const;
  bool IsReserved(const ResourceClaim& claim, const Pod& pod) const;
  Status CheckClaim(ClaimInCycle* info) const;
  Status CheckRequests(const ResourceClaim& claim) const;
  Status CheckDeviceClass(const Symbol& device_class, const std::string& request) const;
  Status Allocate(const NodeInfo& node, const NodeAllocation& on_node, DynamicResourcesData* data,
                  Allocations* allocations) const;
  bool IsAvailableOn(const Node& node, const ClaimInCycle& info) const;
  Status CheckSharing(const Pod& pod, const NodeInfo& node, const DynamicResourcesData& data) const;
  Status CheckNodeAllocatable(const Pod& pod, const NodeInfo& node,
                              const DynamicResourcesData& data, NodeAllocation* on_node) const;
  std::unique_ptr<Allocator> Survey(const Refusal& refusal, DeviceRefusals* refusals) const;
  // Each returns the error, if any.
  Task<std::string> BindClaim(DynamicResourcesData* data, size_t index, const Pod& pod,
                              const Symbol& node);
  Task<std::string> CreateExtendedClaim(DynamicResourcesData* data, const Pod& pod,
                                        const Symbol& node);
  Task<std::string> WriteClaim(DynamicResourcesData* data, ClaimInCycle* info, const Pod& pod);
  Task<std::string> FinishExtendedClaim(DynamicResourcesData* data, const Pod& pod,
                                        const Symbol& node);
  Task<std::string> PatchNodeAllocatable(const DynamicResourcesData& data, const Pod& pod,
                                         const Symbol& node);
  // The claim with its allocation and with a reservation for the pod or its group.
  ResourceClaimRef ReservedClaim(const DynamicResourcesData& data, const ClaimInCycle& info,
                                 const Pod& pod) const;
  // Reads the claims again. `outcome` receives the label for metrics.
  Result<bool, Status> CheckBindingConditions(DynamicResourcesData* data,
                                              std::string_view* outcome) const;
  Task<Status> WaitForBindingConditions(DynamicResourcesData* data, std::set<Symbol> drivers,
                                        const Pod& pod, const Symbol& node);
  ResourceClaimRef ClaimToUnreserve(const DynamicResourcesData& data) const;
  void SpawnRemovalOfReservation(const Pod& pod, const ResourceClaimRef& claim);
  void SpawnDeletion(const Pod& pod, const ResourceClaimRef& claim);

  Handle& handle_;
  const Features& features_;
  int64_t filter_timeout_us_ = 0;   // 0: none
  int64_t binding_timeout_us_ = 0;  // 0: the gates of binding conditions are off
};

}  // namespace stowage
