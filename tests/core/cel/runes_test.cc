#include "core/cel/runes.h"

#include <gtest/gtest.h>

namespace stowage::cel {
namespace {

TEST(Runes, DecodesCodePoints) {
  struct {
    std::string_view text;
    uint32_t value;
    uint32_t width;
  } cases[] = {
      {"a", 'a', 1},
      {"é", 0xE9, 2},
      {"漢", 0x6F22, 3},
      {"\U0001F600", 0x1F600, 4},
      {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
      {"", kRuneError, 0},
      {"\x80", kRuneError, 1},
      {"\xC3", kRuneError, 1},
      {"\xC0\x80", kRuneError, 1},          // longer than needed
      {"\xE0\x80\x80", kRuneError, 1},      // longer than needed
      {"\xED\xA0\x80", kRuneError, 1},      // a surrogate
      {"\xF4\x90\x80\x80", kRuneError, 1},  // too large
      {"\xE6\xBC", kRuneError, 1},
      {"\uFFFD", kRuneError, 3},
  };
  for (const auto& c : cases) {
    Rune rune = DecodeRune(c.text);
    EXPECT_EQ(rune.value, c.value) << c.text;
    EXPECT_EQ(rune.width, c.width) << c.text;
  }
}

TEST(Runes, CountsCodePoints) {
  EXPECT_EQ(CountRunes(""), 0u);
  EXPECT_EQ(CountRunes("aé漢"), 3u);
  EXPECT_EQ(CountRunes("\xFF\xFF"), 2u);
  EXPECT_EQ(RuneOffset("aé漢b", 0), 0u);
  EXPECT_EQ(RuneOffset("aé漢b", 2), 3u);
  EXPECT_EQ(RuneOffset("aé漢b", 4), 7u);
  EXPECT_EQ(RuneOffset("aé漢b", 9), 7u);
}

}  // namespace
}  // namespace stowage::cel
