// What DynamicResources takes back: allocations that keep a pod from every node, and what was
// written for a pod that is not bound after all.
#include <memory>
#include <utility>

#include "core/dra/claim_text.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/dynamic_resources_writes.h"

namespace stowage {
namespace {

bool IsReservedForOthers(const ResourceClaim& claim, const Symbol& uid) {
  const auto& consumers = claim.status.reserved_for;
  return consumers.size() > 1 || (consumers.size() == 1 && consumers[0].uid != uid);
}

Task<void> RemoveReservation(ClaimWriter writer, ResourceClaimRef claim, Symbol pod_uid) {
  co_await writer.PatchReservation(std::move(claim), std::move(pod_uid));
}

Task<void> DeleteInBackground(ClaimWriter writer, Calls* calls, ResourceClaimRef claim) {
  co_await DeleteClaim(&writer, calls, std::move(claim));
}

}  // namespace

// An evaluation writes nothing; it reports what a cycle would do.
Task<Status> DynamicResources::PostFilter(CycleState& state, const Pod& pod, const NodeToStatus&,
                                          PostFilterResult*) {
  if (state.ReadData<DynamicResourcesState>() == nullptr) co_return Status::Error("not found");
  DynamicResourcesData* data = DataIn(state);
  if (data == nullptr) co_return Status::Unschedulable(kReasonNoClaims);
  Background* background = handle_.background();
  ResourceClaimRef extended = data->has_extended_claim && !IsInMemory(*data->claims.back().claim)
                                  ? data->claims.back().claim
                                  : nullptr;
  for (size_t index : data->unavailable_claims) {
    if (data->IsExtended(index)) break;
    const ResourceClaimRef& claim = data->claims[index].claim;
    if (IsReservedForOthers(*claim, pod.metadata.uid)) continue;
    if (background != nullptr) {
      auto changed = std::make_shared<ResourceClaim>(*claim);
      Deallocate(changed.get());
      ClaimWriter writer(background->api, handle_.calls(), pod);
      ClaimAnswer answer = co_await writer.UpdateStatus(std::move(changed));
      if (!answer.ok()) co_return Status::Error(answer.error);
    }
    co_return Status::Unschedulable("deallocation of ResourceClaim completed");
  }
  if (extended != nullptr) {
    if (background != nullptr) {
      ClaimWriter writer(background->api, handle_.calls(), pod);
      std::string error = co_await DeleteClaim(&writer, &handle_.calls(), extended);
      if (!error.empty()) co_return Status::Error(error);
    }
    co_return Status::Unschedulable("deletion of ResourceClaim completed");
  }
  if (ResourceClaimRef claim = ClaimToUnreserve(*data)) {
    if (background != nullptr) {
      ClaimWriter writer(background->api, handle_.calls(), pod);
      ClaimAnswer answer = co_await writer.PatchReservation(claim, data->group->metadata.uid);
      if (!answer.ok()) co_return Status::Error(answer.error);
    }
    co_return Status::UnschedulableAndUnresolvable("ResourceClaim unreserved for PodGroup");
  }
  co_return Status::Unschedulable(kReasonStillUnschedulable);
}

// A claim that is reserved for the pod's group, of which no pod is scheduled; null if there is
// none.
ResourceClaimRef DynamicResources::ClaimToUnreserve(const DynamicResourcesData& data) const {
  if (data.group == nullptr) return nullptr;
  if (handle_.pod_groups().NumScheduled(ObjectKey::Of(data.group->metadata)) > 0) return nullptr;
  for (const ClaimInCycle& info : data.claims) {
    bool is_reserved = info.is_allocated() && IsReservedFor(*info.claim, data.group->metadata.uid);
    if (is_reserved) return info.claim;
  }
  return nullptr;
}

void DynamicResources::SpawnRemovalOfReservation(const Pod& pod, const ResourceClaimRef& claim) {
  Background* background = handle_.background();
  if (background == nullptr) return;
  ClaimWriter writer(background->api, background->calls, pod);
  background->spawner.Spawn(RemoveReservation(writer, claim, pod.metadata.uid));
}

void DynamicResources::SpawnDeletion(const Pod& pod, const ResourceClaimRef& claim) {
  Background* background = handle_.background();
  if (background == nullptr) return;
  ClaimWriter writer(background->api, background->calls, pod);
  background->spawner.Spawn(DeleteInBackground(writer, &background->calls, claim));
}

}  // namespace stowage
