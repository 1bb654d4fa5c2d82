#include "core/cel/utf8.h"

#include "core/api/encode/utf8.h"

namespace stowage::cel {

char32_t TakeCodePoint(std::string_view* text) {
  size_t size = Utf8SequenceSize(*text, 0);
  if (size == 0) {
    text->remove_prefix(1);
    return kInvalidCodePoint;
  }
  auto first = static_cast<unsigned char>(text->front());
  char32_t code_point = size == 1 ? first : first & (0xff >> (size + 1));
  for (char byte : text->substr(1, size - 1)) code_point = code_point << 6 | (byte & 0x3f);
  text->remove_prefix(size);
  return code_point;
}

void AppendUtf8(char32_t code_point, std::string* out) {
  if (code_point < 0x80) {
    *out += static_cast<char>(code_point);
    return;
  }
  int rest = code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
  *out += static_cast<char>((0xff << (7 - rest) & 0xff) | code_point >> 6 * rest);
  while (rest-- > 0) *out += static_cast<char>(0x80 | (code_point >> 6 * rest & 0x3f));
}

bool IsUtf8(std::string_view text) { return FindInvalidUtf8(text) == text.size(); }

}  // namespace stowage::cel
