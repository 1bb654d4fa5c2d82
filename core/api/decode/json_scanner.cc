#include "core/api/decode/json_scanner.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/api/decode/byte_match.h"
#include "core/base/cold.h"
#include "core/base/format.h"

namespace stowage {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool IsNumberPart(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// The meaning of a byte for the search for the end of a container.
enum class Mark : uint8_t { kNone, kQuote, kOpen, kClose };

constexpr std::array<Mark, 256> kMarks = [] {
  std::array<Mark, 256> marks{};
  marks['"'] = Mark::kQuote;
  marks['{'] = marks['['] = Mark::kOpen;
  marks['}'] = marks[']'] = Mark::kClose;
  return marks;
}();

Mark MarkOf(char c) { return kMarks[static_cast<unsigned char>(c)]; }

// A backslash and the byte after it.
const char* SkipEscape(const char* at, const char* end) { return end - at > 1 ? at + 2 : end; }

// The quote that ends the string whose content starts at `at`; `end` if there is none.
const char* FindStringEnd(const char* at, const char* end) {
  while (end - at >= static_cast<ptrdiff_t>(kWordSize)) {
    uint64_t word = LoadWord(at);
    uint64_t match = MatchByte(word, '"') | MatchByte(word, '\\');
    if (match == 0) {
      at += kWordSize;
      continue;
    }
    at += FirstMatch(match);
    if (*at == '"') return at;
    at = SkipEscape(at, end);
  }
  while (at < end && *at != '"') at = *at == '\\' ? SkipEscape(at, end) : at + 1;
  return at;
}

}  // namespace

STOWAGE_COLD std::string_view JsonValue::type_name() const {
  switch (first) {
    case '{':
      return "an object";
    case '[':
      return "a list";
    case '"':
      return "a string";
    case 'n':
      return "null";
    case 't':
    case 'f':
      return "a boolean";
    default:
      return "a number";
  }
}

void JsonScanner::SkipSpaces() {
  const char* end = text_.data() + text_.size();
  while (offset_ < text_.size() && IsSpace(text_[offset_])) {
    const char* at = SkipBlanks(text_.data() + offset_ + 1, end);
    offset_ = static_cast<size_t>(at - text_.data());
  }
}

bool JsonScanner::Open(char bracket) {
  SkipSpace();
  if (has_failed_ || !AtChar(bracket)) return Fail();
  ++offset_;
  is_first_ = true;
  return true;
}

bool JsonScanner::NextPart(char bracket) {
  if (has_failed_) return false;
  SkipSpace();
  if (AtChar(bracket)) {
    ++offset_;
    is_first_ = false;
    return false;
  }
  if (!is_first_) {
    if (!AtChar(',')) return Fail();
    ++offset_;
    SkipSpace();
  }
  is_first_ = false;
  return true;
}

bool JsonScanner::NextMember(std::string_view* key) {
  if (!NextPart('}')) return false;
  size_t begin = offset_ + 1;
  if (!AtChar('"') || !SkipString()) return Fail();
  *key = text_.substr(begin, offset_ - 1 - begin);
  SkipSpace();
  if (!AtChar(':')) return Fail();
  ++offset_;
  return true;
}

bool JsonScanner::NextItem() { return NextPart(']'); }

bool JsonScanner::SkipValue(JsonValue* value) {
  SkipSpace();
  *value = JsonValue();
  if (has_failed_ || offset_ == text_.size()) return Fail();
  value->begin = offset_;
  value->first = text_[offset_];
  bool done = MarkOf(value->first) == Mark::kOpen ? SkipContainer()
              : value->is_string()                ? SkipString()
                                                  : SkipScalar();
  value->end = offset_;
  return done || Fail();
}

bool JsonScanner::SkipString() {
  const char* end = text_.data() + text_.size();
  const char* quote = FindStringEnd(text_.data() + offset_ + 1, end);
  offset_ = static_cast<size_t>(quote - text_.data());
  if (quote == end) return false;
  ++offset_;
  return true;
}

bool JsonScanner::SkipScalar() {
  for (std::string_view literal : {"null", "true", "false"}) {
    if (text_.substr(offset_, literal.size()) == literal) {
      offset_ += literal.size();
      return true;
    }
  }
  size_t begin = offset_;
  while (offset_ < text_.size() && IsNumberPart(text_[offset_])) ++offset_;
  return offset_ > begin;
}

bool JsonScanner::SkipContainer() {
  const char* at = text_.data() + offset_;
  const char* end = text_.data() + text_.size();
  size_t depth = 0;
  while (at < end) {
    Mark mark = MarkOf(*at++);
    if (mark == Mark::kNone) continue;
    if (mark == Mark::kQuote) {
      at = FindStringEnd(at, end);
      if (at < end) ++at;
    } else if (mark == Mark::kOpen) {
      ++depth;
    } else if (--depth == 0) {
      break;
    }
  }
  offset_ = static_cast<size_t>(at - text_.data());
  return depth == 0;
}

bool JsonScanner::ExpectEnd() {
  if (has_failed_) return false;
  SkipSpace();
  return offset_ == text_.size() || Fail();
}

STOWAGE_COLD std::string JsonScanner::FaultMessage() const {
  if (offset_ >= text_.size()) return "unexpected end of input";
  auto byte = static_cast<unsigned char>(text_[offset_]);
  if (byte > 0x20 && byte < 0x7f) return Format("unexpected '{}'", text_[offset_]);
  return Format("unexpected byte 0x{:02x}", byte);
}

}  // namespace stowage
