// Code points of texts that may not be UTF-8, and their places in bytes, as Go's strings have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stowage::cel {

inline constexpr uint32_t kRuneMax = 0x10FFFF;
inline constexpr uint32_t kRuneError = 0xFFFD;  // what an invalid byte decodes to, with width 1

struct Rune {
  uint32_t value = kRuneError;
  uint32_t width = 0;  // in bytes; 0 at the end of a text

  bool is_invalid() const { return value == kRuneError && width == 1; }
};

// The first code point of `text`. An invalid byte is a code point of its own.
Rune DecodeRune(std::string_view text);

size_t CountRunes(std::string_view text);

// The byte at which the code point with this index begins; text.size() if there are not so many.
size_t RuneOffset(std::string_view text, size_t index);

}  // namespace stowage::cel
