// The one list of in-tree plugins.
// Counterpart: framework/plugins/registry.go, v1.36.
#pragma once

#include "core/framework/registry.h"

namespace stowage {

// All of them, whatever the feature gates say: a gate changes the default configuration, not what
// may be configured by name.
Registry InTreeRegistry();

}  // namespace stowage
