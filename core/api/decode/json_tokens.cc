#include "core/api/decode/json_tokens.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/api/decode/byte_match.h"
#include "core/api/encode/utf8.h"

namespace stowage {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
// No number with fewer digits and no exponent is beyond a double.
constexpr size_t kDoubleDigitsMin = 300;

// A byte that a string's content cannot hold as it is without a look at it or its neighbours.
bool IsSpecial(unsigned char byte) {
  return byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\';
}

const char* FindSpecial(const char* at, const char* end) {
  while (end - at >= static_cast<ptrdiff_t>(kWordSize)) {
    uint64_t word = LoadWord(at);
    uint64_t match =
        MatchByte(word, '"') | MatchByte(word, '\\') | MatchBelow(word, 0x20) | MatchNonAscii(word);
    if (match != 0) return at + FirstMatch(match);
    at += kWordSize;
  }
  while (at < end && !IsSpecial(static_cast<unsigned char>(*at))) ++at;
  return at;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The value of four hexadecimal digits; above 0xffff when they are none.
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

// What the escape "\c" stands for; 0 when it is none of one letter.
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

void AppendUtf8(uint32_t rune, std::string* text) {
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

class Tokenizer {
 public:
  Tokenizer(std::string_view text, TokenSink* sink)
      : at_(text.data()), end_(text.data() + text.size()), sink_(*sink) {}

  // False when the text is no JSON.
  bool Read() { return ReadText() || is_stopped_; }

 private:
  // All of these return false to end the reading: at a fault, or because the sink stopped it.
  bool ReadText();
  // A whole value, or the start of a container up to its first value: is_value_due_ tells.
  bool ReadValue();
  bool ReadContainer(char closing);
  // What follows a value: a comma and perhaps a key, or closing brackets.
  bool ReadSeparator();
  bool ReadKey();
  bool ReadString(std::string_view* text);
  bool ReadEscape();
  bool ReadSurrogatePair(uint32_t high);
  bool ReadNumber();
  bool ReadDigits();
  bool ReadLiteral(std::string_view literal);

  bool Told(bool goes_on) {
    if (!goes_on) is_stopped_ = true;
    return goes_on;
  }
  bool Close();
  bool Has(char c) const { return at_ < end_ && *at_ == c; }
  bool Take(char c) {
    if (!Has(c)) return false;
    ++at_;
    return true;
  }
  std::string_view Rest() const { return {at_, static_cast<size_t>(end_ - at_)}; }
  void SkipSpace() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  const char* at_;
  const char* end_;
  TokenSink& sink_;
  std::string closings_;   // the brackets that close what is open, outermost first
  std::string unescaped_;  // a string that is not as it is written
  bool is_value_due_ = true;
  bool is_stopped_ = false;
};

bool Tokenizer::ReadText() {
  if (Rest().substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ += kByteOrderMark.size();
  do {
    SkipSpace();
    if (!(is_value_due_ ? ReadValue() : ReadSeparator())) return false;
  } while (is_value_due_ || !closings_.empty());
  SkipSpace();
  return at_ == end_;
}

bool Tokenizer::ReadValue() {
  if (at_ == end_) return false;
  is_value_due_ = false;
  switch (*at_) {
    case '{':
      return Told(sink_.OpenObject()) && ReadContainer('}');
    case '[':
      return Told(sink_.OpenArray()) && ReadContainer(']');
    case '"': {
      std::string_view text;
      return ReadString(&text) && Told(sink_.String(text));
    }
    case 't':
      return ReadLiteral("true") && Told(sink_.Bool(true));
    case 'f':
      return ReadLiteral("false") && Told(sink_.Bool(false));
    case 'n':
      return ReadLiteral("null") && Told(sink_.Null());
    default:
      return ReadNumber();
  }
}

bool Tokenizer::ReadContainer(char closing) {
  ++at_;
  closings_ += closing;
  SkipSpace();
  if (Has(closing)) return Close();
  is_value_due_ = true;
  return closing == ']' || ReadKey();
}

bool Tokenizer::Close() {
  bool is_object = Has('}');
  ++at_;
  closings_.pop_back();
  return Told(is_object ? sink_.CloseObject() : sink_.CloseArray());
}

bool Tokenizer::ReadSeparator() {
  if (Has(closings_.back())) return Close();
  if (!Take(',')) return false;
  is_value_due_ = true;
  if (closings_.back() == ']') return true;
  SkipSpace();
  return ReadKey();
}

bool Tokenizer::ReadKey() {
  std::string_view key;
  if (!Has('"') || !ReadString(&key)) return false;
  SkipSpace();
  return Take(':') && Told(sink_.Key(key));
}

bool Tokenizer::ReadString(std::string_view* text) {
  const char* begin = ++at_;  // of what is not copied yet
  bool is_copied = false;
  while ((at_ = FindSpecial(at_, end_)) < end_) {
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
      if (!ReadEscape()) return false;
      begin = at_;
    } else if (size_t size = byte < 0x80 ? 0 : Utf8SequenceSize(Rest(), 0); size > 0) {
      at_ += size;
    } else {
      return false;
    }
  }
  return false;
}

bool Tokenizer::ReadEscape() {
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

bool Tokenizer::ReadSurrogatePair(uint32_t high) {
  constexpr size_t kEscapeSize = 6;
  std::string_view escape = Rest().substr(0, kEscapeSize);
  if (high >= 0xdc00 || escape.substr(0, 2) != "\\u") return false;
  uint32_t low = HexValue(escape.substr(2));
  if (low < 0xdc00 || low >= 0xe000) return false;
  at_ += kEscapeSize;
  AppendUtf8(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), &unescaped_);
  return true;
}

bool Tokenizer::ReadDigits() {
  const char* begin = at_;
  while (at_ < end_ && IsDigit(*at_)) ++at_;
  return at_ > begin;
}

bool Tokenizer::ReadNumber() {
  const char* begin = at_;
  Take('-');
  if (!Take('0') && !ReadDigits()) return false;
  if (Take('.') && !ReadDigits()) return false;
  bool has_exponent = Take('e') || Take('E');
  if (has_exponent) {
    if (!Take('+')) Take('-');
    if (!ReadDigits()) return false;
  }
  std::string_view text(begin, static_cast<size_t>(at_ - begin));
  bool may_be_too_large = has_exponent || text.size() > kDoubleDigitsMin;
  if (may_be_too_large && !std::isfinite(std::strtod(std::string(text).c_str(), nullptr))) {
    return false;
  }
  return Told(sink_.Number(text == "-0" ? text.substr(1) : text));
}

bool Tokenizer::ReadLiteral(std::string_view literal) {
  if (Rest().substr(0, literal.size()) != literal) return false;
  at_ += literal.size();
  return true;
}

class NullSink final : public TokenSink {
 public:
  bool Null() override { return true; }
  bool Bool(bool) override { return true; }
  bool Number(std::string_view) override { return true; }
  bool String(std::string_view) override { return true; }
  bool Key(std::string_view) override { return true; }
  bool OpenObject() override { return true; }
  bool CloseObject() override { return true; }
  bool OpenArray() override { return true; }
  bool CloseArray() override { return true; }
};

}  // namespace

std::optional<JsonFault> ReadJsonTokens(std::string_view text, TokenSink& sink) {
  if (Tokenizer(text, &sink).Read()) return std::nullopt;
  return DescribeJsonFault(text);
}

std::optional<JsonFault> FindJsonFault(std::string_view text) {
  NullSink sink;
  return ReadJsonTokens(text, sink);
}

}  // namespace stowage
