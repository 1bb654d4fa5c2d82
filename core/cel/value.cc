#include "core/cel/value.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/cel/value_blocks.h"

namespace stowage::cel {
namespace {

template <typename T>
Order OrderOf(const T& a, const T& b) {
  return a < b ? Order::kLess : b < a ? Order::kGreater : Order::kEqual;
}
Order Reversed(Order order) {
  if (order == Order::kLess) return Order::kGreater;
  return order == Order::kGreater ? Order::kLess : order;
}

bool IsNumber(const Value& value) {
  return value.kind() >= Kind::kInt && value.kind() <= Kind::kDouble;
}

// Integers are compared as doubles, which may round them, as cel-go does.
Order CompareDoubles(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? Order::kUnordered : OrderOf(a, b);
}
double ToDouble(const Value& value) {
  if (value.kind() == Kind::kDouble) return value.double_value();
  return value.kind() == Kind::kInt ? static_cast<double>(value.int_value())
                                    : static_cast<double>(value.uint_value());
}

Order CompareNumbers(const Value& a, const Value& b) {
  if (a.kind() == Kind::kDouble || b.kind() == Kind::kDouble) {
    return CompareDoubles(ToDouble(a), ToDouble(b));
  }
  if (a.kind() != b.kind()) {
    if (a.kind() == Kind::kUint) return Reversed(CompareNumbers(b, a));
    return a.int_value() < 0 ? Order::kLess : OrderOf(a.uint_value(), b.uint_value());
  }
  return a.kind() == Kind::kInt ? OrderOf(a.int_value(), b.int_value())
                                : OrderOf(a.uint_value(), b.uint_value());
}

Equality EqualIf(bool is_equal) { return is_equal ? Equality::kEqual : Equality::kDifferent; }

bool Differ(const Value& a, const Value& b) {
  return CompareEquality(a, b) == Equality::kDifferent;
}

bool EqualLists(const Value& a, const Value& b) {
  return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(),
                    [](const Value& x, const Value& y) { return !Differ(x, y); });
}

bool EqualMaps(const Value& a, const Value& b) {
  if (a.entries().size() != b.entries().size()) return false;
  for (const MapEntry& entry : a.entries()) {
    const MapEntry* other = FindEntry(b, entry.key);
    if (other == nullptr || Differ(entry.value, other->value)) return false;
  }
  return true;
}

Equality CompareOptionals(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return EqualIf(a == b);
  return CompareEquality(*a, *b);
}

Equality CompareOpaques(const Opaque& a, const Value& b) {
  if (b.kind() == Kind::kOpaque && a.kind == b.opaque()->kind) {
    return EqualIf(!b.opaque()->is_pointer && a.kind->equal(a.data, b.opaque()->data));
  }
  bool is_different = b.kind() == Kind::kNull || a.kind->differs_from_other_types;
  return is_different ? Equality::kDifferent : Equality::kNoOverload;
}

}  // namespace

Value Value::Double(double value) { return {Kind::kDouble, 0, std::bit_cast<uint64_t>(value)}; }
double Value::double_value() const { return std::bit_cast<double>(payload_.number); }
std::string_view Value::text() const { return {static_cast<const char*>(payload_.pointer), size_}; }
std::span<const Value> Value::items() const {
  if (size_ == 0) return {};
  return {static_cast<const ListBlock*>(payload_.pointer)->items(), size_};
}
std::span<const MapEntry> Value::entries() const {
  if (size_ == 0) return {};
  return {static_cast<const MapBlock*>(payload_.pointer)->entries(), size_};
}

std::string_view Value::type_name() const {
  static constexpr std::string_view kNames[] = {"error",
                                                "null_type",
                                                "bool",
                                                "int",
                                                "uint",
                                                "double",
                                                "string",
                                                "bytes",
                                                "list",
                                                "map",
                                                "type",
                                                "google.protobuf.Timestamp",
                                                "google.protobuf.Duration",
                                                "optional_type"};
  if (kind_ == Kind::kObject) return static_cast<const MapBlock*>(payload_.pointer)->type_name;
  if (kind_ == Kind::kOpaque) return opaque()->kind->type_name;
  return kNames[static_cast<size_t>(kind_)];
}

