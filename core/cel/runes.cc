#include "core/cel/runes.h"

#include "core/cel/utf8.h"

namespace stowage::cel {

Rune DecodeRune(std::string_view text) {
  if (text.empty()) return {};
  std::string_view rest = text;
  char32_t value = TakeCodePoint(&rest);
  if (value == kInvalidCodePoint) return {kRuneError, 1};
  return {value, static_cast<uint32_t>(text.size() - rest.size())};
}

size_t CountRunes(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) TakeCodePoint(&text);
  return count;
}

size_t RuneOffset(std::string_view text, size_t index) {
  std::string_view rest = text;
  for (; index > 0 && !rest.empty(); --index) TakeCodePoint(&rest);
  return text.size() - rest.size();
}

}  // namespace stowage::cel
