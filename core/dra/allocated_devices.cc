#include "core/dra/allocated_devices.h"

#include <algorithm>

namespace stowage {
namespace {

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
    ++version_;
    DeviceUse& use = uses_.try_emplace(IdOf(result)).first->second;
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
    ++version_;
    auto found = uses_.find(IdOf(result));
    CHECK(found != uses_.end());
    DeviceUse& use = found->second;
    if (has_shares_ && result.share_id) {
      RemoveShare(result, &use);
    } else {
      CHECK(use.num_dedicated > 0);
      --use.num_dedicated;
    }
    if (use.num_dedicated == 0 && use.shares.empty()) uses_.erase(found);
  }
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

}  // namespace stowage