uint64_t Value::size() const {
  switch (kind_) {
    case Kind::kString:
      return static_cast<uint64_t>(std::count_if(text().begin(), text().end(),
                                                 [](char byte) { return (byte & 0xc0) != 0x80; }));
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
      return size_;
    case Kind::kOptional:
      return optional_value() == nullptr ? 1 : optional_value()->size();
    default:
      return 1;
  }
}

uint64_t Value::weight() const {
  constexpr uint64_t kBytesPerStep = 16;
  switch (kind_) {
    case Kind::kString:
    case Kind::kBytes:
      return 1 + size_ / kBytesPerStep;
    case Kind::kList:
      return size_ == 0 ? 1 : static_cast<const ListBlock*>(payload_.pointer)->weight;
    case Kind::kMap:
    case Kind::kObject:
      return size_ == 0 ? 1 : static_cast<const MapBlock*>(payload_.pointer)->weight;
    case Kind::kOptional:
      return optional_value() == nullptr ? 1 : 1 + optional_value()->weight();
    default:
      return 1;
  }
}

Order Compare(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) return CompareNumbers(a, b);
  if (a.kind() != b.kind()) return Order::kNoOverload;
  switch (a.kind()) {
    case Kind::kBool:
      return OrderOf(a.bool_value(), b.bool_value());
    case Kind::kString:
    case Kind::kBytes:
      return OrderOf(a.text(), b.text());
    case Kind::kDuration:
      return OrderOf(a.int_value(), b.int_value());
    case Kind::kTimestamp:
      if (a.seconds() != b.seconds()) return OrderOf(a.seconds(), b.seconds());
      return OrderOf(a.nanos(), b.nanos());
    default:
      return Order::kNoOverload;
  }
}

Equality CompareEquality(const Value& a, const Value& b) {
  Order order = Compare(a, b);
  if (order != Order::kNoOverload) return EqualIf(order == Order::kEqual);
  if (a.kind() == Kind::kOpaque) return CompareOpaques(*a.opaque(), b);
  if (a.kind() != b.kind()) return Equality::kDifferent;
  switch (a.kind()) {
    case Kind::kNull:
      return Equality::kEqual;
    case Kind::kType:
      return EqualIf(a.text() == b.text());
    case Kind::kList:
      return EqualIf(EqualLists(a, b));
    case Kind::kMap:
    case Kind::kObject:
      return EqualIf(EqualMaps(a, b));
    case Kind::kOptional:
      return CompareOptionals(a.optional_value(), b.optional_value());
    default:
      return Equality::kDifferent;
  }
}

namespace {

// Keys of different types sort by type, but numbers sort as numbers.
uint8_t KeyClass(const Value& key) {
  return static_cast<uint8_t>(IsNumber(key) ? Kind::kInt : key.kind());
}

}  // namespace

Order CompareKeys(const Value& a, const Value& b) {
  if (KeyClass(a) != KeyClass(b)) return OrderOf(KeyClass(a), KeyClass(b));
  return Compare(a, b);
}

const MapEntry* FindEntry(const Value& map, const Value& key) {
  std::span<const MapEntry> entries = map.entries();
  auto found = std::lower_bound(entries.begin(), entries.end(), key,
                                [](const MapEntry& entry, const Value& wanted) {
                                  return CompareKeys(entry.key, wanted) == Order::kLess;
                                });
  bool is_found = found != entries.end() && CompareKeys(found->key, key) == Order::kEqual;
  return is_found ? &*found : nullptr;
}

const Value* Find(const Value& map, const Value& key) {
  const MapEntry* entry = FindEntry(map, key);
  if (entry != nullptr) return &entry->value;
  auto* block = static_cast<const MapBlock*>(ValueBlocks::Of(map));
  return block == nullptr ? nullptr : block->missing;
}

bool HasKey(const Value& map, const Value& key) { return FindEntry(map, key) != nullptr; }

}  // namespace stowage::cel
