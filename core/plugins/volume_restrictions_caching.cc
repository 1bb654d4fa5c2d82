// VolumeRestrictions' code for the verdict cache.
#include "core/plugins/shared_claims.h"
#include "core/plugins/volume_restrictions.h"

namespace stowage {

// ReadWriteOncePod claims are not shared claims, so pods with such claims are not cached.
bool VolumeRestrictions::AppendFragment(const Pod& pod, PodSignature* signature) const {
  return !NeedsRestrictionsCheck(pod) && AppendSharedClaims(pod, handle_.listers(), signature);
}

}  // namespace stowage
