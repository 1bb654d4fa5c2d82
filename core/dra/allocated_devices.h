// AllocatedDevices knows which devices are in use, by the allocations of claims (spec
// plugins/dynamic-resources "Shared state").
//
// Upstream gathers this state in every cycle from the claims in its cache and those whose
// allocation is being written. Here it is kept up to date, and counts the holders of a device, so
// that a claim that is in both for a short time does not count twice.
// Counterpart: plugins/dynamicresources/allocateddevices.go and
// dynamic-resource-allocation/structured/internal/allocatedstate.go, v1.36.
#pragma once

#include <cstdint>
#include <vector>

#include "core/api/resource_claim.h"
#include "core/api/resource_list.h"
#include "core/base/hash_map.h"
#include "core/dra/device_id.h"

namespace stowage {

// One allocation of a device that allows several.
struct DeviceShare {
  Symbol id;
  ResourceList consumed_capacity;
  uint32_t num_holders = 0;
};

// How a device is in use.
struct DeviceUse {
  uint32_t num_dedicated = 0;  // allocations of the whole device
  std::vector<DeviceShare> shares;
  ResourceList consumed_capacity;  // the sum over the shares

  bool is_dedicated() const { return num_dedicated > 0; }
};

class AllocatedDevices {
 public:
  // `has_shares` is gate DRAConsumableCapacity: without it every result counts as dedicated.
  explicit AllocatedDevices(bool has_shares) : has_shares_(has_shares) {}

  // Counts the results of an allocation, except those with adminAccess.
  void Add(const AllocationResult& allocation);
  // Takes back what Add counted for an equal allocation.
  void Remove(const AllocationResult& allocation);

  // Null if the device is not in use.
  const DeviceUse* Find(const DeviceId& id) const;
  // Changes with every call of Add and Remove that counts a result.
  uint64_t version() const { return version_; }
  // The version of the last such call for a device of the pool. The version of a pool of which
  // nothing is in use may grow without one.
  uint64_t VersionOfPool(const PoolId& id) const;
  bool HasDevicesInUse(const PoolId& id) const { return pools_.contains(id); }
  size_t size() const { return uses_.size(); }

 private:
  struct PoolUse {
    uint32_t num_devices = 0;  // in use
    uint64_t version = 0;
  };

  void ReleasePool(const PoolId& id);

  void AddShare(const DeviceRequestAllocationResult& result, DeviceUse* use);
  void RemoveShare(const DeviceRequestAllocationResult& result, DeviceUse* use);

  bool has_shares_;
  uint64_t version_ = 0;
  HashMap<DeviceId, DeviceUse, DeviceIdNumber> uses_;
  HashMap<PoolId, PoolUse, PoolIdNumber> pools_;        // with devices in use
  HashMap<PoolId, uint64_t, PoolIdNumber> free_pools_;  // their versions
  uint64_t version_of_other_pools_ = 0;
};

}  // namespace stowage
