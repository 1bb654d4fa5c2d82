// NodeResourcesBalancedAllocation prefers nodes on which the pod evens out how much of each
// resource is used. The score is the change of balance, where 75 means no change; before v1.36 it
// is the balance with the pod.
// Counterpart: framework/plugins/noderesources/balanced_allocation.go, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/framework/interface.h"
#include "core/framework/registry.h"
#include "core/plugins/device_totals.h"
#include "core/plugins/resource_allocation.h"

namespace stowage {

class NodeResourcesBalancedAllocation final : public Plugin,
                                              public PreScorePlugin,
                                              public PerNodeScore<NodeResourcesBalancedAllocation>,
                                              public FragmentPlugin,
                                              public SignPlugin,
                                              public ScoreNotesPlugin {
 public:
  static constexpr std::string_view kName = "NodeResourcesBalancedAllocation";

  explicit NodeResourcesBalancedAllocation(const PluginContext& context);

  std::string_view Name() const override { return kName; }
  // Skip: the pod requests none of the configured resources.
  Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const override;
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  bool AddScores(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                 std::span<const uint64_t> candidates, int32_t weight,
                 int32_t* totals) const override;
  bool AppendFragment(const Pod& pod, PodSignature* signature) const override;
  bool ReadsDevices(const Pod& pod) const override;
  bool CanSign(const Pod& pod) const override;
  void SignPod(const Pod& pod, PodSignature* signature) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;

 private:
  struct PreScoreState {
    ResourceRequests requests;
    std::optional<DeviceTotals> devices;  // set if devices serve one of the resources
  };

  // How even the used fractions of a node's resources are, without and with the pod; 100: equal.
  struct Balances {
    int64_t with_pod;
    int64_t without_pod;

    // The score for the change.
    int64_t Change() const;
  };

  static bool IsBestEffort(const ResourceRequests& requests);
  static Balances BalancesOf(std::span<const ResourceUse> uses);
  int64_t ScoreOf(const Balances& balances) const;
  // What shares keep of a row for AddByShares.
  static int64_t OwnOf(std::span<const ResourceUse> uses);
  // Adds weight × ScoreOf for rows of a chunk, and removes them from `rest`: those that it leaves
  // there must be scored row by row.
  void AddByShares(const ChunkShares& uses, int32_t weight, int32_t* totals,
                   std::span<uint64_t> rest) const;
  ResourceRequests RequestsOf(const Pod& pod) const;
  int64_t ScoreNode(const ResourceRequests& requests, const DeviceTotals* devices,
                    const NodeInfo& node) const;

  Handle& handle_;
  const Features& features_;
  ResourceAllocation allocation_;
};

}  // namespace stowage
