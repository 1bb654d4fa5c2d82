#include "core/api/selector.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

Selector Compile(const LabelSelector& selector) {
  Result<Selector, FieldErrors> compiled = Selector::Make(selector);
  CHECK(compiled.ok());
  return compiled.Take();
}

Requirement Compare(std::string_view key, SelectorOperator op, std::string_view operand) {
  std::optional<Requirement> requirement = Requirement::Make(Expression(key, "", {operand}), op);
  CHECK(requirement.has_value());
  return *requirement;
}

// Goal: null and empty are opposites. Method: both, and the two named selectors.
TEST(Selector, NullSelectsNothingAndEmptyEverything) {
  Selector nothing = Selector::Make(std::nullopt).Take();
  Selector everything = Compile({});
  for (const LabelMap& labels : {LabelMap(), LabelMap{{"a", "b"}}}) {
    EXPECT_FALSE(nothing.Matches(labels));
    EXPECT_TRUE(everything.Matches(labels));
    EXPECT_FALSE(Selector::Nothing().Matches(labels));
    EXPECT_TRUE(Selector::Everything().Matches(labels));
  }
  EXPECT_FALSE(nothing.Empty());
  EXPECT_TRUE(nothing.MatchesNothing());
  EXPECT_TRUE(everything.Empty());
  EXPECT_FALSE(everything.MatchesNothing());
  nothing.Add({Requirement::Equals(Symbol("a"), Symbol("b"))});
  EXPECT_FALSE(nothing.Matches({{"a", "b"}}));
}

TEST(Selector, MatchesLabels) {
  struct {
    std::string_view name;
    LabelSelector selector;
    LabelMap labels;
    bool want;
  } cases[] = {
      {"equal", MakeLabelSelector({{"a", "1"}}), {{"a", "1"}}, true},
      {"other value", MakeLabelSelector({{"a", "1"}}), {{"a", "2"}}, false},
      {"missing", MakeLabelSelector({{"a", "1"}}), {{"b", "1"}}, false},
      {"superset", MakeLabelSelector({{"a", "1"}}), {{"a", "1"}, {"b", "2"}}, true},
      {"subset", MakeLabelSelector({{"a", "1"}, {"b", "2"}}), {{"a", "1"}}, false},
      {"empty value present", MakeLabelSelector({{"a", ""}}), {{"a", ""}}, true},
      {"empty value missing", MakeLabelSelector({{"a", ""}}), {}, false},
      {"In", MakeLabelSelector({}, {Expression("a", "In", {"1", "2"})}), {{"a", "2"}}, true},
      {"In, other",
       MakeLabelSelector({}, {Expression("a", "In", {"1", "2"})}),
       {{"a", "3"}},
       false},
      {"In, missing", MakeLabelSelector({}, {Expression("a", "In", {"1"})}), {}, false},
      {"NotIn, other",
       MakeLabelSelector({}, {Expression("a", "NotIn", {"1"})}),
       {{"a", "2"}},
       true},
      {"NotIn, listed",
       MakeLabelSelector({}, {Expression("a", "NotIn", {"1"})}),
       {{"a", "1"}},
       false},
      {"NotIn, missing", MakeLabelSelector({}, {Expression("a", "NotIn", {"1"})}), {}, true},
      {"Exists", MakeLabelSelector({}, {Expression("a", "Exists")}), {{"a", ""}}, true},
      {"Exists, missing", MakeLabelSelector({}, {Expression("a", "Exists")}), {{"b", ""}}, false},
      {"DoesNotExist", MakeLabelSelector({}, {Expression("a", "DoesNotExist")}), {{"b", ""}}, true},
      {"DoesNotExist, present",
       MakeLabelSelector({}, {Expression("a", "DoesNotExist")}),
       {{"a", "1"}},
       false},
      {"all must hold",
       MakeLabelSelector({{"a", "1"}}, {Expression("b", "Exists")}),
       {{"a", "1"}},
       false},
      {"all hold",
       MakeLabelSelector({{"a", "1"}}, {Expression("b", "Exists")}),
       {{"a", "1"}, {"b", "x"}},
       true},
      {"one key twice",
       MakeLabelSelector({{"a", "1"}}, {Expression("a", "NotIn", {"1"})}),
       {{"a", "1"}},
       false},
  };
  for (const auto& c : cases) EXPECT_EQ(Compile(c.selector).Matches(c.labels), c.want) << c.name;
}

