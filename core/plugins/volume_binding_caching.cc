// VolumeBinding's code for the verdict cache.
#include <algorithm>

#include "core/plugins/shared_claims.h"
#include "core/plugins/volume_binding.h"

namespace stowage {

bool VolumeBinding::AppendFragment(const Pod& pod, PodSignature* signature) const {
  auto is_ephemeral = [](const Volume& volume) { return volume.is_ephemeral(); };
  return std::ranges::none_of(pod.spec.volumes, is_ephemeral) &&
         AppendSharedClaims(pod, handle_.listers(), signature);
}

}  // namespace stowage
