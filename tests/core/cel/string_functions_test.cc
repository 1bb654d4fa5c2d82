#include <gtest/gtest.h>

#include <limits>

#include "core/cel/libraries.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

struct StringCase {
  std::string_view name;
  std::initializer_list<Value> arguments;
  std::string_view result;
};

void ExpectResults(std::initializer_list<StringCase> cases) {
  LibraryCaller strings(StringFunctions());
  for (const StringCase& c : cases) {
    EXPECT_EQ(strings.Print(c.name, c.arguments), c.result)
        << c.name << " of " << PrintValue(*c.arguments.begin());
  }
}

TEST(StringFunctions, FindPlacesByCodePoint) {
  ExpectResults({
      {"charAt", {S("tacocat"), I(3)}, "'o'"},
      {"charAt", {S("tacocat"), I(7)}, "''"},
      {"charAt", {S("©αT"), I(1)}, "'α'"},
      {"charAt", {S("tacocat"), I(8)}, "error: index out of range: 8"},
      {"charAt", {S("a"), I(-1)}, "error: index out of range: -1"},
      {"indexOf", {S("tacocat"), S("ac")}, "1"},
      {"indexOf", {S("tacocat"), S("")}, "0"},
      {"indexOf", {S("tacocat"), S("none")}, "-1"},
      {"indexOf", {S("tacocat"), S(""), I(3)}, "3"},
      {"indexOf", {S("tacocat"), S("a"), I(3)}, "5"},
      {"indexOf", {S("ta©o©αT"), S("©"), I(3)}, "4"},
      {"indexOf", {S("ta©o©αT"), S("©α"), I(5)}, "-1"},
      {"indexOf", {S("tacocat"), S("a"), I(30)}, "error: index out of range: 30"},
      {"indexOf", {S("tacocat"), S("a"), I(-1)}, "error: index out of range: -1"},
      {"indexOf", {S(""), S("a")}, "-1"},
      {"lastIndexOf", {S("tacocat"), S("at")}, "5"},
      {"lastIndexOf", {S("tacocat"), S("")}, "7"},
      {"lastIndexOf", {S(""), S("@@")}, "-1"},
      {"lastIndexOf", {S("tacocat"), S(""), I(3)}, "3"},
      {"lastIndexOf", {S("tacocat"), S("a"), I(3)}, "1"},
      {"lastIndexOf", {S("ta©o©αT"), S("©α"), I(4)}, "4"},
      {"lastIndexOf", {S("bananananana"), S("nana"), I(7)}, "6"},
      {"lastIndexOf", {S("tacocat"), S("a"), I(30)}, "error: index out of range: 30"},
      {"lastIndexOf", {S("tacocat"), S("a"), I(-1)}, "error: index out of range: -1"},
      {"substring", {S("tacocat"), I(4)}, "'cat'"},
      {"substring", {S("tacocat"), I(7)}, "''"},
      {"substring", {S("ta©o©αT"), I(2), I(6)}, "'©o©α'"},
      {"substring", {S("tacocat"), I(4), I(4)}, "''"},
      {"substring", {S("tacocat"), I(40)}, "error: index out of range: 40"},
      {"substring", {S("tacocat"), I(-1)}, "error: index out of range: -1"},
      {"substring", {S("tacocat"), I(1), I(50)}, "error: index out of range: 50"},
      {"substring", {S("tacocat"), I(4), I(3)}, "error: invalid substring range. start: 4, end: 3"},
      {"charAt", {S("hello"), Value::Bool(true)}, "error: no such overload"},
  });
}

