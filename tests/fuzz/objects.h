// Objects of a few bytes: each byte chooses one of the forms that a part may have, the first of
// which is none. Names are few, so that objects replace each other and refer to each other.
#pragma once

#include <string>

#include "tests/fuzz/input_bytes.h"

namespace stowage {

// JSON of one object.
std::string NodeOf(InputBytes* bytes);
std::string PodOf(InputBytes* bytes);
std::string StorageOf(InputBytes* bytes);   // what volumes are made of
std::string WorkloadOf(InputBytes* bytes);  // what pods are counted and grouped by
// As much of an object as a DELETED event needs.
std::string DeletedOf(InputBytes* bytes);

// "default/p3"
std::string PodNameOf(InputBytes* bytes);
std::string NodeNameOf(InputBytes* bytes);

// Nodes, pods and what they refer to, as JSON lines; the same every time.
const std::string& SmallCluster();

}  // namespace stowage
