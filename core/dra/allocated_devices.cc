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
  for (const DeviceRequestAllocationResult& result : allocation.devices.results) {
    if (result.admin_access.value_or(false)) continue;
    PoolUse& pool = pools_[{result.driver, result.pool}];
    pool.version = ++version_;
    auto [entry, is_new] = uses_.try_emplace(IdOf(result));
    if (is_new) ++pool.num_devices;
    DeviceUse& use = entry->second;
    if (has_shares_ && result.share_id) {
      AddShare(result, &use);
    } else {
      ++use.num_dedicated;
    }
  }
}

void AllocatedDevices::Remove(const AllocationResult& allocation) {
  for (const DeviceRequestAllocationResult& result : allocation.devices.results) {
    if (result.admin_access.value_or(false)) continue;
    auto found = uses_.find(IdOf(result));
    CHECK(found != uses_.end());
    auto pool = pools_.find({result.driver, result.pool});
    pool->second.version = ++version_;
    DeviceUse& use = found->second;
    if (has_shares_ && result.share_id) {
      RemoveShare(result, &use);
    } else {
      CHECK(use.num_dedicated > 0);
      --use.num_dedicated;
    }
    if (use.num_dedicated > 0 || !use.shares.empty()) continue;
    uses_.erase(found);
    if (--pool->second.num_devices == 0) ReleasePool({result.driver, result.pool});
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

void AllocatedDevices::AddShare(const DeviceRequestAllocationResult& result, DeviceUse* use) {
  auto share = FindShare(*result.share_id, use);
  if (share != use->shares.end()) {
    ++share->num_holders;
    return;
  }
  use->shares.push_back({*result.share_id, result.consumed_capacity, 1});
  SumShares(use);
}

void AllocatedDevices::RemoveShare(const DeviceRequestAllocationResult& result, DeviceUse* use) {
  auto share = FindShare(*result.share_id, use);
  CHECK(share != use->shares.end());
  if (--share->num_holders > 0) return;
  use->shares.erase(share);
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
