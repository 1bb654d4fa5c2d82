// ClaimRequests is what an allocator needs of a claim, independent of nodes (spec
// plugins/dynamic-resources-allocator "Validation of requests").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/api/device_class.h"
#include "core/api/resource_claim.h"
#include "core/dra/allocator.h"

namespace stowage {

// A request, or one of its alternatives.
struct DeviceRequestData {
  const ExactDeviceRequest* request = nullptr;  // null if there is an error
  Symbol name;                                  // of the request, or of the alternative
  Symbol parent;                                // the request of an alternative, else empty
  Symbol full_name;                             // "name" or "parent/name"
  DeviceClassRef device_class;
  bool is_all = false;         // mode All
  int64_t count = 0;           // of mode ExactCount
  std::vector<bool> is_bound;  // by constraint of the claim: whether it applies
  size_t number = 0;           // among the entries of all claims of an allocator
  // Why the claim cannot be allocated on any node; empty if nothing is wrong.
  std::string error;

  bool is_admin() const { return request->admin_access.value_or(false); }
  // The name by which distinctAttribute knows the request.
  const Symbol& base_name() const { return parent.empty() ? name : parent; }
};

// The entries [first, first + num) of ClaimRequests::entries.
struct DeviceRequestRange {
  size_t first = 0;
  size_t num = 1;  // of alternatives; 1 for a request without
  bool has_alternatives = false;
};

struct ClaimRequests {
  ResourceClaimRef claim;
  std::vector<DeviceRequestData> entries;
  std::vector<DeviceRequestRange> requests;
  // Of a constraint: why the claim cannot be allocated; empty if nothing is wrong.
  std::string constraint_error;
};

// "namespace/name", or "name" without a namespace.
std::string ClaimName(const ResourceClaim& claim);

// Stops at the first request with an error.
ClaimRequests ValidateClaim(const ResourceClaimRef& claim, const AllocatorFeatures& features,
                            const DeviceClasses& classes);

}  // namespace stowage
