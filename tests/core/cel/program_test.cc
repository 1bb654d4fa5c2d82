// Goal: expressions evaluate as in cel-go, with its words for errors. Method: tables of expressions
// that CEL's conformance tests (tests/cel) do not have: errors word by word, and limits.
#include "core/cel/program.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/core/cel/evaluated.h"

namespace stowage::cel {
namespace {

struct Case {
  std::string_view expression;
  std::string_view wanted;
};

TEST(Program, ReportsErrorsInTheWordsOfCelGo) {
  const Case cases[] = {
      {"1 / 0", "error: division by zero"},
      {"1u % 0u", "error: modulus by zero"},
      {"9223372036854775807 + 1", "error: integer overflow"},
      {"-9223372036854775808 - 1", "error: integer overflow"},
      {"-(-9223372036854775807 - 1)", "error: integer overflow"},
      {"0u - 1u", "error: unsigned integer overflow"},
      {"{'a': 1}.b", "error: no such key: b"},
      {"{'a': 1}['b']", "error: no such key: b"},
      {"{1: 1}[2]", "error: no such key: 2"},
      {"{true: 1}[false]", "error: no such key: false"},
      {"[1][1]", "error: index out of bounds: 1"},
      {"[1][-1]", "error: index out of bounds: -1"},
      {"dyn([1])['a']", "error: unsupported index type 'string' in list"},
      {"dyn([1])[0.5]", "error: unsupported index value 0.5 in list"},
      {"dyn(1).a", "error: no such key: a"},
      {"dyn(1) + dyn('a')", "error: no such overload"},
      {"dyn('a') > 1", "error: no such overload"},
      {"dyn(1).startsWith('a')", "error: no such overload"},
      {"dyn(1).charAt(1)", "error: no such overload: charAt(int, int)"},
      // An operator of the standard library is named if no first operand of that type has it.
      {"dyn(semver('1.0.0')) < '2'", "error: no such overload: _<_"},
      {"dyn(true) + 1", "error: no such overload: _+_"},
      {"dyn([1]) * 2", "error: no such overload: _*_"},
      {"dyn([1]) + 2", "error: no such overload"},
      {"-dyn(1u)", "error: no such overload: -_"},
      {"-dyn(true)", "error: no such overload"},
      {"!dyn(1)", "error: no such overload"},
      {"dyn('a') - 1", "error: no such overload"},
      {"dyn(duration('1s')) * 2", "error: no such overload"},
      {"dyn(1).size()", "error: no such overload: size"},
      {"size(dyn(null))", "error: no such overload: size"},
      {"1 in dyn(1)", "error: no such overload"},
      {"0.0 / 0.0 < 1.0", "error: NaN values cannot be ordered"},
      {"1 >= 0.0 / 0.0", "error: NaN values cannot be ordered"},
      {"1u <= 0.0 / 0.0", "error: NaN values cannot be ordered"},
      {"0.0 / 0.0 > 1", "error: NaN values cannot be ordered"},
      // Constant patterns are compiled before the evaluation.
      {"dyn(1).matches(dyn('a') + 'b')", "error: no such overload: matches"},
      {"dyn(1).matches('a')", "error: no such overload"},
      {"dyn('a').matches(dyn(1))", "error: no such overload"},
      {"dyn(1).find('a')", "error: no such overload"},
      {"dyn(1).find(dyn('a') + 'b')", "error: no such overload: find(int, string)"},
      {"dyn(1) ? 1 : 2", "error: no such overload"},
      {"dyn(1) && true", "error: no such overload"},
      {"dyn(1).all(x, true)", "error: got 'int', expected iterable type"},
      {"[1, 2].map(x, dyn('a'))[0] * 2", "error: no such overload"},
      {"optional.none().value()", "error: optional.none() dereference"},
      {"[1, 1].transformMap(i, v, v).transformMapEntry(k, v, {v: k})",
       "error: insert failed: key 1 already exists"},
      {"timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: timestamp overflow"},
      {"timestamp(0).getHours('Mars/Base')", "error: unknown time zone Mars/Base"},
  };
  Environment environment = EverythingEnvironment();
  environment.options.folds_constants = false;
  for (const Case& c : cases) EXPECT_EQ(Evaluated(c.expression, environment), c.wanted);
}

TEST(Program, AnErrorIsAbsorbedIfTheOtherSideDecides) {
  const Case cases[] = {
      {"1 / 0 == 1 || true", "true"},
      {"true || 1 / 0 == 1", "true"},
      {"1 / 0 == 1 && false", "false"},
      {"1 / 0 == 1 || false", "error: division by zero"},
      {"1 / 0 == 1 && {'a': 1}.b == 1", "error: division by zero"},
      {"false ? 1 / 0 : 2", "2"},
      {"[1, 0, 2].exists(x, 4 / x == 2)", "true"},
      {"[1, 0, 2].all(x, 4 / x > 0)", "error: division by zero"},
      {"[4, 0].all(x, 4 / x > 1)", "false"},
      {"[0, 1].exists_one(x, 1 / x == 1)", "error: division by zero"},
  };
  for (const Case& c : cases) EXPECT_EQ(Evaluated(c.expression), c.wanted) << c.expression;
}

TEST(Program, EvaluatesMacros) {
  const Case cases[] = {
      {"cel.bind(x, 3, x * x)", "9"},
      {"cel.bind(a, 1, cel.bind(b, a + 1, [a, b]))", "[1, 2]"},
      {"[1, 2, 3].map(x, x > 1, x * 10)", "[20, 30]"},
      {"[[1, 2], [3]].map(row, row.map(x, x + 1))", "[[2, 3], [4]]"},
      {"[1, 2].map(x, [3, 4].map(x, x))", "[[3, 4], [3, 4]]"},
      {"{'b': 1, 'a': 2}.map(k, k)", "['a', 'b']"},
      {"[5, 6].transformList(i, v, i + v)", "[5, 7]"},
      {"[5, 6].exists(i, v, i == 1 && v == 6)", "true"},
      {"[5, 5].existsOne(i, v, v == 5)", "false"},
      {"[5, 5].exists_one(i, v, i == 1)", "true"},
      {"{'a': 1}.transformMap(k, v, v + 1)['a']", "2"},
      {"{'a': 1, 'b': 2}.transformMapEntry(k, v, v > 1, {v: k})[2]", "'b'"},
      {"optional.of(2).optMap(x, x + 1).value()", "3"},
      {"optional.none().optMap(x, x + 1).hasValue()", "false"},
      {"optional.of(2).optFlatMap(x, optional.of(x * 2)).value()", "4"},
      {"[3, 1, 2].sortBy(x, -x)", "[3, 2, 1]"},
      {"has({'a': 1}.a) && !has({'a': 1}.b)", "true"},
  };
  for (const Case& c : cases) EXPECT_EQ(Evaluated(c.expression), c.wanted) << c.expression;
}

TEST(Program, EvaluatesOptionalParts) {
  const Case cases[] = {
      {"{'a': {'b': 1}}.?a.?b", "optional(1)"},
      {"{'a': {'b': 1}}.?a.b", "optional(1)"},
      {"dyn({'a': {'b': 1}}).?x.b.c.d", "none"},
      {"{'a': {'b': 1}}.?a.x", "none"},
      {"[1, 2][?1].orValue(7)", "2"},
      {"[1, 2][?5].orValue(7)", "7"},
      // What stands behind is evaluated only if it is needed.
      {"optional.of(1).orValue(1 / 0)", "1"},
      {"optional.of(1).or([optional.of(2)][5]).value()", "1"},
      {"optional.none().orValue(1 / 0)", "error: division by zero"},
      {"{'a': optional.of(1)}.b.orValue(2)", "error: no such key: b"},
      {"dyn(1).orValue(2)", "1"},
      {"[?optional.none(), ?optional.of(1), 2]", "[1, 2]"},
      {"{?'a': optional.none(), 'b': 1}.size()", "1"},
      {"has({'a': {'b': 1}}.?a.b)", "true"},
      {"has({'a': {'b': 1}}.?x.b)", "false"},
      {"optional.ofNonZeroValue('').or(optional.of('x')).value()", "'x'"},
  };
  for (const Case& c : cases) EXPECT_EQ(Evaluated(c.expression), c.wanted) << c.expression;
}

TEST(Program, ChecksTypes) {
  const Case cases[] = {
      {"x", "undeclared reference to 'x' (in container '')"},
      {"1 + 'a'", "found no matching overload for '_+_' applied to '(int, string)'"},
      {"'a'.size(1)", "found no matching overload for 'size' applied to 'string.(int)'"},
      {"1 && true", "expected type 'bool' but found 'int'"},
      {"1.all(x, true)",
       "expression of type 'int' cannot be range of a comprehension (must be list, map, or "
       "dynamic)"},
      {"'a'.b", "type 'string' does not support field selection"},
      {"[1, 'a']", "expected type 'int' but found 'string'"},
      {"{'a': 1, 2: 2}", "expected type 'string' but found 'int'"},
      {"{'a': 1, 'b': 'c'}", "expected type 'int' but found 'string'"},
      {"google.protobuf.Any{}", "undeclared reference to 'google.protobuf.Any' (in container '')"},
      {"int{}", "'int' is not a message type"},
      {"duration('1x')", "invalid duration argument"},
      {"timestamp('today')", "invalid timestamp argument"},
      {"'a'.matches('[')", "invalid matches argument"},
      {"[].existsOne(x, true)", "undeclared reference to 'existsOne' (in container '')"},
      {"cel.bind(a.b, 1, 2)", "cel.bind() variable names must be simple identifiers"},
      {"a.`b`", "unsupported syntax: '`'"},
      {"let == 1", "reserved identifier: let"},
  };
  for (const Case& c : cases) EXPECT_EQ(FirstIssue(c.expression), c.wanted) << c.expression;
}

TEST(Program, PointsToTheIssue) {
  EXPECT_EQ(Evaluated("1 +\n  x"),
            "issues: ERROR: <input>:2:3: undeclared reference to 'x' (in container '')\n"
            " |   x\n"
            " | ..^");
  EXPECT_EQ(Evaluated("'é' + x"),
            "issues: ERROR: <input>:1:7: undeclared reference to 'x' (in container '')\n"
            " | 'é' + x\n"
            " | .．....^");
}

TEST(Program, AFailingConstantConversionIsFoundWhenItIsCompiled) {
  Environment environment = EverythingEnvironment();
  Compilation compilation = Compile(environment, "int('x') == 1");
  EXPECT_EQ(compilation.program, nullptr);
  EXPECT_TRUE(compilation.is_instantiation_fault);
  EXPECT_EQ(compilation.issues, "type conversion error from 'string' to 'int'");
}

std::string Repeated(std::string_view text, size_t count) {
  std::string result;
  for (size_t time = 0; time < count; ++time) result += text;
  return result;
}

TEST(Program, LimitsTheSizeAndTheDepthOfExpressions) {
  EXPECT_EQ(Evaluated(Repeated(" ", 10 * 1024 - 1) + "1"), "1");
  EXPECT_EQ(FirstIssue(Repeated(" ", 10 * 1024) + "1"),
            "expression code point size exceeds limit: size: 10241, limit 10240");
  EXPECT_EQ(Evaluated(Repeated("(", 249) + "1" + Repeated(")", 249)), "1");
  EXPECT_EQ(FirstIssue(Repeated("(", 250) + "1" + Repeated(")", 250)),
            "expression recursion limit exceeded: 250");
  EXPECT_EQ(Evaluated("1" + Repeated(" + 1", 249)), "250");
  EXPECT_EQ(FirstIssue("1" + Repeated(" + 1", 250)), "max recursion depth exceeded");
  EXPECT_EQ(FirstIssue("{}" + Repeated(".a", 250)), "max recursion depth exceeded");
  EXPECT_EQ(Evaluated("true" + Repeated(" && true", 1000)), "true");
  EXPECT_EQ(Evaluated("true" + Repeated(" || true", 1000)), "true");
  EXPECT_EQ(Evaluated(Repeated("!", 5001) + "false"), "true");
  EXPECT_EQ(FirstIssue("'\xff'"), "expression is not valid UTF-8");
}

// Each loop is nested as deeply as the parser allows.
TEST(Program, EvaluatesTheDeepestExpressions) {
  EXPECT_EQ(Evaluated(Repeated("[1].all(x, ", 120) + "true" + Repeated(")", 120)), "true");
  EXPECT_EQ(Evaluated(Repeated("[1].map(x, ", 120) + "1" + Repeated(")", 120) + " != []"), "true");
  EXPECT_EQ(Evaluated(Repeated("cel.bind(x, 1, ", 120) + "x" + Repeated(")", 120)), "1");
  EXPECT_EQ(Evaluated(Repeated("[", 240) + Repeated("]", 240) + " == []"), "false");
}

TEST(Program, BoundsTheWorkOfLoopsWithoutCost) {
  std::string list = "[" + Repeated("1,", 400) + "1]";
  std::string loop = list + ".filter(a, " + list + ".filter(b, " + list + ".filter(c, " + list +
                     ".filter(d, false) == []) == []) == [])";
  EXPECT_EQ(Evaluated(loop), "error: operation cancelled: actual cost limit exceeded");
}

TEST(Program, BoundsValuesThatMultiply) {
  std::string doubled = "[1]";
  std::string strings = "'ab'";
  for (int round = 0; round < 60; ++round) {
    std::string name = "v" + std::to_string(round);
    doubled = "cel.bind(" + name + ", " + doubled + ", [" + name + ", " + name + "].flatten())";
    strings = "cel.bind(" + name + ", " + strings + ", " + name + " + " + name + ")";
  }
  EXPECT_EQ(Evaluated(strings + " == ''"),
            "error: operation cancelled: actual cost limit exceeded");
  EXPECT_EQ(Evaluated(doubled + " == []"),
            "error: operation cancelled: actual cost limit exceeded");
  std::string nested = "[1]";
  for (int round = 0; round < 60; ++round) nested = "cel.bind(v, " + nested + ", [v, v])";
  EXPECT_EQ(Evaluated(nested + " == " + nested),
            "error: operation cancelled: actual cost limit exceeded");
}

TEST(Program, BoundsTypesThatMultiply) {
  std::string nested = "{'a': 1}";
  for (int round = 0; round < 20; ++round) {
    nested = "cel.bind(v, " + nested + ", {v: v})";
  }
  EXPECT_EQ(FirstIssue(nested + " == " + nested), "the type of the expression is too large");
}

TEST(Program, BoundsOptionalChainsThatAreEvaluatedTwice) {
  std::string chain = "optional.of(1)";
  for (int round = 0; round < 60; ++round) chain += ".optMap(x, x + 1)";
  EXPECT_EQ(Evaluated(chain), "error: operation cancelled: actual cost limit exceeded");
}

TEST(Program, LetsTheCallerChooseTheLimit) {
  Environment environment = EverythingEnvironment();
  Compilation compilation = Compile(environment, "1 + 2 + 3");
  Arena arena;
  EXPECT_EQ(PrintValue(Evaluate(*compilation.program, {}, arena, 2).result), "6");
  EXPECT_EQ(PrintValue(Evaluate(*compilation.program, {}, arena, 1).result),
            "error: operation cancelled: actual cost limit exceeded");
}

}  // namespace
}  // namespace stowage::cel
