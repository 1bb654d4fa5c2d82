// VolumeRestrictions' code for the verdict cache.
#include <algorithm>

#include "core/plugins/volume_restrictions.h"

namespace stowage {

// PreFilter skips the pod if no disk and no ReadWriteOncePod claim can be in use elsewhere.
bool VolumeRestrictions::AppendFragment(const Pod& pod, PodSignature*) const {
  if (NeedsRestrictionsCheck(pod)) return false;
  return std::ranges::all_of(pod.spec.volumes, [&](const Volume& volume) {
    if (!volume.persistent_volume_claim) return true;
    PersistentVolumeClaimRef claim = handle_.listers().GetPersistentVolumeClaim(
        pod.metadata.namespace_, volume.persistent_volume_claim->claim_name);
    if (claim == nullptr) return false;
    const std::vector<Symbol>& modes = claim->spec.access_modes;
    return std::find(modes.begin(), modes.end(), kReadWriteOncePod) == modes.end();
  });
}

}  // namespace stowage
