#include "core/api/node_affinity.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

const std::string kBadName =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with "
    "an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

SelectorExpression NameIn(Texts names) { return Expression("metadata.name", "In", names); }

// "" if there are none.
std::string TextOf(const FieldErrors* errors) { return errors == nullptr ? "" : errors->Text(); }

// Goal: terms are ORed, their parts ANDed, and errors are reported only if nothing matched.
TEST(NodeSelectorMatcher, LazyReportsErrorsOnlyWithoutAMatch) {
  NodeSelectorTerm bad = Term({Expression("invalid key", "In", {"v"})});
  NodeSelectorTerm good = Term({Expression("label", "In", {"value"})});
  const std::string bad_text =
      "nodeSelectorTerms[0].matchExpressions[0].key: Invalid value: \"invalid key\": " + kBadName;
  struct {
    std::string_view name;
    std::vector<NodeSelectorTerm> terms;
    bool want;
    std::string errors;
  } cases[] = {
      {"no terms", {}, false, ""},
      {"only an empty term", {Term({})}, false, ""},
      {"an empty term beside a match", {Term({}), good}, true, ""},
      {"one term matches", {good}, true, ""},
      {"second term matches", {Term({Expression("label", "In", {"no"})}), good}, true, ""},
      {"no term matches", {Term({Expression("label", "In", {"no"})})}, false, ""},
      {"all expressions must hold",
       {Term({Expression("label", "Exists"), Expression("label", "NotIn", {"value"})})},
       false,
       ""},
      {"a parse error does not hide a match", {bad, good}, true, ""},
      {"a parse error shows when nothing matches",
       {bad, Term({Expression("x", "Exists")})},
       false,
       bad_text},
      {"a good expression does not save a bad one",
       {Term({Expression("invalid key", "In", {"v"}), Expression("label", "Exists")})},
       false,
       bad_text},
      {"name matches", {Term({}, {NameIn({"node"})})}, true, ""},
      {"name does not match", {Term({}, {NameIn({"other"})})}, false, ""},
      {"name not in", {Term({}, {Expression("metadata.name", "NotIn", {"other"})})}, true, ""},
      {"name matches, labels do not",
       {Term({Expression("label", "In", {"no"})}, {NameIn({"node"})})},
       false,
       ""},
      {"both match", {Term({Expression("label", "Exists")}, {NameIn({"node"})})}, true, ""},
      {"an unknown field reads as empty", {Term({}, {Expression("spec.x", "In", {""})})}, true, ""},
      {"an unknown field has no value", {Term({}, {Expression("spec.x", "In", {"y"})})}, false, ""},
      {"Gt", {Term({Expression("number", "Gt", {"0204"})})}, true, ""},
      {"Lt", {Term({Expression("number", "Lt", {"0204"})})}, false, ""},
      {"Gt of a label that is no number", {Term({Expression("label", "Gt", {"1"})})}, false, ""},
  };
  stowage::Node node = MakeNode().Name("node").Label("label", "value").Label("number", "0206");
  for (const auto& c : cases) {
    NodeSelectorMatcher matcher = NodeSelectorMatcher::Lazy({c.terms});
    NodeSelectorMatch match = matcher.Match(node);
    EXPECT_EQ(match.matches, c.want) << c.name;
    EXPECT_EQ(TextOf(match.parse_errors), c.errors) << c.name;
  }
}

TEST(NodeSelectorMatcher, IgnoresFieldsWithoutAName) {
  NodeSelectorMatcher matcher =
      NodeSelectorMatcher::Lazy({{Term({Expression("zone", "In", {"a"})}, {NameIn({"node"})})}});
  EXPECT_TRUE(matcher.Match({{"zone", "a"}}, Symbol()).matches);
  EXPECT_FALSE(matcher.Match({{"zone", "b"}}, Symbol()).matches);
  EXPECT_FALSE(matcher.Match({{"zone", "a"}}, Symbol("other")).matches);
}

