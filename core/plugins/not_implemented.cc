#include "core/plugins/not_implemented.h"

#include <algorithm>

#include "core/api/selector.h"

namespace stowage {
namespace {

bool HasClaim(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [](const Volume& volume) {
    return volume.persistent_volume_claim.has_value();
  });
}

bool HasEphemeralVolume(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [](const Volume& volume) { return volume.ephemeral.has_value(); });
}

bool HasInTreeDisk(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [](const Volume& volume) { return volume.has_in_tree_disk; });
}

}  // namespace

bool VolumeRestrictions::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasInTreeDisk(pod);
}

bool NodeVolumeLimits::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasEphemeralVolume(pod) || HasInTreeDisk(pod);
}

bool VolumeBinding::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasEphemeralVolume(pod);
}

bool VolumeZone::Matters(const Pod& pod) const { return HasClaim(pod); }

}  // namespace stowage
