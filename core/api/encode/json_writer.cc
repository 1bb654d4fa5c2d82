#include "core/api/encode/json_writer.h"

#include <fmt/compile.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/api/encode/utf8.h"
#include "core/base/format.h"

namespace stowage {
namespace {

constexpr std::string_view kLineSeparator = "\xe2\x80\xa8";
constexpr std::string_view kParagraphSeparator = "\xe2\x80\xa9";

// The bytes that a string may contain unescaped.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

bool IsPlain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

// For eight bytes, sets the highest bit of one or more bytes if not all of them are plain.
uint64_t MarkOthers(uint64_t bytes) {
  constexpr uint64_t kOfEach = 0x0101010101010101;
  uint64_t controls = bytes - ' ' * kOfEach;
  uint64_t quotes = (bytes ^ '"' * kOfEach) - kOfEach;
  uint64_t backslashes = (bytes ^ '\\' * kOfEach) - kOfEach;
  return (bytes | controls | quotes | backslashes) & 0x80 * kOfEach;
}

// Copies four or eight bytes.
template <typename Word>
Word Copy(const char* from, char* to) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  std::memcpy(to, &word, sizeof word);
  return word;
}

// Copies `text` and returns whether all of it is plain. May copy its last bytes twice.
bool CopyPlain(std::string_view text, char* to) {
  const char* from = text.data();
  size_t size = text.size();
  if (size >= 8) {
    uint64_t others = 0;
    for (size_t offset = 0; offset < size - 8; offset += 8) {
      others |= MarkOthers(Copy<uint64_t>(from + offset, to + offset));
    }
    others |= MarkOthers(Copy<uint64_t>(from + size - 8, to + size - 8));
    return others == 0;
  }
  if (size >= 4) {
    uint64_t first = Copy<uint32_t>(from, to);
    uint64_t last = Copy<uint32_t>(from + size - 4, to + size - 4);
    return MarkOthers(first << 32 | last) == 0;
  }
  std::copy(from, from + size, to);
  return std::all_of(from, from + size, IsPlain);
}

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
      *out += Format("\\u{:04x}", static_cast<unsigned char>(c));
  }
}

// Appends the non-ASCII sequence at `offset` and returns its size.
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

void JsonWriter::MakeRoom(size_t size) {
  CHECK(size < kGatheredMax);
  Flush();
}

void JsonWriter::Flush() {
  out_->append(gathered_, static_cast<size_t>(at_ - gathered_));
  at_ = gathered_;
}

char* JsonWriter::PutPlain(std::string_view text, char* to) {
  if (!CopyPlain(text, to + 1)) return nullptr;
  char* end = to + text.size() + 2;
  *to = '"';
  end[-1] = '"';
  return end;
}

char* JsonWriter::PutSigned(int64_t value, char* to) {
  return std::to_chars(to, to + kNumberMax, value).ptr;
}

char* JsonWriter::PutUnsigned(uint64_t value, char* to) {
  return std::to_chars(to, to + kNumberMax, value).ptr;
}

JsonWriter& JsonWriter::Open(char bracket) {
  char* to = BeginValue(1);
  *to = bracket;
  at_ = to + 1;
  needs_comma_ = false;
  ++depth_;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  if (at_ == gathered_ + kGatheredMax) Flush();
  *at_ = bracket;
  --depth_;
  return EndValue(at_ + 1);
}

void JsonWriter::EndLine() {
  if (gathered_ + kGatheredMax - at_ < 2) Flush();
  *at_++ = '}';
  *at_++ = '\n';
  --depth_;
  needs_comma_ = false;
  Flush();
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  String(name);
  if (at_ == gathered_ + kGatheredMax) Flush();
  *at_++ = ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view text) {
  char* to = BeginValue(std::min(text.size(), kPlainMax) + 2);
  if (text.size() <= kPlainMax) {
    if (char* end = PutPlain(text, to); end != nullptr) return EndValue(end);
  }
  at_ = to;
  Flush();
  AppendJsonString(text, out_);
  return EndValue(at_);
}

JsonWriter& JsonWriter::NamedString(const char* name, size_t name_size, std::string_view text) {
  size_t padded = (name_size + 7) / 8 * 8;
  char* to = BeginValue(padded + std::min(text.size(), kPlainMax) + 2);
  for (size_t offset = 0; offset < padded; offset += 8) Copy<uint64_t>(name + offset, to + offset);
  to += name_size;
  if (text.size() <= kPlainMax) {
    if (char* end = PutPlain(text, to); end != nullptr) return EndValue(end);
  }
  at_ = to;
  needs_comma_ = false;
  return String(text);
}

JsonWriter& JsonWriter::NamespacedName(std::string_view namespace_, std::string_view name) {
  size_t size = namespace_.size() + 1 + name.size();
  if (size <= kPlainMax) {
    char* to = BeginValue(size + 2);
    char* slash = to + 1 + namespace_.size();
    *to = '"';
    *slash = '/';
    if (CopyPlain(namespace_, to + 1) && CopyPlain(name, slash + 1)) {
      to[size + 1] = '"';
      return EndValue(to + size + 2);
    }
  }
  return String(std::string(namespace_).append("/").append(name));
}

JsonWriter& JsonWriter::Double(double value) {
  CHECK(std::isfinite(value));
  return EndValue(fmt::format_to(BeginValue(kNumberMax), FMT_COMPILE("{}"), value));
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  char* to = BeginValue(std::min(json.size(), kPlainMax));
  if (json.size() <= kPlainMax) {
    std::memcpy(to, json.data(), json.size());
    return EndValue(to + json.size());
  }
  at_ = to;
  Flush();
  out_->append(json);
  return EndValue(at_);
}

}  // namespace stowage
