// TypeInfo tells the decoder how a JSON value becomes a C++ value: one constant per C++ type,
// linked to those of its parts. core/api/decode/schema.h makes them from tables of member pointers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/equal_bytes.h"

namespace stowage {

// What a value in the text may be, by the C++ type that receives it.
enum class TypeKind : uint8_t {
  kSymbol,        // string
  kString,        // string
  kBool,          // true, false
  kInt32,         // number without fraction and exponent, in range
  kInt64,         // number without fraction and exponent, in range
  kDouble,        // number
  kQuantity,      // string or number
  kInstant,       // RFC 3339 string
  kDuration,      // string in Go's form
  kRawJson,       // anything; kept as compact text
  kPresence,      // object; a bool that says that there is one
  kRawMember,     // object; the name of its field and its compact text
  kKeys,          // object; the sorted keys, the values are skipped
  kLabelMap,      // object of strings
  kResourceList,  // object of quantities
  kMap,           // object; vector of pairs (key, value) in order of the text
  kObject,        // object with the fields of a Schema
  kList,          // array
  kOptional,      // whatever the inner type takes; absent and null stay nullopt
};

class KnownTexts;
struct TypeInfo;

// One member of a struct.
struct FieldInfo {
  std::string_view key;
  void* (*member)(void* object);
  const TypeInfo* type;
};

struct TypeInfo {
  TypeKind kind;
  // kOptional, kList, kMap: what they hold.
  const TypeInfo* inner = nullptr;
  // kList: adds an item. kOptional: makes its value unless it is there.
  void* (*grow)(void* target) = nullptr;
  // What null does; nullptr: it leaves the value as it is.
  void (*clear)(void* target) = nullptr;
  // Of types whose texts repeat: what is known of them. Null: nothing is kept.
  KnownTexts& (*known)() = nullptr;
  // kMap: the value of `key`, added when absent.
  void* (*insert)(void* target, std::string_view key) = nullptr;
  // kMap.
  bool (*contains)(const void* target, std::string_view key) = nullptr;
  // kObject: its FieldTable.
  const FieldInfo* fields = nullptr;
  const uint8_t* slots = nullptr;
  size_t slot_mask = 0;

  // The field of `key`, null when the schema has none. kObject only.
  const FieldInfo* Find(std::string_view key) const;
  // The same, in any case of ASCII letters. An exact match wins.
  const FieldInfo* FindInAnyCase(std::string_view key) const;
};

// Keys of one schema rarely agree in length, first and last letter; the few that do share a chain.
constexpr size_t HashFieldKey(std::string_view key) {
  if (key.empty()) return 0;
  return key.size() * 5 + static_cast<unsigned char>(key.front()) +
         static_cast<unsigned char>(key.back()) * 3 +
         static_cast<unsigned char>(key[key.size() / 2]) * 7;
}

inline const FieldInfo* TypeInfo::Find(std::string_view key) const {
  size_t slot = HashFieldKey(key) & slot_mask;
  for (; slots[slot] != 0; slot = (slot + 1) & slot_mask) {
    const FieldInfo& field = fields[slots[slot] - 1];
    if (field.key.size() == key.size() && EqualBytes(field.key.data(), key.data(), key.size())) {
      return &field;
    }
  }
  return nullptr;
}

inline const FieldInfo* TypeInfo::FindInAnyCase(std::string_view key) const {
  if (const FieldInfo* exact = Find(key)) return exact;
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (size_t slot = 0; slot <= slot_mask; ++slot) {
    if (slots[slot] == 0) continue;
    const FieldInfo& field = fields[slots[slot] - 1];
    if (std::equal(field.key.begin(), field.key.end(), key.begin(), key.end(),
                   [lower](char a, char b) { return lower(a) == lower(b); })) {
      return &field;
    }
  }
  return nullptr;
}

}  // namespace stowage
