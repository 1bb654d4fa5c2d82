// TypeInfo describes how the decoder turns a JSON value into a C++ value: one constant per C++
// type, linked to those of its parts. core/api/decode/schema.h builds them from tables of member
// pointers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/equal_bytes.h"

namespace stowage {

// The JSON values that a C++ type accepts.
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
  kRawValue,      // the same as a Symbol
  kPresence,      // object; sets a bool to true
  kRawMember,     // object; its field's name and its compact text
  kKeys,          // object; the sorted keys, the values are skipped
  kLabelMap,      // object of strings
  kResourceList,  // object of quantities
  kMap,           // object; vector of pairs (key, value) in order of the text
  kObject,        // object with the fields of a Schema
  kList,          // array
  kOptional,      // whatever the inner type accepts; nullopt if absent or null
};

class DecodeCache;
struct TypeInfo;

// One member of a struct.
struct FieldInfo {
  std::string_view key;
  void* (*member)(void* object);
  const TypeInfo* type;
};

struct TypeInfo {
  TypeKind kind;
  // kOptional, kList, kMap: the type of the contents.
  const TypeInfo* inner = nullptr;
  // kList: adds an item to a list that was cleared before, so that no other value shares it.
  // kOptional: creates its value unless it exists.
  void* (*grow)(void* target) = nullptr;
  // The effect of null; nullptr: the value stays unchanged.
  void (*clear)(void* target) = nullptr;
  // The cache for types whose texts repeat; null: none.
  DecodeCache& (*cache)() = nullptr;
  // kMap: the value of `key`, added if absent.
  void* (*insert)(void* target, std::string_view key) = nullptr;
  // kMap.
  bool (*contains)(const void* target, std::string_view key) = nullptr;
  // kObject: its FieldTable.
  const FieldInfo* fields = nullptr;
  const uint8_t* slots = nullptr;
  size_t slot_mask = 0;

  // kObject: the field of `key`; null if the schema has none.
  const FieldInfo* Find(std::string_view key) const;
  // Like Find, ignoring the case of ASCII letters. An exact match wins.
  const FieldInfo* FindInAnyCase(std::string_view key) const;
};

// Hashes length, first and last letter: keys of one schema rarely agree in all three, and those
// that do share a chain.
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
