// Capacity of a device that requests consume (spec plugins/dynamic-resources-allocator "Capacity
// test").
// Counterpart: dynamic-resource-allocation/structured/internal/incubating/consumable_capacity.go,
// v1.36.
#pragma once

#include <optional>

#include "core/api/resource_claim.h"
#include "core/api/resource_list.h"
#include "core/api/resource_slice.h"
#include "core/dra/device_shortage.h"

namespace stowage {

// Whether a request can have the device: it names only capacities that the device has, no policy
// refuses the amount, and there is enough of each capacity. `consumed`: what others have of it.
// `shortage`, unless null, receives the first reason why not.
bool FitsCapacity(const std::optional<CapacityRequirements>& requirements, const Device& device,
                  const ResourceList& consumed, DeviceShortage* shortage = nullptr);

// What a request takes of each capacity of the device, by the device's policies.
ResourceList ConsumedCapacity(const std::optional<CapacityRequirements>& requirements,
                              const Device& device);

}  // namespace stowage
