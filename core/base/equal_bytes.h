// EqualBytes compares texts of at most a few words. The C library's memcmp would cost a call, and
// in WebAssembly it goes byte by byte if the texts are not aligned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stowage {

template <typename Word>
Word LoadAs(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

inline bool EqualBytes(const char* a, const char* b, size_t size) {
  if (size >= sizeof(uint64_t)) {
    size_t last = size - sizeof(uint64_t);
    for (size_t at = 0; at < last; at += sizeof(uint64_t)) {
      if (LoadAs<uint64_t>(a + at) != LoadAs<uint64_t>(b + at)) return false;
    }
    return LoadAs<uint64_t>(a + last) == LoadAs<uint64_t>(b + last);
  }
  if (size >= sizeof(uint32_t)) {
    size_t last = size - sizeof(uint32_t);
    return LoadAs<uint32_t>(a) == LoadAs<uint32_t>(b) &&
           LoadAs<uint32_t>(a + last) == LoadAs<uint32_t>(b + last);
  }
  for (size_t at = 0; at < size; ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

}  // namespace stowage
