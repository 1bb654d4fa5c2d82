#include "core/base/format.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace stowage {
namespace {

TEST(Format, PutsValuesInPlaceOfFields) {
  std::string owned = "owned";
  EXPECT_EQ(Format("no field"), "no field");
  EXPECT_EQ(Format(""), "");
  EXPECT_EQ(Format("{}", ""), "");
  EXPECT_EQ(Format("{}, {} and {}", "literal", owned, std::string_view("view")),
            "literal, owned and view");
  EXPECT_EQ(Format("{}{}{}", 'a', true, false), "atruefalse");
  EXPECT_EQ(Format("{{{}}} {{}}", 1), "{1} {}");
}

TEST(Format, WritesIntegersOfEachSize) {
  EXPECT_EQ(Format("{} {} {}", 0, -1, uint8_t{255}), "0 -1 255");
  EXPECT_EQ(Format("{} {}", int8_t{-128}, uint16_t{65535}), "-128 65535");
  EXPECT_EQ(Format("{}", std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(Format("{}", std::numeric_limits<int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(Format("{}", std::numeric_limits<uint64_t>::max()), "18446744073709551615");
}

TEST(Format, WritesHexadecimalNumbers) {
  EXPECT_EQ(Format("{:x} {:x}", 0, 0xabcdef), "0 abcdef");
  EXPECT_EQ(Format("{:x}", -255), "-ff");
  EXPECT_EQ(Format("{:x}", std::numeric_limits<int64_t>::min()), "-8000000000000000");
  EXPECT_EQ(Format("\\x{:02x}\\u{:04x}", uint8_t{7}, 0x2028), "\\x07\\u2028");
}

TEST(Format, PadsNumbersWithZeros) {
  EXPECT_EQ(Format("{:04} {:04} {:04}", 7, 1234, 12345), "0007 1234 12345");
  EXPECT_EQ(Format("{:04}", -7), "-007");
  EXPECT_EQ(Format("{:09}", 120000), "000120000");
}

TEST(Join, PutsTheSeparatorBetweenTexts) {
  EXPECT_EQ(Join(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(Join(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(Join(std::vector<std::string_view>{"a", "", "b"}, ", "), "a, , b");
}

}  // namespace
}  // namespace stowage
