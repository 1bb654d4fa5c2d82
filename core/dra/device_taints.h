// Taints of devices, and the tolerations of requests (spec plugins/dynamic-resources-allocator
// "Trying a device").
#pragma once

#include "core/api/resource_claim.h"
#include "core/api/resource_slice.h"

namespace stowage {

// Whether a taint with effect NoSchedule or NoExecute keeps the request from the device.
bool HasUntoleratedTaint(const Device& device, const ExactDeviceRequest& request);

}  // namespace stowage
