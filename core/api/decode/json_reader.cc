#include "core/api/decode/json_reader.h"

#include <cmath>

#include "core/api/encode/utf8.h"
#include "core/base/cold.h"
#include "core/base/parse_double.h"

namespace stowage {
namespace {

// A number with fewer digits and without an exponent always fits into a double.
constexpr size_t kDoubleDigitsMin = 300;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The value of four hexadecimal digits; above 0xffff if any is invalid.
uint32_t HexValue(std::string_view digits) {
  constexpr uint32_t kNone = 0x10000;
  if (digits.size() != 4) return kNone;
  uint32_t value = 0;
  for (char c : digits) {
    uint32_t digit = IsDigit(c)               ? static_cast<uint32_t>(c - '0')
                     : (c >= 'a' && c <= 'f') ? static_cast<uint32_t>(c - 'a' + 10)
                     : (c >= 'A' && c <= 'F') ? static_cast<uint32_t>(c - 'A' + 10)
                                              : kNone;
    if (digit == kNone) return kNone;
    value = value * 16 + digit;
  }
  return value;
}

// The character for the escape "\c"; 0 if there is no such one-letter escape.
char ShortEscape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

STOWAGE_COLD void AppendUtf8(uint32_t rune, std::string* text) {
  auto tail = [&](int shift) { *text += static_cast<char>(0x80 | ((rune >> shift) & 0x3f)); };
  if (rune < 0x80) {
    *text += static_cast<char>(rune);
  } else if (rune < 0x800) {
    *text += static_cast<char>(0xc0 | (rune >> 6));
    tail(0);
  } else if (rune < 0x10000) {
    *text += static_cast<char>(0xe0 | (rune >> 12));
    tail(6);
    tail(0);
  } else {
    *text += static_cast<char>(0xf0 | (rune >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Not inlined, so that JsonReader::SkipSpace stays small.
[[gnu::noinline]] const char* SkipIndent(const char* at, const char* end) {
  return SkipBlanks(at, end);
}

const char* SkipDigits(const char* at, const char* end) {
  while (at < end && IsDigit(*at)) ++at;
  return at;
}

// A sink that ignores all tokens.
struct NullSink {
  bool Null() { return true; }
  bool Bool(bool) { return true; }
  bool Number(std::string_view) { return true; }
  bool String(std::string_view) { return true; }
  bool Key(std::string_view) { return true; }
  bool OpenObject() { return true; }
  bool CloseObject() { return true; }
  bool OpenArray() { return true; }
  bool CloseArray() { return true; }
};

}  // namespace

const char* JsonReader::FindSpecialAtEnd(const char* at, const char* end) {
  auto is_special = [](unsigned char byte) {
    return byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\';
  };
  while (at < end && !is_special(static_cast<unsigned char>(*at))) ++at;
  return at;
}

void JsonReader::SkipSpaces() {
  while (at_ < end_ &&
         (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || (*at_ == '\n' && !options_.is_line))) {
    at_ = SkipIndent(at_ + 1, end_);
  }
}

bool JsonReader::ReadSpecialString(const char* begin, const char* at, std::string_view* text) {
  bool is_copied = false;
  for (at_ = at; at_ < end_; at_ = FindSpecial(at_, end_)) {
    auto byte = static_cast<unsigned char>(*at_);
    if (byte == '"') {
      std::string_view run(begin, static_cast<size_t>(at_ - begin));
      ++at_;
      *text = is_copied ? std::string_view(unescaped_.append(run)) : run;
      return true;
    } else if (byte == '\\') {
      if (!is_copied) unescaped_.clear();
      is_copied = true;
      unescaped_.append(begin, at_);
      if (!ReadEscape()) return Fail();
      begin = at_;
    } else if (size_t size = byte < 0x80 ? 0 : Utf8SequenceSize(Rest(), 0); size > 0) {
      at_ += size;
    } else {
      return Fail();
    }
  }
  return Fail();
}

bool JsonReader::ReadEscape() {
  ++at_;
  if (at_ == end_) return false;
  char letter = *at_++;
  if (char c = ShortEscape(letter); c != '\0') {
    unescaped_ += c;
    return true;
  }
  if (letter != 'u') return false;
  uint32_t unit = HexValue(Rest().substr(0, 4));
  if (unit > 0xffff) return false;
  at_ += 4;
  if (unit >= 0xd800 && unit < 0xe000) return ReadSurrogatePair(unit);
  AppendUtf8(unit, &unescaped_);
  return true;
}

STOWAGE_COLD bool JsonReader::ReadSurrogatePair(uint32_t high) {
  constexpr size_t kEscapeSize = 6;
  std::string_view escape = Rest().substr(0, kEscapeSize);
  if (high >= 0xdc00 || escape.substr(0, 2) != "\\u") return false;
  uint32_t low = HexValue(escape.substr(2));
  if (low < 0xdc00 || low >= 0xe000) return false;
  at_ += kEscapeSize;
  AppendUtf8(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), &unescaped_);
  return true;
}

bool JsonReader::ReadNumber(std::string_view* text) {
  const char* begin = at_;
  const char* at = begin + (Has('-') ? 1 : 0);
  auto take_digits = [&at, this] {
    const char* digits = at;
    at = SkipDigits(at, end_);
    return at > digits;
  };
  if (at < end_ && *at == '0') {
    ++at;
  } else if (!take_digits()) {
    return Fail();
  }
  if (at < end_ && *at == '.' && (++at, !take_digits())) return Fail();
  bool has_exponent = at < end_ && (*at == 'e' || *at == 'E');
  if (has_exponent) {
    ++at;
    if (at < end_ && (*at == '+' || *at == '-')) ++at;
    if (!take_digits()) return Fail();
  }
  *text = {begin, static_cast<size_t>(at - begin)};
  bool may_be_too_large = has_exponent || text->size() > kDoubleDigitsMin;
  if (may_be_too_large && !std::isfinite(*ParseDouble(*text))) {
    return Fail();
  }
  at_ = at;
  if (*text == "-0") text->remove_prefix(1);
  return true;
}

bool JsonReader::SkipValue() {
  NullSink sink;
  char first = Peek();
  return first == '{' || first == '[' ? WalkValue(sink) : WalkScalar(first, sink);
}

}  // namespace stowage
