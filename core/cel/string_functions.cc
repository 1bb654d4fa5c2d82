#include <string>
#include <vector>

#include "core/base/split.h"
#include "core/cel/libraries.h"
#include "core/cel/runes.h"
#include "core/cel/string_format.h"
#include "core/cel/value_text.h"

namespace stowage::cel {
namespace {

constexpr size_t kNone = std::string_view::npos;

Value OutOfRange(const Call& call, int64_t index) {
  return ValueBuilder::Error(call.arena, {"index out of range: ", std::to_string(index)});
}

Value Kept(const Call& call, const std::string& text) {
  return ValueBuilder::String(call.arena, {text});
}

bool IsInRange(int64_t index, size_t end) {
  return index >= 0 && static_cast<uint64_t>(index) < end;
}

Value CharAt(const Call& call) {
  std::string_view text = call[0].text();
  int64_t index = call[1].int_value();
  if (!IsInRange(index, CountRunes(text) + 1)) return OutOfRange(call, index);
  std::string_view rest = text.substr(RuneOffset(text, static_cast<size_t>(index)));
  return Value::String(rest.substr(0, DecodeRune(rest).width));
}

// The place of the code point at which a byte begins; -1 for kNone.
Value RuneIndex(std::string_view text, size_t byte) {
  if (byte == kNone) return Value::Int(-1);
  return Value::Int(static_cast<int64_t>(CountRunes(text.substr(0, byte))));
}

Value IndexOf(const Call& call) {
  std::string_view text = call[0].text();
  std::string_view wanted = call[1].text();
  int64_t from = call.arguments.size() > 2 ? call[2].int_value() : 0;
  if (wanted.empty()) return Value::Int(from);
  if (call.arguments.size() > 2 && !IsInRange(from, CountRunes(text))) {
    return OutOfRange(call, from);
  }
  if (!SpendSearch(call)) return Value::Error(kCostExceeded);
  return RuneIndex(text, text.find(wanted, RuneOffset(text, static_cast<size_t>(from))));
}

Value LastIndexOf(const Call& call) {
  std::string_view text = call[0].text();
  std::string_view wanted = call[1].text();
  bool has_offset = call.arguments.size() > 2;
  if (wanted.empty()) return has_offset ? call[2] : RuneIndex(text, text.size());
  if (!SpendSearch(call)) return Value::Error(kCostExceeded);
  if (!has_offset) return RuneIndex(text, text.rfind(wanted));
  int64_t from = call[2].int_value();
  if (!IsInRange(from, CountRunes(text))) return OutOfRange(call, from);
  return RuneIndex(text, text.rfind(wanted, RuneOffset(text, static_cast<size_t>(from))));
}

Value ShiftCase(const Call& call, char from, int shift) {
  std::string text(call[0].text());
  for (char& c : text) {
    if (c >= from && c <= from + ('z' - 'a')) c = static_cast<char>(c + shift);
  }
  return Kept(call, text);
}
Value LowerAscii(const Call& call) { return ShiftCase(call, 'A', 'a' - 'A'); }
Value UpperAscii(const Call& call) { return ShiftCase(call, 'a', 'A' - 'a'); }

// The byte behind which the next occurrence of `separator` is; the empty separator occurs between
// code points.
size_t NextOccurrence(std::string_view text, std::string_view separator) {
  if (!separator.empty()) return text.find(separator);
  uint32_t width = DecodeRune(text).width;
  return width < text.size() ? width : kNone;
}

Value Replace(const Call& call) {
  std::string_view rest = call[0].text();
  std::string_view old = call[1].text();
  std::string_view with = call[2].text();
  int64_t left = call.arguments.size() > 3 ? call[3].int_value() : -1;
  if (!SpendSearch(call)) return Value::Error(kCostExceeded);
  std::string replaced;
  if (old.empty() && left != 0) {  // occurs at the beginning, behind every code point
    replaced += with;
    --left;
  }
  while (left != 0 && !(old.empty() && rest.empty())) {
    size_t place = old.empty() ? DecodeRune(rest).width : rest.find(old);
    if (place == kNone) break;
    replaced.append(rest.substr(0, place)).append(with);
    rest.remove_prefix(place + old.size());
    if (left > 0) --left;
    if (replaced.size() > Arena::kBytesMax) return Value::Error(kCostExceeded);
  }
  replaced += rest;
  return Kept(call, replaced);
}

Value SplitText(const Call& call) {
  std::string_view rest = call[0].text();
  std::string_view separator = call[1].text();
  int64_t left = call.arguments.size() > 2 ? call[2].int_value() : -1;
  if (!SpendSearch(call)) return Value::Error(kCostExceeded);
  std::vector<Value> parts;
  if (left == 0 || (separator.empty() && rest.empty())) {
    return ValueBuilder::List(call.arena, parts);
  }
  while (left != 1) {
    size_t place = NextOccurrence(rest, separator);
    if (place == kNone) break;
    parts.push_back(Value::String(rest.substr(0, place)));
    rest.remove_prefix(place + separator.size());
    if (left > 0) --left;
  }
  parts.push_back(Value::String(rest));
  return ValueBuilder::List(call.arena, parts);
}

Value Substring(const Call& call) {
  std::string_view text = call[0].text();
  auto length = static_cast<int64_t>(CountRunes(text));
  int64_t start = call[1].int_value();
  int64_t end = call.arguments.size() > 2 ? call[2].int_value() : length;
  if (start > end && call.arguments.size() > 2) {
    return ValueBuilder::Error(call.arena, {"invalid substring range. start: ",
                                            std::to_string(start), ", end: ", std::to_string(end)});
  }
  if (start < 0 || start > length) return OutOfRange(call, start);
  if (end < 0 || end > length) return OutOfRange(call, end);
  size_t from = RuneOffset(text, static_cast<size_t>(start));
  size_t to = RuneOffset(text, static_cast<size_t>(end));
  return Value::String(text.substr(from, to - from));
}

Value Trim(const Call& call) { return Value::String(TrimSpace(call[0].text())); }

Value Join(const Call& call) {
  std::string_view separator = call.arguments.size() > 1 ? call[1].text() : std::string_view();
  std::string joined;
  bool is_first = true;
  for (const Value& item : call[0].items()) {
    if (item.kind() != Kind::kString) {
      return ValueBuilder::Error(call.arena, {"join: invalid input: ", PlainText(item)});
    }
    if (!is_first) joined += separator;
    is_first = false;
    joined += item.text();
    if (joined.size() > Arena::kBytesMax) return Value::Error(kCostExceeded);
  }
  return Kept(call, joined);
}

Value QuoteText(const Call& call) {
  constexpr std::string_view kNamed = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kNames = "abfnrtv\\\"";
  std::string quoted = "\"";
  for (char c : call[0].text()) {
    size_t named = kNamed.find(c);
    if (named == kNone) {
      quoted += c;
    } else {
      quoted.append("\\").append(1, kNames[named]);
    }
  }
  return Kept(call, quoted + '"');
}

uint64_t CostOfJoin(const Call&, const Value& result) { return TraversalCost(result.size(), 2); }

constexpr Function kStringFunctions[] = {
    {"charAt", "s.i:s", CharAt},
    {"indexOf", "s.s:i", IndexOf, CostOfTraversal},
    {"indexOf", "s.si:i", IndexOf, CostOfTraversal},
    {"lastIndexOf", "s.s:i", LastIndexOf, CostOfTraversal},
    {"lastIndexOf", "s.si:i", LastIndexOf, CostOfTraversal},
    {"lowerAscii", "s.:s", LowerAscii, CostOfFirst},
    {"upperAscii", "s.:s", UpperAscii, CostOfFirst},
    {"replace", "s.ss:s", Replace, CostOfFirstTwice},
    {"replace", "s.ssi:s", Replace, CostOfFirstTwice},
    {"split", "s.s:ls", SplitText, CostOfFirstTwice},
    {"split", "s.si:ls", SplitText, CostOfFirstTwice},
    {"substring", "s.i:s", Substring, CostOfFirst},
    {"substring", "s.ii:s", Substring, CostOfFirst},
    {"trim", "s.:s", Trim, CostOfFirst},
    {"join", "ls.:s", Join, CostOfJoin},
    {"join", "ls.s:s", Join, CostOfJoin},
    {"format", "s.l*:s", FormatString, CostOfFirst},
    {"strings.quote", "s:s", QuoteText, CostOfFirst},
};

}  // namespace

FunctionTable StringFunctions() { return kStringFunctions; }

}  // namespace stowage::cel
