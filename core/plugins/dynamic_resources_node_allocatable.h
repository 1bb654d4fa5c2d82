// What the devices of a pod's claims take of the node's own resources, gate
// DRANodeAllocatableResources (spec plugins/dynamic-resources-extended, part 2).
// Counterpart: plugins/dynamicresources/nodeallocatabledynamicresources.go, v1.36.
#pragma once

#include <vector>

#include "core/api/pod.h"
#include "core/api/resource_claim.h"
#include "core/base/result.h"
#include "core/base/step_budget.h"
#include "core/config/features.h"
#include "core/dra/resource_slices.h"
#include "core/framework/status.h"
#include "core/table/node_info.h"

namespace stowage {

// A claim with the allocation that was found for it.
struct AllocatedClaim {
  Symbol name;
  Shared<AllocationResult> allocation;
};

// Refuses the node if a pod there, other than `pod`, takes node resources by the allocated claim.
Status CheckNodeAllocatableSharing(const Pod& pod, const Symbol& claim, const NodeInfo& node);

// What the claims take of the node, sorted by claim; empty if no device takes any. The fault is why
// the pod must not run there, or an Error if `steps` are spent.
Result<NodeAllocatableResourceClaimStatuses, Status> NodeAllocatableStatusesOf(
    const Pod& pod, const std::vector<AllocatedClaim>& claims, const Symbol& node,
    const ResourceSlices& slices, StepBudget* steps);

// Refuses the node if it lacks cpu, memory, ephemeral-storage or huge pages for the pod and what
// its claims take.
Status CheckNodeAllocatableFit(const Pod& pod, const NodeAllocatableResourceClaimStatuses& taken,
                               const NodeInfo& node, const Features& features);

}  // namespace stowage
