#include "core/cel/string_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/cel/double_text.h"
#include "core/cel/libraries.h"
#include "core/cel/runes.h"
#include "core/cel/time_text.h"
#include "core/cel/utf8.h"

namespace stowage::cel {
namespace {

constexpr int kPrecisionMax = 1000;
constexpr int kPrecisionDefault = 6;

// One clause: its letter, and its precision.
struct Clause {
  char letter = 0;
  int precision = kPrecisionDefault;
};

// Why a clause takes no value of that type.
std::string Refusal(char letter, std::string_view type_name) {
  std::string_view rule = "only integers, byte buffers, and strings can be formatted as hex";
  switch (letter) {
    case 's':
      rule =
          "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
          "types, durations, and timestamps";
      break;
    case 'd':
      rule = "decimal clause can only be used on integers";
      break;
    case 'f':
      rule = "fixed-point clause can only be used on doubles";
      break;
    case 'e':
      rule = "scientific clause can only be used on doubles";
      break;
    case 'b':
      rule = "only integers and bools can be formatted as binary";
      break;
    case 'o':
      rule = "octal clause can only be used on integers";
      break;
    default:
      break;
  }
  return Format("error during formatting: {}, was given {}", rule, type_name);
}

// Reads the clauses of a format.
class ClauseReader {
 public:
  explicit ClauseReader(std::string_view format) : rest_(format) {}

  // Appends the text before the next clause; false if there is none.
  bool Find(std::string* text);
  // Reads the clause; false with the message of the error in `fault`.
  bool Read(Clause* clause, std::string* fault);
  bool is_at_end() const { return rest_.empty(); }

 private:
  bool ReadPrecision(Clause* clause, std::string* fault);

  std::string_view rest_;
};

bool ClauseReader::Find(std::string* text) {
  while (true) {
    size_t percent = rest_.find('%');
    *text += rest_.substr(0, percent);
    if (percent == std::string_view::npos) return false;
    rest_.remove_prefix(percent + 1);
    if (!rest_.starts_with('%')) return true;
    *text += '%';
    rest_.remove_prefix(1);
  }
}

bool ClauseReader::ReadPrecision(Clause* clause, std::string* fault) {
  constexpr std::string_view kFault =
      "could not parse formatting clause: error while parsing precision: ";
  size_t length = std::min(rest_.find_first_not_of("0123456789", 1), rest_.size());
  std::string_view digits = rest_.substr(1, length - 1);
  rest_.remove_prefix(length);
  if (rest_.empty()) {
    *fault = Format("{}could not find end of precision specifier", kFault);
    return false;
  }
  bool is_number =
      std::from_chars(digits.data(), digits.data() + digits.size(), clause->precision).ec ==
      std::errc();
  if (is_number && clause->precision <= kPrecisionMax) return true;
  *fault = Format("{}error while converting precision to integer: strconv.Atoi: parsing \"{}\": {}",
                  kFault, digits, digits.empty() ? "invalid syntax" : "value out of range");
  return false;
}

bool ClauseReader::Read(Clause* clause, std::string* fault) {
  if (rest_.empty()) {
    *fault = "unexpected end of string";
    return false;
  }
  if (rest_[0] == '.' && !ReadPrecision(clause, fault)) return false;
  clause->letter = rest_[0];
  rest_.remove_prefix(1);
  if (std::string_view("sdfebxXo").find(clause->letter) != std::string_view::npos) return true;
  // cel-go takes one byte for a code point.
  std::string letter;
  AppendUtf8(static_cast<unsigned char>(clause->letter), &letter);
  *fault =
      Format("could not parse formatting clause: unrecognized formatting clause \"{}\"", letter);
  return false;
}

class Formatter {
 public:
  Formatter(std::string_view format, std::span<const Value> arguments)
      : clauses_(format), arguments_(arguments) {}

  // Returns false with the message of the error in text().
  bool Run();
  const std::string& text() const { return text_; }

