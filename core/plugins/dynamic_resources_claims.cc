#include "core/plugins/dynamic_resources_claims.h"

#include <algorithm>

#include "core/base/format.h"
#include "core/dra/claim_text.h"

namespace stowage {
namespace {

struct NamedClaim {
  Symbol name;  // empty: none
  bool must_be_owned = false;
};

Result<NamedClaim, std::string> NameOf(const Pod& pod, const PodResourceClaim& entry) {
  if (!entry.resource_claim_name.empty()) return NamedClaim{entry.resource_claim_name, false};
  const std::string pod_name = NamespacedNameOf(pod.metadata);
  if (entry.resource_claim_template_name.empty()) {
    return Format("pod \"{}\", spec.resourceClaim \"{}\": none of the supported fields are set",
                  pod_name, entry.name.view());
  }
  for (const PodResourceClaimStatus& status : pod.status.resource_claim_statuses) {
    if (status.name == entry.name) return NamedClaim{status.resource_claim_name, true};
  }
  return Format("pod \"{}\": ResourceClaim not created yet", pod_name);
}

bool IsOwnedBy(const ResourceClaim& claim, const Pod& pod, bool accepts_groups) {
  accepts_groups = accepts_groups && pod.spec.scheduling_group;
  return std::ranges::any_of(claim.metadata.owner_references, [&](const OwnerReference& owner) {
    bool is_group = accepts_groups && owner.kind == "PodGroup" &&
                    owner.name == PodGroupNameOf(pod) &&
                    owner.api_version.view().starts_with("scheduling.k8s.io/");
    return owner.controller && (is_group || owner.uid == pod.metadata.uid);
  });
}

}  // namespace

std::string NamespacedNameOf(const ObjectMeta& metadata) {
  return Format("{}/{}", metadata.namespace_.view(), metadata.name.view());
}

bool HasClaim(const PodGroup& group, const PodResourceClaim& entry) {
  return std::ranges::find(group.spec.resource_claims, entry) != group.spec.resource_claims.end();
}

bool IsReservedForPod(const ResourceClaim& claim, const Pod& pod, bool accepts_groups) {
  accepts_groups = accepts_groups && pod.spec.scheduling_group;
  const ClaimWords& words = ClaimWords::Get();
  return std::ranges::any_of(
      claim.status.reserved_for, [&](const ResourceClaimConsumerReference& consumer) {
        bool is_group = accepts_groups && consumer.api_group == words.scheduling_group &&
                        consumer.resource == words.pod_groups &&
                        consumer.name == PodGroupNameOf(pod);
        return is_group || consumer.uid == pod.metadata.uid;
      });
}

Result<PodResourceClaimRefs, std::string> PodResourceClaims(
    const Pod& pod, const ClaimCache& cache, bool accepts_groups,
    std::vector<const PodResourceClaim*>* entries) {
  PodResourceClaimRefs claims;
  for (const PodResourceClaim& entry : pod.spec.resource_claims) {
    Result<NamedClaim, std::string> named = NameOf(pod, entry);
    if (!named.ok()) return named.fault();
    if (named->name.empty()) continue;
    ObjectKey key{pod.metadata.namespace_, named->name};
    ResourceClaimRef claim = cache.Get(key);
    if (claim == nullptr) return ClaimCache::NotFoundMessage(key);
    if (claim->metadata.deletion_timestamp) {
      return Format("resourceclaim \"{}\" is being deleted", named->name.view());
    }
    if (named->must_be_owned && !IsOwnedBy(*claim, pod, accepts_groups)) {
      return Format("ResourceClaim {} was not created for Pod {} (Pod is not owner)",
                    NamespacedNameOf(claim->metadata), NamespacedNameOf(pod.metadata));
    }
    claims.push_back(std::move(claim));
    if (entries != nullptr) entries->push_back(&entry);
  }
  return claims;
}

}  // namespace stowage
