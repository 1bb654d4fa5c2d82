// AllocatedDevices knows which devices are in use, by the allocations of claims (spec
// plugins/dynamic-resources "Shared state").
//
// Upstream keeps the devices of the claims in its cache as a set, and adds those of the allocations
// in flight in every cycle. Here both are kept up to date. The set is as upstream's: if two claims
// have one device, the first that loses it frees it.
// Counterpart: plugins/dynamicresources/allocateddevices.go and
// dynamic-resource-allocation/structured/internal/allocatedstate.go, v1.36.
#pragma once

#include <cstdint>
#include <vector>

#include "core/api/resource_claim.h"
#include "core/api/resource_list.h"
#include "core/base/hash_map.h"
#include "core/dra/device_changes.h"
#include "core/dra/device_id.h"

namespace stowage {

// By what a device or a share of it is in use.
struct UseCount {
  bool is_stored = false;  // by a claim in the cache
  uint32_t num_in_flight = 0;

  bool IsUsed() const { return is_stored || num_in_flight > 0; }
};

// One allocation of a device that allows several.
struct DeviceShare {
  Symbol id;
  ResourceList consumed_capacity;
  UseCount count;
};

// How a device is in use.
struct DeviceUse {
  UseCount dedicated;  // the whole device
  std::vector<DeviceShare> shares;
  ResourceList consumed_capacity;  // the sum over the shares

  bool is_dedicated() const { return dedicated.IsUsed(); }
};

class AllocatedDevices {
 public:
  // `has_shares` is gate DRAConsumableCapacity: without it every result counts as dedicated.
  explicit AllocatedDevices(bool has_shares) : has_shares_(has_shares) {}

  // Adds and removes the devices of a claim in the cache, except those with adminAccess.
  void Add(const AllocationResult& allocation);
  void Remove(const AllocationResult& allocation);
  // Does the same for an allocation in flight, and counts how often.
  void AddInFlight(const AllocationResult& allocation);
  void RemoveInFlight(const AllocationResult& allocation);

  // Null if the device is not in use.
  const DeviceUse* Find(const DeviceId& id) const;
  // The pools whose devices in use changed: which devices are allocated, or what is consumed.
  const DeviceChanges& changes() const { return changes_; }
  // Rises with every such change of the pool. The version of a pool of which nothing is in use may
  // rise without one.
  uint64_t VersionOfPool(const PoolId& id) const;
  bool HasDevicesInUse(const PoolId& id) const { return pools_.contains(id); }
  size_t size() const { return uses_.size(); }

 private:
  struct PoolUse {
    uint32_t num_devices = 0;  // in use
    uint64_t version = 0;
  };

  using Change = void (*)(UseCount* count);

  void ForEachResult(const AllocationResult& allocation, Change change);
  void ChangeResult(const DeviceRequestAllocationResult& result, Change change);
  // Whether the share is new or gone.
  bool ChangeShare(const DeviceRequestAllocationResult& result, Change change, DeviceUse* use);
  void ReleasePool(const PoolId& id);

  bool has_shares_;
  DeviceChanges changes_;
  HashMap<DeviceId, DeviceUse, DeviceIdNumber> uses_;
  HashMap<PoolId, PoolUse, PoolIdNumber> pools_;        // with devices in use
  HashMap<PoolId, uint64_t, PoolIdNumber> free_pools_;  // their versions
  uint64_t version_of_other_pools_ = 0;
};

}  // namespace stowage
