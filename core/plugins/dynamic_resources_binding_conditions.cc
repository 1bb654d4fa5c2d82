#include "core/plugins/dynamic_resources_binding_conditions.h"

#include <algorithm>

#include "core/base/format.h"

namespace stowage {
namespace {

constexpr std::string_view kTrue = "True";

const AllocatedDeviceStatus* StatusOf(const DeviceRequestAllocationResult& result,
                                      const ResourceClaim& claim) {
  for (const AllocatedDeviceStatus& status : claim.status.devices) {
    if (status.driver == result.driver && status.pool == result.pool &&
        status.device == result.device) {
      return &status;
    }
  }
  return nullptr;
}

const DeviceCondition* FindTrue(const Symbol& type, const AllocatedDeviceStatus& status) {
  for (const DeviceCondition& condition : status.conditions) {
    if (condition.type == type) return condition.status == kTrue ? &condition : nullptr;
  }
  return nullptr;
}

}  // namespace

Result<bool, std::string> IsClaimReadyForBinding(const ResourceClaim& claim) {
  if (!claim.status.allocation) return false;
  for (const DeviceRequestAllocationResult& result : claim.status.allocation->devices.results) {
    if (result.binding_conditions.empty()) continue;
    const AllocatedDeviceStatus* status = StatusOf(result, claim);
    if (status == nullptr) return false;
    for (const Symbol& type : result.binding_failure_conditions) {
      if (const DeviceCondition* failure = FindTrue(type, *status)) {
        return Format("device binding failed: claim={}, reason={}, message=\"{}\"",
                      claim.metadata.name.view(), failure->reason.view(), failure->message);
      }
    }
    for (const Symbol& type : result.binding_conditions) {
      if (FindTrue(type, *status) == nullptr) return false;
    }
  }
  return true;
}

bool IsClaimTimedOut(const ResourceClaim& claim, int64_t timeout_us, Instant now) {
  const Shared<AllocationResult>& allocation = claim.status.allocation;
  if (!allocation || !allocation->allocation_timestamp) return false;
  bool has_conditions = std::ranges::any_of(allocation->devices.results,
                                            [](const DeviceRequestAllocationResult& result) {
                                              return !result.binding_conditions.empty();
                                            });
  return has_conditions &&
         allocation->allocation_timestamp->ToMicros() + timeout_us < now.ToMicros();
}

void AddDriversWithBindingConditions(const ResourceClaim& claim, std::set<Symbol>* drivers) {
  if (!claim.status.allocation) return;
  for (const DeviceRequestAllocationResult& result : claim.status.allocation->devices.results) {
    if (!result.binding_conditions.empty()) drivers->insert(result.driver);
  }
}

}  // namespace stowage
