// Value is one value of a CEL evaluation: 16 bytes, copied freely. Texts, lists and maps are in an
// Arena or in what the caller keeps; a Value never owns memory.
//
// An error is a value too, with cel-go's message: functions return it, and `&&`, `||` and `?:`
// absorb it. There are no unknown values.
// Source: spec plugins/dynamic-resources-cel.md; cel-go's `common/types`, v0.26.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "core/cel/arena.h"

namespace stowage::cel {

enum class Kind : uint8_t {
  kError,
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,  // valid UTF-8
  kBytes,
  kList,
  kMap,        // entries sorted by `CompareKeys`, so that iteration has one order
  kType,       // what type() returns; text() is the name of the type
  kTimestamp,  // seconds and nanoseconds since the epoch, years 1 to 9999
  kDuration,   // nanoseconds
  kOptional,
  kObject,  // a message with fields, such as `device`: map entries with the names as keys
  kOpaque,  // a value of a library: quantity, semver, ip, cidr, url, format
};

class Value;
struct MapEntry;

// What the language must know of a library's type. One constant per type.
struct OpaqueKind {
  std::string_view type_name;  // "kubernetes.Quantity"
  bool (*equal)(const void* a, const void* b);
  // Whether `==` with a right operand of another type is false; else it has no overload.
  bool differs_from_other_types = false;
};

// A value of a library: the kind and the library's own data. Both outlive the Value.
struct Opaque {
  const OpaqueKind* kind;
  const void* data;
  // It equals no left operand: Kubernetes' functions return a pointer where `==` takes a value.
  bool is_pointer = false;
};

class Value {
 public:
  Value() = default;  // null

  static Value Null() { return Value(); }
  static Value Bool(bool value) { return {Kind::kBool, 0, static_cast<uint64_t>(value)}; }
  static Value Int(int64_t value) { return {Kind::kInt, 0, static_cast<uint64_t>(value)}; }
  static Value Uint(uint64_t value) { return {Kind::kUint, 0, value}; }
  static Value Double(double value);
  // The views below are kept, not copied.
  static Value String(std::string_view text) { return Text(Kind::kString, text); }
  static Value Bytes(std::string_view bytes) { return Text(Kind::kBytes, bytes); }
  static Value Type(std::string_view name) { return Text(Kind::kType, name); }
  static Value Error(std::string_view message) { return Text(Kind::kError, message); }
  static Value Timestamp(int64_t seconds, uint32_t nanos) {
    return {Kind::kTimestamp, nanos, static_cast<uint64_t>(seconds)};
  }
  static Value Duration(int64_t nanos) {
    return {Kind::kDuration, 0, static_cast<uint64_t>(nanos)};
  }
  static Value OptionalNone() { return {Kind::kOptional, 0, nullptr}; }
  static Value OfOpaque(const Opaque* opaque) { return {Kind::kOpaque, 0, opaque}; }

  Kind kind() const { return kind_; }
  bool is_error() const { return kind_ == Kind::kError; }
  bool is_true() const { return kind_ == Kind::kBool && payload_.number != 0; }
  bool is_false() const { return kind_ == Kind::kBool && payload_.number == 0; }

  // Each is only for values of its kind.
  bool bool_value() const { return payload_.number != 0; }
  int64_t int_value() const { return static_cast<int64_t>(payload_.number); }  // and durations
  uint64_t uint_value() const { return payload_.number; }
  double double_value() const;
  std::string_view text() const;  // strings, bytes, types and errors
  int64_t seconds() const { return static_cast<int64_t>(payload_.number); }  // of a timestamp
  uint32_t nanos() const { return size_; }
  std::span<const Value> items() const;       // of a list
  std::span<const MapEntry> entries() const;  // of a map or an object
  const Value* optional_value() const { return static_cast<const Value*>(payload_.pointer); }
  const Opaque* opaque() const { return static_cast<const Opaque*>(payload_.pointer); }
  // The data of an opaque value of this kind; null for any other value.
  template <typename T>
  const T* As(const OpaqueKind& kind) const {
    bool matches = kind_ == Kind::kOpaque && opaque()->kind == &kind;
    return matches ? static_cast<const T*>(opaque()->data) : nullptr;
  }

