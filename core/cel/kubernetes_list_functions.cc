
#include "core/cel/libraries.h"

namespace stowage::cel {
namespace {

// Kubernetes takes no notice of elements whose types cannot be compared with each other, unless one
// cannot be compared with any.
bool HasNoOrder(const Value& value) { return Compare(value, value) == Order::kNoOverload; }

Value IsSorted(const Call& call) {
  std::span<const Value> items = call[0].items();
  for (size_t place = 0; place < items.size(); ++place) {
    if (HasNoOrder(items[place])) return Value::Error(kNoSuchOverload);
    if (place == 0) continue;
    if (Compare(items[place - 1], items[place]) == Order::kGreater) return Value::Bool(false);
  }
  return Value::Bool(true);
}

// The first of the elements that no other one precedes in `wanted` order.
Value Extreme(const Call& call, Order wanted, std::string_view empty_message) {
  std::span<const Value> items = call[0].items();
  if (items.empty()) return Value::Error(empty_message);
  const Value* best = &items[0];
  for (const Value& item : items.subspan(1)) {
    if (HasNoOrder(item)) return Value::Error(kNoSuchOverload);
    if (Compare(item, *best) == wanted) best = &item;
  }
  return *best;
}
Value Min(const Call& call) { return Extreme(call, Order::kLess, "min called on empty list"); }
Value Max(const Call& call) { return Extreme(call, Order::kGreater, "max called on empty list"); }

Value Plus(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return Value::Error(kNoSuchOverload);
  switch (a.kind()) {
    case Kind::kInt:
    case Kind::kDuration: {
      int64_t sum = 0;
      bool is_int = a.kind() == Kind::kInt;
      if (__builtin_add_overflow(a.int_value(), b.int_value(), &sum)) {
        return Value::Error(is_int ? "integer overflow" : "duration overflow");
      }
      return is_int ? Value::Int(sum) : Value::Duration(sum);
    }
    case Kind::kUint: {
      uint64_t sum = 0;
      if (__builtin_add_overflow(a.uint_value(), b.uint_value(), &sum)) {
        return Value::Error("unsigned integer overflow");
      }
      return Value::Uint(sum);
    }
    case Kind::kDouble:
      return Value::Double(a.double_value() + b.double_value());
    default:
      return Value::Error(kNoSuchOverload);
  }
}

Value Sum(const Call& call, Value zero) {
  std::span<const Value> items = call[0].items();
  if (items.empty()) return zero;
  Value sum = items[0];
  bool is_number = sum.kind() >= Kind::kInt && sum.kind() <= Kind::kDouble;
  if (!is_number && sum.kind() != Kind::kDuration) return Value::Error(kNoSuchOverload);
  for (const Value& item : items.subspan(1)) {
    sum = Plus(sum, item);
    if (sum.is_error()) break;
  }
  return sum;
}
Value SumInts(const Call& call) { return Sum(call, Value::Int(0)); }
Value SumUints(const Call& call) { return Sum(call, Value::Uint(0)); }
Value SumDoubles(const Call& call) { return Sum(call, Value::Double(0)); }
Value SumDurations(const Call& call) { return Sum(call, Value::Duration(0)); }

Value IndexOf(const Call& call) {
  std::span<const Value> items = call[0].items();
  for (size_t place = 0; place < items.size(); ++place) {
    if (Equal(items[place], call[1])) return Value::Int(static_cast<int64_t>(place));
  }
  return Value::Int(-1);
}

Value LastIndexOf(const Call& call) {
  std::span<const Value> items = call[0].items();
  for (size_t place = items.size(); place > 0; --place) {
    if (Equal(items[place - 1], call[1])) return Value::Int(static_cast<int64_t>(place) - 1);
  }
  return Value::Int(-1);
}

constexpr Function kKubernetesListFunctions[] = {
    {"isSorted", "li.:b", IsSorted, CostOfTraversal},
    {"isSorted", "lu.:b", IsSorted, CostOfTraversal},
    {"isSorted", "ld.:b", IsSorted, CostOfTraversal},
    {"isSorted", "lb.:b", IsSorted, CostOfTraversal},
    {"isSorted", "lr.:b", IsSorted, CostOfTraversal},
    {"isSorted", "lt.:b", IsSorted, CostOfTraversal},
    {"isSorted", "ls.:b", IsSorted, CostOfTraversal},
    {"isSorted", "ly.:b", IsSorted, CostOfTraversal},
    {"min", "li.:i", Min, CostOfTraversal},
    {"min", "lu.:u", Min, CostOfTraversal},
    {"min", "ld.:d", Min, CostOfTraversal},
    {"min", "lb.:b", Min, CostOfTraversal},
    {"min", "lr.:r", Min, CostOfTraversal},
    {"min", "lt.:t", Min, CostOfTraversal},
    {"min", "ls.:s", Min, CostOfTraversal},
    {"min", "ly.:y", Min, CostOfTraversal},
    {"max", "li.:i", Max, CostOfTraversal},
    {"max", "lu.:u", Max, CostOfTraversal},
    {"max", "ld.:d", Max, CostOfTraversal},
    {"max", "lb.:b", Max, CostOfTraversal},
    {"max", "lr.:r", Max, CostOfTraversal},
    {"max", "lt.:t", Max, CostOfTraversal},
    {"max", "ls.:s", Max, CostOfTraversal},
    {"max", "ly.:y", Max, CostOfTraversal},
    {"sum", "li.:i", SumInts, CostOfTraversal},
    {"sum", "lu.:u", SumUints, CostOfTraversal},
    {"sum", "ld.:d", SumDoubles, CostOfTraversal},
    {"sum", "lr.:r", SumDurations, CostOfTraversal},
    {"indexOf", "lA.A:i", IndexOf, CostOfTraversal},
    {"lastIndexOf", "lA.A:i", LastIndexOf, CostOfTraversal},
};

}  // namespace

FunctionTable KubernetesListFunctions() { return kKubernetesListFunctions; }

}  // namespace stowage::cel
