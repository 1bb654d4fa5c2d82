// The table of the standard library: CEL's definition, and cross-type comparisons of numbers.
#include "core/cel/standard_functions.h"

#include <algorithm>

#include "core/cel/regex.h"
#include "core/cel/value_text.h"

namespace stowage::cel {
namespace {

Value Contains(const Call& call) {
  return Value::Bool(call[0].text().find(call[1].text()) != std::string_view::npos);
}
Value StartsWith(const Call& call) {
  return Value::Bool(call[0].text().starts_with(call[1].text()));
}
Value EndsWith(const Call& call) { return Value::Bool(call[0].text().ends_with(call[1].text())); }

Value Matches(const Call& call) {
  Result<Regex, RegexError> regex = Regex::Compile(call[1].text());
  if (!regex.ok()) return ValueBuilder::Error(call.arena, {regex.fault().message});
  RegexMatcher matcher(*regex, call[0].text());
  bool matches = matcher.Matches();
  call.Spend(matcher.steps() + regex->program().size());
  return matcher.is_exhausted() ? Value::Error(kCostExceeded) : Value::Bool(matches);
}

Value Size(const Call& call) { return Value::Int(static_cast<int64_t>(call[0].size())); }

Value InList(const Call& call) {
  std::span<const Value> items = call[1].items();
  return Value::Bool(std::any_of(items.begin(), items.end(),
                                 [&](const Value& item) { return Equal(call[0], item); }));
}
Value InMap(const Call& call) { return Value::Bool(HasKey(call[1], call[0])); }

Value TypeOfValue(const Call& call) { return Value::Type(call[0].type_name()); }
Value Same(const Call& call) { return call[0]; }

Value InsertNew(const Call& call, const Value& map, const MapEntry& entry) {
  if (!HasKey(map, entry.key)) return ValueBuilder::Insert(call.arena, map, entry);
  return ValueBuilder::Error(call.arena,
                             {"insert failed: key ", PlainText(entry.key), " already exists"});
}
Value MapInsert(const Call& call) { return InsertNew(call, call[0], {call[1], call[2]}); }
Value MapInsertAll(const Call& call) {
  Value map = call[0];
  for (const MapEntry& entry : call[1].entries()) {
    map = InsertNew(call, map, entry);
    if (map.is_error()) break;
  }
  return map;
}

uint64_t CostOfList(const Call& call, const Value&) { return call[1].size(); }
uint64_t CostOfContains(const Call& call, const Value&) {
  return TraversalCost(call[0].size()) * TraversalCost(call[1].size());
}
uint64_t CostOfMatches(const Call& call, const Value&) {
  constexpr uint64_t kPatternSizePerCost = 4;
  uint64_t pattern = (call[1].size() + kPatternSizePerCost - 1) / kPatternSizePerCost;
  return TraversalCost(1 + call[0].size()) * pattern;
}

// The rows of one comparison: equal types first, then numbers of different types.
#define STOWAGE_CEL_COMPARISON(name, function)                                                     \
  {name, "bb:b", function}, {name, "ii:b", function}, {name, "uu:b", function},                    \
      {name, "dd:b", function}, {name, "ss:b", function, CostOfSmaller},                           \
      {name, "yy:b", function, CostOfSmaller}, {name, "tt:b", function}, {name, "rr:b", function}, \
      {name, "id:b", function}, {name, "iu:b", function}, {name, "di:b", function},                \
      {name, "du:b", function}, {name, "ui:b", function}, {                                        \
    name, "ud:b", function                                                                         \
  }

constexpr Function kStandardFunctions[] = {
    {"_?_:_", "bAA:A", nullptr},
    {"_==_", "AA:b", nullptr},
    {"_!=_", "AA:b", nullptr},
    {"@not_strictly_false", "b:b", nullptr},
    STOWAGE_CEL_COMPARISON("_<_", Less),
    STOWAGE_CEL_COMPARISON("_<=_", LessOrEqual),
    STOWAGE_CEL_COMPARISON("_>_", Greater),
    STOWAGE_CEL_COMPARISON("_>=_", GreaterOrEqual),
    {"!_", "b:b", Not},
    {"-_", "i:i", Negate},
    {"-_", "d:d", Negate},
    {"_+_", "yy:y", Add, CostOfBoth},
    {"_+_", "dd:d", Add},
    {"_+_", "rr:r", Add},
    {"_+_", "rt:t", Add},
    {"_+_", "tr:t", Add},
    {"_+_", "ii:i", Add},
    {"_+_", "lAlA:lA", Add},
    {"_+_", "ss:s", Add, CostOfBoth},
    {"_+_", "uu:u", Add},
    {"_-_", "dd:d", Subtract},
    {"_-_", "rr:r", Subtract},
    {"_-_", "ii:i", Subtract},
    {"_-_", "tr:t", Subtract},
    {"_-_", "tt:r", Subtract},
    {"_-_", "uu:u", Subtract},
    {"_*_", "dd:d", Multiply},
    {"_*_", "ii:i", Multiply},
    {"_*_", "uu:u", Multiply},
    {"_/_", "dd:d", Divide},
    {"_/_", "ii:i", Divide},
    {"_/_", "uu:u", Divide},
    {"_%_", "ii:i", Modulo},
    {"_%_", "uu:u", Modulo},
    {"@in", "AlA:b", InList, CostOfList},
    {"@in", "AmAB:b", InMap},
    {"_[_]", "lAi:A", nullptr},
    {"_[_]", "mABA:B", nullptr},
    {"_[_]", "olAi:oA", nullptr},
    {"_[_]", "omABA:oB", nullptr},
    {"_[?_]", "lAi:oA", nullptr},
    {"_[?_]", "mABA:oB", nullptr},
    {"_[?_]", "olAi:oA", nullptr},
    {"_[?_]", "omABA:oB", nullptr},
    {"cel.@mapInsert", "mABAB:mAB", MapInsert},
    {"cel.@mapInsert", "mABmAB:mAB", MapInsertAll},
    {"size", "s:i", Size},
    {"size", "s.:i", Size},
    {"size", "y:i", Size},
    {"size", "y.:i", Size},
    {"size", "lA:i", Size},
    {"size", "lA.:i", Size},
    {"size", "mAB:i", Size},
    {"size", "mAB.:i", Size},
    {"type", "A:kA", TypeOfValue},
    {"dyn", "A:*", Same},
    {"bool", "b:b", ToBool},
    {"bool", "s:b", ToBool},
    {"bytes", "y:y", ToBytes},
    {"bytes", "s:y", ToBytes, CostOfFirst},
    {"double", "d:d", ToDouble},
    {"double", "i:d", ToDouble},
    {"double", "s:d", ToDouble},
    {"double", "u:d", ToDouble},
    {"duration", "r:r", ToDuration},
    {"duration", "i:r", ToDuration},
    {"duration", "s:r", ToDuration},
    {"int", "i:i", ToInt},
    {"int", "d:i", ToInt},
    {"int", "r:i", ToInt},
    {"int", "s:i", ToInt},
    {"int", "t:i", ToInt},
    {"int", "u:i", ToInt},
    {"string", "s:s", ToString},
    {"string", "b:s", ToString},
    {"string", "y:s", ToString, CostOfFirst},
    {"string", "d:s", ToString},
    {"string", "r:s", ToString},
    {"string", "i:s", ToString},
    {"string", "t:s", ToString},
    {"string", "u:s", ToString},
    {"timestamp", "t:t", ToTimestamp},
    {"timestamp", "i:t", ToTimestamp},
    {"timestamp", "s:t", ToTimestamp},
    {"uint", "u:u", ToUint},
    {"uint", "d:u", ToUint},
    {"uint", "i:u", ToUint},
    {"uint", "s:u", ToUint},
    {"contains", "s.s:b", Contains, CostOfContains},
    {"endsWith", "s.s:b", EndsWith, CostOfFirst},
    {"startsWith", "s.s:b", StartsWith, CostOfFirst},
    {"matches", "ss:b", Matches, CostOfMatches},
    {"matches", "s.s:b", Matches, CostOfMatches},
    {"getFullYear", "t.:i", Get<TimePart::kFullYear>},
    {"getFullYear", "t.s:i", Get<TimePart::kFullYear>},
    {"getMonth", "t.:i", Get<TimePart::kMonth>},
    {"getMonth", "t.s:i", Get<TimePart::kMonth>},
    {"getDayOfYear", "t.:i", Get<TimePart::kDayOfYear>},
    {"getDayOfYear", "t.s:i", Get<TimePart::kDayOfYear>},
    {"getDayOfMonth", "t.:i", Get<TimePart::kDayOfMonth>},
    {"getDayOfMonth", "t.s:i", Get<TimePart::kDayOfMonth>},
    {"getDate", "t.:i", Get<TimePart::kDate>},
    {"getDate", "t.s:i", Get<TimePart::kDate>},
    {"getDayOfWeek", "t.:i", Get<TimePart::kDayOfWeek>},
    {"getDayOfWeek", "t.s:i", Get<TimePart::kDayOfWeek>},
    {"getHours", "t.:i", Get<TimePart::kHours>},
    {"getHours", "t.s:i", Get<TimePart::kHours>},
    {"getHours", "r.:i", Get<TimePart::kHours>},
    {"getMinutes", "t.:i", Get<TimePart::kMinutes>},
    {"getMinutes", "t.s:i", Get<TimePart::kMinutes>},
    {"getMinutes", "r.:i", Get<TimePart::kMinutes>},
    {"getSeconds", "t.:i", Get<TimePart::kSeconds>},
    {"getSeconds", "t.s:i", Get<TimePart::kSeconds>},
    {"getSeconds", "r.:i", Get<TimePart::kSeconds>},
    {"getMilliseconds", "t.:i", Get<TimePart::kMilliseconds>},
    {"getMilliseconds", "t.s:i", Get<TimePart::kMilliseconds>},
    {"getMilliseconds", "r.:i", Get<TimePart::kMilliseconds>},
};
#undef STOWAGE_CEL_COMPARISON

}  // namespace

FunctionTable StandardFunctions() { return kStandardFunctions; }

uint64_t CostOfFirst(const Call& call, const Value&) { return TraversalCost(call[0].size()); }
uint64_t CostOfSmaller(const Call& call, const Value&) {
  return TraversalCost(std::min(call[0].size(), call[1].size()));
}
uint64_t CostOfBoth(const Call& call, const Value&) {
  return TraversalCost(call[0].size() + call[1].size());
}

}  // namespace stowage::cel
