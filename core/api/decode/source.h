// An object's own JSON, kept as it was applied, for extenders and for plugins outside the core,
// which need more of it than the scheduler reads.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/api/node.h"
#include "core/api/pod.h"

namespace stowage {

// The text of an object without metadata.managedFields, which has no reader here
// (the reference's informer drops it too). `json` is an object.
std::string SourceOf(std::string_view json);

// The JSON of a pod as the scheduler has it now: its source, with what is decided here and may be
// newer (spec.nodeName, status.nominatedNodeName, status.phase). The source was kept.
std::string PodJson(const Pod& pod);
// The same for a node. The source was kept.
std::string_view NodeJson(const Node& node);

// Sets the value at `path` of an object, making the objects on the way. `json` is one value.
void SetJsonAt(std::initializer_list<std::string_view> path, std::string_view json,
               std::string* object);

// Sets the string at `path` of an object, making the objects on the way; the empty text removes it.
void SetStringAt(std::initializer_list<std::string_view> path, std::string_view text,
                 std::string* object);

}  // namespace stowage
