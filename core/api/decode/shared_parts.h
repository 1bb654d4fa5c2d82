// ShareParts makes pods of one template share their equal parts.
//
// The pods of a ReplicaSet arrive one by one, each with its own copy of the same containers,
// tolerations, labels and so on. For each template a few bytes refer to a pod that still exists.
#pragma once

#include <memory>

#include "core/api/pod.h"

namespace stowage {

// The caller must be the only owner of `pod`. Its content stays the same, byte for byte.
void ShareParts(const std::shared_ptr<Pod>& pod);

}  // namespace stowage
