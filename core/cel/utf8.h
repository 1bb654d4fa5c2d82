// Code points and their UTF-8 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stowage::cel {

constexpr char32_t kInvalidCodePoint = 0xffffffff;

// Reads a code point from the front of `text` and removes its bytes. Bytes that are no UTF-8 give
// kInvalidCodePoint, one byte at a time. The text must not be empty.
char32_t TakeCodePoint(std::string_view* text);
void AppendUtf8(char32_t code_point, std::string* out);
bool IsUtf8(std::string_view text);
// A number that is a code point: not a surrogate, at most 0x10ffff.
constexpr bool IsCodePoint(uint32_t number) {
  return number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
}

}  // namespace stowage::cel
