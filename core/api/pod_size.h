// The size of a pod for step budgets: how many of its parts plugins compare with a node.
#pragma once

#include <cstdint>

#include "core/api/pod.h"

namespace stowage {

// Grows with everything that a pod may have any number of: containers, resources, ports, labels,
// volumes, tolerations, terms, and their requirements and values.
uint64_t PodSize(const Pod& pod);

}  // namespace stowage
