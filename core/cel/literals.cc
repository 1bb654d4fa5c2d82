#include "core/cel/literals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/parse_double.h"
#include "core/cel/utf8.h"

namespace stowage::cel {
namespace {

template <typename T>
bool ParseDigits(std::string_view text, int base, T* value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
  });
}

std::string WithSign(std::string_view digits, bool is_negative) {
  return (is_negative ? "-" : "") + std::string(digits);
}

Value IntValue(std::string_view text, bool is_negative) {
  int64_t value = 0;
  bool is_hex = text.substr(0, 2) == "0x";
  std::string digits = WithSign(text.substr(is_hex ? 2 : 0), is_negative);
  if (!ParseDigits(digits, is_hex ? 16 : 10, &value)) return Value::Error("invalid int literal");
  return Value::Int(value);
}

Value UintValue(std::string_view text) {
  uint64_t value = 0;
  bool is_hex = text.substr(0, 2) == "0x";
  text = text.substr(is_hex ? 2 : 0, text.size() - (is_hex ? 3 : 1));
  if (!ParseDigits(text, is_hex ? 16 : 10, &value)) return Value::Error("invalid uint literal");
  return Value::Uint(value);
}

char SingleEscape(char kind) {
  constexpr std::string_view kKinds = "abfnrtv";
  constexpr std::string_view kValues = "\a\b\f\n\r\t\v";
  size_t place = kKinds.find(kind);
  return place == std::string_view::npos ? kind : kValues[place];
}

// Replaces the escape sequences, which the lexer has checked. Numbers below 256 are bytes in bytes
// literals and code points in strings. False for a number that is no code point.
bool Unescape(std::string_view text, bool is_bytes, std::string* out) {
  for (size_t place = 0; place < text.size(); ++place) {
    if (text[place] != '\\') {
      *out += text[place];
      continue;
    }
    char kind = text[++place];
    bool is_octal = kind >= '0' && kind <= '3';
    size_t digits = is_octal                     ? 3
                    : kind == 'x' || kind == 'X' ? 2
                    : kind == 'u'                ? 4
                    : kind == 'U'                ? 8
                                                 : 0;
    if (digits == 0) {
      *out += SingleEscape(kind);
      continue;
    }
    uint32_t number = 0;
    std::string_view number_text = text.substr(is_octal ? place : place + 1, digits);
    if (!ParseDigits(number_text, is_octal ? 8 : 16, &number)) return false;
    place += is_octal ? digits - 1 : digits;
    if (is_bytes && digits <= 3) {
      *out += static_cast<char>(number);
    } else if (IsCodePoint(number) && !is_bytes) {
      AppendUtf8(number, out);
    } else {
      return false;
    }
  }
  return true;
}

Value TextValue(Arena& arena, std::string_view text, bool is_bytes) {
  if (is_bytes) text.remove_prefix(1);
  bool is_raw = text.front() == 'r' || text.front() == 'R';
  if (is_raw) text.remove_prefix(1);
  bool is_long = text.size() >= 6 && text[1] == text[0] && text[2] == text[0];
  size_t quotes = is_long ? 3 : 1;
  text = text.substr(quotes, text.size() - 2 * quotes);
  // Go reads sources with any line end.
  std::string lines;
  for (size_t place = 0; place < text.size(); ++place) {
    if (text[place] != '\r') {
      lines += text[place];
      continue;
    }
    lines += '\n';
    if (place + 1 < text.size() && text[place + 1] == '\n') ++place;
  }
  std::string unescaped;
  if (is_raw) {
    unescaped = std::move(lines);
  } else if (!Unescape(lines, is_bytes, &unescaped)) {
    return Value::Error(is_bytes ? "invalid bytes literal" : "invalid unicode code point");
  }
  std::string_view kept = arena.Copy(unescaped);
  return is_bytes ? Value::Bytes(kept) : Value::String(kept);
}

}  // namespace

bool ParseInt(std::string_view text, int64_t* value) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return false;
  }
  return ParseDigits(text, 10, value);
}

bool ParseUint(std::string_view text, uint64_t* value) { return ParseDigits(text, 10, value); }

bool ParseDouble(std::string_view text, double* value) {
  if (EqualsIgnoringCase(text, "nan")) {
    *value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  bool is_negative = text.starts_with('-');
  std::string_view magnitude = text.substr(is_negative || text.starts_with('+') ? 1 : 0);
  if (EqualsIgnoringCase(magnitude, "inf") || EqualsIgnoringCase(magnitude, "infinity")) {
    double infinity = std::numeric_limits<double>::infinity();
    *value = is_negative ? -infinity : infinity;
    return true;
  }
  std::optional<double> number = stowage::ParseDouble(text);
  if (!number || std::isinf(*number)) return false;
  *value = *number;
  return true;
}

Value LiteralValue(Arena& arena, const Token& token, bool is_negative) {
  switch (token.kind) {
    case TokenKind::kInt:
      return IntValue(token.text, is_negative);
    case TokenKind::kUint:
      return UintValue(token.text);
    case TokenKind::kDouble: {
      double value = 0;
      if (!ParseDouble(token.text, &value)) return Value::Error("invalid double literal");
      return Value::Double(is_negative ? -value : value);
    }
    case TokenKind::kString:
      return TextValue(arena, token.text, false);
    default:
      return TextValue(arena, token.text, true);
  }
}

}  // namespace stowage::cel
