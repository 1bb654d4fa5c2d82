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
    if (result.admin_access.value_or(false)) continue;
    const PoolId pool_id{result.driver, result.pool};
    PoolUse& pool = pools_[pool_id];
    pool.version = ++version_;
    auto [entry, is_new] = uses_.try_emplace(IdOf(result));
    if (is_new) ++pool.num_devices;
    DeviceUse& use = entry->second;
    if (has_shares_ && result.share_id) {
      ChangeShare(result, change, &use);
    } else {
      change(&use.dedicated);
    }
    if (use.is_dedicated() || !use.shares.empty()) continue;
    uses_.erase(entry);
    if (--pool.num_devices == 0) ReleasePool(pool_id);
  }
}

void AllocatedDevices::ReleasePool(const PoolId& id) {
  pools_.erase(id);
  free_pools_[id] = version_;
  if (free_pools_.size() <= kFreePoolsMax) return;
  // So that the names of pools that are gone do not add up.
  free_pools_.clear();
  version_of_other_pools_ = ++version_;
}

void AllocatedDevices::ChangeShare(const DeviceRequestAllocationResult& result, Change change,
                                   DeviceUse* use) {
  auto share = FindShare(*result.share_id, use);
  if (share == use->shares.end()) {
    use->shares.push_back({*result.share_id, result.consumed_capacity, {}});
    share = use->shares.end() - 1;
  }
  change(&share->count);
  if (!share->count.IsUsed()) use->shares.erase(share);
  SumShares(use);
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
