// Shared parts of Evaluate and Inspect: reading a query from JSON, and error documents.
#pragma once

#include <string>
#include <string_view>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/input_error.h"
#include "core/api/object_key.h"
#include "core/api/pod.h"

namespace stowage {

// Appends an error document and returns false. `pod` is the pod that the error concerns, or null.
bool RefuseQuery(const Pod* pod, InputErrorCode code, std::string_view field,
                 std::string_view message, std::string* out);

// Appends the first fault of a query that could not be read, and returns false.
bool RefuseUnread(const DecodeReport& report, std::string* out);

// Reads a query. Unknown members are errors.
template <typename T>
bool ReadQuery(std::string_view text, T* query, std::string* out) {
  DecodeReport report = DecodeJson(text, {.strict = true}, query);
  return report.ok() || RefuseUnread(report, out);
}

// Parses "namespace/name", or a name alone.
ObjectKey KeyFromText(std::string_view text);

}  // namespace stowage
