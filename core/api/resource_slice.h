// The fields of ResourceSlice (resource.k8s.io/v1) that the scheduler reads
// (spec plugins/dynamic-resources-allocator).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/api/meta.h"
#include "core/api/pod.h"
#include "core/api/quantity.h"
#include "core/api/shared.h"

namespace stowage {

// A valid attribute has exactly one value. The lists are read with gate DRAListTypeAttributes only.
struct DeviceAttribute {
  std::optional<int64_t> int_value;
  std::optional<bool> bool_value;
  std::optional<Symbol> string_value;
  std::optional<Symbol> version_value;
  std::optional<std::vector<int64_t>> int_values;
  std::optional<std::vector<std::optional<bool>>> bool_values;  // null is false
  std::optional<std::vector<Symbol>> string_values;
  std::optional<std::vector<Symbol>> version_values;

  friend bool operator==(const DeviceAttribute&, const DeviceAttribute&) = default;
};

struct CapacityRequestPolicyRange {
  std::optional<Quantity> min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;

  friend bool operator==(const CapacityRequestPolicyRange&,
                         const CapacityRequestPolicyRange&) = default;
};

struct CapacityRequestPolicy {
  std::optional<Quantity> default_value;
  std::vector<Quantity> valid_values;
  std::optional<CapacityRequestPolicyRange> valid_range;

  friend bool operator==(const CapacityRequestPolicy&, const CapacityRequestPolicy&) = default;
};

struct DeviceCapacity {
  Quantity value;
  Shared<CapacityRequestPolicy> request_policy;

  friend bool operator==(const DeviceCapacity&, const DeviceCapacity&) = default;
};

struct Counter {
  Quantity value;

  friend bool operator==(const Counter&, const Counter&) = default;
};

// Values by name, sorted by name, names unique; a name is "id" or "domain/id".
template <typename T>
using NamedValues = std::vector<std::pair<Symbol, T>>;

struct CounterSet {
  Symbol name;
  NamedValues<Counter> counters;

  friend bool operator==(const CounterSet&, const CounterSet&) = default;
};

struct DeviceCounterConsumption {
  Symbol counter_set;
  NamedValues<Counter> counters;

  friend bool operator==(const DeviceCounterConsumption&,
                         const DeviceCounterConsumption&) = default;
};

struct DeviceTaint {
  Symbol key;
  Symbol value;
  Symbol effect;  // None, NoSchedule, NoExecute
  std::optional<Instant> time_added;

  friend bool operator==(const DeviceTaint&, const DeviceTaint&) = default;
};

// How much of a node's resource a device takes (gate DRANodeAllocatableResources).
struct NodeAllocatableResourceMapping {
  std::optional<Symbol> capacity_key;
  std::optional<Quantity> allocation_multiplier;

  friend bool operator==(const NodeAllocatableResourceMapping&,
                         const NodeAllocatableResourceMapping&) = default;
};

struct Device {
  Symbol name;
  NamedValues<DeviceAttribute> attributes;
  NamedValues<DeviceCapacity> capacity;
  std::vector<DeviceCounterConsumption> consumes_counters;
  // With perDeviceNodeSelection of the slice: the nodes that can use the device.
  Symbol node_name;
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;
  std::vector<DeviceTaint> taints;
  bool binds_to_node = false;
  SharedList<Symbol> binding_conditions;
  SharedList<Symbol> binding_failure_conditions;
  bool allow_multiple_allocations = false;
  NamedValues<NodeAllocatableResourceMapping> node_allocatable_resource_mappings;  // by resource

  friend bool operator==(const Device&, const Device&) = default;
};

struct ResourcePool {
  Symbol name;
  int64_t generation = 0;
  int64_t resource_slice_count = 0;

  friend bool operator==(const ResourcePool&, const ResourcePool&) = default;
};

struct ResourceSliceSpec {
  Symbol driver;
  ResourcePool pool;
  // The nodes that can use the devices.
  Symbol node_name;
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;
  bool per_device_node_selection = false;
  std::vector<Device> devices;
  std::vector<CounterSet> shared_counters;

  friend bool operator==(const ResourceSliceSpec&, const ResourceSliceSpec&) = default;
};

struct ResourceSlice {
  ObjectMeta metadata;
  ResourceSliceSpec spec;
};

using ResourceSliceRef = std::shared_ptr<const ResourceSlice>;

}  // namespace stowage
