#include "core/cel/program.h"

#include <algorithm>

#include "core/cel/checker.h"
#include "core/cel/evaluator.h"
#include "core/cel/parser.h"
#include "core/cel/regex.h"
#include "core/cel/string_format.h"

namespace stowage::cel {
namespace {

bool IsConversion(std::string_view name) {
  constexpr std::string_view kNames[] = {"bool", "bytes",  "double",    "duration", "dyn",
                                         "int",  "string", "timestamp", "type",     "uint"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool IsConstant(const Node& node) { return node.kind == NodeKind::kConstant; }
bool IsText(const Node& node) { return IsConstant(node) && node.constant.kind() == Kind::kString; }

// The literals that duration(), timestamp(), matches() and format() get are valid.
void CheckLiterals(Node* shared, Arena& arena, Issues* issues) {
  // Parts of macros may be shared, and would be visited too often.
  if (shared->is_literal_checked) return;
  shared->is_literal_checked = true;
  const Node& node = *shared;
  for (Node* child : node.All()) CheckLiterals(child, arena, issues);
  const Function* function = node.overload;
  bool is_format = function != nullptr && function->call == FormatString;
  if (is_format && IsText(node[0]) && node[1].kind == NodeKind::kList) CheckFormat(node, issues);
  bool is_checked = node.name == "duration" || node.name == "timestamp" || node.name == "matches";
  size_t place = node.is_member ? 1 : 0;
  if (node.kind != NodeKind::kCall || !is_checked || node.num_children <= place) return;
  const Node& literal = node[place];
  if (!IsText(literal)) return;
  if (function == nullptr || function->call == nullptr) return;
  const Value arguments[] = {literal.constant, literal.constant};
  Call call = {arena, {arguments, node.num_children}};
  if (!function->call(call).is_error()) return;
  issues->Report(literal.position, {"invalid ", node.name, " argument"});
}

// Replaces what is constant by its value, as cel-go's optimising planner does. Returns the error of
// a constant conversion, or null.
class Folder {
 public:
  Folder(const Environment& environment, Arena& arena) : environment_(environment), arena_(arena) {}

  Value Fold(Node* node) {
    if (node->is_folded) return Value::Null();
    node->is_folded = true;
    for (Node* child : node->All()) {
      Value fault = Fold(child);
      if (fault.is_error()) return fault;
    }
    bool are_constant = std::all_of(node->All().begin(), node->All().end(),
                                    [](const Node* child) { return IsConstant(*child); });
    bool is_aggregate = (node->kind == NodeKind::kList || node->kind == NodeKind::kMap) &&
                        node->optionals == nullptr;
    bool is_conversion = node->kind == NodeKind::kCall && node->num_children == 1 &&
                         !node->is_member && IsConversion(node->name);
    if (are_constant && is_conversion) return Replace(node);
    // An aggregate that fails does so when it is evaluated.
    if (are_constant && is_aggregate) Replace(node);
    if (node->name == "@in" && node->overload != nullptr) FoldMembership(node);
    return PatternFault(*node);
  }

 private:
  Value Replace(Node* node) {
    Value value = Evaluator(environment_, arena_, kCostMax).Run(*node, 0, {});
    if (value.is_error()) return value;
    node->kind = NodeKind::kConstant;
    node->constant = value;
    node->num_children = 0;
    return Value::Null();
  }

  // The constant pattern of a search is compiled once; that of matches() was checked before.
  Value PatternFault(const Node& node) {
    bool is_search = node.num_children > 1 && (node.name == "find" || node.name == "findAll");
    if (!is_search || !IsText(node[1])) return Value::Null();
    Result<Regex, RegexError> regex = Regex::Compile(node[1].constant.text());
    if (regex.ok()) return Value::Null();
    return ValueBuilder::Error(arena_, {regex.fault().message});
  }

  // `x in [constants]` is a lookup in a set.
  static void FoldMembership(Node* node) {
    const Node& list = (*node)[1];
    if (!IsConstant(list) || list.constant.kind() != Kind::kList) return;
    std::span<const Value> items = list.constant.items();
    node->is_constant_set = std::all_of(items.begin(), items.end(), [](const Value& item) {
      return item.kind() >= Kind::kBool && item.kind() <= Kind::kString;
    });
    if (!items.empty()) return;
    node->kind = NodeKind::kConstant;
    node->constant = Value::Bool(false);
    node->num_children = 0;
  }

  const Environment& environment_;
  Arena& arena_;
};

}  // namespace

struct Compiler {
  static Compilation Run(const Environment& environment, std::string_view text) {
    std::unique_ptr<Program> program(new Program(environment, text));
    Issues issues(program->text_);
    ParserOptions options = {environment.options.escaped_identifiers};
    program->root_ = Parse(program->arena_, options, &issues);
    if (!issues.empty()) return {nullptr, issues.ToString()};
    Checked checked = Check(program->arena_, environment, program->root_, &issues);
    if (issues.empty() && environment.options.checks_literals) {
      CheckLiterals(program->root_, program->arena_, &issues);
    }
    if (!issues.empty()) return {nullptr, issues.ToString()};
    program->type_ = checked.type;
    program->num_slots_ = checked.num_slots;
    if (environment.options.folds_constants) {
      Value fault = Folder(environment, program->arena_).Fold(program->root_);
      if (fault.is_error()) return {nullptr, std::string(fault.text()), true};
    }
    return {std::move(program), {}};
  }
};

Compilation Compile(const Environment& environment, std::string_view text) {
  return Compiler::Run(environment, text);
}

Evaluation Evaluate(const Program& program, std::span<const Value> variables, Arena& arena,
                    uint64_t cost_max) {
  Evaluator evaluator(program.environment(), arena, cost_max);
  Value result = evaluator.Run(program.root(), program.num_slots(), variables);
  return {result, evaluator.cost()};
}

}  // namespace stowage::cel
