// What questions have in common: how they are read from JSON, and how they are refused.
#pragma once

#include <string>
#include <string_view>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/input_error.h"
#include "core/api/object_key.h"
#include "core/api/pod.h"

namespace stowage {

// Appends an error document and gives false. `pod` is whom it is about; null when nobody.
bool RefuseQuery(const Pod* pod, InputErrorCode code, std::string_view field,
                 std::string_view message, std::string* out);

// Appends the first fault of a question that could not be read, and gives false.
bool RefuseUnread(const DecodeReport& report, std::string* out);

// Unknown members are faults.
template <typename T>
bool ReadQuery(std::string_view text, T* query, std::string* out) {
  DecodeReport report = DecodeJson(text, {.strict = true}, query);
  return report.ok() || RefuseUnread(report, out);
}

// Of "namespace/name", or of a name alone.
ObjectKey KeyFromText(std::string_view text);

}  // namespace stowage
