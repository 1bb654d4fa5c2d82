// The conditions that devices must fulfil before a pod is bound (spec plugins/dynamic-resources
// "Filter").
#pragma once

#include <set>
#include <string>

#include "core/api/resource_claim.h"
#include "core/base/instant.h"
#include "core/base/result.h"

namespace stowage {

// Whether all binding conditions of the claim's devices are true. The fault says which device
// failed.
Result<bool, std::string> IsClaimReadyForBinding(const ResourceClaim& claim);

// Whether the claim, which has binding conditions, was allocated longer ago than the timeout.
bool IsClaimTimedOut(const ResourceClaim& claim, int64_t timeout_us, Instant now);

// Adds the drivers whose allocated devices have binding conditions.
void AddDriversWithBindingConditions(const ResourceClaim& claim, std::set<Symbol>* drivers);

}  // namespace stowage
