#include "core/dra/dra_manager.h"

#include <utility>

namespace stowage {

DraManager::DraManager(const Features& features, SelectorEvaluator& selectors)
    : features_(features), selectors_(selectors), allocated_(features.dra_consumable_capacity) {}

void DraManager::PutDeviceClass(const DeviceClassRef& device_class) {
  DeviceClassRef& known = classes_[device_class->metadata.name];
  DeviceClassRef old_class = std::exchange(known, device_class);
  extended_resources_.Put(old_class, device_class);
}

void DraManager::RemoveDeviceClass(const Symbol& name) {
  auto found = classes_.find(name);
  if (found == classes_.end()) return;
  extended_resources_.Remove(*found->second);
  classes_.erase(found);
}

DeviceClassRef DraManager::GetDeviceClass(const Symbol& name) const {
  auto found = classes_.find(name);
  return found == classes_.end() ? nullptr : found->second;
}

std::unique_ptr<Allocator> DraManager::NewAllocator(DeviceRefusals* refusals) {
  AllocatorFeatures features;
  features.admin_access = features_.dra_admin_access;
  features.prioritized_list = features_.dra_prioritized_list;
  features.partitionable_devices = features_.dra_partitionable_devices;
  features.device_taints = features_.dra_device_taints;
  features.binding_conditions =
      features_.dra_device_binding_conditions && features_.dra_resource_claim_device_status;
  features.consumable_capacity = features_.dra_consumable_capacity;
  return MakeAllocator({features, allocated_, slices_, *this, selectors_, &pools_, refusals});
}

}  // namespace stowage
