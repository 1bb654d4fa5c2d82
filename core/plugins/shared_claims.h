// Pods whose volumes are there and for many: what plugins say of their claims on a node depends on
// the claims' names, the node and its pods, and Listers::storage_version, so it is remembered.
//
// Claims that wait for their volume, and those that one pod or node has for itself, are left out:
// what is remembered of them would be used once.
#pragma once

#include "core/framework/listers.h"
#include "core/framework/pod_signature.h"

namespace stowage {

// Appends the claims that a pod names, where all are such. False: not all are; what was appended
// does not matter then. Ephemeral volumes are not looked at.
bool AppendSharedClaims(const Pod& pod, const Listers& listers, PodSignature* signature);

}  // namespace stowage
