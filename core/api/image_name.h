// Image names as ImageLocality compares them (spec 01 §9).
// Counterpart: framework/plugins/imagelocality, v1.36.
#pragma once

#include "core/base/symbol.h"

namespace stowage {

// Adds ":latest" to a name without tag and digest. Does not add a registry.
Symbol NormalizedImageName(const Symbol& name);

}  // namespace stowage
