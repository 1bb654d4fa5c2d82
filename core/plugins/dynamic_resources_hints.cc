// The events that may make pods schedulable that DynamicResources rejected.
#include <algorithm>

#include "core/dra/dra_manager.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/dynamic_resources_claims.h"

namespace stowage {
namespace {

// A claim that lost its allocation may have freed devices for any pod.
QueueingHint IsSchedulableAfterClaimChange(const ClaimCache& cache, bool accepts_groups,
                                           const Pod& pod, const EventObjects& objects) {
  auto changed = objects.As<ResourceClaim>();
  if (!changed || changed->new_object == nullptr) return QueueingHint::kQueue;
  auto claims = PodResourceClaims(pod, cache, accepts_groups);
  if (!claims.ok()) return QueueingHint::kQueueSkip;
  const ResourceClaim* before = changed->old_object;
  const ResourceClaim& after = *changed->new_object;
  bool is_deallocated = before != nullptr && before->status.allocation && !after.status.allocation;
  if (is_deallocated) return QueueingHint::kQueue;
  bool is_used = std::ranges::any_of(*claims, [&after](const ResourceClaimRef& claim) {
    return claim->metadata.uid == after.metadata.uid;
  });
  return QueueIf(is_used && (before == nullptr || !(before->status == after.status)));
}

QueueingHint IsSchedulableAfterPodChange(const ClaimCache& cache, bool accepts_groups,
                                         const Pod& pod, const EventObjects& objects) {
  auto changed = objects.As<Pod>();
  if (!changed || changed->new_object == nullptr) return QueueingHint::kQueue;
  if (changed->new_object->metadata.uid != pod.metadata.uid) return QueueingHint::kQueueSkip;
  return QueueIf(PodResourceClaims(*changed->new_object, cache, accepts_groups).ok());
}

}  // namespace

std::vector<ClusterEventWithHint> DynamicResources::EventsToRegister() const {
  constexpr ActionType kAddOrUpdate = action::kAdd | action::kUpdate;
  const ClaimCache& cache = handle_.dra().claims();
  const bool accepts_groups = features_.dra_workload_resource_claims;
  auto after_claim = [&cache, accepts_groups](const Pod& pod, const EventObjects& objects) {
    return IsSchedulableAfterClaimChange(cache, accepts_groups, pod, objects);
  };
  auto after_pod = [&cache, accepts_groups](const Pod& pod, const EventObjects& objects) {
    return IsSchedulableAfterPodChange(cache, accepts_groups, pod, objects);
  };
  return {
      {.event = {EventResource::kNode,
                 action::kAdd | action::kUpdateNodeLabel | action::kUpdateNodeAllocatable},
       .gate_changes = &cache.num_changes()},
      {{EventResource::kResourceClaim, kAddOrUpdate}, after_claim},
      {{EventResource::kPod, action::kUpdatePodGeneratedResourceClaim}, after_pod},
      {.event = {EventResource::kDeviceClass, kAddOrUpdate}, .gate_changes = &cache.num_changes()},
      {.event = {EventResource::kResourceSlice, kAddOrUpdate},
       .gate_changes = &cache.num_changes()},
  };
}

}  // namespace stowage
