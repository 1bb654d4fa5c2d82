// Allocator finds devices on a node for claims (spec plugins/dynamic-resources-allocator).
// Counterpart: dynamic-resource-allocation/structured/internal/incubating, v1.36.3.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/api/device_class.h"
#include "core/api/node.h"
#include "core/api/resource_claim.h"
#include "core/base/result.h"
#include "core/base/step_budget.h"
#include "core/dra/allocated_devices.h"
#include "core/dra/resource_slices.h"
#include "core/dra/selector_evaluator.h"

namespace stowage {

struct AllocatorFeatures {
  bool admin_access = true;
  bool prioritized_list = true;
  bool partitionable_devices = true;
  bool device_taints = true;
  bool binding_conditions = true;  // DRADeviceBindingConditions and DRAResourceClaimDeviceStatus
  bool consumable_capacity = true;
};

class DeviceRefusals;
class ResourcePools;

class DeviceClasses {
 public:
  virtual ~DeviceClasses() = default;
  // Null if there is no such class.
  virtual DeviceClassRef GetDeviceClass(const Symbol& name) const = 0;
};

struct AllocatorInputs {
  AllocatorFeatures features;
  const AllocatedDevices& allocated;
  const ResourceSlices& slices;
  const DeviceClasses& classes;
  SelectorEvaluator& selectors;
  // What is known of pools between allocators, for the same slices and gate; null: the allocator
  // gathers them for itself. It keeps the slices too.
  std::shared_ptr<ResourcePools> pools = nullptr;
  // If set, it counts why devices are refused.
  DeviceRefusals* refusals = nullptr;
  // The number of `allocated` among those that share `pools`.
  uint64_t reader = 0;
};

// Why Allocate found nothing, other than that the devices do not suffice.
struct AllocationFault {
  enum class Kind : uint8_t {
    kError,      // ends the attempt, on whichever node it occurs
    kNodeOnly,   // another node may have devices
    kExhausted,  // the steps are used up
  };
  Kind kind = Kind::kError;
  std::string message;  // empty for kExhausted
};

// The allocations of the claims, in their order; empty if the devices of the node do not suffice.
using Allocations = std::vector<Shared<AllocationResult>>;

// One allocator serves one scheduling cycle, in which its inputs do not change: it keeps between
// calls of Allocate what does not depend on the node, and the claims of the last call.
class Allocator {
 public:
  virtual ~Allocator() = default;

  // `claims` are those without an allocation. `steps` bounds the search; a step is about one
  // device that is tried. Does not change the inputs. Share IDs are UuidOf (core/base/uuid.h) the
  // claim's uid and the result's index, so that equal inputs give equal IDs.
  virtual Result<Allocations, AllocationFault> Allocate(const Node& node,
                                                        std::span<const ResourceClaimRef> claims,
                                                        StepBudget* steps) = 0;
};

// The inputs must outlive the allocator.
std::unique_ptr<Allocator> MakeAllocator(const AllocatorInputs& inputs);

}  // namespace stowage
