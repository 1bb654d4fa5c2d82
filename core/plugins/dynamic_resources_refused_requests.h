// The part of DynamicResources' explanation that is about requests of claims: how many devices each
// rule refuses, and what is known of the rule.
#pragma once

#include "core/api/encode/json_writer.h"
#include "core/dra/claim_cache.h"
#include "core/dra/device_refusals.h"
#include "core/table/node_info.h"

namespace stowage {

// Writes the members `deviceRequests` and, if there are too many, `deviceRequestsOmitted`.
// `refusals`: those of the node.
void WriteRefusedRequests(const DeviceRefusals& refusals, const NodeInfo& node,
                          const ClaimCache& known_claims, JsonWriter* json);

}  // namespace stowage
