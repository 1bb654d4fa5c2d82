// Goal: the runtime cost is that of cel-go's cost tracker, with the costs of Kubernetes' libraries.
// Method: a table of expressions, first without and then with folding of constants; spec
// plugins/dynamic-resources-cel.md.
#include <gtest/gtest.h>

#include <string>

#include "tests/core/cel/evaluated.h"

namespace stowage::cel {
namespace {

struct Case {
  std::string_view expression;
  uint64_t cost;
};

uint64_t CostOf(std::string_view expression, bool folds_constants) {
  Arena arena;
  auto type_of = [&](std::string_view letters) { return ParseType(arena, &letters); };
  const Variable variables[] = {
      {"list", type_of("li")}, {"map", type_of("msi")}, {"nested", type_of("msmsi")},
      {"text", &kStringType},  {"number", &kIntType},   {"any", &kDynType},
  };
  Environment environment = EverythingEnvironment();
  environment.variables = variables;
  environment.options.folds_constants = folds_constants;
  Compilation compilation = Compile(environment, expression);
  EXPECT_NE(compilation.program, nullptr) << expression << ' ' << compilation.issues;
  if (compilation.program == nullptr) return 0;
  const Value items[] = {Value::Int(1), Value::Int(2)};
  const MapEntry entries[] = {{Value::String("key"), Value::Int(1)}};
  Value map = ValueBuilder::Map(arena, entries);
  const MapEntry outer[] = {{Value::String("key"), map}};
  const std::string text(500, 'a');
  const Value values[] = {ValueBuilder::List(arena, items),
                          map,
                          ValueBuilder::Map(arena, outer),
                          Value::String(text),
                          Value::Int(1),
                          Value::Int(1)};
  return Evaluate(*compilation.program, values, arena).cost;
}

TEST(Cost, IsThatOfCelGo) {
  const Case cases[] = {
      {"'Hello World!'", 0},
      {"list", 1},
      {"map['key']", 2},
      {"map.key", 2},
      {"nested.key.key", 3},
      {"list[0]", 2},
      {"map['ke' + 'y']", 3},
      {"list[3 - 3]", 3},
      {"list[number]", 2},
      {"[1, 2][0]", 12},
      {"has(map.key)", 1},
      {"has(nested.key.key)", 2},
      {"[1, 2, 3]", 10},
      {"{'a': 1, 'b': 2}", 30},
      {"[1, 2, 3].all(x, true)", 20},
      {"list.exists(x, x == 2)", 14},
      {"list.map(x, x)", 38},
      {"text.matches('[0-9]')", 103},
      {"'123'.matches('[0-9]')", 2},
      {"false || false", 0},
      {"true && false", 0},
      {"number == 1 || number == 2", 2},
      {"1 < 2", 1},
      {"1 == 2", 1},
      {"2 in [1, 2, 3]", 13},
      {"1 + 1", 1},
      {"true ? 1 : 2", 0},
      {"(number > 2 ? list : list)[0]", 3},
      {"size('123')", 1},
      {"'12345678901234567890' == '123456789012345678901234567890'", 2},
      {"bytes(text)", 51},
      {"string(1)", 1},
      {"text.contains(text)", 2502},
      {"text.startsWith('a')", 51},
      {"text.endsWith('a')", 51},
      {"text.size()", 2},
      {"text + text", 102},
      {"list + list", 3},
      {"text < text", 52},
      {"any > 2", 2},
      {"any + 1", 2},
      {"cel.bind(x, 1, x)", 11},
      // Kubernetes' libraries.
      {"quantity('500Mi').isGreaterThan(quantity('1'))", 3},
      {"text.lowerAscii()", 51},
      {"text.replace('a', 'b')", 101},
      {"text.find('[0-9]')", 103},
      {"list.isSorted()", 3},
  };
  for (const Case& c : cases) EXPECT_EQ(CostOf(c.expression, false), c.cost) << c.expression;
}

TEST(Cost, OfConstantsIsNothing) {
  const Case cases[] = {
      {"[1, 2, 3]", 0},           {"{'a': 1}", 0},
      {"[[1], [2]]", 0},          {"[1, number]", 11},
      {"number in [1, 2, 3]", 1}, {"2 in []", 0},
      {"int('1') + 1", 1},        {"[1, 2, 3].all(x, true)", 10},
      {"text in ['a', 'b']", 1},
  };
  for (const Case& c : cases) EXPECT_EQ(CostOf(c.expression, true), c.cost) << c.expression;
}

}  // namespace
}  // namespace stowage::cel
