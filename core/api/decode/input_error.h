// InputError describes an error in one object, line or document of the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stowage {

// The names are the `code` values of the JavaScript InputError; the last five are Kubernetes' own.
enum class InputErrorCode : uint8_t {
  kMalformedJson,
  kInvalidUtf8,
  kTooLarge,
  kTooDeep,
  kTooManySteps,
  kModuleMissing,  // the deferred code cannot be loaded
  kUnknownKind,
  kFieldValueRequired,
  kFieldValueInvalid,
  kFieldValueTypeInvalid,
  kFieldValueDuplicate,
  kFieldValueNotSupported,
};

// "MalformedJson", "FieldValueRequired", …
std::string_view InputErrorCodeName(InputErrorCode code);

// All texts are valid UTF-8. Unknown and inapplicable members are empty or 0.
struct InputError {
  static constexpr size_t kValueBytesMax = 80;

  InputErrorCode code = InputErrorCode::kMalformedJson;
  std::string api_version;
  std::string kind;
  std::string namespace_;
  std::string name;
  std::string field;  // "spec.containers[0].resources.requests[cpu]"
  std::string value;  // the offending value, cut to kValueBytesMax bytes
  size_t line = 0;  // 1-based, in the batch: of the error, or of the start of a well-formed object
  size_t column = 0;  // 1-based, in bytes
  size_t index = 0;   // 0-based position of the item in the batch
  // "spec.priority: Invalid value: \"high\": must be an integer, not a string"
  std::string message;
};

}  // namespace stowage
