#include "core/cel/utf8.h"

namespace stowage::cel {
namespace {

constexpr uint32_t kSurrogateMin = 0xD800;
constexpr uint32_t kSurrogateMax = 0xDFFF;

bool IsRune(uint32_t value) {
  return value <= kRuneMax && (value < kSurrogateMin || value > kSurrogateMax);
}

// The number of bytes that a sequence has by its first byte; 0 if no sequence begins with it.
uint32_t SequenceWidth(uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

}  // namespace

Rune DecodeRune(std::string_view text) {
  constexpr uint32_t kValueMin[] = {0, 0, 0x80, 0x800, 0x10000};
  if (text.empty()) return {};
  auto first = static_cast<uint8_t>(text[0]);
  uint32_t width = SequenceWidth(first);
  if (width == 1) return {first, 1};
  if (width == 0 || text.size() < width) return {kRuneError, 1};
  uint32_t value = first & (0x7Fu >> width);
  for (uint32_t place = 1; place < width; ++place) {
    auto next = static_cast<uint8_t>(text[place]);
    if ((next & 0xC0) != 0x80) return {kRuneError, 1};
    value = value << 6 | (next & 0x3F);
  }
  if (value < kValueMin[width] || !IsRune(value)) return {kRuneError, 1};
  return {value, width};
}

void AppendRune(uint32_t rune, std::string* out) {
  if (!IsRune(rune)) rune = kRuneError;
  if (rune < 0x80) {
    *out += static_cast<char>(rune);
    return;
  }
  int shift = rune < 0x800 ? 6 : rune < 0x10000 ? 12 : 18;
  uint32_t marker = rune < 0x800 ? 0xC0 : rune < 0x10000 ? 0xE0 : 0xF0;
  *out += static_cast<char>(marker | rune >> shift);
  while (shift > 0) {
    shift -= 6;
    *out += static_cast<char>(0x80 | (rune >> shift & 0x3F));
  }
}

size_t CountRunes(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(DecodeRune(text).width);
  return count;
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    Rune rune = DecodeRune(text);
    if (rune.is_invalid()) return false;
    text.remove_prefix(rune.width);
  }
  return true;
}

size_t RuneOffset(std::string_view text, size_t index) {
  size_t at = 0;
  for (; index > 0 && at < text.size(); --index) at += DecodeRune(text.substr(at)).width;
  return at;
}

}  // namespace stowage::cel
