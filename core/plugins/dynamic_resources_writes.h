// Writes of ResourceClaims to the API server on behalf of a pod.
#pragma once

#include <string>
#include <string_view>

#include "core/api/object_key.h"
#include "core/api/pod.h"
#include "core/api/resource_claim.h"
#include "core/framework/api_client.h"
#include "core/loop/task.h"

namespace stowage {

// The outcome of a write: the claim as the server has it, or why the write failed.
struct ClaimAnswer {
  ResourceClaimRef claim;  // null after a failure and a deletion
  std::string error;       // empty: success
  bool is_conflict = false;

  bool ok() const { return error.empty(); }
};

class ClaimWriter {
 public:
  // The pod is named in the calls; nothing else of it is read.
  ClaimWriter(ApiClient& api, Calls& calls, const Pod& pod);

  // `claim` holds the body; the server names the object.
  Task<ClaimAnswer> Create(ResourceClaimRef claim);
  Task<ClaimAnswer> Get(ObjectKey key);
  Task<ClaimAnswer> Update(ResourceClaimRef claim);
  Task<ClaimAnswer> UpdateStatus(ResourceClaimRef claim);
  Task<ClaimAnswer> Delete(ObjectKey key);
  // Removes the reservation for the pod with this uid.
  Task<ClaimAnswer> PatchReservation(ResourceClaimRef claim, Symbol pod_uid);

 private:
  Task<ClaimAnswer> Replace(ResourceClaimRef claim, std::string_view subresource);
  Task<ClaimAnswer> Send(std::string_view verb, std::string_view method, ObjectKey key,
                         std::string_view subresource, std::string body);

  ApiClient& api_;
  Calls& calls_;
  std::string pod_;
};

// Removes the finalizer, again after a conflict, and deletes the claim. Returns the error, if any.
Task<std::string> DeleteClaim(ClaimWriter* writer, Calls* calls, ResourceClaimRef claim);

// retry.DefaultRetry of client-go: how often a write is tried after conflicts.
inline constexpr int kConflictTriesMax = 5;
inline constexpr int64_t kConflictDelayUs = 10'000;

}  // namespace stowage
