// Optional values: optional.of, hasValue, orValue and others.
// Source: spec plugins/dynamic-resources-cel.md, "Function libraries"; cel-go's OptionalTypes.
#include <vector>

#include "core/cel/functions.h"
#include "core/cel/value_text.h"

namespace stowage::cel {
namespace {

bool IsZero(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kDouble:
      return value.double_value() == 0;
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDuration:
      return value.uint_value() == 0;
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
      return value.size() == 0;
    case Kind::kOptional:
      return value.optional_value() == nullptr;
    default:
      return false;
  }
}

Value Of(const Call& call) { return ValueBuilder::Optional(call.arena, call[0]); }
Value OfNonZeroValue(const Call& call) {
  return IsZero(call[0]) ? Value::OptionalNone() : Of(call);
}
Value None(const Call&) { return Value::OptionalNone(); }
Value HasValue(const Call& call) { return Value::Bool(call[0].optional_value() != nullptr); }
Value ValueOf(const Call& call) {
  const Value* value = call[0].optional_value();
  return value == nullptr ? Value::Error("optional.none() dereference") : *value;
}
// The values of the elements that have one.
Value Unwrap(const Call& call) {
  std::vector<Value> values;
  for (const Value& item : call[0].items()) {
    if (item.kind() != Kind::kOptional) {
      return ValueBuilder::Error(call.arena, {"value ", PlainText(item), " is not optional"});
    }
    if (item.optional_value() != nullptr) values.push_back(*item.optional_value());
  }
  return ValueBuilder::List(call.arena, values);
}

constexpr Function kOptionalFunctions[] = {
    {"optional.of", "A:oA", Of},      {"optional.ofNonZeroValue", "A:oA", OfNonZeroValue},
    {"optional.none", ":oA", None},   {"hasValue", "oA.:b", HasValue},
    {"value", "oA.:A", ValueOf},      {"or", "oA.oA:oA", nullptr},
    {"orValue", "oA.A:A", nullptr},   {"optional.unwrap", "loA:lA", Unwrap},
    {"unwrapOpt", "loA.:lA", Unwrap},
};

}  // namespace

FunctionTable OptionalFunctions() { return kOptionalFunctions; }

}  // namespace stowage::cel
