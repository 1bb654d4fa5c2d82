// Type is a type of CEL's checker. Types are built in an Arena and compared by structure.
//
// Tables write types as letters, one after the other in prefix notation (`ParseTypes`):
//   b bool   i int   u uint   d double   s string   y bytes   n null   t timestamp   r duration
//   * dyn    lT list(T)   mKV map(K, V)   oT optional(T)   kT type(T)   A B C type parameters
//   Q quantity   V semver   I ip   N cidr   U url   F format
//   Z authorizer   P path check   G group check   R resource check   D decision
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/cel/arena.h"

namespace stowage::cel {

enum class TypeKind : uint8_t {
  kDyn,    // "dyn", or "any" by its name
  kError,  // of an expression that has a reported fault; assignable to everything
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kList,
  kMap,
  kType,
  kOpaque,     // of a library, by name; may have parameters: optional_type(T)
  kObject,     // a message, by name
  kParameter,  // of a signature ("A"), or a variable of inference ("_var3")
};

struct Type {
  TypeKind kind = TypeKind::kDyn;
  uint8_t num_parameters = 0;
  std::string_view name;
  const Type* parameters[2] = {nullptr, nullptr};
};

extern const Type kDynType;
extern const Type kAnyType;
extern const Type kErrorType;
extern const Type kNullType;
extern const Type kBoolType;
extern const Type kIntType;
extern const Type kUintType;
extern const Type kDoubleType;
extern const Type kStringType;
extern const Type kBytesType;
extern const Type kTimestampType;
extern const Type kDurationType;

const Type* ListOf(Arena& arena, const Type* element);
const Type* MapOf(Arena& arena, const Type* key, const Type* value);
const Type* OptionalOf(Arena& arena, const Type* value);
const Type* TypeOf(Arena& arena, const Type* type);

inline constexpr std::string_view kOptionalName = "optional_type";
inline bool IsOptional(const Type& type) {
  return type.kind == TypeKind::kOpaque && type.name == kOptionalName;
}

// Reads one type of `letters` and removes its letters. CHECKs that the letters are as above.
const Type* ParseType(Arena& arena, std::string_view* letters);

// The type of a letter, without its parameters.
const Type& TypeOfLetter(char letter);

// As error messages write it: "list(int)", "map(string, dyn)", "optional_type(int)",
// "type(int)", "net.IP". timestamps and durations: "timestamp", "duration".
std::string ToString(const Type& type);

bool SameType(const Type& a, const Type& b);

}  // namespace stowage::cel
