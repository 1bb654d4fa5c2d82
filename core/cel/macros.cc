#include "core/cel/macros.h"

namespace stowage::cel {
namespace {

// Names that no expression can spell, so that they hide no variable.
constexpr std::string_view kAccumulator = "@result";
constexpr std::string_view kUnused = "#unused";
constexpr std::string_view kSortInput = "@__sortBy_input__";

Node* Accumulator(const NodeBuilder& build) { return build.Ident(kAccumulator); }

// The iteration variables of the macro: its first one or two arguments.
bool ReadVariables(const MacroCall& call, size_t count, std::string_view fault,
                   Comprehension* comprehension) {
  for (size_t place = 0; place < count; ++place) {
    const Node& argument = *call.arguments[place];
    if (argument.kind != NodeKind::kIdent || argument.name.front() == '.') {
      call.Fail(argument, fault);
      return false;
    }
    if (argument.name == "__result__") {
      call.Fail(argument, "iteration variable overwrites accumulator variable");
      return false;
    }
    (place == 0 ? comprehension->variable : comprehension->second_variable) = argument.name;
  }
  if (count == 2 && comprehension->variable == comprehension->second_variable) {
    std::string_view name = comprehension->variable;
    call.issues.Report(call.arguments[1]->position, {"duplicate variable name: ", name});
    return false;
  }
  comprehension->accumulator = kAccumulator;
  return true;
}

constexpr std::string_view kNotSimple = "argument must be a simple name";
constexpr std::string_view kNoIdentifier = "argument is not an identifier";

// all, exists and exists_one of one or two variables; the last argument is the predicate.
Node* ExpandQuantifier(const MacroCall& call, std::string_view name) {
  Comprehension loop;
  size_t count = call.arguments.size() - 1;
  if (!ReadVariables(call, count, kNotSimple, &loop)) return nullptr;
  const NodeBuilder& build = call.build;
  Node* predicate = call.arguments.back();
  if (name == "all") {
    Node* condition = build.Call("@not_strictly_false", {Accumulator(build)});
    Node* step = build.Call("_&&_", {Accumulator(build), predicate});
    Node* init = build.Constant(Value::Bool(true));
    return build.Comprehend(loop, {call.target, init, condition, step, Accumulator(build)});
  }
  if (name == "exists") {
    Node* none_yet = build.Call("!_", {Accumulator(build)});
    Node* condition = build.Call("@not_strictly_false", {none_yet});
    Node* step = build.Call("_||_", {Accumulator(build), predicate});
    Node* init = build.Constant(Value::Bool(false));
    return build.Comprehend(loop, {call.target, init, condition, step, Accumulator(build)});
  }
  Node* one_more = build.Call("_+_", {Accumulator(build), build.Constant(Value::Int(1))});
  Node* step = build.Call("_?_:_", {predicate, one_more, Accumulator(build)});
  Node* result = build.Call("_==_", {Accumulator(build), build.Constant(Value::Int(1))});
  Node* init = build.Constant(Value::Int(0));
  Node* condition = build.Constant(Value::Bool(true));
  return build.Comprehend(loop, {call.target, init, condition, step, result});
}

// A loop whose step is `step`, unless `filter` is given and false.
Node* Collect(const MacroCall& call, const Comprehension& loop, Node* init, Node* filter,
              Node* step) {
  const NodeBuilder& build = call.build;
  if (filter != nullptr) step = build.Call("_?_:_", {filter, step, Accumulator(build)});
  Node* condition = build.Constant(Value::Bool(true));
  return build.Comprehend(loop, {call.target, init, condition, step, Accumulator(build)});
}

Node* AppendToAccumulator(const NodeBuilder& build, Node* element) {
  return build.Call("_+_", {Accumulator(build), build.List({&element, 1})});
}

// map(x, value) and map(x, filter, value).
Node* ExpandMap(const MacroCall& call, std::string_view) {
  Comprehension loop;
  if (!ReadVariables(call, 1, kNoIdentifier, &loop)) return nullptr;
  Node* filter = call.arguments.size() == 3 ? call.arguments[1] : nullptr;
  Node* step = AppendToAccumulator(call.build, call.arguments.back());
  return Collect(call, loop, call.build.List({}), filter, step);
}

Node* ExpandFilter(const MacroCall& call, std::string_view) {
  Comprehension loop;
  if (!ReadVariables(call, 1, kNoIdentifier, &loop)) return nullptr;
  Node* step = AppendToAccumulator(call.build, call.build.Ident(loop.variable));
  return Collect(call, loop, call.build.List({}), call.arguments.back(), step);
}

// transformList, transformMap, transformMapEntry: (k, v, value) and (k, v, filter, value).
Node* ExpandTransform(const MacroCall& call, std::string_view name) {
  Comprehension loop;
  if (!ReadVariables(call, 2, kNotSimple, &loop)) return nullptr;
  const NodeBuilder& build = call.build;
  Node* filter = call.arguments.size() == 4 ? call.arguments[2] : nullptr;
  Node* value = call.arguments.back();
  if (name == "transformList") {
    return Collect(call, loop, build.List({}), filter, AppendToAccumulator(build, value));
  }
  Node* step =
      name == "transformMap"
          ? build.Call("cel.@mapInsert", {Accumulator(build), build.Ident(loop.variable), value})
          : build.Call("cel.@mapInsert", {Accumulator(build), value});
  return Collect(call, loop, build.Map({}), filter, step);
}

Node* ExpandHas(const MacroCall& call, std::string_view) {
  const Node& argument = *call.arguments[0];
  if (argument.kind != NodeKind::kSelect || argument.is_test_only) {
    return call.Fail(argument, "invalid argument to has() macro");
  }
  Node* test = call.build.Select(argument.children[0], argument.name);
  test->is_test_only = true;
  return test;
}

// A comprehension over nothing: `variable` is `init` in `result`.
Node* Bind(const NodeBuilder& build, std::string_view variable, Node* init, Node* result) {
  Comprehension loop = {kUnused, {}, variable};
  Node* condition = build.Constant(Value::Bool(false));
  return build.Comprehend(loop, {build.List({}), init, condition, build.Ident(variable), result});
}

Node* ExpandBind(const MacroCall& call, std::string_view) {
  const Node& variable = *call.arguments[0];
  if (variable.kind != NodeKind::kIdent || variable.name.front() == '.') {
    return call.Fail(variable, "cel.bind() variable names must be simple identifiers");
  }
  return Bind(call.build, variable.name, call.arguments[1], call.arguments[2]);
}

// target.optMap(v, f) is target.hasValue() ? optional.of(f with v = target.value()) : none.
Node* ExpandOptional(const MacroCall& call, std::string_view name) {
  const NodeBuilder& build = call.build;
  const Node& variable = *call.arguments[0];
  bool wraps = name == "optMap";
  if (variable.kind != NodeKind::kIdent || variable.name.front() == '.') {
    return call.Fail(variable, wraps ? "optMap() variable name must be a simple identifier"
                                     : "optFlatMap() variable name must be a simple identifier");
  }
  Node* target = call.target;
  Node* has_value = build.MemberCall("hasValue", {&target, 1});
  Node* value = build.MemberCall("value", {&target, 1});
  Node* mapped = Bind(build, variable.name, value, call.arguments[1]);
  if (wraps) mapped = build.Call("optional.of", {mapped});
  return build.Call("_?_:_", {has_value, mapped, build.Call("optional.none", {})});
}

// target.sortBy(v, key): the target's elements in the order of their keys.
Node* ExpandSortBy(const MacroCall& call, std::string_view) {
  if (call.arguments[0]->kind != NodeKind::kIdent) {
    return call.Fail(*call.arguments[0],
                     "sortBy can only be applied to a list, identifier, "
                     "comprehension, call or select expression");
  }
  const NodeBuilder& build = call.build;
  Node* input = build.Ident(kSortInput);
  MacroCall keys_call = {build, input, call.arguments, call.issues};
  Node* keys = ExpandMap(keys_call, "map");
  if (keys == nullptr) return nullptr;
  Node* sorted_parts[] = {input, keys};
  Node* sorted = build.MemberCall("@sortByAssociatedKeys", sorted_parts);
  return Bind(build, kSortInput, call.target, sorted);
}

constexpr struct {
  std::string_view name;
  std::string_view receiver;  // "*" any, "" none, else an ident of this name
  uint8_t arguments_min;
  uint8_t arguments_max;
  Node* (*expand)(const MacroCall& call, std::string_view name);
} kMacros[] = {
    {"has", "", 1, 1, ExpandHas},
    {"all", "*", 2, 3, ExpandQuantifier},
    {"exists", "*", 2, 3, ExpandQuantifier},
    {"exists_one", "*", 2, 3, ExpandQuantifier},
    {"existsOne", "*", 3, 3, ExpandQuantifier},
    {"map", "*", 2, 3, ExpandMap},
    {"filter", "*", 2, 2, ExpandFilter},
    {"transformList", "*", 3, 4, ExpandTransform},
    {"transformMap", "*", 3, 4, ExpandTransform},
    {"transformMapEntry", "*", 3, 4, ExpandTransform},
    {"bind", "cel", 3, 3, ExpandBind},
    {"optMap", "*", 2, 2, ExpandOptional},
    {"optFlatMap", "*", 2, 2, ExpandOptional},
    {"sortBy", "*", 2, 2, ExpandSortBy},
};

bool HasReceiver(std::string_view wanted, const Node* target) {
  if (wanted.empty() || target == nullptr) return wanted.empty() && target == nullptr;
  return wanted == "*" || (target->kind == NodeKind::kIdent && target->name == wanted);
}

}  // namespace

Node* MacroCall::Fail(const Node& place, std::string_view message) const {
  issues.Report(place.position, {message});
  return nullptr;
}

Node* ExpandMacro(const MacroCall& call, std::string_view name, bool* is_macro) {
  size_t count = call.arguments.size();
  for (const auto& macro : kMacros) {
    bool fits = macro.name == name && HasReceiver(macro.receiver, call.target) &&
                count >= macro.arguments_min && count <= macro.arguments_max;
    if (!fits) continue;
    *is_macro = true;
    return macro.expand(call, name);
  }
  *is_macro = false;
  return nullptr;
}

}  // namespace stowage::cel
