// Which pods a pod group may evict, from the whole cluster (spec 06 §10).
// Counterpart: pkg/scheduler/framework/preemption (podgrouppreemption.go, types.go), v1.36.
#pragma once

#include <span>
#include <vector>

#include "core/framework/handle.h"

namespace stowage {

// The units of lower priority than the group, in the order in which they should be spared: first
// those whose eviction would violate a budget, and among each kind the most important first.
// `pods` are the group's. A fault is the status that says why there is no preemption.
Result<std::vector<PreemptionUnit>, Status> FindPodGroupVictims(const Handle& handle,
                                                                const PodGroup& group,
                                                                std::span<const PodRef> pods);

}  // namespace stowage
