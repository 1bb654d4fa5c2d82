// The table of functions: one row per overload. Libraries are arrays of constant rows; an
// Environment lists the arrays that it offers.
//
// Name and signature select an overload at compile time. At run time the arguments' values select
// it again, where types were not known (`dyn`): the first row that fits the values is called.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/cel/arena.h"
#include "core/cel/type.h"
#include "core/cel/value.h"

namespace stowage::cel {

// One call: no argument is an error, and the arguments fit the row's signature. A member function's
// receiver is the first argument.
struct Call {
  Arena& arena;  // of the evaluation: where results are built
  std::span<const Value> arguments;
  // The work of the evaluation, which it bounds. It has the arguments' weights already; a function
  // whose work may be larger adds the rest, and ends early if it is very large.
  uint64_t* steps = nullptr;

  const Value& operator[](size_t place) const { return arguments[place]; }
  void Spend(uint64_t work) const {
    if (steps != nullptr) *steps += work;
  }
};

struct Function {
  // "size", "optional.of"; operators have cel-go's names: "_+_", "_[_]", "!_", "@in".
  std::string_view name;
  // The letters of type.h: arguments, ':', result. A member function has '.' behind the receiver:
  // "s.ss:i" is string.f(string, string) -> int; "si:b" is f(string, int) -> bool.
  std::string_view signature;
  // Null: compiles only; a call is the error "no such overload".
  Value (*call)(const Call& call);
  // The cost of a call, counted after it. Null: 1.
  uint64_t (*cost)(const Call& call, const Value& result) = nullptr;
};

using FunctionTable = std::span<const Function>;

// ceil(size · factor_tenths / 10): the traversal of a text of that size.
constexpr uint64_t TraversalCost(uint64_t size, uint64_t factor_tenths = 1) {
  return (size * factor_tenths + 9) / 10;
}
// The costs that many functions have.
uint64_t CostOfFirst(const Call& call, const Value& result);    // traverses argument 0 once
uint64_t CostOfSmaller(const Call& call, const Value& result);  // the smaller of 0 and 1
uint64_t CostOfBoth(const Call& call, const Value& result);     // 0 and 1, one after the other

// Each library has a function that returns its table, here and in its own file.
FunctionTable StandardFunctions();  // operators, conversions, strings, timestamps: standard*.cc
FunctionTable OptionalFunctions();  // optional.of … : optional_functions.cc

}  // namespace stowage::cel
