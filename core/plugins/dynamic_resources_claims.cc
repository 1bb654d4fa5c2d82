#include "core/plugins/dynamic_resources_claims.h"

#include <algorithm>

#include "core/base/format.h"

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

bool IsOwnedBy(const ResourceClaim& claim, const Pod& pod) {
  const auto& owners = claim.metadata.owner_references;
  return std::any_of(owners.begin(), owners.end(), [&pod](const OwnerReference& owner) {
    return owner.controller && owner.uid == pod.metadata.uid;
  });
}

}  // namespace

std::string NamespacedNameOf(const ObjectMeta& metadata) {
  return Format("{}/{}", metadata.namespace_.view(), metadata.name.view());
}

Result<std::vector<ResourceClaimRef>, std::string> PodResourceClaims(const Pod& pod,
                                                                     const ClaimCache& cache) {
  std::vector<ResourceClaimRef> claims;
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
    if (named->must_be_owned && !IsOwnedBy(*claim, pod)) {
      return Format("ResourceClaim {} was not created for Pod {} (Pod is not owner)",
                    NamespacedNameOf(claim->metadata), NamespacedNameOf(pod.metadata));
    }
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace stowage
