// Pool holds the devices of one pool that a node can use (spec plugins/dynamic-resources-allocator
// "Pools for a node").
// Counterpart: dynamic-resource-allocation/structured/internal/incubating/pools_incubating.go,
// v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dra/allocated_devices.h"
#include "core/dra/device_id.h"
#include "core/dra/pool_slice.h"
#include "core/dra/shared_counters.h"

namespace stowage {

struct PoolDevice {
  PoolSlice* slice = nullptr;
  size_t index = 0;  // in the slice

  const Device& device() const { return slice->spec().devices[index]; }
};

// An incomplete or invalid pool has no devices.
struct Pool {
  PoolId id;
  bool is_incomplete = false;
  std::string_view invalid_reason;       // empty if the pool is valid
  bool has_binding_conditions = false;   // of one of its devices
  std::vector<PoolDevice> devices;       // sorted by slice, in the order of the slice
  std::vector<PoolSlice*> other_slices;  // of this generation, without a device for the node
  std::vector<const CounterSet*> counter_sets;

  bool is_invalid() const { return !invalid_reason.empty(); }
  DeviceId IdOf(const PoolDevice& device) const {
    return {id.driver, id.pool, device.device().name};
  }
  std::string Name() const { return id.driver.str() + "/" + id.pool.str(); }

  // Takes over which devices are in use; cheap if that is known. `reader` differs for states of
  // `allocated` that have gone different ways (AllocatorInputs).
  void Refresh(const AllocatedDevices& allocated, uint64_t reader);
  // By the last Refresh.
  bool has_devices_in_use() const { return has_devices_in_use_; }
  // By the last Refresh: whether the whole device is allocated.
  bool IsDedicated(size_t device) const { return !dedicated_.empty() && dedicated_[device]; }
  // The counters, of which the devices that were in use at the last Refresh consume their part.
  PoolCounters& Counters(const AllocatedDevices& allocated);

 private:
  // The reader of the last Refresh, and its version of the devices in use.
  std::optional<std::pair<uint64_t, uint64_t>> version_;
  bool has_devices_in_use_ = false;
  std::vector<bool> dedicated_;  // empty: none
  std::unique_ptr<PoolCounters> counters_;
};

// The slices of a pool, sorted by name.
using PoolSlices = std::vector<PoolSlice*>;

// Whether a slice is relevant for the node: it can use one of the devices, or the slice has
// counters, which concern every node. Without gate DRAPartitionableDevices, slices with counters or
// a node selection by device never are.
Result<bool, std::string> IsRelevant(PoolSlice* slice, const Node* node, bool is_partitionable);

// The pool for nodes for which these slices are relevant. Null if none of them is, or if slices of
// a newer generation exist that are not relevant.
std::unique_ptr<Pool> GatherPool(const PoolSlices& slices, const std::vector<bool>& is_relevant,
                                 bool is_partitionable);

// The order in which an allocator tries pools.
bool IsTriedBefore(const Pool& a, const Pool& b);

}  // namespace stowage
