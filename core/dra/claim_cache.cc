#include "core/dra/claim_cache.h"

#include <utility>

#include "core/api/parse_int.h"
#include "core/base/format.h"
#include "core/dra/claim_text.h"

namespace stowage {
namespace {

std::optional<int64_t> VersionOf(const ResourceClaim& claim) {
  return ParseInt64(claim.metadata.resource_version);
}

bool IsNewer(const ResourceClaim& claim, const ResourceClaim& known) {
  std::optional<int64_t> version = VersionOf(claim);
  std::optional<int64_t> known_version = VersionOf(known);
  return !version || !known_version || *version > *known_version;
}

// The pods that own the claim as their controller.
template <typename Visit>
void ForEachOwner(const ResourceClaim& claim, Visit visit) {
  const Symbol* mark = claim.metadata.annotations.Find(ClaimWords::Get().extended_annotation);
  if (mark == nullptr || *mark != "true") return;
  for (const OwnerReference& owner : claim.metadata.owner_references) {
    if (owner.controller) visit(owner);
  }
}

}  // namespace

std::string ClaimCache::NotFoundMessage(const ObjectKey& key) {
  return Format("could not find ResourceClaim \"{}/{}\"", key.namespace_.view(), key.name.view());
}

void ClaimCache::Index(const ResourceClaim& claim, bool is_added) {
  ForEachOwner(claim, [&](const OwnerReference& owner) {
    std::set<ObjectKey>& keys = extended_by_pod_uid_[owner.uid];
    if (is_added) {
      keys.insert(ObjectKey::Of(claim.metadata));
    } else {
      keys.erase(ObjectKey::Of(claim.metadata));
    }
    if (keys.empty()) extended_by_pod_uid_.erase(owner.uid);
  });
}

void ClaimCache::Replace(const ResourceClaimRef& old_claim, const ResourceClaimRef& new_claim) {
  ++num_changes_;
  if (old_claim != nullptr) Index(*old_claim, false);
  if (new_claim != nullptr) Index(*new_claim, true);
  const Shared<AllocationResult> none;
  const auto& before = old_claim == nullptr ? none : old_claim->status.allocation;
  const auto& after = new_claim == nullptr ? none : new_claim->status.allocation;
  // DIVERGENCE(replaced-allocation): upstream takes it for impossible that an allocation is
  // replaced by another and changes nothing then. A list can skip the state in between, and the
  // devices of the second allocation would be allocated again.
  if (before == after) return;
  if (before) allocated_.Remove(*before);
  if (after) allocated_.Add(*after);
}

std::optional<ClaimCache::Change> ClaimCache::Put(const ResourceClaimRef& claim) {
  Entry& entry = claims_[ObjectKey::Of(claim->metadata)];
  if (entry.latest != nullptr && !IsNewer(*claim, *entry.latest)) return std::nullopt;
  Change change{entry.latest, claim};
  entry = {claim, claim};
  Replace(change.old_claim, claim);
  return change;
}

std::optional<ClaimCache::Change> ClaimCache::Remove(const ObjectKey& key) {
  auto found = claims_.find(key);
  if (found == claims_.end()) return std::nullopt;
  Change change{found->second.latest, nullptr};
  claims_.erase(found);
  Replace(change.old_claim, nullptr);
  return change;
}

ResourceClaimRef ClaimCache::Get(const ObjectKey& key) const {
  auto found = claims_.find(key);
  return found == claims_.end() ? nullptr : found->second.latest;
}

std::optional<std::string> ClaimCache::Assume(const ResourceClaimRef& claim) {
  ObjectKey key = ObjectKey::Of(claim->metadata);
  auto found = claims_.find(key);
  if (found == claims_.end()) return NotFoundMessage(key);
  ResourceClaimRef old_claim = found->second.latest;
  if (VersionOf(*claim) < VersionOf(*old_claim)) {
    return Format("ResourceClaim \"{}/{}\" is out of sync (stored: {}, assume: {})",
                  key.namespace_.view(), key.name.view(), old_claim->metadata.resource_version,
                  claim->metadata.resource_version);
  }
  claims_.Mutable(found).latest = claim;
  Replace(old_claim, claim);
  if (observer_ != nullptr) observer_->OnClaimChange(old_claim, claim);
  return std::nullopt;
}

void ClaimCache::Restore(const ObjectKey& key) {
  auto found = claims_.find(key);
  if (found == claims_.end() || found->second.latest == found->second.stored) return;
  ResourceClaimRef stored = found->second.stored;
  ResourceClaimRef assumed = std::exchange(claims_.Mutable(found).latest, stored);
  Replace(assumed, stored);
  if (observer_ != nullptr) observer_->OnClaimChange(assumed, stored);
}

ResourceClaimRef ClaimCache::FindExtendedResourceClaim(const Symbol& pod_name,
                                                       const Symbol& pod_uid) const {
  auto found = extended_by_pod_uid_.find(pod_uid);
  if (found == extended_by_pod_uid_.end()) return nullptr;
  for (const ObjectKey& key : found->second) {
    ResourceClaimRef claim = Get(key);
    bool is_owned = false;
    ForEachOwner(*claim, [&](const OwnerReference& owner) {
      is_owned |= owner.name == pod_name && owner.uid == pod_uid;
    });
    if (is_owned) return claim;
  }
  return nullptr;
}

}  // namespace stowage
