// The zone of a node, by which the node list is interleaved (spec 01 §9).
// Counterpart: component-helpers/node/topology, v1.36.
#pragma once

#include <string>

#include "core/api/node.h"

namespace stowage {

// region + ":" + NUL + ":" + zone, or "" when the node has neither. A beta label wins over its
// successor if it is present, even with an empty value.
std::string GetZoneKey(const Node& node);

}  // namespace stowage
