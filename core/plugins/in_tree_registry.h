// The list of in-tree plugins.
// Counterpart: framework/plugins/registry.go, v1.36.
#pragma once

#include "core/framework/registry.h"

namespace stowage {

// All in-tree plugins, independent of feature gates: a gate changes the default configuration, but
// any plugin may be configured by name.
Registry InTreeRegistry(const Behaviour& behaviour = Behaviour());

}  // namespace stowage
