// Schema<T> is the table of the JSON fields that a struct reads:
//
//   template <>
//   struct Schema<Taint> {
//     static constexpr auto kFields = Fields(Field<&Taint::key>("key"),
//                                            Field<&Taint::value>("value"),
//                                            Field<&Taint::effect>("effect"));
//   };
//
// The member's type determines which values are accepted: Symbol, std::string, bool, int32_t,
// int64_t, double, Quantity, Instant, Duration, RawJson, RawValue, LabelMap, ResourceList, a struct
// with a Schema, and std::optional<T>, Shared<T>, std::vector<T>, SharedList<T>,
// std::vector<std::pair<std::string, T>> (a map), std::vector<std::pair<Symbol, T>> (a map that the
// caller sorts) of these. KeysOf and Presence read part of an
// object that is not kept as a whole. Several keys may share a RawMember, which then holds the one
// that was present.
//
// Rules for all schemas (those of Go's decoder, which Kubernetes uses):
// - Keys are case-sensitive. null leaves a scalar or struct unchanged, makes a quantity 0 (spec 01
//   §5), and empties an optional, a list or a map.
// - A duplicate key is decoded over the first: scalars and lists are replaced, structs and maps
//   merged.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/api/decode/decode_cache.h"
#include "core/api/decode/duration.h"
#include "core/api/decode/type_info.h"
#include "core/api/meta.h"
#include "core/api/quantity.h"
#include "core/api/raw_member.h"
#include "core/api/resource_list.h"
#include "core/api/shared.h"
#include "core/base/instant.h"
#include "core/base/symbol.h"

namespace stowage {

// Any JSON value as compact text (keys in the order given, numbers as written); empty if the field
// is absent or null.
struct RawJson {
  std::string text;

  friend bool operator==(const RawJson&, const RawJson&) = default;
};

template <typename T>
struct Schema;

// The fields of a struct with an open-addressed index over their keys. slots holds 1 + the index of
// a field, or 0 if free; at most half of them are taken.
template <size_t N>
struct FieldTable {
  static_assert(N < 64, "the decoder marks seen fields in one word");
  static constexpr size_t kSlotCount = std::bit_ceil(2 * N + 1);

