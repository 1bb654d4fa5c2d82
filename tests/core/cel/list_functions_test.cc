#include <gtest/gtest.h>

#include <vector>

#include "core/cel/libraries.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

Value Seconds(int64_t seconds) { return Value::Duration(seconds * 1'000'000'000); }

TEST(ListFunctions, SliceAndReorder) {
  LibraryCaller lists(ListFunctions());
  Value numbers = lists.List({I(1), I(2), I(3), I(4)});
  EXPECT_EQ(lists.Print("slice", {numbers, I(1), I(3)}), "[2, 3]");
  EXPECT_EQ(lists.Print("slice", {numbers, I(4), I(4)}), "[]");
  EXPECT_EQ(lists.Print("slice", {numbers, I(-1), I(2)}),
            "error: cannot slice(-1, 2), negative indexes not supported");
  EXPECT_EQ(lists.Print("slice", {numbers, I(3), I(2)}),
            "error: cannot slice(3, 2), start index must be less than or equal to end index");
  EXPECT_EQ(lists.Print("slice", {numbers, I(0), I(5)}),
            "error: cannot slice(0, 5), list is length 4");
  EXPECT_EQ(lists.Print("reverse", {numbers}), "[4, 3, 2, 1]");
  EXPECT_EQ(lists.Print("reverse", {lists.List({})}), "[]");
  EXPECT_EQ(lists.Print("distinct", {lists.List({I(1), I(2), Value::Double(1), I(2), S("a")})}),
            "[1, 2, 'a']");
  EXPECT_EQ(lists.Print("lists.range", {I(3)}), "[0, 1, 2]");
  EXPECT_EQ(lists.Print("lists.range", {I(0)}), "[]");
  EXPECT_EQ(lists.Print("lists.range", {I(-3)}), "[]");
  EXPECT_EQ(lists.Print("lists.range", {I(1'000'000'000'000)}),
            "error: " + std::string(kCostExceeded));
}

TEST(ListFunctions, Flatten) {
  LibraryCaller lists(ListFunctions());
  Value inner = lists.List({I(3), lists.List({I(4)})});
  Value nested = lists.List({lists.List({I(1)}), lists.List({}), inner});
  EXPECT_EQ(lists.Print("flatten", {nested}), "[1, 3, [4]]");
  EXPECT_EQ(lists.Print("flatten", {nested, I(2)}), "[1, 3, 4]");
  EXPECT_EQ(lists.Print("flatten", {nested, I(0)}), "[[1], [], [3, [4]]]");
  EXPECT_EQ(lists.Print("flatten", {nested, I(-1)}), "error: level must be non-negative");
}

TEST(ListFunctions, Sort) {
  LibraryCaller lists(ListFunctions());
  EXPECT_EQ(lists.Print("sort", {lists.List({I(3), I(1), I(2)})}), "[1, 2, 3]");
  EXPECT_EQ(lists.Print("sort", {lists.List({S("b"), S("a")})}), "['a', 'b']");
  EXPECT_EQ(lists.Print("sort", {lists.List({Seconds(2), Seconds(1)})}), "[1s, 2s]");
  EXPECT_EQ(lists.Print("sort", {lists.List({})}), "[]");
  EXPECT_EQ(lists.Print("sort", {lists.List({I(1), S("a")})}),
            "error: list elements must have the same type");
  Value keys = lists.List({I(2), I(1), I(2), I(0)});
  EXPECT_EQ(
      lists.Print("@sortByAssociatedKeys", {lists.List({S("a"), S("b"), S("c"), S("d")}), keys}),
      "['d', 'b', 'a', 'c']");
}

TEST(ListFunctions, FirstAndLastAreOptional) {
  LibraryCaller lists(ListFunctions());
  EXPECT_EQ(lists.Print("first", {lists.List({I(1), I(2)})}), "optional(1)");
  EXPECT_EQ(lists.Print("last", {lists.List({I(1), I(2)})}), "optional(2)");
  EXPECT_EQ(lists.Print("first", {lists.List({})}), "none");
  EXPECT_EQ(lists.Print("last", {lists.List({})}), "none");
}

TEST(KubernetesListFunctions, CompareElements) {
  LibraryCaller lists(KubernetesListFunctions());
  struct {
    std::string_view name;
    Value list;
    std::string_view result;
  } cases[] = {
      {"isSorted", lists.List({I(1), I(2), I(2)}), "true"},
      {"isSorted", lists.List({I(2), I(1)}), "false"},
      {"isSorted", lists.List({}), "true"},
      {"isSorted", lists.List({S("a"), S("b")}), "true"},
      {"isSorted", lists.List({Value::Bool(true), Value::Bool(false)}), "false"},
      // A comparison that fails decides nothing.
      {"isSorted", lists.List({I(1), S("a")}), "true"},
      {"isSorted", lists.List({I(1), S("a"), S("A")}), "false"},
      {"isSorted", lists.List({I(2), Value::Null(), I(1)}), "error: no such overload"},
      {"max", lists.List({I(1), S("a"), I(2)}), "2"},
      {"min", lists.List({I(1), S("a"), I(0)}), "0"},
      {"min", lists.List({I(1), lists.List({})}), "error: no such overload"},
      {"min", lists.List({I(3), I(1), I(2)}), "1"},
      {"max", lists.List({I(3), I(1), I(2)}), "3"},
      {"min", lists.List({S("b"), S("a")}), "'a'"},
      {"max", lists.List({Seconds(1), Seconds(2)}), "2s"},
      {"max", lists.List({Value::Double(1.5), Value::Double(0.5)}), "1.5"},
      {"min", lists.List({}), "error: min called on empty list"},
      {"max", lists.List({}), "error: max called on empty list"},
      {"sum", lists.List({I(1), I(2), I(3)}), "6"},
      {"sum", lists.List({}), "0"},
      {"sum", lists.List({Value::Uint(1), Value::Uint(2)}), "3u"},
      {"sum", lists.List({Value::Double(0.5), Value::Double(1)}), "1.5"},
      {"sum", lists.List({Seconds(1), Seconds(2)}), "3s"},
      {"sum", lists.List({I(INT64_MAX), I(1)}), "error: integer overflow"},
      {"sum", lists.List({Value::Uint(UINT64_MAX), Value::Uint(1)}),
       "error: unsigned integer overflow"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(lists.Print(c.name, {c.list}), c.result) << c.name << PrintValue(c.list);
  }
}

TEST(KubernetesListFunctions, FindElements) {
  LibraryCaller lists(KubernetesListFunctions());
  Value letters = lists.List({S("a"), S("b"), S("b"), S("c")});
  EXPECT_EQ(lists.Print("indexOf", {letters, S("b")}), "1");
  EXPECT_EQ(lists.Print("lastIndexOf", {letters, S("b")}), "2");
  EXPECT_EQ(lists.Print("indexOf", {letters, S("d")}), "-1");
  EXPECT_EQ(lists.Print("lastIndexOf", {lists.List({}), S("d")}), "-1");
  EXPECT_EQ(lists.Print("indexOf", {lists.List({I(1), I(2)}), Value::Double(2)}), "1");
}

TEST(KubernetesListFunctions, CostATraversal) {
  LibraryCaller lists(KubernetesListFunctions());
  EXPECT_EQ(lists.Cost("sum", {lists.List({I(1), I(2), I(3)})}), 3u);
  const std::string text(25, 'a');
  EXPECT_EQ(lists.Cost("isSorted", {lists.List({S(text), S(text)})}), 4u);
}

TEST(SetFunctions, CompareLists) {
  LibraryCaller sets(SetFunctions());
  struct {
    std::string_view name;
    Value a;
    Value b;
    std::string_view result;
  } cases[] = {
      {"sets.contains", sets.List({}), sets.List({}), "true"},
      {"sets.contains", sets.List({}), sets.List({I(1)}), "false"},
      {"sets.contains", sets.List({I(1), I(2), I(3)}), sets.List({I(3), I(1), I(3)}), "true"},
      {"sets.contains", sets.List({I(1)}), sets.List({Value::Double(1)}), "true"},
      {"sets.contains", sets.List({I(1)}), sets.List({I(2)}), "false"},
      {"sets.equivalent", sets.List({I(1), I(1)}), sets.List({I(1)}), "true"},
      {"sets.equivalent", sets.List({I(1), I(2)}), sets.List({I(1)}), "false"},
      {"sets.equivalent", sets.List({}), sets.List({}), "true"},
      {"sets.intersects", sets.List({I(1), I(2)}), sets.List({I(2), I(3)}), "true"},
      {"sets.intersects", sets.List({I(1)}), sets.List({}), "false"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(sets.Print(c.name, {c.a, c.b}), c.result) << c.name << PrintValue(c.a);
  }
  Value three = sets.List({I(1), I(2), I(3)});
  EXPECT_EQ(sets.Cost("sets.contains", {three, three}), 10u);
  EXPECT_EQ(sets.Cost("sets.equivalent", {three, three}), 19u);
}

TEST(IncludesFunctions, TakeScalarsAndLists) {
  LibraryCaller includes(IncludesFunctions());
  EXPECT_EQ(includes.Print("includes", {I(1), I(1)}), "true");
  EXPECT_EQ(includes.Print("includes", {I(1), I(2)}), "false");
  EXPECT_EQ(includes.Print("includes", {includes.List({I(1), I(2)}), I(2)}), "true");
  EXPECT_EQ(includes.Print("includes", {includes.List({}), I(2)}), "false");
  std::vector<Value> many(48, I(0));
  EXPECT_EQ(includes.Print("includes", {ValueBuilder::List(includes.arena(), many), I(1)}),
            "false");
  many.push_back(I(1));
  EXPECT_EQ(includes.Print("includes", {ValueBuilder::List(includes.arena(), many), I(1)}),
            "error: 'includes' function cannot be applied to lists longer than 48 values");
}

TEST(RegexFunctions, FindMatches) {
  LibraryCaller regex(RegexFunctions());
  EXPECT_EQ(regex.Print("find", {S("abc 123"), S("[0-9]+")}), "'123'");
  EXPECT_EQ(regex.Print("find", {S("abc"), S("[0-9]+")}), "''");
  EXPECT_EQ(regex.Print("findAll", {S("123 abc 456"), S("[0-9]+")}), "['123', '456']");
  EXPECT_EQ(regex.Print("findAll", {S("1 2 3"), S("\\d"), I(2)}), "['1', '2']");
  EXPECT_EQ(regex.Print("findAll", {S("1 2 3"), S("\\d"), I(0)}), "[]");
  EXPECT_EQ(regex.Print("findAll", {S("1 2 3"), S("\\d"), I(-1)}), "['1', '2', '3']");
  EXPECT_EQ(regex.Print("findAll", {S("abc"), S("x*")}), "['', '', '', '']");
  EXPECT_EQ(regex.Print("find", {S("abc"), S("[a")}),
            "error: Illegal regex: error parsing regexp: missing closing ]: `[a`");
  EXPECT_EQ(regex.Print("findAll", {S("abc"), S("*")}),
            "error: Illegal regex: error parsing regexp: missing argument to repetition "
            "operator: `*`");
  EXPECT_EQ(regex.Cost("find", {S("123 abc 456"), S("[0-9]+")}), 4u);
  const std::string text(100'000, 'a');
  EXPECT_EQ(regex.Print("findAll", {S(text), S("(a{1,999}b)?")}),
            "error: " + std::string(kCostExceeded));
}

}  // namespace
}  // namespace stowage::cel
