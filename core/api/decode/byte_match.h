// Compares eight bytes of a text at once.
//
// Every match is a word whose lowest set bit is in the first matching byte; bits of later bytes are
// undefined.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/equal_bytes.h"

namespace stowage {

// The first byte in memory is the lowest of a word.
static_assert(std::endian::native == std::endian::little);

inline constexpr size_t kWordSize = sizeof(uint64_t);
inline constexpr uint64_t kEveryByte = 0x0101010101010101u;
inline constexpr uint64_t kTopBits = kEveryByte << 7;

// Eight bytes must be readable at `at`.
inline uint64_t LoadWord(const char* at) { return LoadAs<uint64_t>(at); }

// The bytes less than `limit`, which is at most 0x80.
constexpr uint64_t MatchBelow(uint64_t word, unsigned char limit) {
  return (word - kEveryByte * limit) & ~word & kTopBits;
}

constexpr uint64_t MatchByte(uint64_t word, char c) {
  return MatchBelow(word ^ (kEveryByte * static_cast<unsigned char>(c)), 1);
}

// The bytes that are not `c`.
constexpr uint64_t MatchOther(uint64_t word, char c) {
  return word ^ (kEveryByte * static_cast<unsigned char>(c));
}

// The bytes that a JSON string cannot contain unescaped, or that need a check: quotes, backslashes,
// control characters, and non-ASCII bytes. Including non-ASCII bytes also covers those that the
// subtractions would mistake for one of the others.
constexpr uint64_t MatchSpecialInString(uint64_t word) {
  uint64_t quotes = (word ^ (kEveryByte * '"')) - kEveryByte;
  uint64_t backslashes = (word ^ (kEveryByte * '\\')) - kEveryByte;
  uint64_t controls = word - kEveryByte * 0x20;
  return (quotes | backslashes | controls | word) & kTopBits;
}

// The index of the first matching byte; `match` must not be 0.
inline size_t FirstMatch(uint64_t match) {
  return static_cast<size_t>(std::countr_zero(match)) / 8;
}

// Skips blanks, as many whole words of them as there are and what is left of a word.
inline const char* SkipBlanks(const char* at, const char* end) {
  while (end - at >= static_cast<ptrdiff_t>(kWordSize)) {
    uint64_t other = MatchOther(LoadWord(at), ' ');
    if (other != 0) return at + FirstMatch(other);
    at += kWordSize;
  }
  return at;
}

}  // namespace stowage
