// ShareParts has pods of one template hold their equal parts once.
//
// The pods of a ReplicaSet come one by one, each with its own containers, tolerations, labels …,
// which differ in nothing. A few bytes per template remember a pod of it that is still there.
#pragma once

#include <memory>

#include "core/api/pod.h"

namespace stowage {

// Nobody but the caller holds `pod` yet. What it says stays the same, to the letter.
void ShareParts(const std::shared_ptr<Pod>& pod);

}  // namespace stowage
