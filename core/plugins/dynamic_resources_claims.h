// The ResourceClaims that a pod's spec names (spec plugins/dynamic-resources "Claims of a pod").
#pragma once

#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/api/resource_claim.h"
#include "core/base/result.h"
#include "core/dra/claim_cache.h"

namespace stowage {

// In the order of the spec; entries whose claim is intentionally not created are left out. The
// fault is the reason why the pod cannot be scheduled yet.
Result<std::vector<ResourceClaimRef>, std::string> PodResourceClaims(const Pod& pod,
                                                                     const ClaimCache& cache);

// "NS/NAME".
std::string NamespacedNameOf(const ObjectMeta& metadata);

}  // namespace stowage
