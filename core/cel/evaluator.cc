#include "core/cel/evaluator.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/check.h"
#include "core/cel/libraries.h"
#include "core/cel/value_text.h"

namespace stowage::cel {
namespace {

Value Exceeded() { return Value::Error(kCostExceeded); }

bool IsQualifier(const Node& node) {
  return node.kind == NodeKind::kSelect || node.op == Operator::kIndex ||
         node.op == Operator::kOptionalIndex || node.op == Operator::kOptionalSelect;
}
bool IsAttribute(const Node& node) {
  return node.kind == NodeKind::kIdent || node.op == Operator::kConditional || IsQualifier(node);
}

// Removes a type from the front of `letters`; whether the value has it. A null value fits nothing.
// As in cel-go, the first element stands for all of a list or map.
bool Fits(std::string_view* letters, const Value* value) {
  char letter = letters->front();
  letters->remove_prefix(1);
  bool is_present = value != nullptr;
  switch (letter) {
    case 'l': {
      bool is_list = is_present && value->kind() == Kind::kList;
      bool has_element = is_list && !value->items().empty();
      bool fits = Fits(letters, has_element ? value->items().data() : nullptr);
      return is_list && (fits || !has_element);
    }
    case 'm': {
      bool is_map = is_present && value->kind() == Kind::kMap;
      bool has_entry = is_map && !value->entries().empty();
      bool key_fits = Fits(letters, has_entry ? &value->entries().front().key : nullptr);
      bool value_fits = Fits(letters, has_entry ? &value->entries().front().value : nullptr);
      return is_map && ((key_fits && value_fits) || !has_entry);
    }
    case 'o':
      Fits(letters, nullptr);
      return is_present && value->kind() == Kind::kOptional;
    case 'k':
      Fits(letters, nullptr);
      return is_present && value->kind() == Kind::kType;
    default:
      break;
  }
  if (!is_present) return false;
  const Type& type = TypeOfLetter(letter);
  constexpr Kind kKinds[] = {Kind::kError, Kind::kError,     Kind::kNull,    Kind::kBool,
                             Kind::kInt,   Kind::kUint,      Kind::kDouble,  Kind::kString,
                             Kind::kBytes, Kind::kTimestamp, Kind::kDuration};
  if (type.kind == TypeKind::kDyn || type.kind == TypeKind::kParameter) return true;
  if (type.kind == TypeKind::kOpaque) return value->type_name() == type.name;
  return value->kind() == kKinds[static_cast<size_t>(type.kind)];
}

bool FitsAll(const Function& function, std::span<const Value> arguments) {
  std::string_view letters = function.signature;
  for (const Value& argument : arguments) {
    if (letters.front() == '.') letters.remove_prefix(1);
    if (!Fits(&letters, &argument)) return false;
  }
  return true;
}

bool IsOptionalOr(const Node& node) {
  return node.is_member && node.num_children == 2 && (node.name == "or" || node.name == "orValue");
}

bool IsStandard(const Function& function) {
  FunctionTable table = StandardFunctions();
  return &function >= table.data() && &function < table.data() + table.size();
}

}  // namespace

Value Evaluator::Run(const Node& root, uint32_t num_slots, std::span<const Value> variables) {
  slots_.assign(variables.begin(), variables.end());
  slots_.resize(std::max<size_t>(num_slots, variables.size()));
  Value result = Evaluate(root);
  if (arena_.is_exhausted()) return Exceeded();
  return is_cancelled_ ? Value::Error(cancellation_) : result;
}

Value Evaluator::Evaluate(const Node& node) {
  if (!Step(1)) return Exceeded();
  switch (node.kind) {
    case NodeKind::kConstant:
      return node.constant;
    case NodeKind::kIdent:
    case NodeKind::kSelect:
      return EvaluateAttribute(node);
    case NodeKind::kList:
      return EvaluateList(node);
    case NodeKind::kMap:
      return EvaluateMap(node);
    case NodeKind::kComprehension:
      return EvaluateLoop(node);
    case NodeKind::kStruct:
      return Value::Error(kNoSuchOverload);
    case NodeKind::kCall:
      break;
  }
  switch (node.op) {
    case Operator::kAnd:
    case Operator::kOr:
      return EvaluateLogical(node);
    case Operator::kEqual:
    case Operator::kNotEqual:
      return EvaluateEquality(node);
    case Operator::kNotStrictlyFalse:
      return EvaluateNotStrictlyFalse(node);
    case Operator::kFunction:
      if (node.is_constant_set) return EvaluateSetMembership(node);
      return IsOptionalOr(node) ? EvaluateOptionalOr(node) : EvaluateCall(node);
    default:
      return EvaluateAttribute(node);
  }
}

// An error on one side is absorbed if the other side decides.
Value Evaluator::EvaluateLogical(const Node& node) {
  bool deciding = node.op == Operator::kOr;
  Value left = Evaluate(node[0]);
  bool left_is_bool = left.kind() == Kind::kBool;
  if (left_is_bool && left.bool_value() == deciding) return left;
  Value right = Evaluate(node[1]);
  bool right_is_bool = right.kind() == Kind::kBool;
  if (right_is_bool && right.bool_value() == deciding) return right;
  if (left_is_bool && right_is_bool) return right;
  if (left.is_error()) return left;
  return right.is_error() ? right : Value::Error(kNoSuchOverload);
}

Value Evaluator::EvaluateEquality(const Node& node) {
  Value left = Evaluate(node[0]);
  Value right = Evaluate(node[1]);
  if (!Charge(TraversalCost(std::min(left.size(), right.size())))) return Exceeded();
  if (left.is_error()) return left;
  if (right.is_error()) return right;
  if (!Step(std::min(left.weight(), right.weight()))) return Exceeded();
  Equality equality = CompareEquality(left, right);
  if (node.op == Operator::kNotEqual) return Value::Bool(equality != Equality::kEqual);
  if (equality == Equality::kNoOverload) return Value::Error(kNoSuchOverload);
  return Value::Bool(equality == Equality::kEqual);
}

// The right operand is evaluated only if it is needed. A left one that is no optional is the
// result.
Value Evaluator::EvaluateOptionalOr(const Node& node) {
  Value left = Evaluate(node[0]);
  if (left.kind() != Kind::kOptional) return left;
  if (left.optional_value() == nullptr) return Evaluate(node[1]);
  return node.name == "or" ? left : *left.optional_value();
}

Value Evaluator::EvaluateNotStrictlyFalse(const Node& node) {
  Value value = Evaluate(node[0]);
  if (!Charge(1)) return Exceeded();
  return Value::Bool(!value.is_false());
}

// cel-go looks the value up in a map of Go, which panics for types that have no hash. That ends the
// evaluation, as a limit does.
Value Evaluator::EvaluateSetMembership(const Node& node) {
  Value value = Evaluate(node[0]);
  if (value.is_error()) return value;
  bool is_semver = value.As<void>(kSemverKind) != nullptr;
  if (is_semver || value.kind() == Kind::kBytes) {
    is_cancelled_ = true;
    cancellation_ = is_semver
                        ? "internal error: runtime error: hash of unhashable type cel.Semver"
                        : "internal error: runtime error: hash of unhashable type types.Bytes";
    return Exceeded();
  }
  std::span<const Value> items = node[1].constant.items();
  if (!Step(items.size())) return Exceeded();
  return Value::Bool(std::any_of(items.begin(), items.end(),
                                 [&](const Value& item) { return Equal(item, value); }));
}

const Function* Evaluator::Select(const Node& node, std::span<const Value> arguments) const {
  if (node.overload != nullptr) return FitsAll(*node.overload, arguments) ? node.overload : nullptr;
  for (const Function* function = environment_.FirstOverload(node.name); function != nullptr;
       function = environment_.Next(node.name, function)) {
    bool has_shape = IsMember(*function) == node.is_member &&
                     NumArguments(function->signature) == arguments.size();
    if (has_shape && FitsAll(*function, arguments)) return function;
  }
  return nullptr;
}

// cel-go calls these functions for any first argument whose type has them, and strings, timestamps
// and durations answer to any; only for others the error has the function's name.
Value Evaluator::NoSuchSharedOverload(const Node& node, const Value& first) {
  bool has_function = first.kind() == Kind::kString || first.kind() == Kind::kTimestamp ||
                      first.kind() == Kind::kDuration ||
                      (first.kind() == Kind::kBool && node.name == "-_");
  for (const Function* function = environment_.FirstOverload(node.name); function != nullptr;
       function = environment_.Next(node.name, function)) {
    std::string_view letters = function->signature;
    has_function = has_function || Fits(&letters, &first);
  }
  if (has_function) return Value::Error(kNoSuchOverload);
  return ValueBuilder::Error(arena_, {"no such overload: ", node.name});
}

Value Evaluator::NoSuchOverload(const Node& node, std::span<const Value> arguments) {
  static constexpr std::string_view kNameless[] = {"!_", "@in", "contains", "endsWith",
                                                   "startsWith"};
  static constexpr std::string_view kWithPattern[] = {"find", "findAll", "matches"};
  auto is_among = [&node](std::span<const std::string_view> names) {
    return std::find(names.begin(), names.end(), node.name) != names.end();
  };
  // A constant pattern is compiled into a function of its own.
  bool is_compiled =
      is_among(kWithPattern) && arguments.size() > 1 && node[1].kind == NodeKind::kConstant;
  if (is_compiled || is_among(kNameless)) return Value::Error(kNoSuchOverload);
  bool is_shared = node.name.front() == '_' || node.name == "-_" || node.name == "size" ||
                   node.name == "matches";
  if (is_shared) return NoSuchSharedOverload(node, arguments[0]);
  std::string types;
  for (const Value& argument : arguments) {
    if (!types.empty()) types += ", ";
    types += argument.type_name();
  }
  return ValueBuilder::Error(arena_, {"no such overload: ", node.name, "(", types, ")"});
}

Value Evaluator::EvaluateCall(const Node& node) {
  size_t base = stack_.size();
  uint64_t steps = 0;
  const bool stops_early = node.num_children > 2;
  Value fault;
  for (const Node* child : node.All()) {
    Value argument = Evaluate(*child);
    if (argument.is_error() && !fault.is_error()) fault = argument;
    if (fault.is_error() && stops_early) break;
    steps += argument.weight();
    stack_.push_back(argument);
  }
  std::span<const Value> arguments(stack_.data() + base, stack_.size() - base);
  Value result = fault;
  uint64_t cost = fault.is_error() && stops_early ? 0 : 1;
  if (!fault.is_error() && Step(steps)) {
    const Function* function = Select(node, arguments);
    Call call = {arena_, arguments, &steps_};
    bool is_bound = function != nullptr && function->call != nullptr;
    result = is_bound ? function->call(call) : NoSuchOverload(node, arguments);
    // cel-go chooses the cost of a standard function by the overload that the types select.
    bool has_cost = is_bound && function->cost != nullptr &&
                    (node.overload != nullptr || !IsStandard(*function));
    if (has_cost) cost = function->cost(call, result);
  }
  stack_.resize(base);
  return Charge(cost) ? result : Exceeded();
}

Value Evaluator::EvaluateList(const Node& node) {
  constexpr uint64_t kCreateListCost = 10;
  size_t base = stack_.size();
  Value result;
  for (size_t place = 0; place < node.num_children && !result.is_error(); ++place) {
    Value item = Evaluate(node[place]);
    bool is_optional = node.optionals != nullptr && node.optionals[place];
    if (item.is_error()) {
      result = item;
    } else if (!is_optional) {
      stack_.push_back(item);
    } else if (item.kind() != Kind::kOptional) {
      result = ValueBuilder::Error(
          arena_,
          {"cannot initialize optional list element from non-optional value ", item.text()});
    } else if (item.optional_value() != nullptr) {
      stack_.push_back(*item.optional_value());
    }
  }
  if (!result.is_error()) {
    result = ValueBuilder::List(arena_, {stack_.data() + base, stack_.size() - base});
  }
  stack_.resize(base);
  return Charge(kCreateListCost) ? result : Exceeded();
}

Value Evaluator::EvaluateMap(const Node& node) {
  constexpr uint64_t kCreateMapCost = 30;
  size_t base = stack_.size();
  Value result;
  for (size_t entry = 0; entry < node.num_children / 2 && !result.is_error(); ++entry) {
    Value key = Evaluate(node[2 * entry]);
    Value value = key.is_error() ? key : Evaluate(node[2 * entry + 1]);
    bool is_optional = node.optionals != nullptr && node.optionals[entry];
    if (value.is_error()) {
      result = value;
    } else if (is_optional && value.kind() != Kind::kOptional) {
      result = Value::Error("cannot initialize optional entry from non-optional value");
    } else if (!is_optional || value.optional_value() != nullptr) {
      stack_.push_back(key);
      stack_.push_back(is_optional ? *value.optional_value() : value);
    }
  }
  if (!result.is_error()) {
    // A key and a value, one after the other, are an entry.
    static_assert(sizeof(MapEntry) == 2 * sizeof(Value));
    std::vector<MapEntry> entries;
    for (size_t place = base; place < stack_.size(); place += 2) {
      entries.push_back({stack_[place], stack_[place + 1]});
    }
    result = ValueBuilder::Map(arena_, entries);
  }
  stack_.resize(base);
  return Charge(kCreateMapCost) ? result : Exceeded();
}

bool Evaluator::EvaluateRound(const Node& node, const Value& range, size_t place) {
  const Comprehension& loop = *node.comprehension;
  auto slot = static_cast<size_t>(node.slot);
  bool is_list = range.kind() == Kind::kList;
  bool has_two = !loop.second_variable.empty();
  if (is_list) {
    slots_[slot + 1] = has_two ? Value::Int(static_cast<int64_t>(place)) : range.items()[place];
    if (has_two) slots_[slot + 2] = range.items()[place];
  } else {
    slots_[slot + 1] = range.entries()[place].key;
    if (has_two) slots_[slot + 2] = range.entries()[place].value;
  }
  if (Evaluate(node[kCondition]).is_false()) return false;
  slots_[slot] = Evaluate(node[kStep]);
  return !is_cancelled_;
}

Value Evaluator::EvaluateLoop(const Node& node) {
  Value range = Evaluate(node[kRange]);
  if (range.is_error()) return range;
  if (range.kind() != Kind::kList && range.kind() != Kind::kMap) {
    return ValueBuilder::Error(arena_, {"got '", range.type_name(), "', expected iterable type"});
  }
  slots_[static_cast<size_t>(node.slot)] = Evaluate(node[kInit]);
  size_t count = range.size();
  for (size_t place = 0; place < count; ++place) {
    if (!EvaluateRound(node, range, place)) break;
  }
  return Evaluate(node[kResult]);
}

Value Evaluator::EvaluateAttribute(const Node& node) {
  Chain chain = Chain::kPlain;
  Value value = Resolve(node, &chain);
  const Node* base = &node;
  while (IsQualifier(*base)) base = &(*base)[0];
  // A conditional has no cost of its own, and neither has a presence test.
  bool is_free = base->op == Operator::kConditional || node.is_test_only;
  if (!Charge(is_free ? 0 : 1)) return Exceeded();
  if (value.is_error() || chain == Chain::kPlain) return value;
  return chain == Chain::kAbsent ? Value::OptionalNone() : ValueBuilder::Optional(arena_, value);
}

Value Evaluator::Resolve(const Node& node, Chain* chain) {
  if (!Step(1)) return Exceeded();
  if (node.kind == NodeKind::kIdent) return slots_[static_cast<size_t>(node.slot)];
  if (node.op == Operator::kConditional) return ResolveConditional(node, chain);
  if (IsQualifier(node)) return ResolveQualifier(node, chain);
  return Evaluate(node);
}

Value Evaluator::ResolveConditional(const Node& node, Chain* chain) {
  Value condition = Evaluate(node[0]);
  if (condition.is_error()) return condition;
  if (condition.kind() != Kind::kBool) return Value::Error(kNoSuchOverload);
  return Resolve(node[condition.bool_value() ? 1 : 2], chain);
}

Value Evaluator::ResolveKey(const Node& node) {
  if (node.kind == NodeKind::kSelect) return Value::String(node.name);
  if (!IsAttribute(node[1])) return Evaluate(node[1]);
  // cel-go resolves such a key without counting the cost of its identifier.
  Chain chain = Chain::kPlain;
  Value key = Resolve(node[1], &chain);
  if (key.is_error() || chain == Chain::kPlain) return key;
  return chain == Chain::kAbsent ? Value::OptionalNone() : ValueBuilder::Optional(arena_, key);
}

Value Evaluator::ResolveQualifier(const Node& node, Chain* chain) {
  Value container = Resolve(node[0], chain);
  if (container.is_error()) return container;
  if (*chain != Chain::kAbsent && container.kind() == Kind::kOptional) {
    const Value* inner = container.optional_value();
    *chain = inner == nullptr ? Chain::kAbsent : Chain::kPresent;
    if (inner != nullptr) container = *inner;
  }
  if (*chain == Chain::kAbsent) {
    if (node.is_test_only) *chain = Chain::kPlain;
    return node.is_test_only ? Value::Bool(false) : Value::Null();
  }
  bool is_optional = node.op == Operator::kOptionalIndex || node.op == Operator::kOptionalSelect;
  if (is_optional) *chain = Chain::kPresent;
  Value key = ResolveKey(node);
  if (key.is_error()) return key;
  Value fault;
  const Value* found = Lookup(container, key, &fault);
  bool is_container = container.kind() == Kind::kMap || container.kind() == Kind::kList ||
                      container.kind() == Kind::kObject;
  bool is_missing = found == nullptr && !fault.is_error() && is_container;
  if (is_missing && *chain == Chain::kPresent && !node.is_test_only) {
    *chain = Chain::kAbsent;
    return Value::Null();
  }
  if (!Charge(1)) return Exceeded();
  if (fault.is_error()) return fault;
  if (node.is_test_only && is_container) {
    *chain = Chain::kPlain;
    return Value::Bool(found != nullptr);
  }
  if (found != nullptr) return *found;
  if (container.kind() != Kind::kList) return NoSuchKey(key);
  return ValueBuilder::Error(arena_, {"index out of bounds: ", PlainText(key)});
}

Value Evaluator::NoSuchKey(const Value& key) {
  return ValueBuilder::Error(arena_, {"no such key: ", PlainText(key)});
}

const Value* Evaluator::Lookup(const Value& container, const Value& key, Value* fault) {
  if (container.kind() == Kind::kMap || container.kind() == Kind::kObject) {
    return Find(container, key);
  }
  if (container.kind() != Kind::kList) return nullptr;
  std::span<const Value> items = container.items();
  bool is_number = key.kind() == Kind::kInt || key.kind() == Kind::kUint;
  if (key.kind() == Kind::kDouble) {
    is_number = key.double_value() == std::trunc(key.double_value());
    if (!is_number) {
      *fault =
          ValueBuilder::Error(arena_, {"unsupported index value ", PlainText(key), " in list"});
    }
  } else if (!is_number) {
    *fault =
        ValueBuilder::Error(arena_, {"unsupported index type '", key.type_name(), "' in list"});
  }
  bool is_inside = is_number && Compare(key, Value::Int(0)) != Order::kLess &&
                   Compare(key, Value::Uint(items.size())) == Order::kLess;
  if (!is_inside) return nullptr;
  double index = key.kind() == Kind::kDouble ? key.double_value() : 0;
  return &items[key.kind() == Kind::kDouble ? static_cast<size_t>(index)
                                            : static_cast<size_t>(key.uint_value())];
}

}  // namespace stowage::cel
