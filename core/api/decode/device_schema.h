// The maps of ResourceSlices.
#pragma once

#include "core/api/resource_slice.h"

namespace stowage {

// Sorts the maps of a slice that has just been decoded; of equal keys the last one stays.
void SortNamedValues(ResourceSlice* slice);

}  // namespace stowage
