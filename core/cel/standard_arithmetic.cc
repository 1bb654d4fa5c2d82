// The operators of the standard library.
#include <limits>

#include "core/cel/standard_functions.h"

namespace stowage::cel {
namespace {

constexpr int64_t kIntMin = std::numeric_limits<int64_t>::min();

constexpr std::string_view kIntOverflow = "integer overflow";
constexpr std::string_view kUintOverflow = "unsigned integer overflow";
constexpr std::string_view kDurationOverflow = "duration overflow";

// By reference: callers compute the value while they evaluate the other argument.
Value IntOr(bool overflows, const int64_t& value) {
  return overflows ? Value::Error(kIntOverflow) : Value::Int(value);
}
Value UintOr(bool overflows, const uint64_t& value) {
  return overflows ? Value::Error(kUintOverflow) : Value::Uint(value);
}
Value DurationOr(bool overflows, const int64_t& nanos) {
  return overflows ? Value::Error(kDurationOverflow) : Value::Duration(nanos);
}

// Whether the order of the operands is one of two.
Value OrderIs(const Call& call, Order wanted, Order or_wanted) {
  Order order = Compare(call[0], call[1]);
  if (order == Order::kUnordered) return Value::Error("NaN values cannot be ordered");
  return Value::Bool(order == wanted || order == or_wanted);
}

}  // namespace

Value Add(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  int64_t sum = 0;
  uint64_t unsigned_sum = 0;
  switch (a.kind()) {
    case Kind::kInt:
      return IntOr(__builtin_add_overflow(a.int_value(), b.int_value(), &sum), sum);
    case Kind::kUint:
      return UintOr(__builtin_add_overflow(a.uint_value(), b.uint_value(), &unsigned_sum),
                    unsigned_sum);
    case Kind::kDouble:
      return Value::Double(a.double_value() + b.double_value());
    case Kind::kString:
      return ValueBuilder::String(call.arena, {a.text(), b.text()});
    case Kind::kBytes:
      return ValueBuilder::Bytes(call.arena, {a.text(), b.text()});
    case Kind::kList:
      return ValueBuilder::Concat(call.arena, a, b.items());
    case Kind::kTimestamp:
      return TimestampPlus(a, b.int_value());
    default:
      if (b.kind() == Kind::kTimestamp) return TimestampPlus(b, a.int_value());
      return DurationOr(__builtin_add_overflow(a.int_value(), b.int_value(), &sum), sum);
  }
}

Value Subtract(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  int64_t difference = 0;
  uint64_t unsigned_difference = 0;
  switch (a.kind()) {
    case Kind::kInt:
      return IntOr(__builtin_sub_overflow(a.int_value(), b.int_value(), &difference), difference);
    case Kind::kUint:
      return UintOr(__builtin_sub_overflow(a.uint_value(), b.uint_value(), &unsigned_difference),
                    unsigned_difference);
    case Kind::kDouble:
      return Value::Double(a.double_value() - b.double_value());
    case Kind::kTimestamp:
      if (b.kind() == Kind::kTimestamp) return TimestampMinus(a, b);
      if (b.int_value() == kIntMin) return Value::Error("timestamp overflow");
      return TimestampPlus(a, -b.int_value());
    default:
      return DurationOr(__builtin_sub_overflow(a.int_value(), b.int_value(), &difference),
                        difference);
  }
}

Value Multiply(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  int64_t product = 0;
  uint64_t unsigned_product = 0;
  if (a.kind() == Kind::kInt) {
    return IntOr(__builtin_mul_overflow(a.int_value(), b.int_value(), &product), product);
  }
  if (a.kind() == Kind::kDouble) return Value::Double(a.double_value() * b.double_value());
  return UintOr(__builtin_mul_overflow(a.uint_value(), b.uint_value(), &unsigned_product),
                unsigned_product);
}

Value Divide(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.kind() == Kind::kDouble) return Value::Double(a.double_value() / b.double_value());
  if (b.uint_value() == 0) return Value::Error("division by zero");
  if (a.kind() == Kind::kUint) return Value::Uint(a.uint_value() / b.uint_value());
  bool overflows = a.int_value() == kIntMin && b.int_value() == -1;
  return overflows ? Value::Error(kIntOverflow) : Value::Int(a.int_value() / b.int_value());
}

Value Modulo(const Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (b.uint_value() == 0) return Value::Error("modulus by zero");
  if (a.kind() == Kind::kUint) return Value::Uint(a.uint_value() % b.uint_value());
  bool overflows = a.int_value() == kIntMin && b.int_value() == -1;
  return overflows ? Value::Error(kIntOverflow) : Value::Int(a.int_value() % b.int_value());
}

Value Negate(const Call& call) {
  const Value& value = call[0];
  if (value.kind() == Kind::kDouble) return Value::Double(-value.double_value());
  if (value.int_value() == kIntMin) return Value::Error(kIntOverflow);
  return Value::Int(-value.int_value());
}

Value Not(const Call& call) { return Value::Bool(!call[0].bool_value()); }

Value Less(const Call& call) { return OrderIs(call, Order::kLess, Order::kLess); }
Value LessOrEqual(const Call& call) { return OrderIs(call, Order::kLess, Order::kEqual); }
Value Greater(const Call& call) { return OrderIs(call, Order::kGreater, Order::kGreater); }
Value GreaterOrEqual(const Call& call) { return OrderIs(call, Order::kGreater, Order::kEqual); }

}  // namespace stowage::cel
