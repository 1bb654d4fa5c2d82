#include "core/cel/string_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/cel/double_text.h"
#include "core/cel/time_text.h"
#include "core/cel/utf8.h"

namespace stowage::cel {
namespace {

constexpr int kPrecisionMax = 1000;
constexpr int kPrecisionDefault = 6;

// One clause: its letter, and its precision, -1 if it has none.
struct Clause {
  char letter = 0;
  int precision = -1;
};

class Formatter {
 public:
  Formatter(std::string_view format, std::span<const Value> arguments)
      : rest_(format), arguments_(arguments) {}

  // Returns false with the message of the error in text().
  bool Run();
  const std::string& text() const { return text_; }

 private:
  bool Fail(std::string message) {
    text_ = std::move(message);
    return false;
  }
  bool Refuse(std::string_view clause, const Value& value) {
    return Fail(Format("error during formatting: {}, was given {}", clause, value.type_name()));
  }
  bool ParseClause(Clause* clause);
  bool AppendClause(Clause clause, const Value& value);
  bool AppendString(const Value& value);
  bool AppendList(std::span<const Value> items);
  bool AppendMap(std::span<const MapEntry> entries);
  bool AppendDecimal(const Value& value);
  bool AppendFloat(Clause clause, const Value& value);
  bool AppendBased(Clause clause, const Value& value);
  bool AppendHex(bool is_upper, const Value& value);

