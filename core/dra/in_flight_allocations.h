// InFlightAllocations are the allocations that the scheduler has decided and has not yet written
// to the API server (spec plugins/dynamic-resources "Shared state").
// Counterpart: claimTracker of plugins/dynamicresources/dra_manager.go, v1.36.
#pragma once

#include <map>
#include <utility>

#include "core/api/resource_claim.h"
#include "core/dra/allocated_devices.h"

namespace stowage {

class InFlightAllocations {
 public:
  // Counts the allocations in `allocated`, which must outlive this object.
  explicit InFlightAllocations(AllocatedDevices& allocated) : allocated_(allocated) {}

  // Takes the allocations of another one, which must be in `allocated` already.
  void CopyStateFrom(const InFlightAllocations& other) { claims_ = other.claims_; }

  // Null if there is none. `uid` is the claim's.
  ResourceClaimRef Find(const Symbol& uid) const {
    auto found = claims_.find(uid);
    return found == claims_.end() ? nullptr : found->second.claim;
  }

  // The same for an allocation that was made in a trial of the pod's group.
  ResourceClaimRef FindInTrial(const Symbol& uid) const {
    auto found = claims_.find(uid);
    return found != claims_.end() && found->second.is_trial ? found->second.claim : nullptr;
  }

  // The first call for a uid stores the claim, which has an allocation; each call counts one more
  // pod that shares it.
  void Signal(const Symbol& uid, const ResourceClaimRef& claim, bool is_trial = false) {
    Entry& entry = claims_[uid];
    if (++entry.num_sharers > 1) return;
    entry.claim = claim;
    entry.is_trial = is_trial;
    allocated_.AddInFlight(*claim->status.allocation);
  }

  // Counts one sharer less, or with `is_forced` removes the entry with all of them. Returns whether
  // the entry was removed.
  bool MaybeRemove(const Symbol& uid, bool is_forced) {
    auto found = claims_.find(uid);
    if (found == claims_.end()) return false;
    if (!is_forced && --found->second.num_sharers > 0) return false;
    allocated_.RemoveInFlight(*found->second.claim->status.allocation);
    claims_.erase(found);
    return true;
  }

  size_t size() const { return claims_.size(); }

 private:
  struct Entry {
    ResourceClaimRef claim;
    size_t num_sharers = 0;
    bool is_trial = false;  // made while the pods of a group are tried
  };

  AllocatedDevices& allocated_;
  std::map<Symbol, Entry> claims_;
};

}  // namespace stowage
