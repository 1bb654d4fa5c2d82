// How many parts a pod has that plugins compare with a node: what one look at a node costs.
#pragma once

#include <cstdint>

#include "core/api/pod.h"

namespace stowage {

// Grows with whatever a pod may have any number of: containers, resources, ports, labels, volumes,
// tolerations, terms, their requirements and values.
uint64_t PodSize(const Pod& pod);

}  // namespace stowage
