// DraManager is the state of devices that all profiles share: claims, allocated devices, slices and
// classes. Plugins reach it through Handle::dra.
// Counterpart: plugins/dynamicresources/dra_manager.go (DefaultDRAManager), v1.36.
#pragma once

#include <map>
#include <memory>
#include <optional>
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

  // Takes the claims, devices, classes and allocations of another manager.
  void CopyStateFrom(const DraManager& other);
  // Goes back to the state of `saved`, an earlier copy. If devices have changed since, the slices
  // have a new version, so that readers start again.
  void Restore(const DraManager& saved);

  ClaimCache& claims() { return claims_; }
  InFlightAllocations& in_flight() { return in_flight_; }
  const ResourceSlices& slices() const { return devices_->slices; }
  ResourceSlices& MutableSlices();
  // The allocations of claims, and those in flight.
  const AllocatedDevices& allocated() const { return allocated_; }
  const ExtendedResourceCache& extended_resources() const { return extended_resources_; }
  SelectorEvaluator& selectors() { return selectors_; }

  void PutDeviceClass(const DeviceClassRef& device_class);
  void RemoveDeviceClass(const Symbol& name);
  DeviceClassRef GetDeviceClass(const Symbol& name) const override;

  // An allocator for one cycle. It finds the same in later ones on nodes whose devices in use did
  // not change, as long as no slice and no class changes. `refusals`: as in AllocatorInputs.
  std::unique_ptr<Allocator> NewAllocator(DeviceRefusals* refusals = nullptr);

  // The nodes for which an allocator may find other devices, in any order, because devices were
  // allocated or freed after the first `from` changes of allocated(). nullopt: any node.
  std::optional<std::vector<Symbol>> NodesChangedSince(uint64_t from);
  // Whether some of the last changes of allocated() concern more nodes than those that their pools
  // name.
  bool HasRecentWideChange();

 private:
  // The slices, and what is known of their pools. Copies of a manager share them until one of them
  // changes a slice. An allocator keeps those that it began with.
  struct Devices {
    Devices(const ResourceSlices& copied, const Features& features)
        : slices(copied), pools(slices, features.dra_partitionable_devices) {}

    ResourceSlices slices;
    ResourcePools pools;
    uint64_t num_readers = 0;  // that were copied from another one
  };

  const Features& features_;
  SelectorEvaluator& selectors_;
  AllocatedDevices allocated_;
  ClaimCache claims_{allocated_};
  InFlightAllocations in_flight_{allocated_};
  std::shared_ptr<Devices> devices_ = std::make_shared<Devices>(ResourceSlices(), features_);
  uint64_t reader_ = 0;  // the number of this manager among those that share the devices
  std::map<Symbol, DeviceClassRef> classes_;
  ExtendedResourceCache extended_resources_;
  uint64_t num_seen_changes_ = 0;  // by HasRecentWideChange
  std::optional<uint64_t> last_wide_change_;
};

}  // namespace stowage
