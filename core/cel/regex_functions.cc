#include <vector>

#include "core/cel/libraries.h"
#include "core/cel/regex.h"

namespace stowage::cel {
namespace {

Value IllegalRegex(const Call& call, const RegexError& error) {
  return ValueBuilder::Error(call.arena, {"Illegal regex: ", error.message});
}

Value FindMatch(const Call& call) {
  Result<Regex, RegexError> regex = Regex::Compile(call[1].text());
  if (!regex.ok()) return IllegalRegex(call, regex.fault());
  RegexMatcher matcher(*regex, call[0].text());
  bool is_found = matcher.Find(0);
  call.Spend(matcher.steps() + regex->program().size());
  if (matcher.is_exhausted()) return Value::Error(kCostExceeded);
  return Value::String(is_found ? matcher.match() : std::string_view());
}

Value FindAll(const Call& call) {
  Result<Regex, RegexError> regex = Regex::Compile(call[1].text());
  if (!regex.ok()) return IllegalRegex(call, regex.fault());
  int64_t left = call.arguments.size() > 2 ? call[2].int_value() : -1;
  RegexMatcher matcher(*regex, call[0].text());
  std::vector<Value> matches;
  for (; left != 0 && matcher.FindNext(); --left) {
    matches.push_back(Value::String(matcher.match()));
  }
  call.Spend(matcher.steps() + regex->program().size());
  if (matcher.is_exhausted()) return Value::Error(kCostExceeded);
  return ValueBuilder::List(call.arena, matches);
}

constexpr Function kRegexFunctions[] = {
    {"find", "s.s:s", FindMatch, CostOfRegex},
    {"findAll", "s.s:ls", FindAll, CostOfRegex},
    {"findAll", "s.si:ls", FindAll, CostOfRegex},
};

}  // namespace

FunctionTable RegexFunctions() { return kRegexFunctions; }

}  // namespace stowage::cel
