// The claim for the extended resources that devices serve on a node (spec
// plugins/dynamic-resources-extended).
// Counterpart: plugins/dynamicresources/extendeddynamicresources.go, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/api/device_class.h"
#include "core/api/pod.h"
#include "core/api/resource_claim.h"

namespace stowage {

// The name of the claim as long as it exists in memory only.
inline constexpr std::string_view kExtendedResourcesName = "<extended-resources>";

// An extended resource that devices of a class serve.
struct ServedResource {
  Symbol name;
  DeviceClassRef device_class;

  friend bool operator==(const ServedResource&, const ServedResource&) = default;
};

// A claim in memory, and which of its requests serve which container.
struct ExtendedClaim {
  std::vector<ServedResource> resources;
  ResourceClaimRef claim;
  SharedList<PodExtendedResourceRequestMapping> mappings;
};

using ExtendedClaimRef = std::shared_ptr<const ExtendedClaim>;

// A claim without requests, in memory only. Its text is what is sent to create it. Claims of the
// pod with different numbers have different UIDs.
ResourceClaimRef NewExtendedResourceClaim(const Pod& pod, uint32_t number = 0);

// The claim with requests for these resources, which are sorted by name.
ExtendedClaimRef WithRequestsFor(std::vector<ServedResource> resources, const Pod& pod,
                                 const ResourceClaim& claim);

// Whether the claim exists in memory only.
inline bool IsInMemory(const ResourceClaim& claim) {
  return claim.metadata.name == kExtendedResourcesName;
}

}  // namespace stowage
