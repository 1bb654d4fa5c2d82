#include "core/api/decode/json_scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/envelope.h"

namespace stowage {
namespace {

std::vector<std::string> Members(std::string_view text, JsonScanner* scanner) {
  std::vector<std::string> members;
  if (!scanner->OpenObject()) return members;
  std::string_view key;
  while (scanner->NextMember(&key)) {
    JsonValue value;
    scanner->SkipValue(&value);
    members.push_back(std::string(key) + "=" + std::string(value.In(text)));
  }
  return members;
}

TEST(JsonScanner, FindsMembers) {
  struct {
    std::string_view text;
    std::vector<std::string> want;
  } cases[] = {
      {"{}", {}},
      {" { } ", {}},
      {R"({"a":1})", {"a=1"}},
      {R"({ "a" : -1.5e+3 , "b" : null })", {"a=-1.5e+3", "b=null"}},
      {R"({"a":"}]{[","b":{"x":["\"}",{}]},"c":[]})",
       {R"(a="}]{[")", R"(b={"x":["\"}",{}]})", "c=[]"}},
      {R"({"a\"b":true,"":false})", {R"(a\"b=true)", "=false"}},
      {R"({"long key beyond a word":"long text, beyond a word \\"})",
       {R"(long key beyond a word="long text, beyond a word \\")"}},
  };
  for (const auto& c : cases) {
    JsonScanner scanner(c.text);
    EXPECT_EQ(Members(c.text, &scanner), c.want) << c.text;
    EXPECT_TRUE(scanner.ExpectEnd()) << c.text;
    EXPECT_FALSE(scanner.has_failed()) << c.text;
  }
}

TEST(JsonScanner, FailsWhereTheTextIsNoObject) {
  struct {
    std::string_view text;
    size_t offset;
    std::string_view message;
  } cases[] = {
      {"", 0, "unexpected end of input"},
      {"[]", 0, "unexpected '['"},
      {"{", 1, "unexpected end of input"},
      {R"({"a)", 3, "unexpected end of input"},
      {R"({"a\)", 4, "unexpected end of input"},
      {R"({"a")", 4, "unexpected end of input"},
      {R"({"a" 1})", 5, "unexpected '1'"},
      {R"({"a":})", 5, "unexpected '}'"},
      {R"({"a":1)", 6, "unexpected end of input"},
      {R"({"a":1,})", 7, "unexpected '}'"},
      {R"({,"a":1})", 1, "unexpected ','"},
      {R"({"a":1 "b":2})", 7, "unexpected '\"'"},
      {R"({"a":[1,2)", 9, "unexpected end of input"},
      {R"({"a":"1\")", 9, "unexpected end of input"},
      {R"({"a":nul})", 5, "unexpected 'n'"},
      {R"({"a":1}x)", 7, "unexpected 'x'"},
      {"{\"a\":1}\x01", 7, "unexpected byte 0x01"},
      {"{\"a\":1}\xff", 7, "unexpected byte 0xff"},
  };
  for (const auto& c : cases) {
    JsonScanner scanner(c.text);
    Members(c.text, &scanner);
    EXPECT_FALSE(scanner.ExpectEnd()) << c.text;
    EXPECT_TRUE(scanner.has_failed()) << c.text;
    EXPECT_EQ(scanner.offset(), c.offset) << c.text;
    EXPECT_EQ(scanner.FaultMessage(), c.message) << c.text;
  }
}

TEST(JsonScanner, FindsItems) {
  std::string_view text = R"( [1, "a,]", {"b":[2]},[] ])";
  JsonScanner scanner(text);
  ASSERT_TRUE(scanner.OpenArray());
  std::vector<std::string> items;
  while (scanner.NextItem()) {
    JsonValue value;
    ASSERT_TRUE(scanner.SkipValue(&value));
    items.emplace_back(value.In(text));
  }
  EXPECT_EQ(items, (std::vector<std::string>{"1", R"("a,]")", R"({"b":[2]})", "[]"}));
  EXPECT_TRUE(scanner.ExpectEnd());
}

TEST(Envelope, UsesTheLastOfDuplicateMembers) {
  std::string_view text = R"({"kind":"Pod","kind":"Node","spec":{},"x":1,"metadata":{"a":[{}]}})";
  Envelope envelope = ScanEnvelope(text, 0);
  EXPECT_EQ(envelope.kind.In(text), R"("Node")");
  EXPECT_EQ(envelope.value.In(text), text);
  EXPECT_EQ(envelope.member_count, 5u);
  EXPECT_FALSE(envelope.fault_offset.has_value());
  EXPECT_EQ(FindMember(text, envelope.metadata, "a").In(text), "[{}]");
  EXPECT_FALSE(FindMember(text, envelope.metadata, "b").exists());
}

TEST(MemberText, FollowsAPath) {
  constexpr std::string_view kText = R"({"a":{"b":[{"c":1}],"d":"x"}})";
  EXPECT_EQ(MemberText(kText, {"a", "d"}), R"("x")");
  EXPECT_EQ(MemberText(kText, {"a", "b"}), R"([{"c":1}])");
  EXPECT_EQ(MemberText(MemberText(kText, {"a", "b"}), {"c"}), "1");
  for (std::string_view text : {"", "1", "[]", R"({"a":1})", R"({"a":"{"})"}) {
    EXPECT_EQ(MemberText(text, {"a", "d"}), "") << text;
  }
}

TEST(Envelope, ReadsStrings) {
  EXPECT_EQ(ReadJsonString(R"("Pod")"), "Pod");
  EXPECT_EQ(ReadJsonString(R"("")"), "");
  EXPECT_EQ(ReadJsonString(R"("\u0050od\n")"), "Pod\n");
  EXPECT_EQ(ReadJsonString("\"gr\xc3\xbc\""), "gr\xc3\xbc");
  for (std::string_view text : {"", "\"", "1", "null", "{}", R"("\q")", "\"\xff\"", "\"\n\""}) {
    EXPECT_FALSE(ReadJsonString(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace stowage
