#include "core/cel/parser.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/cel/lexer.h"
#include "core/cel/literals.h"
#include "core/cel/macros.h"
#include "core/cel/utf8.h"

namespace stowage::cel {
namespace {

constexpr std::string_view kPrimary =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, "
    "BYTES, IDENTIFIER}";

// The same at the start of a map and of a list.
constexpr std::string_view kMapStart =
    "{'[', '{', '}', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, "
    "NUM_UINT, STRING, BYTES, IDENTIFIER}";
constexpr std::string_view kListStart =
    "{'[', ']', '{', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, "
    "NUM_UINT, STRING, BYTES, IDENTIFIER}";
constexpr std::string_view kFieldStart = "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}";

constexpr std::string_view kReserved[] = {
    "as",  "break", "const",   "continue",  "else",   "for", "function", "if",   "import",
    "let", "loop",  "package", "namespace", "return", "var", "void",     "while"};

struct BinaryOperator {
  std::string_view text;
  std::string_view function;
  int precedence;  // higher binds tighter
};
constexpr int kOrPrecedence = 1;
constexpr int kAndPrecedence = 2;
constexpr BinaryOperator kBinaryOperators[] = {
    {"||", "_||_", kOrPrecedence},
    {"&&", "_&&_", kAndPrecedence},
    {"<", "_<_", 3},
    {"<=", "_<=_", 3},
    {">", "_>_", 3},
    {">=", "_>=_", 3},
    {"==", "_==_", 3},
    {"!=", "_!=_", 3},
    {"in", "@in", 3},
    {"+", "_+_", 4},
    {"-", "_-_", 4},
    {"*", "_*_", 5},
    {"/", "_/_", 5},
    {"%", "_%_", 5},
};

// Each Parse function returns null once an issue was reported.
class Parser {
 public:
  Parser(Arena& arena, const ParserOptions& options, Issues* issues)
      : arena_(arena), options_(options), issues_(*issues), tokens_(Tokenize(issues)) {}

  Node* Run() {
    Node* root = ParseExpression();
    if (root == nullptr) return nullptr;
    if (At().kind != TokenKind::kEnd) return FailUnexpected("<EOF>");
    return issues_.empty() ? root : nullptr;
  }

