// NodeInfo as JSON, for plugins outside the core: amounts are integers, cpu in milli units.
#pragma once

#include "core/api/encode/json_writer.h"
#include "core/table/node_info.h"

namespace stowage {

// Writes the members name, node (the whole object), allocatable and requested into the open object.
// The node must have kept its source (ObjectMeta::source).
void WriteNodeInfoMembers(const NodeInfo& info, JsonWriter* json);
// Writes an array of the node's whole pods, which must have kept their sources.
void WritePods(const NodeInfo& info, JsonWriter* json);

}  // namespace stowage
