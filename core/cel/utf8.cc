#include "core/cel/utf8.h"

namespace stowage::cel {

char32_t TakeCodePoint(std::string_view* text) {
  auto first = static_cast<unsigned char>(text->front());
  size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  char32_t code_point = length == 1 ? first : first & (0xff >> (length + 1));
  bool is_valid = length != 0 && length <= text->size() && first < 0xf5;
  for (size_t place = 1; is_valid && place < length; ++place) {
    auto byte = static_cast<unsigned char>((*text)[place]);
    is_valid = (byte & 0xc0) == 0x80;
    code_point = code_point << 6 | (byte & 0x3f);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  is_valid = is_valid && code_point >= kLeast[length] && IsCodePoint(code_point);
  text->remove_prefix(is_valid ? length : 1);
  return is_valid ? code_point : kInvalidCodePoint;
}

void AppendUtf8(char32_t code_point, std::string* out) {
  if (code_point < 0x80) {
    *out += static_cast<char>(code_point);
    return;
  }
  int rest = code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
  *out += static_cast<char>((0xf00 >> rest & 0xff) | code_point >> 6 * rest);
  while (rest-- > 0) *out += static_cast<char>(0x80 | (code_point >> 6 * rest & 0x3f));
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    if (TakeCodePoint(&text) == kInvalidCodePoint) return false;
  }
  return true;
}

}  // namespace stowage::cel
