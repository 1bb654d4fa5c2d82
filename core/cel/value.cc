#include "core/cel/value.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/cel/value_blocks.h"

namespace stowage::cel {
namespace {

// 2^63 and 2^64, which doubles have exactly.
constexpr double kInt64End = 9223372036854775808.0;
constexpr double kUint64End = 18446744073709551616.0;

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

Order CompareIntUint(int64_t a, uint64_t b) {
  return a < 0 ? Order::kLess : OrderOf(static_cast<uint64_t>(a), b);
}
// Exact: the whole part is compared as an integer, then the fraction.
Order CompareDoubleInt(double a, int64_t b) {
  if (std::isnan(a)) return Order::kUnordered;
  if (a < -kInt64End) return Order::kLess;
  if (a >= kInt64End) return Order::kGreater;
  double whole = std::trunc(a);
  Order order = OrderOf(static_cast<int64_t>(whole), b);
  return order == Order::kEqual ? OrderOf(a - whole, 0.0) : order;
}
Order CompareDoubleUint(double a, uint64_t b) {
  if (std::isnan(a)) return Order::kUnordered;
  if (a < 0) return Order::kLess;
  if (a >= kUint64End) return Order::kGreater;
  double whole = std::trunc(a);
  Order order = OrderOf(static_cast<uint64_t>(whole), b);
  return order == Order::kEqual ? OrderOf(a - whole, 0.0) : order;
}

Order CompareNumbers(const Value& a, const Value& b) {
  if (a.kind() > b.kind()) return Reversed(CompareNumbers(b, a));
  bool are_same = a.kind() == b.kind();
  if (a.kind() == Kind::kInt) {
    if (are_same) return OrderOf(a.int_value(), b.int_value());
    if (b.kind() == Kind::kUint) return CompareIntUint(a.int_value(), b.uint_value());
    return Reversed(CompareDoubleInt(b.double_value(), a.int_value()));
  }
  if (a.kind() == Kind::kUint) {
    if (are_same) return OrderOf(a.uint_value(), b.uint_value());
    return Reversed(CompareDoubleUint(b.double_value(), a.uint_value()));
  }
  double x = a.double_value();
  double y = b.double_value();
  return std::isnan(x) || std::isnan(y) ? Order::kUnordered : OrderOf(x, y);
}

bool EqualLists(const Value& a, const Value& b) {
  return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(), Equal);
}

bool EqualMaps(const Value& a, const Value& b) {
  if (a.entries().size() != b.entries().size()) return false;
  for (const MapEntry& entry : a.entries()) {
    const MapEntry* other = FindEntry(b, entry.key);
    if (other == nullptr || !Equal(entry.value, other->value)) return false;
  }
  return true;
}

bool EqualOptionals(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return Equal(*a, *b);
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

bool Equal(const Value& a, const Value& b) {
  Order order = Compare(a, b);
  if (order != Order::kNoOverload) return order == Order::kEqual;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kType:
      return a.text() == b.text();
    case Kind::kList:
      return EqualLists(a, b);
    case Kind::kMap:
    case Kind::kObject:
      return EqualMaps(a, b);
    case Kind::kOptional:
      return EqualOptionals(a.optional_value(), b.optional_value());
    case Kind::kOpaque:
      return a.opaque()->kind == b.opaque()->kind &&
             a.opaque()->kind->equal(a.opaque()->data, b.opaque()->data);
    default:
      return false;
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
