// Changes of ResourceClaims together with their text, which the scheduler sends to the API server,
// and the JSON of allocations.
#pragma once

#include <string>
#include <string_view>

#include "core/api/encode/json_writer.h"
#include "core/api/resource_claim.h"

namespace stowage {

struct ClaimWords {
  Symbol finalizer{"resource.kubernetes.io/delete-protection"};
  Symbol extended_annotation{"resource.kubernetes.io/extended-resource-claim"};
  Symbol pods{"pods"};
  Symbol scheduling_group{"scheduling.k8s.io"};
  Symbol pod_groups{"podgroups"};

  static const ClaimWords& Get();
};

// The claim's JSON, with kind and apiVersion.
std::string ClaimText(const ResourceClaim& claim);
// The claim in a server's answer; null if the text holds none.
ResourceClaimRef ClaimOfText(std::string_view text);

// An allocation as it stands in a claim; `has_timestamp`: with allocationTimestamp.
void WriteAllocation(const AllocationResult& allocation, bool has_timestamp, JsonWriter* json);

// Each changes the claim and its text.
void SetFinalizer(bool is_present, ResourceClaim* claim);
void SetAllocation(Shared<AllocationResult> allocation, ResourceClaim* claim);
void AddReservation(const ResourceClaimConsumerReference& consumer, ResourceClaim* claim);
// Removes the reservation for the consumer with this uid.
void RemoveReservation(const Symbol& uid, ResourceClaim* claim);
// Clears allocation, reservations and the statuses of the devices: all of the status.
void Deallocate(ResourceClaim* claim);

bool HasFinalizer(const ResourceClaim& claim);
// Whether the claim is reserved for the pod with this uid.
bool IsReservedFor(const ResourceClaim& claim, const Symbol& uid);

}  // namespace stowage
