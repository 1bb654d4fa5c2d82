// TrimSpace removes exactly what Go's strings.TrimSpace removes.
#include "core/base/split.h"

#include <gtest/gtest.h>

namespace stowage {
namespace {

TEST(TrimSpace, RemovesAllUnicodeWhiteSpace) {
  for (std::string_view space :
       {" ", "\t", "\n", "\v", "\f", "\r", "\u0085", "\u00A0", "\u1680", "\u2000", "\u200A",
        "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"}) {
    std::string text(space);
    EXPECT_EQ(TrimSpace(text), "") << text;
    EXPECT_EQ(TrimSpace(text + " 1Gi" + text), "1Gi") << text;
    EXPECT_EQ(TrimSpace("1" + text + "2"), "1" + text + "2") << text;
  }
}

TEST(TrimSpace, KeepsEverythingElse) {
  for (std::string_view text :
       {"", "1", "\u200B1", "\uFEFF1", "1\u180E", "\u00A1", "\xE2\x80", "\x85", "\xA0"}) {
    EXPECT_EQ(TrimSpace(text), text) << text;
  }
}

}  // namespace
}  // namespace stowage