  std::string_view rest_;
  std::span<const Value> arguments_;
  size_t argument_ = 0;
  std::string text_;
};

// "NaN", "Infinity" or "-Infinity"; empty for a finite number.
std::string_view SpecialName(double value) {
  if (std::isfinite(value)) return {};
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

bool Formatter::Run() {
  while (!rest_.empty()) {
    if (text_.size() > Arena::kBytesMax) return Fail(std::string(kCostExceeded));
    size_t percent = rest_.find('%');
    text_ += rest_.substr(0, percent);
    if (percent == std::string_view::npos) break;
    rest_.remove_prefix(percent + 1);
    if (rest_.starts_with('%')) {
      text_ += '%';
      rest_.remove_prefix(1);
      continue;
    }
    if (argument_ >= arguments_.size()) {
      return Fail(Format("index {} out of range", argument_));
    }
    Clause clause;
    if (!ParseClause(&clause) || !AppendClause(clause, arguments_[argument_++])) return false;
  }
  return true;
}

bool Formatter::ParseClause(Clause* clause) {
  if (rest_.empty()) return Fail("unexpected end of string");
  constexpr std::string_view kPrecision =
      "could not parse formatting clause: error while parsing precision: ";
  if (rest_[0] == '.') {
    rest_.remove_prefix(1);
    const char* end = rest_.data() + rest_.size();
    auto [next, fault] = std::from_chars(rest_.data(), end, clause->precision);
    auto length = static_cast<size_t>(next - rest_.data());
    if (length == rest_.size()) {
      return Fail(Format("{}could not find end of precision specifier", kPrecision));
    }
    if (fault != std::errc() || clause->precision > kPrecisionMax || rest_[0] == '-') {
      return Fail(Format("{}error while converting precision to integer", kPrecision));
    }
    rest_.remove_prefix(length);
  }
  std::string_view before = rest_;
  TakeCodePoint(&rest_);
  std::string_view letter = before.substr(0, before.size() - rest_.size());
  if (letter.size() != 1 || std::string_view("sdfebxXo").find(letter) == std::string_view::npos) {
    return Fail(
        Format("could not parse formatting clause: unrecognized formatting clause \"{}\"", letter));
  }
  clause->letter = letter[0];
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
      return AppendHex(clause.letter == 'X', value);
    default:
      return AppendBased(clause, value);
  }
}

bool Formatter::AppendString(const Value& value) {
  if (text_.size() > Arena::kBytesMax) return Fail(std::string(kCostExceeded));
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
    case Kind::kDouble: {
      std::string_view name = SpecialName(value.double_value());
      text_ += name.empty() ? DoubleText(value.double_value()) : std::string(name);
      return true;
    }
    case Kind::kBytes:
      if (!IsUtf8(value.text())) {
        return Fail("error during formatting: invalid UTF-8 in bytes, cannot convert to string");
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
      return Refuse(
          "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
          "types, durations, and timestamps",
          value);
  }
}

bool Formatter::AppendList(std::span<const Value> items) {
  text_ += '[';
  bool is_first = true;
  for (const Value& item : items) {
    if (!std::exchange(is_first, false)) text_ += ", ";
    if (!AppendString(item)) return false;
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
    if (!AppendString(entry.key)) return false;
    sorted.emplace_back(text_, &entry.value);
  }
  text_ = std::move(before);
  StableSort(&sorted, [](const auto& a, const auto& b) { return a.first < b.first; });
  text_ += '{';
  bool is_first = true;
  for (const auto& [key, value] : sorted) {
    if (!std::exchange(is_first, false)) text_ += ", ";
    text_.append(key).append(": ");
    if (!AppendString(*value)) return false;
  }
  text_ += '}';
  return true;
}

bool Formatter::AppendDecimal(const Value& value) {
  if (value.kind() == Kind::kInt) {
    text_ += std::to_string(value.int_value());
  } else if (value.kind() == Kind::kUint) {
    text_ += std::to_string(value.uint_value());
  } else if (value.kind() == Kind::kDouble && !SpecialName(value.double_value()).empty()) {
    text_ += SpecialName(value.double_value());
  } else {
    return Refuse("decimal clause can only be used on integers", value);
  }
  return true;
}

bool Formatter::AppendFloat(Clause clause, const Value& value) {
  bool is_fixed = clause.letter == 'f';
  if (value.kind() == Kind::kString) {
    for (std::string_view name : {"NaN", "Infinity", "-Infinity"}) {
      if (value.text() != name) continue;
      text_ += name;
      return true;
    }
  }
  if (value.kind() != Kind::kDouble) {
    return Refuse(is_fixed ? "fixed-point clause can only be used on doubles"
                           : "scientific clause can only be used on doubles",
                  value);
  }
  double number = value.double_value();
  int precision = clause.precision < 0 ? kPrecisionDefault : clause.precision;
  std::string_view name = SpecialName(number);
  text_ += !name.empty() ? std::string(name)
           : is_fixed    ? FixedDoubleText(number, precision)
                         : ScientificDoubleText(number, precision);
  return true;
}

// %b and %o.
bool Formatter::AppendBased(Clause clause, const Value& value) {
  bool is_binary = clause.letter == 'b';
  if (is_binary && value.kind() == Kind::kBool) {
    text_ += value.bool_value() ? '1' : '0';
    return true;
  }
  bool is_int = value.kind() == Kind::kInt;
  if (!is_int && value.kind() != Kind::kUint) {
    return Refuse(is_binary ? "only integers and bools can be formatted as binary"
                            : "octal clause can only be used on integers",
                  value);
  }
  char digits[66];
  int base = is_binary ? 2 : 8;
  char* end = is_int ? std::to_chars(digits, std::end(digits), value.int_value(), base).ptr
                     : std::to_chars(digits, std::end(digits), value.uint_value(), base).ptr;
  text_.append(digits, end);
  return true;
}

bool Formatter::AppendHex(bool is_upper, const Value& value) {
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
      return Refuse("only integers, byte buffers, and strings can be formatted as hex", value);
  }
  for (char& c : hex) {
    if (is_upper && c >= 'a') c = static_cast<char>(c - 'a' + 'A');
  }
  text_ += hex;
  return true;
}

}  // namespace

Value FormatString(const Call& call) {
  Formatter formatter(call[0].text(), call[1].items());
  bool is_formatted = formatter.Run();
  if (!is_formatted) return ValueBuilder::Error(call.arena, {formatter.text()});
  return ValueBuilder::String(call.arena, {formatter.text()});
}

}  // namespace stowage::cel
