// The zone of a node, over which the node list is interleaved (spec 01 §9).
// Counterpart: component-helpers/node/topology, v1.36.
#pragma once

#include <string>

#include "core/api/node.h"

namespace stowage {

// region + ":" + NUL + ":" + zone, or "" if the node has neither. A beta label takes precedence
// over its successor if it is present, even with an empty value.
std::string GetZoneKey(const Node& node);

}  // namespace stowage
