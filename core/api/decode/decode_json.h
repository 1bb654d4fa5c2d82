// DecodeJson fills a struct that has a Schema from one JSON text.
//
// Lenient: fields that the schema does not name are skipped without allocation (API objects).
// Strict: unknown and duplicate fields are reported too (configuration). A wrong type or value is
// an error with its field path; the rest of the text is still read, so that the object can be
// named. Messages are those of Kubernetes' field errors.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/input_error.h"
#include "core/api/decode/schema.h"

namespace stowage {

struct DecodeOptions {
  bool strict = false;
  bool is_case_insensitive = false;  // field names; exact matches win, as in Go
  size_t depth_max = 64;             // nesting of objects and arrays
  size_t errors_max = 16;  // field errors kept; strict errors are bounded by 100, as upstream's
};

// A value that does not fit its field.
struct FieldError {
  InputErrorCode code = InputErrorCode::kFieldValueInvalid;  // or kFieldValueTypeInvalid
  std::string field;
  std::string value;    // valid UTF-8, cut to 80 bytes; empty for objects and arrays
  std::string message;  // includes the field: "spec.priority: Invalid value: …"
};

// Why a text is not JSON, or exceeds a limit.
struct SyntaxError {
  InputErrorCode code = InputErrorCode::kMalformedJson;  // or kInvalidUtf8, kTooDeep
  size_t offset = 0;                                     // in bytes
  size_t line = 1;                                       // 1-based
  size_t column = 1;                                     // 1-based, in bytes
  std::string message;
};

struct DecodeReport {
  std::optional<SyntaxError> syntax_error;
  std::vector<FieldError> field_errors;    // in order of the text
  std::vector<std::string> strict_errors;  // `unknown field "profiles[0].bogus"`, each text once
  bool has_managed_fields = false;         // a member managedFields was skipped

  bool ok() const {
    return !syntax_error.has_value() && field_errors.empty() && strict_errors.empty();
  }
  // `strict decoding error: unknown field "a", duplicate field "b"`; empty without strict errors.
  std::string StrictErrorText() const;
};

// `target` must point to a value of the type that `type` describes.
DecodeReport DecodeJson(std::string_view text, const DecodeOptions& options, const TypeInfo& type,
                        void* target);

// On errors `target` holds what could be read.
template <typename T>
DecodeReport DecodeJson(std::string_view text, const DecodeOptions& options, T* target) {
  return DecodeJson(text, options, kTypeInfo<T>, target);
}

}  // namespace stowage