TEST(NodeSelectorMatcher, ReportsParseErrorsWithTheirPaths) {
  struct {
    NodeSelectorTerm term;
    std::string want;
  } cases[] = {
      {Term({Expression("a", "Like", {"x"})}),
       "nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: \"Like\": supported "
       "values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\""},
      {Term({}, {Expression("metadata.name", "Exists")}),
       "nodeSelectorTerms[0].matchFields[0].operator: Unsupported value: \"Exists\": supported "
       "values: \"In\", \"NotIn\""},
      {Term({}, {NameIn({"host_1", "host_2"})}),
       "nodeSelectorTerms[0].matchFields[0].values: Invalid value: [\"host_1\",\"host_2\"]: must "
       "have "
       "one element"},
      {Term({}, {NameIn({})}),
       "nodeSelectorTerms[0].matchFields[0].values: Invalid value: null: must have one element"},
      {Term({Expression("a", "In")}),
       "nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: null: for 'in', 'notin' "
       "operators, values set can't be empty"},
      {Term({Expression("ok", "Exists"), Expression("a", "Gt", {"x"})}),
       "nodeSelectorTerms[0].matchExpressions[1].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' "
       "operators, the value must be an integer"},
      {Term({Expression("a", "In")}, {NameIn({})}),
       "[nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: null: for 'in', 'notin' "
       "operators, values set can't be empty, nodeSelectorTerms[0].matchFields[0].values: Invalid "
       "value: null: must have one element]"},
  };
  for (const auto& c : cases) {
    NodeSelectorMatcher lazy = NodeSelectorMatcher::Lazy({{c.term}});
    EXPECT_EQ(TextOf(lazy.Match(MakeNode().Name("n")).parse_errors), c.want);
    auto strict = NodeSelectorMatcher::Strict({{c.term}});
    ASSERT_FALSE(strict.ok());
    EXPECT_EQ(strict.fault().Text(), c.want);
  }
}

TEST(NodeSelectorMatcher, StrictReportsAllTerms) {
  NodeSelector selector{{
      Term({}, {NameIn({"host_1", "host_2"})}),
      Term({Expression("label_1", "In", {"v"})}, {NameIn({"host_1"})}),
      Term({Expression("invalid key", "In", {"v"})}),
  }};
  auto strict = NodeSelectorMatcher::Strict(selector, "spec.required");
  ASSERT_FALSE(strict.ok());
  EXPECT_EQ(strict.fault().Text(),
            "[spec.required.nodeSelectorTerms[0].matchFields[0].values: Invalid value: "
            "[\"host_1\",\"host_2\"]: must have one element, "
            "spec.required.nodeSelectorTerms[2].matchExpressions[0].key: Invalid value: \"invalid "
            "key\": " +
                kBadName + "]");
  selector.node_selector_terms.erase(selector.node_selector_terms.begin());
  selector.node_selector_terms.pop_back();
  auto good = NodeSelectorMatcher::Strict(selector);
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(good->Match(MakeNode().Name("host_1").Label("label_1", "v")).matches);
  EXPECT_FALSE(good->Match(MakeNode().Name("host_2").Label("label_1", "v")).matches);
}

TEST(PreferredSchedulingTerms, SumsTheWeightsOfMatchingTerms) {
  auto terms = PreferredSchedulingTerms::Make({
      {5, Term({}, {NameIn({"host_1"})})},
      {7, Term({Expression("unknown", "In", {"v"})})},
      {11, Term({Expression("label_1", "In", {"v"})})},
      {-3, Term({Expression("label_1", "Exists")})},
      {100, Term({})},
      {0, Term({}, {NameIn({"a", "b"})})},
  });
  ASSERT_TRUE(terms.ok());
  EXPECT_EQ(terms->Score(MakeNode().Name("host_1").Label("label_1", "v")), 13);
  EXPECT_EQ(terms->Score(MakeNode().Name("host_2")), 0);
  EXPECT_EQ(PreferredSchedulingTerms::Make({})->Score(MakeNode().Name("host_2")), 0);
}

