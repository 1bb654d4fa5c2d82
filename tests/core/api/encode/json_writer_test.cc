#include "core/api/encode/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

namespace stowage {
namespace {

using std::string_view_literals::operator""sv;

TEST(JsonWriter, EscapesStringsLikeGo) {
  struct {
    std::string_view name;
    std::string_view text;
    std::string_view want;
  } cases[] = {
      {"empty", "", R"("")"},
      {"plain", "node-0", R"("node-0")"},
      {"quote and backslash", R"(a"b\c)", R"("a\"b\\c")"},
      {"short escapes", "\b\f\n\r\t", R"("\b\f\n\r\t")"},
      {"other controls", "\0\x01\x1f"sv, R"("\u0000\u0001\u001f")"},
      {"DEL stays", "\x7f", "\"\x7f\""},
      {"HTML stays", "<a&b>", R"("<a&b>")"},
      {"UTF-8 stays", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
       "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\""},
      {"line separators",
       "a\xe2\x80\xa8\xe2\x80\xa9"
       "b",
       R"("a\u2028\u2029b")"},
      {"invalid bytes", "a\xff\xc3(", R"("a\ufffd\ufffd(")"},
      {"cut sequence", "a\xe2\x82", R"("a\ufffd\ufffd")"},
  };
  for (const auto& c : cases) {
    std::string out;
    AppendJsonString(c.text, &out);
    EXPECT_EQ(out, c.want) << c.name;
  }
}

// Goal: the result does not depend on whether a text is read eight bytes at a time or one by one.
// Method: texts of every size with one byte of each kind at every place.
TEST(JsonWriter, EscapesAtEveryPlace) {
  struct {
    std::string_view text;
    std::string_view want;
  } cases[] = {
      {"~", "~"},          {" ", " "},          {"\x7f", "\x7f"},    {"\"", "\\\""},
      {"\\", "\\\\"},      {"\x1f", "\\u001f"}, {"\0"sv, "\\u0000"}, {"\xc3\xbc", "\xc3\xbc"},
      {"\x80", "\\ufffd"}, {"\xff", "\\ufffd"},
  };
  for (const auto& c : cases) {
    for (size_t size = 0; size < 40; ++size) {
      for (size_t place = 0; place <= size; ++place) {
        std::string before(place, 'a');
        std::string after(size - place, 'b');
        std::string text = before + std::string(c.text) + after;
        std::string want = before + std::string(c.want) + after;
        std::string out;
        JsonWriter(&out).BeginArray().String(text).NamespacedName(text, "p").EndArray();
        ASSERT_EQ(out, "[\"" + want + "\",\"" + want + "/p\"]");
        out.clear();
        JsonWriter(&out).BeginArray().NamespacedName("default", text).EndArray();
        ASSERT_EQ(out, "[\"default/" + want + "\"]");
      }
    }
  }
}

// Goal: nor does it depend on the writer's buffer. Method: records of all sizes around that of the
// buffer.
TEST(JsonWriter, WritesTextsOfAllSizes) {
  for (size_t size = 0; size < 1200; ++size) {
    std::string text(size, 'a');
    std::string name(size % 300, 'k');
    std::string out;
    JsonWriter json(&out);
    json.BeginObject().StringMember<"first">(text).IntMember<"second">(size);
    json.StringMember(name, "v").Key("raw").Raw("[\"" + text + "\"]").BoolMember("last", true);
    json.EndObject();
    std::string number = std::to_string(size);
    ASSERT_EQ(out, "{\"first\":\"" + text + "\",\"second\":" + number + ",\"" + name +
                       "\":\"v\",\"raw\":[\"" + text + "\"],\"last\":true}");
  }
}

TEST(JsonWriter, AppendsCompleteValues) {
  std::string out;
  JsonWriter json(&out);
  json.Int(1);
  EXPECT_EQ(out, "1");
  json.BeginArray().BeginObject().EndObject().EndArray();
  EXPECT_EQ(out, "1,[{}]");
}

// Goal: text known at compile time is written as the calls that it stands for would. Method: at all
// places of the writer's buffer.
TEST(JsonWriter, WritesTextKnownAtCompileTime) {
  for (size_t size = 0; size < 600; ++size) {
    const std::string filler(size, 'x');
    std::string out = "[0]";
    {
      JsonWriter json(&out);
      json.BeginObjectWith<R"({"kind":"Decision","seq":)">();
      json.Int(7).StringMember("filler", filler);
      json.Raw<R"("result":"bound")">().BoolMember("last", true);
      json.EndLine();
    }
    EXPECT_EQ(out, R"([0]{"kind":"Decision","seq":7,"filler":")" + filler +
                       R"(","result":"bound","last":true})" + "\n");
  }
}

TEST(JsonWriter, PutsCommasBetweenValues) {
  std::string out = "prefix ";
  JsonWriter json(&out);
  json.BeginObject().StringMember("kind", "Decision").IntMember("seq", 412).Key("node").Null();
  json.Key("reasons").BeginArray().String("a").BeginObject().EndObject().Int(-1).Bool(false);
  json.BeginArray().EndArray().Raw(R"({"x":1})").EndArray().BoolMember("last", true).EndObject();
  EXPECT_EQ(out, R"(prefix {"kind":"Decision","seq":412,"node":null,)"
                 R"("reasons":["a",{},-1,false,[],{"x":1}],"last":true})");
}

TEST(JsonWriter, WritesIntegersOfEveryWidth) {
  std::string out;
  JsonWriter json(&out);
  json.BeginArray()
      .Int(std::numeric_limits<int64_t>::min())
      .Int(std::numeric_limits<int64_t>::max());
  json.Int(std::numeric_limits<uint64_t>::max()).Int(int8_t{-5}).Int(uint8_t{65}).EndArray();
  EXPECT_EQ(out, "[-9223372036854775808,9223372036854775807,18446744073709551615,-5,65]");
}

// Goal: a double is written as the shortest text that parses back to the same double.
TEST(JsonWriter, WritesDoublesThatParseBack) {
  struct {
    double value;
    std::string_view want;
  } cases[] = {
      {0, "0"},           {-0.0, "-0"},
      {1, "1"},           {0.1, "0.1"},
      {-2.5, "-2.5"},     {1.0 / 3, "0.3333333333333333"},
      {100000, "100000"}, {1e21, "1e+21"},
      {5e-324, "5e-324"}, {1.7976931348623157e308, "1.7976931348623157e+308"},
  };
  for (const auto& c : cases) {
    std::string out;
    JsonWriter(&out).Double(c.value);
    EXPECT_EQ(out, c.want);
    EXPECT_EQ(std::strtod(out.c_str(), nullptr), c.value);
    EXPECT_EQ(std::signbit(std::strtod(out.c_str(), nullptr)), std::signbit(c.value));
  }
}

}  // namespace
}  // namespace stowage
