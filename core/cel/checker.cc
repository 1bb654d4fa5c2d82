#include "core/cel/checker.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/cel/inference.h"

namespace stowage::cel {
namespace {

// A type that is larger could be multiplied by nested cel.bind().
constexpr size_t kTypeNodesMax = 300;

struct Local {
  std::string_view name;
  const Type* type;
};

size_t CountNodes(const Type& type, size_t most) {
  size_t count = 1;
  for (size_t place = 0; place < type.num_parameters && count <= most; ++place) {
    count += CountNodes(*type.parameters[place], most - count);
  }
  return count;
}

class Checker {
 public:
  Checker(Arena& arena, const Environment& environment, Issues* issues)
      : arena_(arena), environment_(environment), issues_(*issues), inference_(arena) {}

  Checked Run(Node* root) {
    CheckNode(root);
    if (inference_.is_exhausted()) {
      issues_.Report(Issues::kNoPosition, {"the expression is too complex"});
      return {&kErrorType, num_slots_};
    }
    return {inference_.Substitute(root->type, true), num_slots_};
  }

 private:
  void CheckNode(Node* node);
  const Type* TypeOfConstant(const Value& value);
  const Type* CheckIdent(Node* node);
  const Type* CheckSelect(Node* node);
  const Type* CheckCall(Node* node);
  const Type* CheckLogical(Node* node);
  const Type* CheckList(Node* node);
  const Type* CheckMap(Node* node);
  const Type* CheckStruct(Node* node);
  const Type* CheckComprehension(Node* node);
  const Type* SelectField(Node* node, Node* operand, std::string_view field, bool is_optional);
  void DeclareRange(const Node& node, const Type* range, std::vector<Local>* variables);
  const Type* ResolveOverload(Node* node);
  const Type* MatchOverload(const Function& function, const std::vector<const Type*>& arguments);
  void ReportNoOverload(const Node& node, std::string_view name,
                        const std::vector<const Type*>& arguments);

  const Type* Resolved(const Node& node) { return inference_.Substitute(node.type, false); }
  std::string Name(const Type* type) { return ToString(*inference_.Substitute(type, true)); }
  // Declares what a name refers to, if it is a variable or a type; null if it is neither.
  const Type* ResolveName(Node* node, std::string_view name, bool may_be_local);
  const Local* FindLocal(std::string_view name) const;
  void AssertType(const Node& node, const Type* expected);
  const Type* ReportMismatch(const Node& node, const Type* expected, const Type* found);
  const Type* Join(const Node& node, const Type* previous, const Type* current);
  const Type* Element(const Node& node, bool is_optional);
  const Type* Undeclared(const Node& node, std::string_view name);
  void Push(std::string_view name, const Type* type) {
    locals_.push_back({name, type});
    size_t slots = environment_.variables.size() + locals_.size();
    num_slots_ = std::max(num_slots_, static_cast<uint32_t>(slots));
  }

