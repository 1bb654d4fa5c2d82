// NodeInfo as JSON, for plugins outside the core: amounts are integers, cpu in milli units.
#pragma once

#include "core/api/encode/json_writer.h"
#include "core/framework/node_info.h"

namespace stowage {

// The members name, node (the whole object), allocatable and requested into the open object. The
// node's source was kept.
void WriteNodeInfoMembers(const NodeInfo& info, JsonWriter* json);
// The pods of the node, whole, as an array. Their sources were kept.
void WritePods(const NodeInfo& info, JsonWriter* json);

}  // namespace stowage
