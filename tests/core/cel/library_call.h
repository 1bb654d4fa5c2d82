// Calls functions of the libraries by name, as the evaluator does, and prints their results.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/cel/functions.h"

namespace stowage::cel {

class LibraryCaller {
 public:
  explicit LibraryCaller(FunctionTable table) : table_(table) {}

  // The result of the first overload that fits the arguments; the error "no such overload" if none
  // does.
  Value Call(std::string_view name, std::initializer_list<Value> arguments);
  // The result as text: "3", "3u", "true", "'text'", "[1, 2]", "none", "optional(1)", and
  // "error: message".
  std::string Print(std::string_view name, std::initializer_list<Value> arguments);
  // What the call costs.
  uint64_t Cost(std::string_view name, std::initializer_list<Value> arguments);

  Value List(std::initializer_list<Value> items);

  Arena& arena() { return arena_; }

 private:
  const Function* Find(std::string_view name, std::initializer_list<Value> arguments) const;

  Arena arena_;
  FunctionTable table_;
};

std::string PrintValue(const Value& value);

// Whether the value has the type that the letters of core/cel/type.h begin with, which are removed.
// The first element stands for all of a list or map.
bool TakeFit(std::string_view* letters, const Value& value);

// Shorter names for the arguments of tests.
inline Value S(std::string_view text) { return Value::String(text); }
inline Value I(int64_t value) { return Value::Int(value); }

}  // namespace stowage::cel
