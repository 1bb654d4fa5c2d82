// ClaimCache holds the ResourceClaims as the scheduler knows them: the watch's objects, replaced by
// those that the scheduler itself has written until the watch reports newer ones (spec 02 §5,
// plugins/dynamic-resources "Shared state").
// Counterpart: scheduler/util/assumecache and plugins/dynamicresources/dra_manager.go, v1.36.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/api/object_key.h"
#include "core/api/resource_claim.h"
#include "core/base/hash_map.h"
#include "core/dra/allocated_devices.h"

namespace stowage {

// Receives the changes that do not come from the watch.
class ClaimObserver {
 public:
  virtual ~ClaimObserver() = default;
  virtual void OnClaimChange(const ResourceClaimRef& old_claim,
                             const ResourceClaimRef& new_claim) = 0;
};

class ClaimCache {
 public:
  // A claim before and after; null where there was or is none.
  struct Change {
    ResourceClaimRef old_claim;
    ResourceClaimRef new_claim;
  };

  // Keeps the allocations of the claims in `allocated`, which must outlive the cache.
  explicit ClaimCache(AllocatedDevices& allocated) : allocated_(allocated) {}

  void set_observer(ClaimObserver* observer) { observer_ = observer; }
  // Takes the claims of another cache; their allocations must be in `allocated` already.
  void CopyStateFrom(const ClaimCache& other) {
    claims_ = other.claims_;
    extended_by_pod_uid_ = other.extended_by_pod_uid_;
    num_changes_ = std::max(num_changes_, other.num_changes_) + 1;
  }

  // The watch's object. nullopt: the known object is not older, and stays.
  // DIVERGENCE(unversioned-objects): an object without a version always counts as newer.
  std::optional<Change> Put(const ResourceClaimRef& claim);
  // nullopt: there was none.
  std::optional<Change> Remove(const ObjectKey& key);

  // Null if there is no such claim.
  ResourceClaimRef Get(const ObjectKey& key) const;
  // `could not find ResourceClaim "NS/NAME"`.
  static std::string NotFoundMessage(const ObjectKey& key);

  // Replaces the known object until the watch reports a newer one. Returns why it cannot, or
  // nullopt.
  std::optional<std::string> Assume(const ResourceClaimRef& claim);
  // Goes back to the watch's object.
  void Restore(const ObjectKey& key);

  // The number of changes so far, at an address that stays.
  const uint64_t& num_changes() const { return num_changes_; }

  // The claim that was generated for the extended resources of the pod; null if there is none. The
  // first by namespace and name, if there are several.
  ResourceClaimRef FindExtendedResourceClaim(const Symbol& pod_name, const Symbol& pod_uid) const;

 private:
  struct Entry {
    ResourceClaimRef stored;  // the watch's
    ResourceClaimRef latest;
  };

  void Replace(const ResourceClaimRef& old_claim, const ResourceClaimRef& new_claim);
  void Index(const ResourceClaim& claim, bool is_added);

  AllocatedDevices& allocated_;
  ClaimObserver* observer_ = nullptr;
  uint64_t num_changes_ = 0;
  HashMap<ObjectKey, Entry, ObjectKeyNumber> claims_;
  std::map<Symbol, std::set<ObjectKey>> extended_by_pod_uid_;
};

}  // namespace stowage
