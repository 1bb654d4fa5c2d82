// Pods of one template: what controllers make of a PodTemplateSpec, one like the other.
#pragma once

#include <cstddef>

#include "core/api/pod.h"

namespace stowage {

// Whether the pods hold the same parts (core/api/shared.h) and say the same but for name, uid,
// resource version, annotations, when they were made and started, and their own text. Pods that are
// equal in all of it may be told apart: those that were decoded share (api/decode/shared_parts.h).
bool AreOfOneTemplate(const Pod& a, const Pod& b);

// Of pods of one template the same, of others usually not.
size_t HashOfTemplate(const Pod& pod);

}  // namespace stowage
