// Pods of one template: pods that a controller creates from one PodTemplateSpec.
#pragma once

#include <cstddef>

#include "core/api/pod.h"

namespace stowage {

// Whether the pods share the same parts (core/api/shared.h) and are equal apart from name, uid,
// resource version, annotations, creation and start time, and source text. A pod with an ephemeral
// volume, whose claim is its own, shares its template with itself only. May return false for pods
// with equal parts that are not shared; decoded pods share them (api/decode/shared_parts.h).
bool AreOfOneTemplate(const Pod& a, const Pod& b);

// Equal for pods of one template; usually different for others.
size_t HashOfTemplate(const Pod& pod);

}  // namespace stowage
