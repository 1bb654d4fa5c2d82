// ShareParts makes pods of one template share their equal parts.
//
// The pods of a ReplicaSet come one by one, each with its own containers, tolerations, labels …,
// which differ in nothing. A few bytes per template remember a pod of it that is still there.
#pragma once

#include <memory>

#include "core/api/pod.h"

namespace stowage {

// Only the caller may hold `pod`. Its content stays the same, byte for byte.
void ShareParts(const std::shared_ptr<Pod>& pod);

}  // namespace stowage
