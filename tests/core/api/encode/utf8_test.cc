#include "core/api/encode/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace stowage {
namespace {

using std::string_view_literals::operator""sv;

// Goal: exactly the sequences of RFC 3629 are accepted. Method: the boundaries of every class, at
// the start and behind more than one word of ASCII.
TEST(Utf8, FindsTheFirstInvalidByte) {
  struct {
    std::string_view name;
    std::string_view text;
    size_t want;
  } cases[] = {
      {"empty", "", 0},
      {"ASCII with NUL", "a\0\x7f"sv, 3},
      {"two bytes, bounds", "\xc2\x80\xdf\xbf", 4},
      {"three bytes, bounds", "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf", 12},
      {"four bytes, bounds", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8},
      {"lone continuation", "\x80", 0},
      {"overlong two", "\xc0\x80", 0},
      {"overlong two, upper", "\xc1\xbf", 0},
      {"overlong three", "\xe0\x9f\xbf", 0},
      {"surrogate", "\xed\xa0\x80", 0},
      {"overlong four", "\xf0\x8f\xbf\xbf", 0},
      {"above U+10FFFF", "\xf4\x90\x80\x80", 0},
      {"no lead", "\xf5\x80\x80\x80", 0},
      {"0xff", "\xff", 0},
      {"broken third byte", "\xe2\x82(", 0},
      {"cut off", "ab\xe2\x82", 2},
      {"cut off, four", "ab\xf0\x9f\x98", 2},
  };
  std::string ascii(21, 'x');
  for (const auto& c : cases) {
    EXPECT_EQ(FindInvalidUtf8(c.text), c.want) << c.name;
    EXPECT_EQ(FindInvalidUtf8(ascii + std::string(c.text)), ascii.size() + c.want) << c.name;
  }
}

TEST(Utf8, CutsAndReplaces) {
  struct {
    std::string_view name;
    std::string_view text;
    size_t size_max;
    std::string_view want;
  } cases[] = {
      {"fits", "abc", 3, "abc"},
      {"cut", "abcd", 3, "abc"},
      {"never inside a sequence", "ab\xe2\x82\xac", 4, "ab"},
      {"a whole sequence fits", "ab\xe2\x82\xac", 5, "ab\xe2\x82\xac"},
      {"each bad byte is replaced", "a\xff\xc3(", 10, "a\xef\xbf\xbd\xef\xbf\xbd("},
      {"nothing", "abc", 0, ""},
  };
  for (const auto& c : cases) EXPECT_EQ(ToValidUtf8(c.text, c.size_max), c.want) << c.name;
}

}  // namespace
}  // namespace stowage
