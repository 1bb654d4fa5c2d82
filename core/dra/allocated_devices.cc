#include "core/dra/allocated_devices.h"

#include <algorithm>

namespace stowage {
namespace {

constexpr size_t kFreePoolsMax = 50'000;

DeviceId IdOf(const DeviceRequestAllocationResult& result) {
  return {result.driver, result.pool, result.device};
}

void SumShares(DeviceUse* use) {
  use->consumed_capacity.clear();
  for (const DeviceShare& share : use->shares) {
    for (const auto& [name, amount] : share.consumed_capacity) {
      use->consumed_capacity[name].Add(amount);
    }
  }
}

auto FindShare(const Symbol& id, DeviceUse* use) {
  return std::find_if(use->shares.begin(), use->shares.end(),
                      [&id](const DeviceShare& share) { return share.id == id; });
}

}  // namespace

void AllocatedDevices::Add(const AllocationResult& allocation) {
  ForEachResult(allocation, [](UseCount* count) { count->is_stored = true; });
}

void AllocatedDevices::Remove(const AllocationResult& allocation) {
  ForEachResult(allocation, [](UseCount* count) { count->is_stored = false; });
}

void AllocatedDevices::AddInFlight(const AllocationResult& allocation) {
  ForEachResult(allocation, [](UseCount* count) { ++count->num_in_flight; });
}

void AllocatedDevices::RemoveInFlight(const AllocationResult& allocation) {
  ForEachResult(allocation, [](UseCount* count) {
    CHECK(count->num_in_flight > 0);
    --count->num_in_flight;
  });
}

void AllocatedDevices::ForEachResult(const AllocationResult& allocation, Change change) {
  for (const DeviceRequestAllocationResult& result : allocation.devices.results) {
    if (!result.admin_access.value_or(false)) ChangeResult(result, change);
  }
}

void AllocatedDevices::ChangeResult(const DeviceRequestAllocationResult& result, Change change) {
  const DeviceId device = IdOf(result);
  auto [key, use, is_new] = uses_.try_emplace(device);
  const bool was_dedicated = use.is_dedicated();
  bool is_other_share = false;
  if (has_shares_ && result.share_id) {
    is_other_share = ChangeShare(result, change, &use);
  } else {
    change(&use.dedicated);
  }
  const bool is_used = use.is_dedicated() || !use.shares.empty();
  const bool has_changed = use.is_dedicated() != was_dedicated || is_other_share;
  if (!is_used) uses_.erase(device);
  if (!has_changed) return;
  const PoolId id{result.driver, result.pool};
  changes_.Add(id);
  PoolUse& pool = pools_[id];
  pool.version = changes_.end();
  if (is_new) ++pool.num_devices;
  if (!is_used && --pool.num_devices == 0) ReleasePool(id);
}

void AllocatedDevices::ReleasePool(const PoolId& id) {
  pools_.erase(id);
  free_pools_[id] = changes_.end();
  if (free_pools_.size() <= kFreePoolsMax) return;
  // So that the names of pools that are gone do not add up.
  free_pools_.clear();
  version_of_other_pools_ = changes_.end();
}

bool AllocatedDevices::ChangeShare(const DeviceRequestAllocationResult& result, Change change,
                                   DeviceUse* use) {
  auto share = FindShare(*result.share_id, use);
  const bool is_new = share == use->shares.end();
  if (is_new) {
    use->shares.push_back({*result.share_id, result.consumed_capacity, {}});
    share = use->shares.end() - 1;
  }
  change(&share->count);
  const bool is_gone = !share->count.IsUsed();
  if (is_gone) use->shares.erase(share);
  if (is_new != is_gone) SumShares(use);
  return is_new != is_gone;
}

const DeviceUse* AllocatedDevices::Find(const DeviceId& id) const {
  auto found = uses_.find(id);
  return found == uses_.end() ? nullptr : &found->second;
}

uint64_t AllocatedDevices::VersionOfPool(const PoolId& id) const {
  auto used = pools_.find(id);
  if (used != pools_.end()) return used->second.version;
  auto free = free_pools_.find(id);
  return free == free_pools_.end() ? version_of_other_pools_ : free->second;
}

}  // namespace stowage
