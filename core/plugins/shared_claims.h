// Claims whose verdicts the cache may hold: those with a volume that many pods share. Plugins'
// verdicts about them depend only on the claims' names, the node and its pods, and
// Listers::storage_version.
//
// Claims that wait for their volume, and claims that only one pod or node may use, are excluded:
// their cached verdicts would be used once.
#pragma once

#include "core/framework/listers.h"
#include "core/framework/pod_signature.h"

namespace stowage {

// Appends the claims that a pod names and returns true if all of them are shared claims. Else
// returns false, and the caller must ignore what was appended. Ephemeral volumes are not
// considered.
bool AppendSharedClaims(const Pod& pod, const Listers& listers, PodSignature* signature);

}  // namespace stowage