TEST(PreferredSchedulingTerms, AreParsedStrictly) {
  auto terms = PreferredSchedulingTerms::Make({
      {1, Term({}, {NameIn({"host_1", "host_2"})})},
      {1, Term({Expression("label_1", "In", {"v"})})},
      {1, Term({Expression("invalid key", "In", {"v"})})},
  });
  ASSERT_FALSE(terms.ok());
  EXPECT_EQ(terms.fault().Text(),
            "[[0].matchFields[0].values: Invalid value: [\"host_1\",\"host_2\"]: must have one "
            "element, [2].matchExpressions[0].key: Invalid value: \"invalid key\": " +
                kBadName + "]");
}

// Goal: spec.nodeSelector and required affinity must both match. Method: the rows of the plugin's
// specification.
TEST(RequiredNodeAffinity, RequiresSelectorAndAffinity) {
  struct {
    std::string_view name;
    Pod pod;
    bool want;
  } cases[] = {
      {"nothing demanded", MakePod(), true},
      {"empty node selector", MakePod().NodeSelector({}), true},
      {"node selector, subset of the labels", MakePod().NodeSelector({{"foo", "bar"}}), true},
      {"node selector, another value", MakePod().NodeSelector({{"foo", "no"}}), false},
      {"node selector, missing label", MakePod().NodeSelector({{"foo", "bar"}, {"x", "y"}}), false},
      {"node selector is not validated", MakePod().NodeSelector({{"odd key!", "odd value!"}}),
       true},
      {"In", MakePod().NodeAffinityIn("foo", {"bar", "value2"}), true},
      {"NotIn", MakePod().NodeAffinityNotIn("foo", {"bar"}), false},
      {"no terms", MakePod().RequiredTerms({}), false},
      {"empty term", MakePod().RequiredTerms({Term({})}), false},
      {"both hold", MakePod().NodeSelector({{"foo", "bar"}}).NodeAffinityIn("foo", {"bar"}), true},
      {"only the selector holds",
       MakePod().NodeSelector({{"foo", "bar"}}).NodeAffinityIn("foo", {"x"}), false},
      {"only the affinity holds",
       MakePod().NodeSelector({{"foo", "x"}}).NodeAffinityIn("foo", {"bar"}), false},
      {"preferred terms demand nothing",
       MakePod().PreferredTerm(1, Term({Expression("foo", "In", {"x"})})), true},
  };
  stowage::Node node = MakeNode()
                           .Name("node")
                           .Label("foo", "bar")
                           .Label("baz", "blah")
                           .Label("odd key!", "odd value!");
  for (const auto& c : cases) {
    EXPECT_EQ(GetRequiredNodeAffinity(c.pod).Match(node).matches, c.want) << c.name;
  }
}

TEST(RequiredNodeAffinity, ReportsParseErrorsOnlyIfTheSelectorMatched) {
  MakePod pod = MakePod().NodeSelector({{"foo", "bar"}}).NodeAffinityIn("foo", {"-bad-"});
  RequiredNodeAffinity required = GetRequiredNodeAffinity(pod);
  NodeSelectorMatch wrong_label = required.Match(MakeNode().Name("n"));
  EXPECT_FALSE(wrong_label.matches);
  EXPECT_EQ(wrong_label.parse_errors, nullptr);
  NodeSelectorMatch right_label = required.Match(MakeNode().Name("n").Label("foo", "bar"));
  EXPECT_FALSE(right_label.matches);
  EXPECT_EQ(
      TextOf(right_label.parse_errors),
      "nodeSelectorTerms[0].matchExpressions[0].values[0][foo]: Invalid value: \"-bad-\": a "
      "valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
      "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
      "'my_value',  or '12345', regex used for validation is "
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
}

}  // namespace
}  // namespace stowage