TEST(StringFunctions, RewriteTexts) {
  ExpectResults({
      {"lowerAscii", {S("TacoCÆt [Z]")}, "'tacocÆt [z]'"},
      {"upperAscii", {S("tacoCαt {z}")}, "'TACOCαT {Z}'"},
      {"replace", {S("{0} days {0} hours"), S("{0}"), S("2")}, "'2 days 2 hours'"},
      {"replace", {S("{0} days {0} hours"), S("{0}"), S("2"), I(1)}, "'2 days {0} hours'"},
      {"replace", {S("aaa"), S("a"), S("b"), I(0)}, "'aaa'"},
      {"replace", {S("aaa"), S("a"), S("aa"), I(-1)}, "'aaaaaa'"},
      {"replace", {S("aé"), S(""), S("-")}, "'-a-é-'"},
      {"replace", {S("aé"), S(""), S("-"), I(2)}, "'-a-é'"},
      {"replace", {S(""), S(""), S("-")}, "'-'"},
      {"replace", {S("abc"), S("b"), S("")}, "'ac'"},
      {"split", {S("hello world"), S(" ")}, "['hello', 'world']"},
      {"split", {S("hello world events!"), S(" "), I(0)}, "[]"},
      {"split", {S("hello world events!"), S(" "), I(1)}, "['hello world events!']"},
      {"split", {S("hello world events!"), S(" "), I(2)}, "['hello', 'world events!']"},
      {"split", {S("o©o©o"), S("©"), I(-1)}, "['o', 'o', 'o']"},
      {"split", {S("aéb"), S("")}, "['a', 'é', 'b']"},
      {"split", {S("aéb"), S(""), I(2)}, "['a', 'éb']"},
      {"split", {S(""), S("")}, "[]"},
      {"split", {S(""), S(",")}, "['']"},
      {"split", {S(",a,"), S(",")}, "['', 'a', '']"},
      {"trim", {S(" \f\n\r\t\vtext\u2003 ")}, "'text'"},
      {"trim", {S("\u180Etext\u200B")}, "'\u180Etext\u200B'"},
      {"strings.quote", {S("a\"b\\c\nd\a")}, "'\"a\\\"b\\\\c\\nd\\a\"'"},
      {"strings.quote", {S("завтра 😀")}, "'\"завтра 😀\"'"},
  });
}

TEST(StringFunctions, JoinLists) {
  LibraryCaller strings(StringFunctions());
  EXPECT_EQ(strings.Print("join", {strings.List({S("x"), S("y")})}), "'xy'");
  EXPECT_EQ(strings.Print("join", {strings.List({S("x"), S("y")}), S("-")}), "'x-y'");
  EXPECT_EQ(strings.Print("join", {strings.List({}), S("-")}), "''");
  EXPECT_EQ(strings.Print("join", {strings.List({S("x"), I(1)})}), "error: join: invalid input: 1");
}

// Goal: no call takes more memory or work than an evaluation may have. Method: arguments that would
// give texts of gigabytes, or take billions of comparisons.
TEST(StringFunctions, AreBounded) {
  LibraryCaller strings(StringFunctions());
  const std::string text(1 << 16, 'a');
  std::string exceeded = "error: " + std::string(kCostExceeded);
  EXPECT_EQ(strings.Print("replace", {S(text), S(""), S(text)}), exceeded);
  EXPECT_EQ(strings.Print("replace", {S(text), S("a"), S(text)}), exceeded);
  EXPECT_EQ(strings.Print("indexOf", {S(text), S(text.substr(1) + "b")}), exceeded);
}

TEST(StringFunctions, HaveTheCostsOfTraversals) {
  LibraryCaller strings(StringFunctions());
  const std::string text(95, 'a');
  EXPECT_EQ(strings.Cost("charAt", {S(text), I(0)}), 1u);
  EXPECT_EQ(strings.Cost("lowerAscii", {S(text)}), 10u);
  EXPECT_EQ(strings.Cost("trim", {S(text)}), 10u);
  EXPECT_EQ(strings.Cost("substring", {S(text), I(1)}), 10u);
  EXPECT_EQ(strings.Cost("replace", {S(text), S("a"), S("b")}), 19u);
  EXPECT_EQ(strings.Cost("split", {S(text), S("b")}), 19u);
  EXPECT_EQ(strings.Cost("join", {strings.List({S(text), S(text)})}), 38u);
  EXPECT_EQ(strings.Cost("indexOf", {S(text), S("b")}), 9u);
}

