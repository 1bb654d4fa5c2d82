// An object's own JSON, kept as it was applied, for extenders and for plugins outside the core,
// which need more fields than the scheduler decodes.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/api/node.h"
#include "core/api/pod.h"

namespace stowage {

// The text of an object without metadata.managedFields, which nothing here reads (the reference's
// informer drops it too). `json` must be an object.
std::string SourceOf(std::string_view json);

// The current JSON of a pod: its source with the fields that the scheduler decides and that may be
// newer (spec.nodeName, status.nominatedNodeName, status.phase). The source must have been kept.
std::string PodJson(const Pod& pod);
// The current JSON of a node. The source must have been kept.
std::string_view NodeJson(const Node& node);

// Sets the value at `path` of an object and creates missing objects on the way. `json` is one
// value.
void SetJsonAt(std::initializer_list<std::string_view> path, std::string_view json,
               std::string* object);

// Sets the string at `path` of an object and creates missing objects on the way; an empty text
// removes the member.
void SetStringAt(std::initializer_list<std::string_view> path, std::string_view text,
                 std::string* object);

}  // namespace stowage
