#include "core/api/field_error.h"

#include <gtest/gtest.h>

namespace stowage {
namespace {

TEST(FieldError, QuotesLikeGo) {
  struct {
    std::string_view text;
    std::string_view want;
  } cases[] = {
      {"", "\"\""},
      {"plain", "\"plain\""},
      {"a\"b\\c", "\"a\\\"b\\\\c\""},
      {"\n\t\r", "\"\\n\\t\\r\""},
      {std::string_view("\0\x1f\x7f", 3), "\"\\x00\\x1f\\x7f\""},
      {"gr\xc3\xbc\xc3\x9f <&>", "\"gr\xc3\xbc\xc3\x9f <&>\""},
  };
  for (const auto& c : cases) EXPECT_EQ(GoQuote(c.text), c.want);
}

TEST(FieldError, BuildsPaths) {
  EXPECT_EQ(ChildPath("", "key"), "key");
  EXPECT_EQ(ChildPath("terms[0]", "key"), "terms[0].key");
  EXPECT_EQ(IndexPath("", 2), "[2]");
  EXPECT_EQ(IndexPath("values", 12), "values[12]");
}

TEST(FieldError, NamesTheBadValue) {
  EXPECT_EQ(InvalidValue("a.b", "x", "must be y"), "a.b: Invalid value: \"x\": must be y");
  EXPECT_EQ(InvalidValue("a", {Symbol("x"), Symbol("<y>")}, "bad"),
            "a: Invalid value: [\"x\",\"\\u003cy\\u003e\"]: bad");
  EXPECT_EQ(InvalidValue("a", std::vector<Symbol>{}, "bad"), "a: Invalid value: null: bad");
  EXPECT_EQ(UnsupportedValue("op", "foo", {"In", "NotIn"}),
            "op: Unsupported value: \"foo\": supported values: \"In\", \"NotIn\"");
}

TEST(FieldError, JoinsSeveralErrors) {
  FieldErrors errors;
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(errors.Text(), "");
  errors.Add("first");
  EXPECT_EQ(errors.Text(), "first");
  errors.Add("first");
  EXPECT_EQ(errors.Text(), "first");
  errors.Add(FieldErrors("second"));
  EXPECT_EQ(errors.Text(), "[first, second]");
}

}  // namespace
}  // namespace stowage
