// VolumeZone's code for the verdict cache.
#include "core/plugins/shared_claims.h"
#include "core/plugins/volume_zone.h"

namespace stowage {

bool VolumeZone::AppendFragment(const Pod& pod, PodSignature* signature) const {
  return AppendSharedClaims(pod, handle_.listers(), signature);
}

}  // namespace stowage
