#include "core/dra/dra_manager.h"

#include <utility>

namespace stowage {
namespace {

// After one change that concerns any node, as many others must follow before verdicts on all nodes
// are worth caching.
constexpr uint64_t kRecentChanges = 64;

}  // namespace

DraManager::DraManager(const Features& features, SelectorEvaluator& selectors)
    : features_(features), selectors_(selectors), allocated_(features.dra_consumable_capacity) {}

void DraManager::CopyStateFrom(const DraManager& other) {
  allocated_ = other.allocated_;
  claims_.CopyStateFrom(other.claims_);
  in_flight_.CopyStateFrom(other.in_flight_);
  devices_ = other.devices_;
  reader_ = ++devices_->num_readers;
  classes_ = other.classes_;
  extended_resources_ = other.extended_resources_;
  num_seen_changes_ = other.num_seen_changes_;
  last_wide_change_ = other.last_wide_change_;
}

void DraManager::Restore(const DraManager& saved) {
  uint64_t latest = slices().version();
  bool has_changed = latest != saved.slices().version() ||
                     allocated_.changes().end() != saved.allocated_.changes().end();
  CopyStateFrom(saved);
  if (has_changed) MutableSlices().set_version(latest + 1);
}

ResourceSlices& DraManager::MutableSlices() {
  if (devices_.use_count() > 1) {
    devices_ = std::make_shared<Devices>(devices_->slices, features_);
    reader_ = 0;
  }
  return devices_->slices;
}

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
  return MakeAllocator({features,
                        allocated_,
                        devices_->slices,
                        *this,
                        selectors_,
                        {devices_, &devices_->pools},
                        refusals,
                        reader_});
}

std::optional<std::vector<Symbol>> DraManager::NodesChangedSince(uint64_t from) {
  auto changed = allocated_.changes().Since(from);
  if (!changed) return std::nullopt;
  std::vector<Symbol> nodes;
  for (const PoolId& pool : *changed) {
    if (!devices_->pools.AppendNodesOf(pool, &nodes)) return std::nullopt;
  }
  return nodes;
}

bool DraManager::HasRecentWideChange() {
  const DeviceChanges& changes = allocated_.changes();
  const uint64_t end = changes.end();
  if (num_seen_changes_ != end) {
    bool is_wide = !NodesChangedSince(num_seen_changes_).has_value();
    if (is_wide) last_wide_change_ = end;
    num_seen_changes_ = end;
  }
  return last_wide_change_ && end - *last_wide_change_ < kRecentChanges;
}

}  // namespace stowage