TEST(StringFunctions, Format) {
  LibraryCaller strings(StringFunctions());
  auto format = [&](std::string_view text, std::initializer_list<Value> arguments) {
    return strings.Print("format", {S(text), strings.List(arguments)});
  };
  double infinity = std::numeric_limits<double>::infinity();
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(format("no clause", {}), "'no clause'");
  EXPECT_EQ(format("%%%s%%", {S("text")}), "'%text%'");
  EXPECT_EQ(format("%d %s", {I(1), S("A")}), "'1 A'");
  EXPECT_EQ(format("%d %d", {I(-5), Value::Uint(64)}), "'-5 64'");
  EXPECT_EQ(
      format("%.3f|%f|%.0f", {Value::Double(1.2345), Value::Double(2.71828), Value::Double(2.5)}),
      "'1.234|2.718280|2'");
  EXPECT_EQ(format("%.6e|%e", {Value::Double(1052.032911275), Value::Double(-2.71828)}),
            "'1.052033\u202f×\u202f10⁰³|-2.718280\u202f×\u202f10⁰⁰'");
  EXPECT_EQ(format("%f|%f|%f", {Value::Double(nan), Value::Double(infinity), S("-Infinity")}),
            "'NaN|∞|-∞'");
  EXPECT_EQ(format("%b %b %b %b", {I(5), I(-5), Value::Uint(64), Value::Bool(true)}),
            "'101 -101 1000000 1'");
  EXPECT_EQ(format("%o %o", {I(11), Value::Uint(65535)}), "'13 177777'");
  EXPECT_EQ(format("%x %X %x", {I(30), Value::Uint(6000), I(-30)}), "'1e 1770 -1e'");
  EXPECT_EQ(format("%x %X", {S("Hello!"), Value::Bytes("\xFF\n")}), "'48656c6c6f21 FF0A'");
  EXPECT_EQ(format("%s %s %s", {Value::Null(), Value::Bool(true), I(999999999999)}),
            "'null true 999999999999'");
  EXPECT_EQ(format("%s %s", {Value::Type("string"), Value::Bytes("xyz")}), "'string xyz'");
  EXPECT_EQ(format("%s", {Value::Timestamp(1675467080, 0)}), "'2023-02-03T23:31:20Z'");
  EXPECT_EQ(format("%s", {Value::Duration(6'347'000'000'000)}), "'6347s'");
  EXPECT_EQ(format("%s", {strings.List({S("abc"), Value::Double(3.14), Value::Null(),
                                        strings.List({I(9), I(8)})})}),
            "'[\"abc\", 3.140000, null, [9, 8]]'");
  MapEntry entries[] = {{S("key"), Value::Bool(true)}, {I(6), Value::Double(nan)}};
  EXPECT_EQ(format("%s", {ValueBuilder::Map(strings.arena(), entries)}),
            "'{\"key\":true, 6:\"NaN\"}'");
  EXPECT_EQ(format("%s", {strings.List({Value::Bytes("é\n"), Value::Duration(1'000'000'000),
                                        Value::Timestamp(0, 0), Value::Double(-infinity),
                                        Value::Double(1e21)})}),
            "'[b\"é\\n\", duration(\"1s\"), timestamp(\"1970-01-01T00:00:00Z\"), \"-Inf\", "
            "1000000000000000000000.000000]'");
  EXPECT_EQ(format("%s %s", {Value::Double(infinity), Value::Double(2e-9)}), "'+Inf 2e-09'");
}

TEST(StringFunctions, FormatWritesDoublesAsInAmericanEnglish) {
  LibraryCaller strings(StringFunctions());
  auto format = [&](std::string_view text, Value argument) {
    return strings.Print("format", {S(text), strings.List({argument})});
  };
  EXPECT_EQ(format("%f", Value::Double(1234567.5)), "'1,234,567.500000'");
  EXPECT_EQ(format("%.1f", Value::Double(-123456)), "'-123,456.0'");
  EXPECT_EQ(format("%.2f", Value::Double(999.994)), "'999.99'");
  EXPECT_EQ(format("%.2f", Value::Double(-0.0)), "'0.00'");
  EXPECT_EQ(format("%.2f", Value::Double(-0.001)), "'-0.00'");
  // The smallest number of digits is kept in a byte, the largest is not.
  EXPECT_EQ(format("%.258f", Value::Double(1.5)), "'1.50'");
  EXPECT_EQ(format("%.256f", Value::Double(2)), "'2'");
  EXPECT_EQ(format("%.256f", Value::Double(0.125)), "'0.125'");
  // What should be the precision of %e is a width.
  EXPECT_EQ(format("%.2e", Value::Double(2.71828)), "'2.718280\u202f×\u202f10⁰⁰'");
  EXPECT_EQ(format("%.0e", Value::Double(1e-100)), "'1.000000\u202f×\u202f10⁻¹⁰⁰'");
  EXPECT_EQ(format("%.18e", Value::Double(45678.9)), "'   4.567890\u202f×\u202f10⁰⁴'");
  EXPECT_EQ(format("%e", S("NaN")), "'   NaN'");
  EXPECT_EQ(format("%.4e", S("-Infinity")), "'  -∞'");
}

TEST(StringFunctions, FormatReportsErrors) {
  LibraryCaller strings(StringFunctions());
  struct {
    std::string_view format;
    Value argument;
    std::string_view message;
  } cases[] = {
      {"%a", I(1), "could not parse formatting clause: unrecognized formatting clause \"a\""},
      {"%E", I(1), "could not parse formatting clause: unrecognized formatting clause \"E\""},
      {"%é", I(1), "could not parse formatting clause: unrecognized formatting clause \"Ã\""},
      {"%d %d", I(1), "index 1 out of range"},
      {"%", I(1), "unexpected end of string"},
      {"%.", I(1),
       "could not parse formatting clause: error while parsing precision: could not find end of "
       "precision specifier"},
      {"%.f", Value::Double(1),
       "could not parse formatting clause: error while parsing precision: error while converting "
       "precision to integer: strconv.Atoi: parsing \"\": invalid syntax"},
      {"%.1001f", Value::Double(1),
       "could not parse formatting clause: error while parsing precision: error while converting "
       "precision to integer: strconv.Atoi: parsing \"1001\": value out of range"},
      {"%d", Value::Double(std::numeric_limits<double>::infinity()),
       "error during formatting: decimal clause can only be used on integers, was given double"},
      {"%s", Value::Bytes("\xff"),
       "error during formatting: could not convert argument \"invalid UTF-8 in bytes, cannot "
       "convert to string\" to string"},
      {"%s", strings.List({Value::OptionalNone()}),
       "error during formatting: no formatting function for optional_type"},
      {"%b", S("abc"),
       "error during formatting: only integers and bools can be formatted as binary, was given "
       "string"},
      {"%d", Value::Duration(1),
       "error during formatting: decimal clause can only be used on integers, was given "
       "google.protobuf.Duration"},
      {"%d", Value::Double(1.5),
       "error during formatting: decimal clause can only be used on integers, was given double"},
      {"%o", S("a"),
       "error during formatting: octal clause can only be used on integers, was given string"},
      {"%x", Value::Double(0.5),
       "error during formatting: only integers, byte buffers, and strings can be formatted as "
       "hex, was given double"},
      {"%e", Value::Null(),
       "error during formatting: scientific clause can only be used on doubles, was given "
       "null_type"},
      {"%f", I(1),
       "error during formatting: fixed-point clause can only be used on doubles, was given int"},
      {"%s", Value::OptionalNone(),
       "error during formatting: string clause can only be used on strings, bools, bytes, ints, "
       "doubles, maps, lists, types, durations, and timestamps, was given optional_type"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(strings.Print("format", {S(c.format), strings.List({c.argument})}),
              "error: " + std::string(c.message))
        << c.format;
  }
}

}  // namespace
}  // namespace stowage::cel
