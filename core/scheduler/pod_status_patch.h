// StatusPatchBody builds the body of a status patch: the strategic merge patch from a pod's current
// status to the wanted one. Conditions are merged by type (spec 05 §10).
// Counterpart: PatchPodStatus of pkg/scheduler/util/utils.go, UpdatePodCondition of pkg/api/v1/pod
// and apimachinery's strategicpatch, v1.36.
#pragma once

#include <string>

#include "core/api/encode/json_writer.h"
#include "core/framework/api_client.h"

namespace stowage {

// Appends a condition as the API server writes it.
void WriteCondition(const PodCondition& condition, JsonWriter* json);
// The same for a condition of a PodGroup.
void WriteGroupCondition(const PodCondition& condition, JsonWriter* json);

// status.extendedResourceClaimStatus, status.nodeAllocatableResourceClaimStatuses and
// status.resourceClaimStatuses as the API server writes them.
std::string ExtendedResourceClaimStatusText(const PodExtendedResourceClaimStatus& status);
std::string NodeAllocatableResourceClaimStatusesText(
    const NodeAllocatableResourceClaimStatuses& statuses);
std::string ResourceClaimStatusesText(const PodStatus& status);

// Holds only what differs; "{}" if nothing does. A condition keeps its lastTransitionTime while its
// status stays the same; else it takes that of `patch`.
std::string StatusPatchBody(const PodStatus& status, const PodStatusPatch& patch);

}  // namespace stowage