  Arena& arena_;
  const Environment& environment_;
  Issues& issues_;
  Inference inference_;
  std::vector<Local> locals_;
  uint32_t num_slots_ = static_cast<uint32_t>(environment_.variables.size());
};

void Checker::CheckNode(Node* node) {
  if (node->type != nullptr) return;  // shared by two parts of a macro
  const Type* type = nullptr;
  switch (node->kind) {
    case NodeKind::kConstant:
      type = TypeOfConstant(node->constant);
      break;
    case NodeKind::kIdent:
      type = CheckIdent(node);
      break;
    case NodeKind::kSelect:
      type = CheckSelect(node);
      break;
    case NodeKind::kCall:
      type = CheckCall(node);
      break;
    case NodeKind::kList:
      type = CheckList(node);
      break;
    case NodeKind::kMap:
      type = CheckMap(node);
      break;
    case NodeKind::kStruct:
      type = CheckStruct(node);
      break;
    case NodeKind::kComprehension:
      type = CheckComprehension(node);
      break;
  }
  if (CountNodes(*type, kTypeNodesMax) > kTypeNodesMax) {
    issues_.Report(node->position, {"the type of the expression is too large"});
    type = &kErrorType;
  }
  node->type = environment_.options.checks_types ? type : &kDynType;
}

const Type* Checker::TypeOfConstant(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return &kBoolType;
    case Kind::kInt:
      return &kIntType;
    case Kind::kUint:
      return &kUintType;
    case Kind::kDouble:
      return &kDoubleType;
    case Kind::kString:
      return &kStringType;
    case Kind::kBytes:
      return &kBytesType;
    default:
      return &kNullType;
  }
}

const Type* Checker::Undeclared(const Node& node, std::string_view name) {
  issues_.Report(node.position, {"undeclared reference to '", name, "' (in container '')"});
  return &kErrorType;
}

const Local* Checker::FindLocal(std::string_view name) const {
  for (size_t place = locals_.size(); place-- > 0;) {
    if (locals_[place].name == name) return &locals_[place];
  }
  return nullptr;
}

const Type* Checker::ResolveName(Node* node, std::string_view name, bool may_be_local) {
  if (name.front() == '.') {
    name.remove_prefix(1);
    may_be_local = false;
  }
  const Local* local = may_be_local ? FindLocal(name) : nullptr;
  if (local != nullptr) {
    node->slot = static_cast<int32_t>(environment_.variables.size() +
                                      static_cast<size_t>(local - locals_.data()));
    return local->type;
  }
  int variable = environment_.FindVariable(name);
  if (variable >= 0) {
    node->slot = variable;
    return environment_.variables[static_cast<size_t>(variable)].type;
  }
  std::string_view letters = TypeNamed(name);
  if (letters.empty()) return nullptr;
  node->kind = NodeKind::kConstant;
  node->constant = Value::Type(name);
  return TypeOf(arena_, ParseType(arena_, &letters));
}

const Type* Checker::CheckIdent(Node* node) {
  const Type* type = ResolveName(node, node->name, true);
  return type != nullptr ? type : Undeclared(*node, node->name);
}

const Type* Checker::CheckSelect(Node* node) {
  // A name with dots goes before a field, unless a local hides its first part.
  std::string_view name = node->is_test_only ? "" : QualifiedName(arena_, *node);
  bool is_hidden = FindLocal(name.substr(0, name.find('.'))) != nullptr;
  if (!name.empty() && !is_hidden) {
    const Type* type = ResolveName(node, name, false);
    if (type != nullptr) {
      if (node->kind == NodeKind::kSelect) node->kind = NodeKind::kIdent;
      return type;
    }
  }
  const Type* type = SelectField(node, node->children[0], node->name, false);
  return node->is_test_only ? &kBoolType : type;
}

const Type* Checker::SelectField(Node* node, Node* operand, std::string_view field,
                                 bool is_optional) {
  CheckNode(operand);
  const Type* target = Resolved(*operand);
  if (IsOptional(*target)) {
    is_optional = true;
    target = inference_.Substitute(target->parameters[0], false);
  }
  const Type* result = &kDynType;
  switch (target->kind) {
    case TypeKind::kMap:
      result = target->parameters[1];
      break;
    case TypeKind::kObject:
      result = environment_.FieldType(target->name, field);
      if (result == nullptr) {
        issues_.Report(node->position, {"undefined field '", field, "'"});
        result = &kErrorType;
      }
      break;
    case TypeKind::kParameter:
      inference_.IsAssignable(kDynType, *target);
      break;
    case TypeKind::kDyn:
    case TypeKind::kError:
      break;
    default:
      issues_.Report(node->position,
                     {"type '", Name(target), "' does not support field selection"});
  }
  return is_optional ? OptionalOf(arena_, result) : result;
}

const Type* Checker::CheckLogical(Node* node) {
  for (Node* child : node->All()) {
    CheckNode(child);
    AssertType(*child, &kBoolType);
  }
  return &kBoolType;
}

const Type* Checker::CheckCall(Node* node) {
  if (node->op == Operator::kAnd || node->op == Operator::kOr) return CheckLogical(node);
  if (node->op == Operator::kOptionalSelect) {
    return SelectField(node, node->children[0], (*node)[1].constant.text(), true);
  }
  size_t receivers = node->is_member ? 1 : 0;
  for (Node* child : node->All().subspan(receivers)) CheckNode(child);
  if (node->is_member) {
    // `optional.of(x)` is no member function, but a function with a dot in its name.
    std::string_view target = QualifiedName(arena_, (*node)[0]);
    std::string name = std::string(target) + '.' + std::string(node->name);
    if (name.front() == '.' && !target.empty()) name.erase(0, 1);
    if (!target.empty() && environment_.FirstOverload(name) != nullptr) {
      node->is_member = false;
      node->name = environment_.FirstOverload(name)->name;
      node->children += 1;
      node->num_children -= 1;
      return ResolveOverload(node);
    }
    CheckNode(node->children[0]);
  }
  if (node->name.front() == '.') node->name.remove_prefix(1);
  if (environment_.FirstOverload(node->name) == nullptr) return Undeclared(*node, node->name);
  return ResolveOverload(node);
}

// The result type of a row whose argument types fit; null if they do not.
const Type* Checker::MatchOverload(const Function& function,
                                   const std::vector<const Type*>& arguments) {
  const Type* parameters[3] = {};
  auto instantiate = [&](auto& self, const Type* type) -> const Type* {
    if (type->kind == TypeKind::kParameter) {
      const Type*& variable = parameters[type->name.front() - 'A'];
      if (variable == nullptr) variable = inference_.NewVariable();
      return variable;
    }
    if (type->num_parameters == 0) return type;
    Type* copy = arena_.New<Type>(*type);
    if (copy == nullptr) return &kErrorType;
    for (size_t place = 0; place < type->num_parameters; ++place) {
      copy->parameters[place] = self(self, type->parameters[place]);
    }
    return copy;
  };
  std::string_view letters = function.signature;
  std::vector<const Type*> wanted;
  while (letters.front() != ':') {
    if (letters.front() == '.') {
      letters.remove_prefix(1);
      continue;
    }
    wanted.push_back(instantiate(instantiate, ParseType(arena_, &letters)));
  }
  letters.remove_prefix(1);
  if (!inference_.IsAssignable(arguments, wanted)) return nullptr;
  return inference_.Substitute(instantiate(instantiate, ParseType(arena_, &letters)), false);
}

const Type* Checker::ResolveOverload(Node* node) {
  std::string_view name = node->name;
  std::vector<const Type*> arguments;
  for (const Node* child : node->All()) arguments.push_back(child->type);
  const Type* result = nullptr;
  const Function* match = nullptr;
  for (const Function* function = environment_.FirstOverload(name); function != nullptr;
       function = environment_.Next(name, function)) {
    bool has_shape = IsMember(*function) == node->is_member &&
                     NumArguments(function->signature) == arguments.size();
    const Type* type = has_shape ? MatchOverload(*function, arguments) : nullptr;
    if (type == nullptr) continue;
    node->overload = match == nullptr ? function : nullptr;
    match = function;
    if (result == nullptr) {
      result = type;
    } else if (result->kind != TypeKind::kDyn && !SameType(*result, *type)) {
      result = &kDynType;
    }
  }
  if (result != nullptr) return result;
  ReportNoOverload(*node, name, arguments);
  return &kErrorType;
}

void Checker::ReportNoOverload(const Node& node, std::string_view name,
                               const std::vector<const Type*>& arguments) {
  std::string types;
  for (size_t place = 0; place < arguments.size(); ++place) {
    bool is_receiver = node.is_member && place == 0;
    if (place > (node.is_member ? 1 : 0)) types += ", ";
    types += Name(arguments[place]);
    if (is_receiver) types += ".(";
  }
  if (!node.is_member) types = '(' + types;
  issues_.Report(node.position,
                 {"found no matching overload for '", name, "' applied to '", types, ")'"});
}

const Type* Checker::ReportMismatch(const Node& node, const Type* expected, const Type* found) {
  issues_.Report(node.position,
                 {"expected type '", Name(expected), "' but found '", Name(found), "'"});
  return &kErrorType;
}

void Checker::AssertType(const Node& node, const Type* expected) {
  if (!inference_.IsAssignable(*expected, *node.type)) ReportMismatch(node, expected, node.type);
}

const Type* Checker::Join(const Node& node, const Type* previous, const Type* current) {
  if (previous == nullptr) return current;
  if (inference_.IsAssignable(*previous, *current)) {
    return Inference::MostGeneral(previous, current);
  }
  if (!environment_.options.homogeneous_aggregates) return &kDynType;
  return ReportMismatch(node, previous, current);
}

// The type of an element of a literal; an optional element contributes what it may hold.
const Type* Checker::Element(const Node& node, bool is_optional) {
  if (!is_optional) return node.type;
  const Type* type = Resolved(node);
  if (IsOptional(*type)) return type->parameters[0];
  if (type->kind != TypeKind::kDyn) ReportMismatch(node, OptionalOf(arena_, type), type);
  return type;
}

const Type* Checker::CheckList(Node* node) {
  const Type* element = nullptr;
  for (size_t place = 0; place < node->num_children; ++place) {
    Node* child = node->children[place];
    CheckNode(child);
    bool is_optional = node->optionals != nullptr && node->optionals[place];
    element = Join(*child, element, Element(*child, is_optional));
  }
  return ListOf(arena_, element != nullptr ? element : inference_.NewVariable());
}

const Type* Checker::CheckMap(Node* node) {
  const Type* key = nullptr;
  const Type* value = nullptr;
  for (size_t entry = 0; entry < node->num_children / 2; ++entry) {
    Node* key_node = node->children[2 * entry];
    Node* value_node = node->children[2 * entry + 1];
    CheckNode(key_node);
    key = Join(*key_node, key, key_node->type);
    CheckNode(value_node);
    bool is_optional = node->optionals != nullptr && node->optionals[entry];
    value = Join(*value_node, value, Element(*value_node, is_optional));
  }
  if (key == nullptr) {
    key = inference_.NewVariable();
    value = inference_.NewVariable();
  }
  return MapOf(arena_, key, value);
}

const Type* Checker::CheckStruct(Node* node) {
  std::string_view name = node->name;
  if (name.front() == '.') name.remove_prefix(1);
  std::string_view letters = TypeNamed(name);
  if (letters.empty()) return Undeclared(*node, name);
  std::string type = ToString(*ParseType(arena_, &letters));
  issues_.Report(node->position, {"'", type, "' is not a message type"});
  return &kErrorType;
}

// The variables of a loop over a value of type `range`.
void Checker::DeclareRange(const Node& node, const Type* range, std::vector<Local>* variables) {
  const Type* first = &kDynType;
  const Type* second = &kDynType;
  switch (range->kind) {
    case TypeKind::kList:
      first = range->parameters[0];
      second = first;
      if (!node.comprehension->second_variable.empty()) first = &kIntType;
      break;
    case TypeKind::kMap:
      first = range->parameters[0];
      second = range->parameters[1];
      break;
    case TypeKind::kParameter:
      inference_.IsAssignable(kDynType, *range);
      break;
    case TypeKind::kDyn:
    case TypeKind::kError:
      break;
    default:
      issues_.Report(node[kRange].position,
                     {"expression of type '", Name(range),
                      "' cannot be range of a comprehension (must be list, map, or dynamic)"});
      first = &kErrorType;
      second = &kErrorType;
  }
  variables->push_back({node.comprehension->variable, first});
  if (!node.comprehension->second_variable.empty()) {
    variables->push_back({node.comprehension->second_variable, second});
  }
}

const Type* Checker::CheckComprehension(Node* node) {
  CheckNode(node->children[kRange]);
  CheckNode(node->children[kInit]);
  const Type* accumulator = (*node)[kInit].type;
  std::vector<Local> variables;
  DeclareRange(*node, Resolved((*node)[kRange]), &variables);
  size_t before = locals_.size();
  Push(node->comprehension->accumulator, accumulator);
  node->slot = static_cast<int32_t>(environment_.variables.size() + before);
  for (const Local& variable : variables) Push(variable.name, variable.type);
  CheckNode(node->children[kCondition]);
  AssertType((*node)[kCondition], &kBoolType);
  CheckNode(node->children[kStep]);
  AssertType((*node)[kStep], accumulator);
  locals_.resize(before + 1);
  CheckNode(node->children[kResult]);
  locals_.resize(before);
  return Resolved((*node)[kResult]);
}

}  // namespace

Checked Check(Arena& arena, const Environment& environment, Node* root, Issues* issues) {
  return Checker(arena, environment, issues).Run(root);
}

}  // namespace stowage::cel