 private:
  const Token& At(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& Take() { return tokens_[std::min(at_++, tokens_.size() - 1)]; }
  bool TakeIf(std::string_view symbol) {
    bool matches = At().Is(symbol);
    if (matches) ++at_;
    return matches;
  }
  NodeBuilder Build(const Token& token) const { return {arena_, token.position}; }

  Node* Fail(const Token& token, std::initializer_list<std::string_view> message) {
    issues_.Report(token.position, message);
    return nullptr;
  }
  // The words of cel-go's parser for a token that cannot be here. A token that could simply be left
  // out is "extraneous".
  Node* FailUnexpected(std::string_view expected) {
    const Token& next = At(1);
    bool is_ident = next.kind == TokenKind::kIdent || next.kind == TokenKind::kEscapedIdent;
    bool fits_next = StartsPrimary(next);
    if (expected == "<EOF>") fits_next = next.kind == TokenKind::kEnd;
    if (expected == kFieldStart) fits_next = is_ident;
    if (expected.size() < kFieldStart.size() && expected != "<EOF>") fits_next = false;
    std::string_view what = fits_next && At().kind != TokenKind::kEnd ? "extraneous" : "mismatched";
    return Fail(At(), {"Syntax error: ", what, " input '", At().text, "' expecting ", expected});
  }
  // The words for a token that no rule allows behind `first`, with which a rule begins.
  Node* FailNoAlternative(const Token& first) {
    std::string_view last = (At().kind == TokenKind::kEnd ? first : At()).text;
    const char* begin = first.text.data();
    std::string_view input(begin, static_cast<size_t>(last.data() + last.size() - begin));
    return Fail(At(), {"Syntax error: no viable alternative at input '", input, "'"});
  }
  // Whether a minus before the token may belong to it.
  static bool IsSigned(const Token& token) {
    return token.kind == TokenKind::kInt || token.kind == TokenKind::kDouble;
  }
  static bool StartsPrimary(const Token& token) {
    if (token.kind != TokenKind::kSymbol) {
      return token.kind != TokenKind::kEnd && token.kind != TokenKind::kEscapedIdent;
    }
    constexpr std::string_view kStarts[] = {"[", "{", "(", ".", "-", "!", "true", "false", "null"};
    return std::find(std::begin(kStarts), std::end(kStarts), token.text) != std::end(kStarts);
  }
  bool Expect(std::string_view symbol, std::string_view expected) {
    if (TakeIf(symbol)) return true;
    FailUnexpected(expected);
    return false;
  }

  // Sets the node's height to one more than that of its highest child. Null if it is too high.
  Node* Raise(Node* node, std::span<Node* const> children) {
    uint16_t height = 0;
    for (const Node* child : children) height = std::max(height, child->height);
    node->height = static_cast<uint16_t>(height + 1);
    if (node->height <= kDepthMax) return node;
    issues_.Report(Issues::kNoPosition, {"max recursion depth exceeded"});
    return nullptr;
  }

  Node* ParseExpression();
  Node* ParseBinary(int precedence_min);
  Node* ParseLogical(const BinaryOperator& op, Node* first);
  Node* ParseUnary();
  Node* ParseMember();
  Node* ParseMemberPart(Node* operand);
  Node* ParseField(Node* operand, const Token& dot);
  Node* ParseIndex(Node* operand);
  Node* ParsePrimary();
  Node* ParseSymbol();
  Node* ParseIdent(bool has_dot);
  Node* ParseLiteral(bool is_negative);
  Node* ParseListOrMap();
  Node* ParseStruct(Node* name);
  Node* FinishCall(const Token& open, std::string_view name, Node* target);
  bool ParseArguments(std::string_view close, std::vector<Node*>* arguments);
  bool ParseElements(bool is_map, std::vector<Node*>* children, std::vector<bool>* optionals);
  const bool* Keep(const std::vector<bool>& optionals);
  static const BinaryOperator* OperatorOf(const Token& token);

  Arena& arena_;
  const ParserOptions& options_;
  Issues& issues_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;  // of nested expressions
};

const BinaryOperator* Parser::OperatorOf(const Token& token) {
  for (const BinaryOperator& op : kBinaryOperators) {
    if (token.Is(op.text)) return &op;
  }
  return nullptr;
}

Node* Parser::ParseExpression() {
  if (++depth_ > kDepthMax) {
    issues_.Report(Issues::kNoPosition, {"expression recursion limit exceeded: 250"});
    return nullptr;
  }
  Node* result = ParseBinary(kOrPrecedence);
  if (result != nullptr && At().Is("?")) {
    const Token& mark = Take();
    Node* if_true = ParseBinary(kOrPrecedence);
    if (if_true == nullptr || !Expect(":", "':'")) return nullptr;
    Node* if_false = ParseExpression();
    if (if_false == nullptr) return nullptr;
    Node* operands[] = {result, if_true, if_false};
    result = Raise(Build(mark).Call("_?_:_", operands), operands);
  } else if (result != nullptr) {
    result = Raise(result, {&result, 1});
  }
  --depth_;
  return result;
}

Node* Parser::ParseBinary(int precedence_min) {
  Node* left = ParseUnary();
  while (left != nullptr) {
    const BinaryOperator* op = OperatorOf(At());
    if (op == nullptr || op->precedence < precedence_min) break;
    if (op->precedence <= kAndPrecedence) {
      left = ParseLogical(*op, left);
      continue;
    }
    const Token& token = Take();
    Node* operands[] = {left, ParseBinary(op->precedence + 1)};
    if (operands[1] == nullptr) return nullptr;
    left = Raise(Build(token).Call(op->function, operands), operands);
  }
  return left;
}

// A chain of && or || becomes a balanced tree, so that long chains are not deep.
Node* Parser::ParseLogical(const BinaryOperator& op, Node* first) {
  std::vector<Node*> terms = {first};
  std::vector<const Token*> marks;
  while (At().Is(op.text)) {
    marks.push_back(&Take());
    terms.push_back(ParseBinary(op.precedence + 1));
    if (terms.back() == nullptr) return nullptr;
  }
  struct Balance {
    const Parser& parser;
    const BinaryOperator& op;
    const std::vector<Node*>& terms;
    const std::vector<const Token*>& marks;

    Node* Between(size_t low, size_t high) const {
      size_t middle = (low + high + 1) / 2;
      Node* left = middle == low ? terms[middle] : Between(low, middle - 1);
      Node* right = middle == high ? terms[middle + 1] : Between(middle + 1, high);
      Node* node = parser.Build(*marks[middle]).Call(op.function, {left, right});
      node->height = std::max(left->height, right->height);
      return node;
    }
  };
  return Balance{*this, op, terms, marks}.Between(0, marks.size() - 1);
}

Node* Parser::ParseUnary() {
  const Token& first = At();
  if (!first.Is("!") && !first.Is("-")) return ParseMember();
  bool is_minus = first.Is("-");
  bool is_odd = false;
  while (TakeIf(first.text)) is_odd = !is_odd;
  if (is_minus && IsSigned(At()) && tokens_[at_ - 1].position == first.position) {
    --at_;
    return ParseMember();
  }
  Node* operand = ParseMember();
  if (operand == nullptr || !is_odd) return operand;
  Node* node = Build(first).Call(is_minus ? "-_" : "!_", {operand});
  node->height = operand->height;
  return node;
}

Node* Parser::ParseMember() {
  Node* node = ParsePrimary();
  while (node != nullptr) {
    if (!At().Is(".") && !At().Is("[") && !At().Is("{")) return node;
    if (At().Is("{") && QualifiedName(arena_, *node).empty()) return node;
    node = ParseMemberPart(node);
  }
  return nullptr;
}

Node* Parser::ParseMemberPart(Node* operand) {
  if (At().Is("{")) return ParseStruct(operand);
  if (At().Is("[")) return ParseIndex(operand);
  const Token& dot = Take();
  return ParseField(operand, dot);
}

Node* Parser::ParseField(Node* operand, const Token& dot) {
  bool is_optional = TakeIf("?");
  std::string_view name = At().text;
  if (At().kind == TokenKind::kEscapedIdent) {
    if (!options_.escaped_identifiers) return Fail(At(), {"unsupported syntax: '`'"});
    name = name.substr(1, name.size() - 2);
  } else if (At().kind != TokenKind::kIdent) {
    bool is_text = At().kind != TokenKind::kSymbol && At().kind != TokenKind::kEnd;
    if (is_text) return Fail(At(), {"Syntax error: no viable alternative at input '.", name, "'"});
    return FailUnexpected("IDENTIFIER");
  }
  bool is_escaped = Take().kind == TokenKind::kEscapedIdent;
  if (is_optional) {
    Node* operands[] = {operand, Build(dot).Constant(Value::String(name))};
    return Raise(Build(dot).Call("_?._", operands), operands);
  }
  if (At().Is("(") && !is_escaped) {
    const Token& open = Take();
    return FinishCall(open, name, operand);
  }
  return Raise(Build(dot).Select(operand, name), {&operand, 1});
}

Node* Parser::ParseIndex(Node* operand) {
  const Token& open = Take();
  bool is_optional = TakeIf("?");
  Node* operands[] = {operand, ParseExpression()};
  if (operands[1] == nullptr || !Expect("]", "']'")) return nullptr;
  return Raise(Build(open).Call(is_optional ? "_[?_]" : "_[_]", operands), operands);
}

bool Parser::ParseArguments(std::string_view close, std::vector<Node*>* arguments) {
  if (TakeIf(close)) return true;
  do {
    arguments->push_back(ParseExpression());
    if (arguments->back() == nullptr) return false;
  } while (TakeIf(","));
  return Expect(close, "{')', ','}");
}

// A call behind its opening parenthesis. `target` is null for a global function.
Node* Parser::FinishCall(const Token& open, std::string_view name, Node* target) {
  std::vector<Node*> parts;
  if (target != nullptr) parts.push_back(target);
  if (!ParseArguments(")", &parts)) return nullptr;
  std::span<Node* const> arguments(parts);
  if (target != nullptr) arguments = arguments.subspan(1);
  NodeBuilder build = Build(open);
  bool is_macro = false;
  Node* node = ExpandMacro({build, target, arguments, issues_}, name, &is_macro);
  if (!is_macro) {
    node = target != nullptr ? build.MemberCall(name, parts) : build.Call(name, parts);
  }
  if (node == nullptr) return nullptr;
  if (target != nullptr) return Raise(node, parts);
  for (const Node* part : parts) node->height = std::max(node->height, part->height);
  return node;
}

Node* Parser::ParsePrimary() {
  switch (At().kind) {
    case TokenKind::kIdent:
      return ParseIdent(false);
    case TokenKind::kSymbol:
      return ParseSymbol();
    case TokenKind::kEnd:
    case TokenKind::kEscapedIdent:
      return FailUnexpected(kPrimary);
    default:
      return ParseLiteral(false);
  }
}

Node* Parser::ParseSymbol() {
  const Token& token = At();
  if (token.Is("(")) {
    Take();
    Node* inner = ParseExpression();
    return inner != nullptr && Expect(")", "')'") ? inner : nullptr;
  }
  if (token.Is("[") || token.Is("{")) return ParseListOrMap();
  if (token.Is(".") && At(1).kind == TokenKind::kIdent) {
    Take();
    return ParseIdent(true);
  }
  if (token.Is("-")) {
    Take();
    return IsSigned(At()) ? ParseLiteral(true) : FailNoAlternative(token);
  }
  if (token.Is("true") || token.Is("false")) {
    return Build(Take()).Constant(Value::Bool(token.Is("true")));
  }
  if (token.Is("null")) return Build(Take()).Constant(Value::Null());
  return FailUnexpected(kPrimary);
}

Node* Parser::ParseIdent(bool has_dot) {
  const Token& token = Take();
  std::string_view name = token.text;
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) {
    return Fail(token, {"reserved identifier: ", name});
  }
  if (has_dot) name = arena_.Copy('.' + std::string(name));
  if (!At().Is("(")) return Build(token).Ident(name);
  const Token& open = Take();
  return FinishCall(open, name, nullptr);
}

Node* Parser::ParseLiteral(bool is_negative) {
  const Token& token = Take();
  const Token& place = is_negative ? tokens_[at_ - 2] : token;
  Value value = LiteralValue(arena_, token, is_negative);
  if (value.is_error()) return Fail(place, {value.text()});
  return Build(place).Constant(value);
}

bool Parser::ParseElements(bool is_map, std::vector<Node*>* children,
                           std::vector<bool>* optionals) {
  std::string_view close = is_map ? "}" : "]";
  while (!At().Is(close)) {
    bool is_start = children->empty() && !At().Is("?");
    if (is_start && !StartsPrimary(At())) {
      FailUnexpected(is_map ? kMapStart : kListStart);
      return false;
    }
    optionals->push_back(TakeIf("?"));
    children->push_back(ParseExpression());
    if (children->back() == nullptr) return false;
    if (is_map) {
      if (!Expect(":", "':'")) return false;
      children->push_back(ParseExpression());
      if (children->back() == nullptr) return false;
    }
    if (!TakeIf(",")) break;
  }
  return Expect(close, is_map ? "{'}', ','}" : "{']', ','}");
}

const bool* Parser::Keep(const std::vector<bool>& optionals) {
  if (std::find(optionals.begin(), optionals.end(), true) == optionals.end()) return nullptr;
  auto* kept = static_cast<bool*>(arena_.Allocate(optionals.size()));
  if (kept != nullptr) std::copy(optionals.begin(), optionals.end(), kept);
  return kept;
}

Node* Parser::ParseListOrMap() {
  const Token& open = Take();
  bool is_map = open.Is("{");
  std::vector<Node*> children;
  std::vector<bool> optionals;
  if (!ParseElements(is_map, &children, &optionals)) return nullptr;
  Node* node = is_map ? Build(open).Map(children) : Build(open).List(children);
  node->optionals = Keep(optionals);
  for (const Node* child : children) node->height = std::max(node->height, child->height);
  return node;
}

// A message: no environment has types of messages, so only its shape is checked here.
Node* Parser::ParseStruct(Node* name) {
  const Token& open = Take();
  std::vector<Node*> values;
  while (!At().Is("}")) {
    TakeIf("?");
    bool is_field = At().kind == TokenKind::kIdent || At().kind == TokenKind::kEscapedIdent;
    if (!is_field) {
      return FailUnexpected(kFieldStart);
    }
    Take();
    if (!Expect(":", "':'")) return nullptr;
    values.push_back(ParseExpression());
    if (values.back() == nullptr) return nullptr;
    if (!TakeIf(",")) break;
  }
  if (!Expect("}", "{'}', ','}")) return nullptr;
  Node* node = Build(open).New(NodeKind::kStruct, values);
  node->name = QualifiedName(arena_, *name);
  for (const Node* value : values) node->height = std::max(node->height, value->height);
  return node;
}

}  // namespace

Node* Parse(Arena& arena, const ParserOptions& options, Issues* issues) {
  size_t size = issues->source().size();
  if (size > kExpressionBytesMax) {
    issues->Report(Issues::kNoPosition, {"expression code point size exceeds limit: size: ",
                                         std::to_string(size), ", limit 10240"});
    return nullptr;
  }
  if (!IsUtf8(issues->source())) {
    issues->Report(Issues::kNoPosition, {"expression is not valid UTF-8"});
    return nullptr;
  }
  return Parser(arena, options, issues).Run();
}

}  // namespace stowage::cel
