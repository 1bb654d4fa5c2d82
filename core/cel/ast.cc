#include "core/cel/ast.h"

#include <algorithm>
#include <string>

#include "core/base/check.h"

namespace stowage::cel {
namespace {

constexpr struct {
  std::string_view name;
  Operator op;
} kOperators[] = {
    {"_&&_", Operator::kAnd},
    {"_||_", Operator::kOr},
    {"_?_:_", Operator::kConditional},
    {"_[_]", Operator::kIndex},
    {"_[?_]", Operator::kOptionalIndex},
    {"_?._", Operator::kOptionalSelect},
    {"_==_", Operator::kEqual},
    {"_!=_", Operator::kNotEqual},
    {"@not_strictly_false", Operator::kNotStrictlyFalse},
};

}  // namespace

std::string_view QualifiedName(Arena& arena, const Node& node) {
  if (node.kind == NodeKind::kIdent) return node.name;
  if (node.kind != NodeKind::kSelect || node.is_test_only) return {};
  std::string name(node.name);
  const Node* at = &node[0];
  while (at->kind == NodeKind::kSelect && !at->is_test_only) {
    name = std::string(at->name) + '.' + name;
    at = &(*at)[0];
  }
  if (at->kind != NodeKind::kIdent) return {};
  return arena.Copy(std::string(at->name) + '.' + name);
}

Node* NodeBuilder::New(NodeKind kind, std::span<Node* const> children) const {
  Node* node = arena_.New<Node>();
  auto* places = static_cast<Node**>(arena_.Allocate(children.size() * sizeof(Node*)));
  // The parser bounds the text, and so the number of nodes.
  CHECK(node != nullptr);
  CHECK(places != nullptr);
  std::copy(children.begin(), children.end(), places);
  node->kind = kind;
  node->position = position_;
  node->children = places;
  node->num_children = static_cast<uint32_t>(children.size());
  return node;
}

Node* NodeBuilder::Constant(Value value) const {
  Node* node = New(NodeKind::kConstant, {});
  node->constant = value;
  return node;
}

Node* NodeBuilder::Ident(std::string_view name) const {
  Node* node = New(NodeKind::kIdent, {});
  node->name = name;
  return node;
}

Node* NodeBuilder::Select(Node* operand, std::string_view field) const {
  Node* node = New(NodeKind::kSelect, {&operand, 1});
  node->name = field;
  return node;
}

Node* NodeBuilder::Call(std::string_view function, std::span<Node* const> arguments) const {
  Node* node = New(NodeKind::kCall, arguments);
  node->name = function;
  for (const auto& row : kOperators) {
    if (row.name == function) node->op = row.op;
  }
  return node;
}

Node* NodeBuilder::MemberCall(std::string_view function,
                              std::span<Node* const> receiver_and_arguments) const {
  Node* node = Call(function, receiver_and_arguments);
  node->is_member = true;
  return node;
}

Node* NodeBuilder::List(std::span<Node* const> elements) const {
  return New(NodeKind::kList, elements);
}
Node* NodeBuilder::Map(std::span<Node* const> keys_and_values) const {
  return New(NodeKind::kMap, keys_and_values);
}

Node* NodeBuilder::Comprehend(const Comprehension& comprehension,
                              std::initializer_list<Node*> children) const {
  Node* node = New(NodeKind::kComprehension, {children.begin(), children.size()});
  node->comprehension = arena_.New<Comprehension>(comprehension);
  return node;
}

}  // namespace stowage::cel
