// Objects from a few bytes: each byte chooses one form of a part, the first of which is its
// absence. There are few names, so that objects replace each other and refer to each other.
#pragma once

#include <string>

#include "tests/fuzz/input_bytes.h"

namespace stowage {

// JSON of one object.
std::string NodeOf(InputBytes* bytes);
std::string PodOf(InputBytes* bytes);
std::string StorageOf(InputBytes* bytes);   // kinds that volumes consist of
std::string WorkloadOf(InputBytes* bytes);  // kinds by which pods are counted and grouped
// The part of an object that a DELETED event needs.
std::string DeletedOf(InputBytes* bytes);

// "default/p3"
std::string PodNameOf(InputBytes* bytes);
std::string NodeNameOf(InputBytes* bytes);

// Nodes, pods and the objects that they refer to, as JSON lines; always the same.
const std::string& SmallCluster();

}  // namespace stowage