  std::array<FieldInfo, N> fields;
  std::array<uint8_t, kSlotCount> slots{};
};

template <typename... F>
constexpr FieldTable<sizeof...(F)> Fields(const F&... field) {
  FieldTable<sizeof...(F)> table{{field...}};
  constexpr size_t kMask = FieldTable<sizeof...(F)>::kSlotCount - 1;
  for (size_t index = 0; index < sizeof...(F); ++index) {
    size_t slot = HashFieldKey(table.fields[index].key) & kMask;
    while (table.slots[slot] != 0) slot = (slot + 1) & kMask;
    table.slots[slot] = static_cast<uint8_t>(index + 1);
  }
  return table;
}

// The type of a struct that is read by `table`, which must have static storage.
template <size_t N>
constexpr TypeInfo ObjectTypeInfo(const FieldTable<N>& table) {
  TypeInfo info{TypeKind::kObject};
  info.fields = table.fields.data();
  info.slots = table.slots.data();
  info.slot_mask = table.slots.size() - 1;
  return info;
}

namespace schema_internal {

template <typename M>
struct MemberOf;
template <typename C, typename T>
struct MemberOf<T C::*> {
  using Class = C;
  using Type = T;
};

template <typename T>
struct Scalar {
  static constexpr bool kIsScalar = false;
};
template <TypeKind kKindOfT>
struct ScalarOf {
  static constexpr bool kIsScalar = true;
  static constexpr TypeKind kKind = kKindOfT;
};
template <>
struct Scalar<Symbol> : ScalarOf<TypeKind::kSymbol> {};
template <>
struct Scalar<std::string> : ScalarOf<TypeKind::kString> {};
template <>
struct Scalar<bool> : ScalarOf<TypeKind::kBool> {};
template <>
struct Scalar<int32_t> : ScalarOf<TypeKind::kInt32> {};
template <>
struct Scalar<int64_t> : ScalarOf<TypeKind::kInt64> {};
template <>
struct Scalar<double> : ScalarOf<TypeKind::kDouble> {};
template <>
struct Scalar<Quantity> : ScalarOf<TypeKind::kQuantity> {};
template <>
struct Scalar<Instant> : ScalarOf<TypeKind::kInstant> {};
template <>
struct Scalar<Duration> : ScalarOf<TypeKind::kDuration> {};
template <>
struct Scalar<RawJson> : ScalarOf<TypeKind::kRawJson> {};
template <>
struct Scalar<RawValue> : ScalarOf<TypeKind::kRawValue> {};
template <>
struct Scalar<RawMember> : ScalarOf<TypeKind::kRawMember> {};

template <typename T>
void Clear(void* target) {
  static_cast<T*>(target)->clear();
}

template <typename T>
void Reset(void* target) {
  *static_cast<T*>(target) = T();
}

// Structs are the general case; the other shapes specialise.
template <typename T>
struct Maker {
  static constexpr TypeInfo Make() {
    if constexpr (Scalar<T>::kIsScalar) {
      TypeInfo info{Scalar<T>::kKind};
      if constexpr (Scalar<T>::kKind == TypeKind::kQuantity) info.clear = Reset<T>;
      return info;
    } else {
      return ObjectTypeInfo(Schema<T>::kFields);
    }
  }
};

}  // namespace schema_internal

// The TypeInfo of T.
template <typename T>
inline constexpr TypeInfo kTypeInfo = schema_internal::Maker<T>::Make();

namespace schema_internal {

template <typename T>
struct Maker<std::optional<T>> {
  static constexpr TypeInfo Make() {
    TypeInfo info{TypeKind::kOptional};
    info.inner = &kTypeInfo<T>;
    info.grow = [](void* target) -> void* {
      auto& optional = *static_cast<std::optional<T>*>(target);
      return optional.has_value() ? &*optional : &optional.emplace();
    };
    info.clear = [](void* target) { static_cast<std::optional<T>*>(target)->reset(); };
    return info;
  }
};

template <typename T>
struct Maker<Shared<T>> {
  static constexpr TypeInfo Make() {
    TypeInfo info{TypeKind::kOptional};
    info.inner = &kTypeInfo<T>;
    info.grow = [](void* target) -> void* { return &static_cast<Shared<T>*>(target)->Mutable(); };
    info.clear = [](void* target) { static_cast<Shared<T>*>(target)->reset(); };
    return info;
  }
};

template <typename T>
struct Maker<SharedList<T>> {
  static constexpr TypeInfo Make() {
    TypeInfo info{TypeKind::kList};
    info.inner = &kTypeInfo<T>;
    info.grow = [](void* target) -> void* {
      return &static_cast<SharedList<T>*>(target)->EmplaceBackUnshared();
    };
    info.clear = Clear<SharedList<T>>;
    return info;
  }
};

template <typename T>
struct Maker<std::vector<T>> {
  static constexpr TypeInfo Make() {
    TypeInfo info{TypeKind::kList};
    info.inner = &kTypeInfo<T>;
    info.grow = [](void* target) -> void* {
      return &static_cast<std::vector<T>*>(target)->emplace_back();
    };
    info.clear = Clear<std::vector<T>>;
    return info;
  }
};

template <typename T>
struct Maker<std::vector<std::pair<std::string, T>>> {
  using Map = std::vector<std::pair<std::string, T>>;
  static constexpr TypeInfo Make() {
    TypeInfo info{TypeKind::kMap};
    info.inner = &kTypeInfo<T>;
    info.insert = [](void* target, std::string_view key) -> void* {
      Map& map = *static_cast<Map*>(target);
      for (auto& entry : map) {
        if (entry.first == key) return &entry.second;
      }
      return &map.emplace_back(std::string(key), T()).second;
    };
    info.contains = [](const void* target, std::string_view key) {
      for (const auto& entry : *static_cast<const Map*>(target)) {
        if (entry.first == key) return true;
      }
      return false;
    };
    info.clear = Clear<Map>;
    return info;
  }
};

// In the order of the text, with duplicate keys: the caller sorts it with MergeEntries.
template <typename T>
struct Maker<std::vector<std::pair<Symbol, T>>> {
  using Map = std::vector<std::pair<Symbol, T>>;
  static constexpr TypeInfo Make() {
    TypeInfo info{TypeKind::kMap};
    info.inner = &kTypeInfo<T>;
    info.insert = [](void* target, std::string_view key) -> void* {
      return &static_cast<Map*>(target)->emplace_back(Symbol(key), T()).second;
    };
    info.contains = [](const void*, std::string_view) { return false; };
    info.clear = Clear<Map>;
    return info;
  }
};

template <>
struct Maker<LabelMap> {
  static constexpr TypeInfo Make() {
    TypeInfo info{TypeKind::kLabelMap};
    info.clear = Clear<LabelMap>;
    return info;
  }
};

template <>
struct Maker<ResourceList> {
  static constexpr TypeInfo Make() {
    TypeInfo info{TypeKind::kResourceList};
    info.clear = Clear<ResourceList>;
    return info;
  }
};

inline constexpr TypeInfo kPresenceInfo{TypeKind::kPresence};
inline constexpr TypeInfo kKeysInfo{TypeKind::kKeys, nullptr, nullptr, Clear<std::vector<Symbol>>};

template <auto kMember>
constexpr FieldInfo MakeField(std::string_view key, const TypeInfo* type) {
  using Class = typename MemberOf<decltype(kMember)>::Class;
  return FieldInfo{
      key, [](void* object) -> void* { return &(static_cast<Class*>(object)->*kMember); }, type};
}

template <auto kMember>
using TypeOfMember = typename MemberOf<decltype(kMember)>::Type;

}  // namespace schema_internal

// The member holds the value of `key`.
template <auto kMember>
constexpr FieldInfo Field(std::string_view key) {
  return schema_internal::MakeField<kMember>(key,
                                             &kTypeInfo<schema_internal::TypeOfMember<kMember>>);
}

namespace schema_internal {

template <typename T>
constexpr TypeInfo WithDecodeCache() {
  TypeInfo info = kTypeInfo<T>;
  info.cache = &DecodeCacheFor<T>;
  return info;
}

template <typename T>
inline constexpr TypeInfo kRepeatedType = WithDecodeCache<T>();

}  // namespace schema_internal

// Like Field, for a member whose text often repeats: equal texts are decoded once.
template <auto kMember>
constexpr FieldInfo RepeatedField(std::string_view key) {
  using Type = schema_internal::TypeOfMember<kMember>;
  return schema_internal::MakeField<kMember>(key, &schema_internal::kRepeatedType<Type>);
}

// The member is read with another table than its type's: FieldAs<&Pod::metadata>("metadata", &kX).
template <auto kMember>
constexpr FieldInfo FieldAs(std::string_view key, const TypeInfo* type) {
  return schema_internal::MakeField<kMember>(key, type);
}

// A member of a member: Within<&Outer::inner, &Inner::value>("value").
template <auto kOuter, auto kInner>
constexpr FieldInfo Within(
    std::string_view key,
    const TypeInfo* type = &kTypeInfo<schema_internal::TypeOfMember<kInner>>) {
  using Class = typename schema_internal::MemberOf<decltype(kOuter)>::Class;
  return FieldInfo{
      key, [](void* object) -> void* { return &((static_cast<Class*>(object)->*kOuter).*kInner); },
      type};
}

// The member, a std::vector<Symbol>, holds the sorted keys of the object at `key`.
template <auto kMember>
constexpr FieldInfo KeysOf(std::string_view key) {
  static_assert(std::is_same_v<schema_internal::TypeOfMember<kMember>, std::vector<Symbol>>);
  return schema_internal::MakeField<kMember>(key, &schema_internal::kKeysInfo);
}

// For a bool that becomes true if there is an object.
inline constexpr const TypeInfo* kPresence = &schema_internal::kPresenceInfo;

// The member, a bool, becomes true if there is an object at `key`; several keys may share it.
template <auto kMember>
constexpr FieldInfo Presence(std::string_view key) {
  static_assert(std::is_same_v<schema_internal::TypeOfMember<kMember>, bool>);
  return schema_internal::MakeField<kMember>(key, &schema_internal::kPresenceInfo);
}

}  // namespace stowage
