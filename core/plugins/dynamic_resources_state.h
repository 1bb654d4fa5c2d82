// DynamicResources' state in CycleState. Only the plugin's own files include this header.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/node_affinity.h"
#include "core/api/pod_group.h"
#include "core/api/resource_claim.h"
#include "core/dra/allocator.h"
#include "core/framework/cycle_state.h"
#include "core/plugins/dynamic_resources_extended.h"

namespace stowage {

// One of the pod's claims in a scheduling cycle and its binding cycle.
struct ClaimInCycle {
  ResourceClaimRef claim;
  // Where the claim's devices are available, if it is allocated and does not say: everywhere.
  std::optional<NodeSelectorMatcher> available_on;
  // The allocation to write; set in Reserve.
  Shared<AllocationResult> allocation;
  // The allocation that another pod of the group has got in the same trial, if one has.
  Shared<AllocationResult> pending = {};
  bool is_of_group = false;  // reserved for the pod's group

  bool is_allocated() const { return claim->status.allocation.has_value(); }
  bool needs_devices() const { return !is_allocated() && !pending; }
};

// What Filter found on a node.
struct NodeAllocation {
  // Of the claims without an allocation: the new ones in the order of the claims, then those that
  // are pending.
  Allocations allocations;
  // The claim for the extended resources that devices serve there; null: none.
  ExtendedClaimRef extended;
  // What the devices of these claims take of the node's own resources, sorted by claim.
  NodeAllocatableResourceClaimStatuses node_allocatable;
};

struct DynamicResourcesData {
  std::vector<ClaimInCycle> claims;  // in the order of the pod's spec; the extended one comes last
  PodGroupRef group;                 // with which the pod shares claims; null: none
  bool has_extended_claim = false;
  Symbol extended_uid;  // of the extended claim in memory, by which its allocation is in flight
  // The pod's request of scalar resources, if it has an extended claim.
  std::vector<std::pair<Symbol, int64_t>> scalars;
  ExtendedClaimRef last_extended;        // consecutive nodes often serve the same resources
  std::unique_ptr<Allocator> allocator;  // null: there is nothing to allocate
  std::unordered_map<Symbol, NodeAllocation, SymbolHash> nodes;
  std::set<size_t> unavailable_claims;  // on at least one node

  size_t num_user_claims() const { return claims.size() - (has_extended_claim ? 1 : 0); }
  // Null if the pod has none.
  ClaimInCycle* extended_claim() { return has_extended_claim ? &claims.back() : nullptr; }
  bool IsExtended(size_t index) const { return has_extended_claim && index + 1 == claims.size(); }
};

// As in the reference, clones share the data, and Filter adds to it.
struct DynamicResourcesState final : public StateData {
  explicit DynamicResourcesState(std::shared_ptr<DynamicResourcesData> shared)
      : data(std::move(shared)) {}
  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<DynamicResourcesState>(data);
  }

  std::shared_ptr<DynamicResourcesData> data;  // null: the pod has no claims
};

}  // namespace stowage