 private:
  bool Fail(std::string message) {
    text_ = std::move(message);
    return false;
  }
  bool Refuse(char letter, const Value& value) { return Fail(Refusal(letter, value.type_name())); }
  bool AppendClause(Clause clause, const Value& value);
  bool AppendString(const Value& value);
  // Of a list or a map: as a literal of CEL.
  bool AppendElement(const Value& value);
  bool AppendList(std::span<const Value> items);
  bool AppendMap(std::span<const MapEntry> entries);
  bool AppendDecimal(const Value& value);
  bool AppendFloat(Clause clause, const Value& value);
  bool AppendBased(char letter, const Value& value);
  bool AppendHex(char letter, const Value& value);

  ClauseReader clauses_;
  std::span<const Value> arguments_;
  size_t argument_ = 0;
  std::string text_;
};

// Numbers as golang.org/x/text prints them in American English.
const char* SpecialText(double number) {
  return std::isnan(number) ? "NaN" : number > 0 ? "∞" : "-∞";
}

std::string FixedText(double number, int precision) {
  constexpr int kPrecisionsOfAByte = 256;
  constexpr size_t kGroup = 3;
  if (!std::isfinite(number)) return SpecialText(number);
  std::string text = FixedDoubleText(std::fabs(number), precision);
  for (size_t place = std::min(text.find('.'), text.size()); place > kGroup;) {
    place -= kGroup;
    text.insert(place, 1, ',');
  }
  // x/text keeps the least number of digits in a byte.
  for (int digits = precision; digits > precision % kPrecisionsOfAByte; --digits) {
    if (text.back() != '0') break;
    text.pop_back();
  }
  if (text.back() == '.') text.pop_back();
  if (number < 0) text.insert(0, 1, '-');
  return text;
}

// The superscripts of 1, 2 and 3 are older than the others.
char32_t Superscript(char digit) {
  if (digit == '1') return U'\u00b9';
  if (digit == '2' || digit == '3') return U'\u00b0' + static_cast<char32_t>(digit - '0');
  return digit == '-' ? U'\u207b' : U'\u2070' + static_cast<char32_t>(digit - '0');
}

// cel-go passes the precision as a width.
std::string ScientificText(double number, int width) {
  std::string text = SpecialText(number);
  if (std::isfinite(number)) {
    std::string plain = ScientificDoubleText(std::fabs(number), kPrecisionDefault);
    size_t exponent = plain.find('e');
    text = number < 0 ? "-" : "";
    text.append(plain, 0, exponent).append("\u202f×\u202f10");
    if (plain[exponent + 1] == '+') ++exponent;
    for (char digit : std::string_view(plain).substr(exponent + 1)) {
      AppendUtf8(Superscript(digit), &text);
    }
  }
  size_t size = CountRunes(text);
  if (size < static_cast<size_t>(width)) text.insert(0, static_cast<size_t>(width) - size, ' ');
  return text;
}

bool Formatter::Run() {
  while (clauses_.Find(&text_)) {
    if (text_.size() > Arena::kBytesMax) return Fail(std::string(kCostExceeded));
    if (argument_ >= arguments_.size()) return Fail(Format("index {} out of range", argument_));
    Clause clause;
    if (!clauses_.Read(&clause, &text_)) return false;
    if (!AppendClause(clause, arguments_[argument_++])) return false;
  }
  return true;
}

bool Formatter::AppendClause(Clause clause, const Value& value) {
  switch (clause.letter) {
    case 's':
      return AppendString(value);
    case 'd':
      return AppendDecimal(value);
    case 'f':
    case 'e':
      return AppendFloat(clause, value);
    case 'x':
    case 'X':
      return AppendHex(clause.letter, value);
    default:
      return AppendBased(clause.letter, value);
  }
}

bool Formatter::AppendString(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      text_ += "null";
      return true;
    case Kind::kBool:
      text_ += value.bool_value() ? "true" : "false";
      return true;
    case Kind::kInt:
    case Kind::kUint:
      return AppendDecimal(value);
    case Kind::kDouble:
      text_ += DoubleText(value.double_value());
      return true;
    case Kind::kBytes:
      if (!IsUtf8(value.text())) {
        return Fail(
            "error during formatting: could not convert argument \"invalid UTF-8 in bytes, cannot "
            "convert to string\" to string");
      }
      text_ += value.text();
      return true;
    case Kind::kString:
    case Kind::kType:
      text_ += value.text();
      return true;
    case Kind::kTimestamp:
      text_ += TimestampText({value.seconds(), static_cast<int32_t>(value.nanos())});
      return true;
    case Kind::kDuration:
      text_ += DurationText(value.int_value());
      return true;
    case Kind::kList:
      return AppendList(value.items());
    case Kind::kMap:
      return AppendMap(value.entries());
    default:
      return Refuse('s', value);
  }
}

bool Formatter::AppendElement(const Value& value) {
  if (text_.size() > Arena::kBytesMax) return Fail(std::string(kCostExceeded));
  Kind kind = value.kind();
  if (kind > Kind::kDuration) {
    return Fail(
        Format("error during formatting: no formatting function for {}", value.type_name()));
  }
  bool is_finite = kind == Kind::kDouble && std::isfinite(value.double_value());
  if (is_finite) {
    text_ += FixedDoubleText(value.double_value(), kPrecisionDefault);
    return true;
  }
  size_t start = text_.size();
  if (!AppendString(value)) return false;
  bool is_time = kind == Kind::kTimestamp || kind == Kind::kDuration;
  bool is_quoted =
      is_time || kind == Kind::kString || kind == Kind::kBytes || kind == Kind::kDouble;
  if (!is_quoted) return true;
  std::string quoted = Quoted(std::string_view(text_).substr(start));
  text_.resize(start);
  if (kind == Kind::kBytes) text_ += 'b';
  if (is_time) text_ += kind == Kind::kDuration ? "duration(" : "timestamp(";
  text_ += quoted;
  if (is_time) text_ += ')';
  return true;
}

bool Formatter::AppendList(std::span<const Value> items) {
  text_ += '[';
  bool is_first = true;
  for (const Value& item : items) {
    if (!std::exchange(is_first, false)) text_ += ", ";
    if (!AppendElement(item)) return false;
  }
  text_ += ']';
  return true;
}

// In the order of the keys' texts.
bool Formatter::AppendMap(std::span<const MapEntry> entries) {
  std::vector<std::pair<std::string, const Value*>> sorted;
  std::string before = std::move(text_);
  for (const MapEntry& entry : entries) {
    text_.clear();
    if (!AppendElement(entry.key)) return false;
    sorted.emplace_back(text_, &entry.value);
  }
  text_ = std::move(before);
  StableSort(&sorted, [](const auto& a, const auto& b) { return a.first < b.first; });
  text_ += '{';
  bool is_first = true;
  for (const auto& [key, value] : sorted) {
    if (!std::exchange(is_first, false)) text_ += ", ";
    text_.append(key).append(":");
    if (!AppendElement(*value)) return false;
  }
  text_ += '}';
  return true;
}

bool Formatter::AppendDecimal(const Value& value) {
  if (value.kind() == Kind::kInt) {
    text_ += std::to_string(value.int_value());
  } else if (value.kind() == Kind::kUint) {
    text_ += std::to_string(value.uint_value());
  } else {
    return Refuse('d', value);
  }
  return true;
}

bool Formatter::AppendFloat(Clause clause, const Value& value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::string_view name = value.kind() == Kind::kString ? value.text() : std::string_view();
  double number = name == "NaN"         ? std::numeric_limits<double>::quiet_NaN()
                  : name == "Infinity"  ? kInfinity
                  : name == "-Infinity" ? -kInfinity
                                        : 0;
  bool is_double = value.kind() == Kind::kDouble;
  if (is_double) number = value.double_value();
  if (!is_double && number == 0) return Refuse(clause.letter, value);
  text_ += clause.letter == 'f' ? FixedText(number, clause.precision)
                                : ScientificText(number, clause.precision);
  return true;
}

// %b and %o.
bool Formatter::AppendBased(char letter, const Value& value) {
  bool is_binary = letter == 'b';
  if (is_binary && value.kind() == Kind::kBool) {
    text_ += value.bool_value() ? '1' : '0';
    return true;
  }
  bool is_int = value.kind() == Kind::kInt;
  if (!is_int && value.kind() != Kind::kUint) return Refuse(letter, value);
  char digits[66];
  int base = is_binary ? 2 : 8;
  char* end = is_int ? std::to_chars(digits, std::end(digits), value.int_value(), base).ptr
                     : std::to_chars(digits, std::end(digits), value.uint_value(), base).ptr;
  text_.append(digits, end);
  return true;
}

bool Formatter::AppendHex(char letter, const Value& value) {
  std::string hex;
  switch (value.kind()) {
    case Kind::kInt:
      hex = Format("{:x}", value.int_value());
      break;
    case Kind::kUint:
      hex = Format("{:x}", value.uint_value());
      break;
    case Kind::kString:
    case Kind::kBytes:
      for (char byte : value.text()) hex += Format("{:02x}", static_cast<uint8_t>(byte));
      break;
    default:
      return Refuse(letter, value);
  }
  for (char& c : hex) {
    if (letter == 'X' && c >= 'a') c = static_cast<char>(c - 'a' + 'A');
  }
  text_ += hex;
  return true;
}

// The clauses that take a type, in the order of TypeKind, and the type's name at run time.
constexpr struct {
  std::string_view letters;
  std::string_view name;
} kTypesOfClauses[] = {
    {"", "google.protobuf.Any"},
    {"sdfebxXo", "error"},
    {"s", "null_type"},
    {"sb", "bool"},
    {"sdbxXo", "int"},
    {"sdbxXo", "uint"},
    {"sfe", "double"},
    {"sfexX", "string"},
    {"sxX", "bytes"},
    {"s", "google.protobuf.Timestamp"},
    {"s", "google.protobuf.Duration"},
    {"s", "list"},
    {"s", "map"},
    {"s", "type"},
};

// The argument, or the part of it, whose type the clause does not take; null if it takes all.
const Node* FindRefused(char letter, const Node& argument) {
  const Type& type = *argument.type;
  bool is_dynamic = type.kind == TypeKind::kParameter ||
                    (type.kind == TypeKind::kDyn && type.name != kAnyType.name);
  bool is_listed = type.kind < TypeKind::kOpaque;
  std::string_view letters =
      is_listed ? kTypesOfClauses[static_cast<size_t>(type.kind)].letters : "";
  if (!is_dynamic && letters.find(letter) == std::string_view::npos) return &argument;
  bool is_aggregate = argument.kind == NodeKind::kList || argument.kind == NodeKind::kMap;
  if (letter != 's' || !is_aggregate) return nullptr;
  for (const Node* part : argument.All()) {
    const Node* refused = FindRefused(letter, *part);
    if (refused != nullptr) return refused;
  }
  return nullptr;
}

}  // namespace

