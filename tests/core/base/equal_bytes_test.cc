#include "core/base/equal_bytes.h"

#include <gtest/gtest.h>

#include <string>

namespace stowage {
namespace {

// Goal: two texts are equal if all of their bytes are; bytes beyond them do not count. Method:
// every size up to a few words, unaligned, with each byte changed in turn.
TEST(EqualBytes, ComparesEveryByte) {
  constexpr size_t kSizeMax = 40;
  const std::string text = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH";
  for (size_t size = 0; size <= kSizeMax; ++size) {
    std::string other = "x" + text;
    EXPECT_TRUE(EqualBytes(text.data(), other.data() + 1, size)) << size;
    for (size_t at = 0; at < other.size(); ++at) {
      other[at] = static_cast<char>(other[at] ^ 0x80);
      bool is_outside = at < 1 || at > size;
      EXPECT_EQ(EqualBytes(text.data(), other.data() + 1, size), is_outside) << size << " " << at;
      other[at] = static_cast<char>(other[at] ^ 0x80);
    }
  }
}

}  // namespace
}  // namespace stowage
