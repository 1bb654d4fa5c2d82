// NodeVolumeLimits' code for the verdict cache.
#include <algorithm>

#include "core/plugins/csi_translation.h"
#include "core/plugins/node_volume_limits.h"
#include "core/plugins/shared_claims.h"

namespace stowage {

// Pods with ephemeral volumes or inline disks are rare and not cached: Filter runs on every node.
bool NodeVolumeLimits::AppendFragment(const Pod& pod, PodSignature* signature) const {
  auto is_other = [](const Volume& volume) {
    return volume.is_ephemeral() || IsInlineMigratable(volume);
  };
  return std::ranges::none_of(pod.spec.volumes, is_other) &&
         AppendSharedClaims(pod, handle_.listers(), signature);
}

}  // namespace stowage