Value FormatString(const Call& call) {
  Formatter formatter(call[0].text(), call[1].items());
  bool is_formatted = formatter.Run();
  if (!is_formatted) return ValueBuilder::Error(call.arena, {formatter.text()});
  return ValueBuilder::String(call.arena, {formatter.text()});
}

void CheckFormat(const Node& call, Issues* issues) {
  const Node& arguments = call[1];
  ClauseReader clauses(call[0].constant.text());
  std::string text;
  size_t count = 0;
  for (; clauses.Find(&text); ++count) {
    Clause clause;
    bool is_missing = !clauses.is_at_end() && count >= arguments.num_children;
    if (is_missing) text = Format("index {} out of range", count);
    if (is_missing || !clauses.Read(&clause, &text)) {
      issues->Report(call.position, {text});
      return;
    }
    const Node* refused = FindRefused(clause.letter, arguments[count]);
    if (refused == nullptr) continue;
    const Type& type = *refused->type;
    std::string_view name = type.kind < TypeKind::kOpaque
                                ? kTypesOfClauses[static_cast<size_t>(type.kind)].name
                                : type.name;
    issues->Report(refused->position, {Refusal(clause.letter, name)});
    return;
  }
  if (count >= arguments.num_children) return;
  issues->Report(call.position,
                 {Format("too many arguments supplied to string.format (expected {}, got {})",
                         count, arguments.num_children)});
}

}  // namespace stowage::cel