TEST(Selector, ComparesIntegers) {
  struct {
    SelectorOperator op;
    std::string_view operand;
    LabelMap labels;
    bool want;
  } cases[] = {
      {SelectorOperator::kGreaterThan, "0204", {{"k", "0206"}}, true},
      {SelectorOperator::kGreaterThan, "5", {{"k", "5"}}, false},
      {SelectorOperator::kGreaterThan, "5", {{"k", "6"}}, true},
      {SelectorOperator::kGreaterThan, "5", {{"k", "-6"}}, false},
      {SelectorOperator::kGreaterThan, "5", {{"k", "six"}}, false},
      {SelectorOperator::kGreaterThan, "5", {{"k", ""}}, false},
      {SelectorOperator::kGreaterThan, "5", {{"k", "9223372036854775808"}}, false},
      {SelectorOperator::kGreaterThan, "5", {}, false},
      {SelectorOperator::kLessThan, "5", {{"k", "4"}}, true},
      {SelectorOperator::kLessThan, "5", {{"k", "5"}}, false},
      {SelectorOperator::kLessThan, "5", {{"k", "-9223372036854775808"}}, true},
      {SelectorOperator::kLessThan, "5", {}, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Compare("k", c.op, c.operand).Matches(c.labels), c.want) << c.operand;
  }
}

TEST(Selector, FromSetAcceptsAnyText) {
  Selector selector = Selector::FromSet({{"not a key", "not a value!"}, {"b", ""}});
  EXPECT_TRUE(selector.Matches({{"b", ""}, {"not a key", "not a value!"}}));
  EXPECT_FALSE(selector.Matches({{"not a key", "not a value!"}}));
  EXPECT_TRUE(Selector::FromSet({}).Empty());
}

TEST(Selector, SortsRequirementsByKey) {
  Selector selector = Compile(MakeLabelSelector(
      {{"c", "1"}, {"a", "2"}}, {Expression("b", "Exists"), Expression("a", "Exists")}));
  std::vector<std::string> keys;
  for (const Requirement& requirement : selector.requirements()) {
    keys.push_back(requirement.key().str());
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"a", "a", "b", "c"}));
  EXPECT_EQ(selector.requirements()[0].op(), SelectorOperator::kIn);
  EXPECT_EQ(selector.requirements()[1].op(), SelectorOperator::kExists);
}

const std::string kBadKey =
    "key: Invalid value: \"bad key\": name part must consist of alphanumeric characters, '-', '_' "
    "or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
    "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