  // The name that type() returns: "int", "list", "google.protobuf.Timestamp", "net.IP".
  std::string_view type_name() const;
  // As cel-go counts it for costs: code points of a string, bytes, elements of a list or map (of an
  // optional: of what it holds), else 1.
  uint64_t size() const;
  // How much work it is to walk through the value: 1, and the bytes of texts in sixteenths, and the
  // weights of elements. Values may share elements, so this can grow faster than memory.
  uint64_t weight() const;

 private:
  friend class ValueBuilder;
  friend struct ValueBlocks;
  union Payload {
    uint64_t number;
    const void* pointer;
  };

  Value(Kind kind, uint32_t size, uint64_t number) : kind_(kind), size_(size) {
    payload_.number = number;
  }
  Value(Kind kind, uint32_t size, const void* pointer) : kind_(kind), size_(size) {
    payload_.number = 0;
    payload_.pointer = pointer;
  }
  static Value Text(Kind kind, std::string_view text) {
    return {kind, static_cast<uint32_t>(text.size()), text.data()};
  }

  Kind kind_ = Kind::kNull;
  uint32_t size_ = 0;
  Payload payload_ = {0};
};

struct MapEntry {
  Value key;
  Value value;
};

// The heaviest value that can be built. Functions may walk through their arguments recursively.
inline constexpr uint64_t kWeightMax = 1u << 20;

// The error that ends an evaluation which runs out of cost or of memory; `&&` and `||` do not
// absorb it.
inline constexpr std::string_view kCostExceeded = "operation cancelled: actual cost limit exceeded";
inline constexpr std::string_view kNoSuchOverload = "no such overload";

// Builds values in an arena. Each function returns the error `kCostExceeded` if the arena has no
// memory left, or the value would weigh more than kWeightMax.
class ValueBuilder {
 public:
  // The parts one after the other.
  static Value String(Arena& arena, std::initializer_list<std::string_view> parts);
  static Value Bytes(Arena& arena, std::initializer_list<std::string_view> parts);
  static Value Error(Arena& arena, std::initializer_list<std::string_view> parts);
  static Value List(Arena& arena, std::span<const Value> items);
  // The items of `list` and then `items`. Cheap if nothing was added to `list` before: its block
  // has room.
  static Value Concat(Arena& arena, Value list, std::span<const Value> items);
  // Keys are bool, int, uint or string, else the error "unsupported key type". Two equal keys are
  // the error "Failed with repeated key".
  static Value Map(Arena& arena, std::span<const MapEntry> entries);
  // A map that returns `missing` for a key that it does not have; `in` still reports the truth.
  static Value MapWithDefault(Arena& arena, std::span<const MapEntry> entries, Value missing);
  // Adds an entry, or replaces the one of an equal key. Only while no other value shares the map,
  // such as the accumulator of a comprehension: `map` itself may change.
  static Value Insert(Arena& arena, Value map, const MapEntry& entry);
  static Value Object(Arena& arena, std::string_view type_name, std::span<const MapEntry> fields);
  static Value Optional(Arena& arena, Value value);
  static Value OfOpaque(Arena& arena, const OpaqueKind& kind, const void* data,
                        bool is_pointer = false);

 private:
  static Value Joined(Arena& arena, Kind kind, std::initializer_list<std::string_view> parts);
};

enum class Equality : uint8_t { kDifferent, kEqual, kNoOverload };
// CEL's `==`: numbers across their types, lists and maps by their elements, kDifferent for values
// of different types. NaN differs from itself. kNoOverload for most values of libraries with a `b`
// of another type; elements of lists and maps that have no overload count as equal, as in cel-go.
Equality CompareEquality(const Value& a, const Value& b);
inline bool Equal(const Value& a, const Value& b) {
  return CompareEquality(a, b) == Equality::kEqual;
}

enum class Order : uint8_t { kLess, kEqual, kGreater, kUnordered, kNoOverload };
// The order behind `<`: numbers across their types (kUnordered with NaN), strings and bytes
// bytewise, bools, timestamps, durations. kNoOverload for anything else.
Order Compare(const Value& a, const Value& b);

// The value of a key of a map; null if absent and the map has no default. A double finds the int
// that equals it.
const Value* Find(const Value& map, const Value& key);
// Whether the map has the key itself.
bool HasKey(const Value& map, const Value& key);

}  // namespace stowage::cel
