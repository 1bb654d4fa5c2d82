// The tree of an expression. The parser builds it, macros are already expanded in it; the checker
// adds types and what names refer to; the evaluator walks it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "core/cel/arena.h"
#include "core/cel/functions.h"
#include "core/cel/type.h"
#include "core/cel/value.h"

namespace stowage::cel {

enum class NodeKind : uint8_t {
  kConstant,
  kIdent,
  kSelect,         // children: operand
  kCall,           // children: the receiver if `is_member`, then the arguments
  kList,           // children: elements
  kMap,            // children: key, value, key, value …
  kStruct,         // children: the fields' values; `fields` their names
  kComprehension,  // children: see Comprehension
};

// Two-operand forms that are not functions for the evaluator.
enum class Operator : uint8_t {
  kFunction,  // any other
  kAnd,
  kOr,
  kConditional,
  kIndex,
  kOptionalIndex,   // a[?b]
  kOptionalSelect,  // a.?b: children: operand, the name as a constant
  kEqual,
  kNotEqual,
  kNotStrictlyFalse,
};

// The children of a comprehension node.
enum ComprehensionChild : uint8_t { kRange, kInit, kCondition, kStep, kResult, kNumChildren };

struct Comprehension {
  std::string_view variable;
  std::string_view second_variable;  // empty: none
  std::string_view accumulator;
};

struct Node {
  NodeKind kind = NodeKind::kConstant;
  Operator op = Operator::kFunction;
  bool is_member = false;        // of a call
  bool is_test_only = false;     // of a select: has(a.b)
  bool is_constant_set = false;  // of `@in`: the list is constant and looked up like a set
  // A node may be shared by two parts of a macro; passes over the tree visit it once.
  bool is_folded = false;
  bool is_literal_checked = false;
  uint16_t height = 0;    // levels of the text below it, as cel-go's parser counts them
  uint32_t position = 0;  // byte of the source
  uint32_t num_children = 0;
  std::string_view name;  // of an ident, a field, a function, a message
  Node** children = nullptr;
  // Of a list or a map: whether the element or entry is optional; null: none is.
  const bool* optionals = nullptr;
  const std::string_view* fields = nullptr;  // of a struct
  const Comprehension* comprehension = nullptr;
  Value constant;

  // Set by the checker.
  const Type* type = nullptr;
  int32_t slot = -1;                   // of an ident: a variable, or a local behind them
  const Function* overload = nullptr;  // of a call: set if exactly one fits the types

  std::span<Node* const> All() const { return {children, num_children}; }
  const Node& operator[](size_t child) const { return *children[child]; }
};

// The name that a chain of idents and selects spells ("a.b.c"); empty if it is none.
std::string_view QualifiedName(Arena& arena, const Node& node);

// Builds nodes at one position of the source.
class NodeBuilder {
 public:
  NodeBuilder(Arena& arena, uint32_t position) : arena_(arena), position_(position) {}

  Node* Constant(Value value) const;
  Node* Ident(std::string_view name) const;
  Node* Select(Node* operand, std::string_view field) const;
  Node* Call(std::string_view function, std::span<Node* const> arguments) const;
  Node* Call(std::string_view function, std::initializer_list<Node*> arguments) const {
    return Call(function, std::span<Node* const>(arguments.begin(), arguments.size()));
  }
  Node* MemberCall(std::string_view function, std::span<Node* const> receiver_and_arguments) const;
  Node* List(std::span<Node* const> elements) const;
  Node* Map(std::span<Node* const> keys_and_values) const;
  // `children` in the order of ComprehensionChild.
  Node* Comprehend(const Comprehension& comprehension, std::initializer_list<Node*> children) const;
  Node* New(NodeKind kind, std::span<Node* const> children) const;

  Arena& arena() const { return arena_; }
  uint32_t position() const { return position_; }

 private:
  Arena& arena_;
  uint32_t position_;
};

}  // namespace stowage::cel