TEST(Selector, RefusesInvalidSelectors) {
  struct {
    LabelSelector selector;
    std::string want;
  } cases[] = {
      {MakeLabelSelector({}, {Expression("a", "Gt", {"1"})}),
       "\"Gt\" is not a valid label selector operator"},
      {MakeLabelSelector({}, {Expression("a", "", {"1"})}),
       "\"\" is not a valid label selector operator"},
      {MakeLabelSelector({}, {Expression("a", "in", {"1"})}),
       "\"in\" is not a valid label selector operator"},
      {MakeLabelSelector({}, {Expression("a", "In")}),
       "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
      {MakeLabelSelector({}, {Expression("a", "NotIn")}),
       "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
      {MakeLabelSelector({}, {Expression("a", "Exists", {"x", "y"})}),
       "values: Invalid value: [\"x\",\"y\"]: values set must be empty for exists and does not "
       "exist"},
      {MakeLabelSelector({}, {Expression("a", "DoesNotExist", {"x"})}),
       "values: Invalid value: [\"x\"]: values set must be empty for exists and does not exist"},
      {MakeLabelSelector({}, {Expression("bad key", "Exists")}), kBadKey},
      {MakeLabelSelector({{"bad key", "x"}}), kBadKey},
      {MakeLabelSelector({}, {Expression("bad key", "In")}),
       "[" + kBadKey +
           ", values: Invalid value: null: for 'in', 'notin' operators, values set can't be "
           "empty]"},
      {MakeLabelSelector({{"a", "-x"}}),
       "values[0][a]: Invalid value: \"-x\": a valid label must be an empty string or consist of "
       "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
       "character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
       "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"},
      {MakeLabelSelector({}, {Expression("a", "In", {"ok", std::string(64, 'x')})}),
       "values[1][a]: Invalid value: \"" + std::string(64, 'x') +
           "\": must be no more than 63 bytes"},
  };
  for (const auto& c : cases) {
    Result<Selector, FieldErrors> compiled = Selector::Make(c.selector);
    ASSERT_FALSE(compiled.ok()) << c.want;
    EXPECT_EQ(compiled.fault().Text(), c.want);
  }
}

TEST(Selector, ComparisonsTakeExactlyOneInteger) {
  struct {
    std::vector<Symbol> values;
    std::string_view want;
  } cases[] = {
      {{},
       "p.values: Invalid value: null: for 'Gt', 'Lt' operators, exactly one value is required"},
      {{Symbol("1"), Symbol("2")},
       "p.values: Invalid value: [\"1\",\"2\"]: for 'Gt', 'Lt' operators, exactly one value is "
       "required"},
      {{Symbol("1.5")},
       "p.values[0]: Invalid value: \"1.5\": for 'Gt', 'Lt' operators, the value must be an "
       "integer"},
  };
  for (const auto& c : cases) {
    SelectorExpression expression{Symbol("k"), Symbol(), c.values};
    constexpr SelectorOperator kOp = SelectorOperator::kGreaterThan;
    EXPECT_FALSE(Requirement::Make(expression, kOp).has_value());
    EXPECT_EQ(Requirement::Errors(expression, kOp, "p").Text(), c.want);
  }
}

// Goal: the key depends on the meaning, not on the form. Method: pairs that are equal, and pairs
// that are not.
TEST(Selector, CanonicalKeyIgnoresOrderAndForm) {
  struct {
    LabelSelector a;
    LabelSelector b;
    bool same;
  } cases[] = {
      {MakeLabelSelector({{"a", "1"}}), MakeLabelSelector({}, {Expression("a", "In", {"1"})}),
       true},
      {MakeLabelSelector({}, {Expression("a", "In", {"1", "2"})}),
       MakeLabelSelector({}, {Expression("a", "In", {"2", "1", "2"})}), true},
      {MakeLabelSelector({}, {Expression("a", "Exists"), Expression("a", "NotIn", {"x"})}),
       MakeLabelSelector({}, {Expression("a", "NotIn", {"x"}), Expression("a", "Exists")}), true},
      {MakeLabelSelector({{"a", "1"}}, {Expression("a", "In", {"1"})}),
       MakeLabelSelector({{"a", "1"}}), true},
      {MakeLabelSelector({{"a", "1"}}), MakeLabelSelector({{"a", "2"}}), false},
      {MakeLabelSelector({{"a", "1"}}), MakeLabelSelector({}, {Expression("a", "NotIn", {"1"})}),
       false},
      {MakeLabelSelector({}, {Expression("a", "Exists")}),
       MakeLabelSelector({}, {Expression("a", "DoesNotExist")}), false},
      {MakeLabelSelector({{"a", "1"}}), MakeLabelSelector({{"a", "1"}, {"b", "1"}}), false},
      {MakeLabelSelector({{"a", ""}}), MakeLabelSelector({}, {Expression("a", "Exists")}), false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Compile(c.a).CanonicalKey() == Compile(c.b).CanonicalKey(), c.same);
  }
  EXPECT_NE(Selector::Nothing().CanonicalKey(), Selector::Everything().CanonicalKey());
  // Texts that look like the key's encoding.
  EXPECT_NE(Selector::FromSet({{"a", "1"}, {"b", "2"}}).CanonicalKey(),
            Selector::FromSet({{"a", "11:ba1;1:2"}}).CanonicalKey());
}

}  // namespace
}  // namespace stowage
