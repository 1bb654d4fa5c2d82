// Compiling and evaluating expressions.
// Source: spec plugins/dynamic-resources-cel.md, "Compilation" and "Evaluation".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/cel/arena.h"
#include "core/cel/ast.h"
#include "core/cel/environment.h"
#include "core/cel/value.h"

namespace stowage::cel {

// A compiled expression. It refers to its environment.
class Program {
 public:
  // The type of the result, as messages write it: "bool", "list(int)", "any".
  const Type& type() const { return *type_; }
  const Node& root() const { return *root_; }
  const Environment& environment() const { return environment_; }
  uint32_t num_slots() const { return num_slots_; }

 private:
  friend struct Compiler;
  Program(const Environment& environment, std::string_view text)
      : environment_(environment), text_(text) {}

  const Environment& environment_;
  std::string text_;
  Arena arena_;
  Node* root_ = nullptr;
  const Type* type_ = nullptr;
  uint32_t num_slots_ = 0;
};

struct Compilation {
  std::unique_ptr<Program> program;  // null if there are issues
  std::string issues;                // in cel-go's form, see issues.h
  // A constant conversion fails, as in int("x"): the issues are its message alone.
  bool is_instantiation_fault = false;
};

Compilation Compile(const Environment& environment, std::string_view text);

inline constexpr uint64_t kCostMax = 1'000'000;

struct Evaluation {
  Value result;  // lives in the arena, in the program or in the variables
  uint64_t cost = 0;
};

// `variables` are in the order of the environment's. Evaluates until the cost exceeds `cost_max`,
// or the work the bound kStepsMax; then the result is the error kCostExceeded.
Evaluation Evaluate(const Program& program, std::span<const Value> variables, Arena& arena,
                    uint64_t cost_max = kCostMax);

// Nodes walked and values passed to functions.
// DIVERGENCE(evaluation-steps): loops over constants have no cost in cel-go, whose evaluations end
// by a timeout instead. The bounds of memory and of weight (arena.h, value.h) are ours too.
inline constexpr uint64_t kStepsMax = 10'000'000;

}  // namespace stowage::cel
