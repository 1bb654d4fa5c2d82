#include "core/framework/api_client.h"

#include <algorithm>

namespace stowage {

bool PodStatusPatch::IsNeededFor(const PodStatus& status) const {
  if (nominated_node_name && *nominated_node_name != status.nominated_node_name) return true;
  if (extended_resource_claim_status &&
      extended_resource_claim_status != status.extended_resource_claim_status) {
    return true;
  }
  if (!node_allocatable_resource_claim_statuses.empty() &&
      node_allocatable_resource_claim_statuses != status.node_allocatable_resource_claim_statuses) {
    return true;
  }
  if (!condition) return false;
  auto current =
      std::find_if(status.conditions.begin(), status.conditions.end(),
                   [this](const PodCondition& one) { return one.type == condition->type; });
  return current == status.conditions.end() || current->status != condition->status ||
         current->reason != condition->reason || current->message != condition->message ||
         current->last_probe_time != condition->last_probe_time;
}

}  // namespace stowage
