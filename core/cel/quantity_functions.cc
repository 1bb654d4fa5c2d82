#include "core/api/quantity.h"
#include "core/cel/libraries.h"

namespace stowage::cel {

const OpaqueKind kQuantityKind = {"kubernetes.Quantity",
                                  [](const void* a, const void* b) {
                                    return *static_cast<const Quantity*>(a) ==
                                           *static_cast<const Quantity*>(b);
                                  },
                                  true};

namespace {

const Quantity& Of(const Value& value) { return *value.As<Quantity>(kQuantityKind); }

// A quantity's digits are not in the arena, but count against its bound.
constexpr size_t kBytesPerQuantity = 256;

Value Kept(const Call& call, Quantity quantity, bool is_pointer) {
  if (call.arena.Allocate(kBytesPerQuantity) == nullptr) return Value::Error(kCostExceeded);
  const Quantity* kept = call.arena.Own(std::move(quantity));
  return ValueBuilder::OfOpaque(call.arena, kQuantityKind, kept, is_pointer);
}

// An operand is a quantity or an int.
Quantity Operand(const Value& value) {
  constexpr auto kFormat = Quantity::Format::kDecimalExponent;
  return value.kind() == Kind::kInt ? Quantity(value.int_value(), 0, kFormat) : Of(value);
}

Value ToQuantity(const Call& call) {
  Result<Quantity, QuantityError> quantity = Quantity::Parse(call[0].text());
  if (!quantity.ok()) return Value::Error(quantity.fault().message);
  return Kept(call, quantity.Take(), false);
}
Value IsQuantity(const Call& call) { return Value::Bool(Quantity::Parse(call[0].text()).ok()); }

Value Sign(const Call& call) { return Value::Int(Of(call[0]).Sign()); }
Value CompareTo(const Call& call) { return Value::Int(Of(call[0]).Compare(Of(call[1]))); }
Value IsGreaterThan(const Call& call) { return Value::Bool(Of(call[0]).Compare(Of(call[1])) > 0); }
Value IsLessThan(const Call& call) { return Value::Bool(Of(call[0]).Compare(Of(call[1])) < 0); }

Value AsInteger(const Call& call) {
  std::optional<int64_t> value = Of(call[0]).AsInt64();
  return value ? Value::Int(*value) : Value::Error("cannot convert value to integer");
}
Value IsInteger(const Call& call) { return Value::Bool(Of(call[0]).AsInt64().has_value()); }
Value AsApproximateFloat(const Call& call) {
  return Value::Double(Of(call[0]).AsApproximateFloat64());
}

Value Add(const Call& call) {
  Quantity sum = Of(call[0]);
  sum.Add(Operand(call[1]));
  return Kept(call, std::move(sum), true);
}
Value Subtract(const Call& call) {
  Quantity difference = Of(call[0]);
  difference.Sub(Operand(call[1]));
  return Kept(call, std::move(difference), true);
}

constexpr Function kQuantityFunctions[] = {
    {"quantity", "s:Q", ToQuantity, CostOfFirst},
    {"isQuantity", "s:b", IsQuantity, CostOfFirst},
    {"sign", "Q:i", Sign},
    {"isGreaterThan", "Q.Q:b", IsGreaterThan},
    {"isLessThan", "Q.Q:b", IsLessThan},
    {"compareTo", "Q.Q:i", CompareTo},
    {"asApproximateFloat", "Q.:d", AsApproximateFloat},
    {"asInteger", "Q.:i", AsInteger},
    {"isInteger", "Q.:b", IsInteger},
    {"add", "Q.Q:Q", Add},
    {"add", "Q.i:Q", Add},
    {"sub", "Q.Q:Q", Subtract},
    {"sub", "Q.i:Q", Subtract},
};

}  // namespace

FunctionTable QuantityFunctions() { return kQuantityFunctions; }

}  // namespace stowage::cel
