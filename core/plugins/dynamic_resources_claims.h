// The ResourceClaims that a pod's spec names (spec plugins/dynamic-resources "Claims of a pod").
#pragma once

#include <string>
#include <vector>

#include "core/api/pod_group.h"
#include "core/api/resource_claim.h"
#include "core/base/result.h"
#include "core/dra/claim_cache.h"

namespace stowage {

// A claim that a pod's spec names. With DRAWorkloadResourceClaims claims may belong to the pod's
// group instead of the pod.
using PodResourceClaimRefs = std::vector<ResourceClaimRef>;

// In the order of the spec; entries whose claim is intentionally not created are left out. The
// fault is the reason why the pod cannot be scheduled yet. `accepts_groups`: the pod's group may
// own claims. `entries`, unless null, receives the entry of each claim.
Result<PodResourceClaimRefs, std::string> PodResourceClaims(
    const Pod& pod, const ClaimCache& cache, bool accepts_groups,
    std::vector<const PodResourceClaim*>* entries = nullptr);

// Whether the group has the same claim: then it is reserved for the group, not for its pods.
bool HasClaim(const PodGroup& group, const PodResourceClaim& entry);
// Whether the claim is reserved for the pod or, if `accepts_groups`, for the pod's group.
bool IsReservedForPod(const ResourceClaim& claim, const Pod& pod, bool accepts_groups);

// "NS/NAME".
std::string NamespacedNameOf(const ObjectMeta& metadata);

}  // namespace stowage
