// Taints of devices, and the tolerations of requests (spec plugins/dynamic-resources-allocator
// "Trying a device").
#pragma once

#include "core/api/resource_claim.h"
#include "core/api/resource_slice.h"

namespace stowage {

// The first taint with effect NoSchedule or NoExecute that keeps the request from the device; null
// if there is none.
const DeviceTaint* UntoleratedTaint(const Device& device, const ExactDeviceRequest& request);

inline bool HasUntoleratedTaint(const Device& device, const ExactDeviceRequest& request) {
  return UntoleratedTaint(device, request) != nullptr;
}

}  // namespace stowage
