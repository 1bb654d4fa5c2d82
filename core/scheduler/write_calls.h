// Writes the calls of a turn, or of a query, as JSON.
#pragma once

#include <string>
#include <vector>

#include "core/loop/call.h"

namespace stowage {

// Appends a line of JSON, and then the bodies of all calls, `bodyBytes` bytes. Successive calls
// that are alike form a group: its members are theirs, and each of its `calls` is an array of the
// id, the pod, the URL, the size of the body and, for a query, the key under which the answer is
// returned. Without calls, appends nothing.
void WriteCalls(const std::vector<Call>& calls, bool are_of_query, std::string* out);

}  // namespace stowage
