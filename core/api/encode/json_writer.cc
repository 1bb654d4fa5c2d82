#include "core/api/encode/json_writer.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

#include "core/api/encode/utf8.h"
#include "core/base/check.h"

namespace stowage {
namespace {

constexpr std::string_view kLineSeparator = "\xe2\x80\xa8";
constexpr std::string_view kParagraphSeparator = "\xe2\x80\xa9";

// Bytes that stand for themselves in a string.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

bool IsPlain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

void AppendEscaped(char c, std::string* out) {
  switch (c) {
    case '"':
      *out += "\\\"";
      return;
    case '\\':
      *out += "\\\\";
      return;
    case '\b':
      *out += "\\b";
      return;
    case '\f':
      *out += "\\f";
      return;
    case '\n':
      *out += "\\n";
      return;
    case '\r':
      *out += "\\r";
      return;
    case '\t':
      *out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(*out), "\\u{:04x}", static_cast<unsigned char>(c));
  }
}

// Appends the sequence at `offset`, which is not ASCII, and returns its size.
size_t AppendSequence(std::string_view text, size_t offset, std::string* out) {
  size_t size = Utf8SequenceSize(text, offset);
  if (size == 0) {
    *out += "\\ufffd";
    return 1;
  }
  std::string_view sequence = text.substr(offset, size);
  if (sequence == kLineSeparator) {
    *out += "\\u2028";
  } else if (sequence == kParagraphSeparator) {
    *out += "\\u2029";
  } else {
    *out += sequence;
  }
  return size;
}

}  // namespace

void AppendJsonString(std::string_view text, std::string* out) {
  *out += '"';
  size_t offset = 0;
  while (offset < text.size()) {
    size_t plain_end = offset;
    while (plain_end < text.size() && IsPlain(text[plain_end])) ++plain_end;
    *out += text.substr(offset, plain_end - offset);
    offset = plain_end;
    if (offset == text.size()) break;
    if (static_cast<unsigned char>(text[offset]) < 0x80) {
      AppendEscaped(text[offset], out);
      ++offset;
    } else {
      offset += AppendSequence(text, offset, out);
    }
  }
  *out += '"';
}

void JsonWriter::BeginValue() {
  if (needs_comma_) *out_ += ',';
  needs_comma_ = true;
}

JsonWriter& JsonWriter::Open(char bracket) {
  BeginValue();
  *out_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  *out_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  BeginValue();
  AppendJsonString(name, out_);
  *out_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view text) {
  BeginValue();
  AppendJsonString(text, out_);
  return *this;
}

JsonWriter& JsonWriter::Signed(int64_t value) {
  BeginValue();
  fmt::format_to(std::back_inserter(*out_), "{}", value);
  return *this;
}

JsonWriter& JsonWriter::Unsigned(uint64_t value) {
  BeginValue();
  fmt::format_to(std::back_inserter(*out_), "{}", value);
  return *this;
}

JsonWriter& JsonWriter::Double(double value) {
  CHECK(std::isfinite(value));
  BeginValue();
  fmt::format_to(std::back_inserter(*out_), "{}", value);
  return *this;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  BeginValue();
  *out_ += json;
  return *this;
}

}  // namespace stowage
