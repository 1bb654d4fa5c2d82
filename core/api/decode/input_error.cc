#include "core/api/decode/input_error.h"

#include "core/base/check.h"

namespace stowage {

std::string_view InputErrorCodeName(InputErrorCode code) {
  switch (code) {
    case InputErrorCode::kMalformedJson:
      return "MalformedJson";
    case InputErrorCode::kInvalidUtf8:
      return "InvalidUtf8";
    case InputErrorCode::kTooLarge:
      return "TooLarge";
    case InputErrorCode::kTooDeep:
      return "TooDeep";
    case InputErrorCode::kTooManySteps:
      return "TooManySteps";
    case InputErrorCode::kModuleMissing:
      return "ModuleMissing";
    case InputErrorCode::kUnknownKind:
      return "UnknownKind";
    case InputErrorCode::kFieldValueRequired:
      return "FieldValueRequired";
    case InputErrorCode::kFieldValueInvalid:
      return "FieldValueInvalid";
    case InputErrorCode::kFieldValueTypeInvalid:
      return "FieldValueTypeInvalid";
    case InputErrorCode::kFieldValueDuplicate:
      return "FieldValueDuplicate";
    case InputErrorCode::kFieldValueNotSupported:
      return "FieldValueNotSupported";
  }
  CHECK(false);
}

}  // namespace stowage
