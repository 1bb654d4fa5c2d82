// DraManager is the state of devices that all profiles share: claims, allocated devices, slices and
// classes. Plugins reach it through Handle::dra.
// Counterpart: plugins/dynamicresources/dra_manager.go (DefaultDRAManager), v1.36.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/config/features.h"
#include "core/dra/allocator.h"
#include "core/dra/claim_cache.h"
#include "core/dra/extended_resource_cache.h"
#include "core/dra/in_flight_allocations.h"
#include "core/dra/resource_pools.h"
#include "core/dra/resource_slices.h"

namespace stowage {

class DraManager final : public DeviceClasses {
 public:
  // Both must outlive the manager.
  DraManager(const Features& features, SelectorEvaluator& selectors);
  DraManager(const DraManager&) = delete;
  DraManager& operator=(const DraManager&) = delete;

  ClaimCache& claims() { return claims_; }
  InFlightAllocations& in_flight() { return in_flight_; }
  ResourceSlices& slices() { return slices_; }
  // The allocations of claims, and those in flight.
  const AllocatedDevices& allocated() const { return allocated_; }
  const ExtendedResourceCache& extended_resources() const { return extended_resources_; }
  SelectorEvaluator& selectors() { return selectors_; }

  void PutDeviceClass(const DeviceClassRef& device_class);
  void RemoveDeviceClass(const Symbol& name);
  DeviceClassRef GetDeviceClass(const Symbol& name) const override;

  // An allocator for one cycle. `refusals`: as in AllocatorInputs.
  std::unique_ptr<Allocator> NewAllocator(DeviceRefusals* refusals = nullptr);

 private:
  const Features& features_;
  SelectorEvaluator& selectors_;
  AllocatedDevices allocated_;
  ClaimCache claims_{allocated_};
  InFlightAllocations in_flight_{allocated_};
  ResourceSlices slices_;
  ResourcePools pools_{slices_, features_.dra_partitionable_devices};
  std::map<Symbol, DeviceClassRef> classes_;
  ExtendedResourceCache extended_resources_;
};

}  // namespace stowage
