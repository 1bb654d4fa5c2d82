#include "tests/core/cel/library_call.h"

#include "core/cel/double_text.h"
#include "core/cel/libraries.h"
#include "core/cel/time_text.h"

namespace stowage::cel {
namespace {

constexpr std::pair<char, const OpaqueKind*> kOpaqueLetters[] = {
    {'Q', &kQuantityKind}, {'V', &kSemverKind}, {'I', &kIpKind},
    {'N', &kCidrKind},     {'U', &kUrlKind},    {'F', &kFormatKind},
};

constexpr std::pair<char, Kind> kKindLetters[] = {
    {'b', Kind::kBool},      {'i', Kind::kInt},      {'u', Kind::kUint},
    {'d', Kind::kDouble},    {'s', Kind::kString},   {'y', Kind::kBytes},
    {'t', Kind::kTimestamp}, {'r', Kind::kDuration}, {'n', Kind::kNull},
};

// Like TakeFit; null fits every type.
bool TakeFitOrNull(std::string_view* letters, const Value* value) {
  if (value != nullptr) return TakeFit(letters, *value);
  char letter = letters->front();
  letters->remove_prefix(1);
  if (letter == 'm') TakeFitOrNull(letters, nullptr);
  if (letter == 'm' || letter == 'l' || letter == 'o' || letter == 'k') {
    TakeFitOrNull(letters, nullptr);
  }
  return true;
}

bool Fits(std::string_view signature, std::initializer_list<Value> arguments) {
  for (const Value& argument : arguments) {
    if (signature.front() == '.') signature.remove_prefix(1);
    if (signature.front() == ':' || !TakeFit(&signature, argument)) return false;
  }
  if (signature.front() == '.') signature.remove_prefix(1);
  return signature.front() == ':';
}

std::string PrintList(std::span<const Value> items) {
  std::string text = "[";
  for (const Value& item : items) {
    if (text.size() > 1) text += ", ";
    text += PrintValue(item);
  }
  return text + "]";
}

std::string PrintMap(std::span<const MapEntry> entries) {
  std::string text = "{";
  for (const MapEntry& entry : entries) {
    if (text.size() > 1) text += ", ";
    text += PrintValue(entry.key) + ": " + PrintValue(entry.value);
  }
  return text + "}";
}

}  // namespace

bool TakeFit(std::string_view* letters, const Value& value) {
  char letter = letters->front();
  letters->remove_prefix(1);
  if (letter == '*' || letter == 'A' || letter == 'B') return true;
  if (letter == 'l') {
    bool is_list = value.kind() == Kind::kList;
    bool is_filled = is_list && !value.items().empty();
    return TakeFitOrNull(letters, is_filled ? &value.items()[0] : nullptr) && is_list;
  }
  if (letter == 'm') {
    bool is_map = value.kind() == Kind::kMap;
    bool is_filled = is_map && !value.entries().empty();
    bool key_fits = TakeFitOrNull(letters, is_filled ? &value.entries()[0].key : nullptr);
    bool value_fits = TakeFitOrNull(letters, is_filled ? &value.entries()[0].value : nullptr);
    return is_map && key_fits && value_fits;
  }
  if (letter == 'o') {
    bool is_optional = value.kind() == Kind::kOptional;
    return TakeFitOrNull(letters, is_optional ? value.optional_value() : nullptr) && is_optional;
  }
  if (letter == 'k') {
    TakeFitOrNull(letters, nullptr);
    return value.kind() == Kind::kType;
  }
  for (const auto& [known, kind] : kKindLetters) {
    if (known == letter) return value.kind() == kind;
  }
  for (const auto& [known, kind] : kOpaqueLetters) {
    if (known == letter) return value.kind() == Kind::kOpaque && value.opaque()->kind == kind;
  }
  return false;
}

std::string PrintValue(const Value& value) {
  switch (value.kind()) {
    case Kind::kError:
      return "error: " + std::string(value.text());
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return value.bool_value() ? "true" : "false";
    case Kind::kInt:
      return std::to_string(value.int_value());
    case Kind::kUint:
      return std::to_string(value.uint_value()) + "u";
    case Kind::kDouble:
      return DoubleText(value.double_value());
    case Kind::kString:
      return "'" + std::string(value.text()) + "'";
    case Kind::kDuration:
      return DurationText(value.int_value());
    case Kind::kTimestamp:
      return TimestampText({value.seconds(), static_cast<int32_t>(value.nanos())});
    case Kind::kList:
      return PrintList(value.items());
    case Kind::kMap:
      return PrintMap(value.entries());
    case Kind::kOptional:
      if (value.optional_value() == nullptr) return "none";
      return "optional(" + PrintValue(*value.optional_value()) + ")";
    default:
      return std::string(value.type_name());
  }
}

const Function* LibraryCaller::Find(std::string_view name,
                                    std::initializer_list<Value> arguments) const {
  for (const Function& function : table_) {
    if (function.name == name && Fits(function.signature, arguments)) return &function;
  }
  return nullptr;
}

Value LibraryCaller::Call(std::string_view name, std::initializer_list<Value> arguments) {
  for (const Value& argument : arguments) {
    if (argument.is_error()) return argument;
  }
  const Function* function = Find(name, arguments);
  if (function == nullptr || function->call == nullptr) return Value::Error(kNoSuchOverload);
  return function->call({arena_, {arguments.begin(), arguments.size()}});
}

std::string LibraryCaller::Print(std::string_view name, std::initializer_list<Value> arguments) {
  return PrintValue(Call(name, arguments));
}

uint64_t LibraryCaller::Cost(std::string_view name, std::initializer_list<Value> arguments) {
  const Function* function = Find(name, arguments);
  if (function == nullptr || function->cost == nullptr) return 1;
  cel::Call call{arena_, {arguments.begin(), arguments.size()}};
  return function->cost(call, function->call(call));
}

Value LibraryCaller::List(std::initializer_list<Value> items) {
  return ValueBuilder::List(arena_, {items.begin(), items.size()});
}

}  // namespace stowage::cel
