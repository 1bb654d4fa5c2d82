// The results of a search, as a claim's status has them (spec plugins/dynamic-resources-allocator
// "Result").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/pod.h"
#include "core/api/resource_claim.h"
#include "core/base/result.h"
#include "core/dra/device_requests.h"
#include "core/dra/tentative_allocation.h"

namespace stowage {

// `alternatives`: the chosen one of each request, 0 for requests without.
SharedList<DeviceAllocationConfiguration> AllocationConfig(const ClaimRequests& claim,
                                                           const std::vector<size_t>& alternatives);

// The nodes on which the devices of the claim can be used: this one only, or those that the slices
// select. The fault is that of a node selector with several terms.
Result<std::optional<NodeSelector>, std::string> AllocationNodeSelector(
    const TentativeAllocation& chosen, size_t claim, const NodeSelector& only_this_node);

// The devices, in the order in which they were chosen.
SharedList<DeviceRequestAllocationResult> AllocationResults(const TentativeAllocation& chosen,
                                                            size_t claim,
                                                            const ObjectMeta& metadata,
                                                            bool has_binding_conditions);

}  // namespace stowage
