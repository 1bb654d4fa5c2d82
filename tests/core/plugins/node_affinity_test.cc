#include "core/plugins/node_affinity.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

using Scores = std::vector<int64_t>;
using Names = std::optional<std::vector<Symbol>>;

const Status kRefused = Status::UnschedulableAndUnresolvable(NodeAffinity::kReasonPod);
const Status kEnforced = Status::UnschedulableAndUnresolvable(NodeAffinity::kReasonEnforced);
const Status kConflict = Status::UnschedulableAndUnresolvable(NodeAffinity::kReasonConflict);

SelectorExpression NameIn(Texts names) { return Expression("metadata.name", "In", names); }

NodeAffinityArgs Added(std::vector<NodeSelectorTerm> required,
                       std::vector<PreferredSchedulingTerm> preferred = {}) {
  NodeAffinityArgs args;
  args.added_affinity.emplace();
  if (!required.empty()) args.added_affinity->required.emplace(NodeSelector{std::move(required)});
  if (!preferred.empty()) args.added_affinity->preferred = std::move(preferred);
  return args;
}

struct FilterCase {
  std::string_view name;
  Pod pod;
  Node node;
  Status want;
};

// Checks the verdict with PreFilter's state, and without it unless PreFilter refuses the pod.
void ExpectVerdict(const FilterCase& c) {
  EXPECT_EQ(RunFilter<NodeAffinity>(c.pod, c.node), c.want) << c.name;
  if (c.want == kConflict) return;
  PluginRunner<NodeAffinity> runner;
  runner.handle().Add(c.node);
  EXPECT_EQ(runner.plugin().Filter(CycleState(), c.pod, runner.handle().node("node1")), c.want)
      << c.name << ", without PreFilter";
}

// Goal: nodeSelector and required affinity decide where a pod may run. Method: one pod, one node.
TEST(NodeAffinity, FiltersByLabels) {
  const Node foo = MakeNode().Name("node1").Label("foo", "bar").Label("level", "12");
  const Node plain = MakeNode().Name("node1");
  const FilterCase cases[] = {
      {"nothing asked", MakePod(), plain, Status::Success()},
      {"empty nodeSelector", MakePod().NodeSelector({}), plain, Status::Success()},
      {"missing label", MakePod().NodeSelector({{"foo", "bar"}}), plain, kRefused},
      {"same label", MakePod().NodeSelector({{"foo", "bar"}}), foo, Status::Success()},
      {"one of two labels", MakePod().NodeSelector({{"foo", "bar"}, {"baz", "blah"}}), foo,
       kRefused},
      {"nodeSelector values are not validated", MakePod().NodeSelector({{"foo", "b/r"}}), foo,
       kRefused},
      {"In", MakePod().NodeAffinityIn("foo", {"bar", "value2"}), foo, Status::Success()},
      {"In, other value", MakePod().NodeAffinityIn("foo", {"value2"}), foo, kRefused},
      {"NotIn, other value", MakePod().NodeAffinityNotIn("foo", {"value2"}), foo,
       Status::Success()},
      {"NotIn, missing label", MakePod().NodeAffinityNotIn("foo", {"bar"}), plain,
       Status::Success()},
      {"Exists", MakePod().RequiredTerms({Term({Expression("foo", "Exists")})}), foo,
       Status::Success()},
      {"DoesNotExist", MakePod().RequiredTerms({Term({Expression("foo", "DoesNotExist")})}), foo,
       kRefused},
      {"Gt", MakePod().RequiredTerms({Term({Expression("level", "Gt", {"11"})})}), foo,
       Status::Success()},
      {"Gt, equal", MakePod().RequiredTerms({Term({Expression("level", "Gt", {"12"})})}), foo,
       kRefused},
      {"Lt, no number", MakePod().RequiredTerms({Term({Expression("foo", "Lt", {"12"})})}), foo,
       kRefused},
      {"expressions are ANDed",
       MakePod().RequiredTerms({Term({Expression("foo", "Exists"), Expression("x", "Exists")})}),
       foo, kRefused},
      {"terms are ORed",
       MakePod().RequiredTerms(
           {Term({Expression("x", "Exists")}), Term({Expression("foo", "Exists")})}),
       foo, Status::Success()},
      {"affinity and nodeSelector, one fails",
       MakePod().NodeSelector({{"foo", "x"}}).NodeAffinityIn("foo", {"bar"}), foo, kRefused},
      {"empty list of terms", MakePod().RequiredTerms({}), foo, kRefused},
      {"empty term", MakePod().RequiredTerms({Term({})}), foo, kRefused},
      {"invalid value", MakePod().NodeAffinityIn("foo", {"{{.bad-value.}}"}), foo, kRefused},
      {"invalid term before a good one",
       MakePod().RequiredTerms({Term({Expression("foo", "In", {"{{.bad-value.}}"})}),
                                Term({Expression("foo", "In", {"bar"})})}),
       foo, Status::Success()},
  };
  for (const FilterCase& c : cases) ExpectVerdict(c);
}

// Goal: matchFields match one name at a time.
TEST(NodeAffinity, FiltersByName) {
  const Node foo = MakeNode().Name("node1").Label("foo", "bar").Label("level", "12");
  const Node plain = MakeNode().Name("node1");
  const FilterCase cases[] = {
      {"name matches", MakePod().RequiredTerms({Term({}, {NameIn({"node1"})})}), plain,
       Status::Success()},
      {"name differs", MakePod().RequiredTerms({Term({}, {NameIn({"node2"})})}), plain, kRefused},
      {"two names in one field match nothing",
       MakePod().RequiredTerms({Term({}, {NameIn({"node1", "node2"})})}), plain, kRefused},
      {"name differs, expression of another term matches",
       MakePod().RequiredTerms(
           {Term({}, {NameIn({"node2"})}), Term({Expression("foo", "In", {"bar"})})}),
       foo, Status::Success()},
      {"name matches, expression of the term does not",
       MakePod().RequiredTerms({Term({Expression("foo", "In", {"x"})}, {NameIn({"node1"})})}), foo,
       kRefused},
      {"different names in one term",
       MakePod().RequiredTerms({Term({}, {NameIn({"node1"}), NameIn({"node2"})})}), plain,
       kConflict},
  };
  for (const FilterCase& c : cases) ExpectVerdict(c);
}

// Goal: terms that name nodes narrow the search, whatever their other requirements.
TEST(NodeAffinity, PreFilterNarrowsToNamedNodes) {
  auto names = [](Texts texts) { return Names(MakeSymbols(texts)); };
  struct {
    std::string_view name;
    Pod pod;
    Status want;
    Names want_names;
  } cases[] = {
      {"nothing asked", MakePod(), Status::Skip(), std::nullopt},
      {"empty nodeSelector", MakePod().NodeSelector({}), Status::Success(), std::nullopt},
      {"only preferred terms", MakePod().PreferredTerm(1, Term({Expression("foo", "Exists")})),
       Status::Skip(), std::nullopt},
      {"no terms", MakePod().RequiredTerms({}), Status::Success(), std::nullopt},
      {"no names", MakePod().NodeAffinityIn("foo", {"bar"}), Status::Success(), std::nullopt},
      {"one name", MakePod().RequiredTerms({Term({}, {NameIn({"a"})})}), Status::Success(),
       names({"a"})},
      {"several values", MakePod().RequiredTerms({Term({}, {NameIn({"a", "b"})})}),
       Status::Success(), names({"a", "b"})},
      {"two terms", MakePod().RequiredTerms({Term({}, {NameIn({"a"})}), Term({}, {NameIn({"b"})})}),
       Status::Success(), names({"a", "b"})},
      {"one term without a name",
       MakePod().RequiredTerms({Term({}, {NameIn({"a"})}), Term({Expression("foo", "Exists")})}),
       Status::Success(), std::nullopt},
      {"NotIn names nothing",
       MakePod().RequiredTerms({Term({}, {Expression("metadata.name", "NotIn", {"a"})})}),
       Status::Success(), std::nullopt},
      {"fields of a term intersect",
       MakePod().RequiredTerms({Term({}, {NameIn({"a", "b"}), NameIn({"b", "c"})})}),
       Status::Success(), names({"b"})},
      {"one of two terms conflicts",
       MakePod().RequiredTerms(
           {Term({}, {NameIn({"a"}), NameIn({"b"})}), Term({}, {NameIn({"c"})})}),
       Status::Success(), names({"c"})},
      {"all terms conflict", MakePod().RequiredTerms({Term({}, {NameIn({"a"}), NameIn({"b"})})}),
       kConflict, std::nullopt},
  };
  for (const auto& c : cases) {
    PluginRunner<NodeAffinity> runner;
    PreFilterResult result;
    EXPECT_EQ(runner.PreFilter(c.pod, &result), c.want) << c.name;
    EXPECT_EQ(result.node_names, c.want_names) << c.name;
  }
}

// Goal: the profile's affinity applies to every pod, in addition to the pod's own.
TEST(NodeAffinity, RequiresTheAddedAffinityOfEveryPod) {
  const NodeAffinityArgs args = Added({Term({Expression("zone", "In", {"z1"})})});
  const Node in_zone = MakeNode().Name("n").Label("zone", "z1").Label("foo", "bar");
  const Node elsewhere = MakeNode().Name("n").Label("zone", "z2").Label("foo", "bar");
  struct {
    std::string_view name;
    Pod pod;
    Node node;
    Status want;
  } cases[] = {
      {"nothing asked, matching node", MakePod(), in_zone, Status::Success()},
      {"nothing asked, other node", MakePod(), elsewhere, kEnforced},
      {"both match", MakePod().NodeAffinityIn("foo", {"bar"}), in_zone, Status::Success()},
      {"only the added one matches", MakePod().NodeAffinityIn("foo", {"x"}), in_zone, kRefused},
      {"only the pod's matches", MakePod().NodeAffinityIn("foo", {"bar"}), elsewhere, kEnforced},
  };
  for (const auto& c : cases) {
    PluginRunner<NodeAffinity> runner(args);
    runner.handle().Add(c.node);
    EXPECT_EQ(runner.Filter(c.pod, "n"), c.want) << c.name;
  }
  PluginRunner<NodeAffinity> runner(args);
  PreFilterResult result;
  EXPECT_TRUE(
      runner.PreFilter(MakePod().RequiredTerms({Term({}, {NameIn({"a"})})}), &result).IsSuccess());
  EXPECT_EQ(result.node_names, Names(MakeSymbols({"a"})));
}

// Goal: the nodes with the highest weight of matching terms are best. Method: normalized scores.
TEST(NodeAffinity, PrefersNodesOfPreferredTerms) {
  const std::vector<Node> nodes = {MakeNode().Name("n0").Label("foo", "bar"),
                                   MakeNode().Name("n1").Label("key", "x").Label("az", "az1"),
                                   MakeNode().Name("n2").Label("foo", "bar").Label("az", "az1")};
  const PreferredSchedulingTerm foo = {2, Term({Expression("foo", "In", {"bar"})})};
  const PreferredSchedulingTerm az = {5, Term({Expression("az", "In", {"az1"})})};
  const PreferredSchedulingTerm broken = {1, Term({Expression("foo", "In", {"{{.bad-value.}}"})})};
  const PreferredSchedulingTerm broken_weightless = {0, broken.preference};
  const PreferredSchedulingTerm empty = {3, Term({})};
  const PreferredSchedulingTerm negative = {-4, Term({Expression("foo", "In", {"bar"})})};
  const NodeAffinityArgs none;
  const NodeAffinityArgs added_az = Added({}, {az});
  struct {
    std::string_view name;
    NodeAffinityArgs args;
    Pod pod;
    Scores want;
  } cases[] = {
      {"no terms: skipped", none, MakePod(), {}},
      {"an empty list is not skipped", none, MakePod().PreferredTerms({}), {0, 0, 0}},
      {"one term", none, MakePod().PreferredTerms({foo}), {100, 0, 100}},
      {"two terms", none, MakePod().PreferredTerms({foo, az}), {28, 71, 100}},
      {"terms that count for nothing",
       none,
       MakePod().PreferredTerms({empty, broken_weightless}),
       {0, 0, 0}},
      {"added term alone", added_az, MakePod(), {0, 100, 100}},
      {"added and own term", added_az, MakePod().PreferredTerms({foo}), {28, 71, 100}},
      {"required terms do not score", none, MakePod().NodeAffinityIn("foo", {"bar"}), {}},
  };
  for (const auto& c : cases) {
    PluginRunner<NodeAffinity> runner(c.args);
    for (const Node& node : nodes) runner.handle().Add(node);
    auto scores = runner.Scores(c.pod);
    ASSERT_TRUE(scores.ok()) << c.name;
    EXPECT_EQ(*scores, c.want) << c.name;
  }

  PluginRunner<NodeAffinity> runner;
  runner.handle().Add(nodes[2]);
  const NodeInfo& node = runner.handle().node("n2");
  auto score = runner.plugin().Score(CycleState(), MakePod().PreferredTerms({foo, az}), node);
  ASSERT_TRUE(score.ok());
  EXPECT_EQ(*score, 7) << "without PreScore";
  EXPECT_EQ(*runner.plugin().Score(CycleState(), MakePod().PreferredTerms({negative}), node), -4);

  const Pod broken_pod = MakePod().PreferredTerms({foo, broken});
  EXPECT_EQ(runner.Scores(broken_pod).fault().code(), Code::kError);
  EXPECT_EQ(runner.plugin().Score(CycleState(), broken_pod, node).fault().code(), Code::kError);
}

// Goal: an added affinity that does not parse keeps the scheduler from starting.
TEST(NodeAffinity, RefusesAnInvalidAddedAffinity) {
  FakeHandle handle;
  const NodeSelectorTerm broken = Term({Expression("foo", "In", {"{{.bad-value.}}"})});
  struct {
    NodeAffinityArgs args;
    std::string_view want_prefix;
  } cases[] = {
      {Added({broken}),
       "parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: "
       "nodeSelectorTerms[0].matchExpressions[0].values[0]"},
      {Added({}, {{1, broken}}),
       "parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: "
       "[0].matchExpressions[0].values[0]"},
  };
  for (const auto& c : cases) {
    PluginArgs args = c.args;
    auto plugin = NodeAffinity::New({handle.features(), handle, args});
    ASSERT_FALSE(plugin.ok()) << c.want_prefix;
    EXPECT_EQ(plugin.fault().substr(0, c.want_prefix.size()), c.want_prefix);
  }
}

TEST(NodeAffinity, HintsAtNodesThatNowMatch) {
  const ClusterEvent added = NodeEvent(action::kAdd);
  const ClusterEvent updated = NodeEvent(action::kUpdateNodeLabel);
  const Pod pod = MakePod().Name("p").NodeAffinityIn("zone", {"a"});
  const Pod selecting = MakePod().Name("p").NodeSelector({{"zone", "a"}});
  const Pod broken = MakePod().Name("p").RequiredTerms({Term({Expression("zone", "Near")})});
  const Pod half_broken = MakePod().Name("p").RequiredTerms(
      {Term({Expression("zone", "Near")}), Term({Expression("zone", "In", {"a"})})});
  const Pod broken_elsewhere = MakePod()
                                   .Name("p")
                                   .NodeSelector({{"zone", "c"}})
                                   .RequiredTerms({Term({Expression("zone", "Near")})});
  const Node a = MakeNode().Name("n").Label("zone", "a");
  const Node also_a = MakeNode().Name("n").Label("zone", "a").Label("k", "v");
  const Node b = MakeNode().Name("n").Label("zone", "b");
  const HintCase cases[] = {
      {"a matching node comes", added, pod, WasAdded(a), "Queue"},
      {"another node comes", added, pod, WasAdded(b), "Skip"},
      {"a node of the selector comes", added, selecting, WasAdded(a), "Queue"},
      {"a node beside the selector comes", added, selecting, WasAdded(b), "Skip"},
      {"it comes to match", updated, pod, WasUpdated(b, a), "Queue"},
      {"it matched before", updated, pod, WasUpdated(a, also_a), "Skip"},
      {"it matches no longer", updated, pod, WasUpdated(a, b), "Skip"},
      {"it matches as little as before", updated, pod, WasUpdated(b, MakeNode().Name("n")), "Skip"},
      {"a term does not parse", added, broken, WasAdded(a), "Queue"},
      {"nor does it afterwards", updated, broken, WasUpdated(b, a), "Queue"},
      {"another term matches", updated, half_broken, WasUpdated(also_a, a), "Skip"},
      {"another term did not match before", updated, half_broken, WasUpdated(b, a), "Queue"},
      {"the selector refuses first", added, broken_elsewhere, WasAdded(a), "Skip"},
      {"the old object is no node", updated, pod, WithWrongOld(WasUpdated(a, b)), "Queue"},
      {"the new object is no node", added, pod, WithWrongNew(WasAdded(b)), "Queue"},
      {"taints", NodeEvent(action::kUpdateNodeTaint), pod, WasUpdated(b, a), "deaf"},
  };
  PluginRunner<NodeAffinity> runner;
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

TEST(NodeAffinity, HintsRespectTheAddedAffinity) {
  PluginRunner<NodeAffinity> runner(Added({Term({Expression("pool", "In", {"batch"})})}));
  const Pod pod = MakePod().Name("p").NodeAffinityIn("zone", {"a"});
  const Pod broken = MakePod().Name("p").RequiredTerms({Term({Expression("zone", "Near")})});
  const Node a = MakeNode().Name("n").Label("zone", "a");
  const Node batch = MakeNode().Name("n").Label("zone", "a").Label("pool", "batch");
  const HintCase cases[] = {
      {"outside of it", NodeEvent(action::kAdd), pod, WasAdded(a), "Skip"},
      {"inside", NodeEvent(action::kAdd), pod, WasAdded(batch), "Queue"},
      {"outside, and the pod's terms do not parse", NodeEvent(action::kAdd), broken, WasAdded(a),
       "Skip"},
      {"the pod's terms matched before", NodeEvent(action::kUpdateNodeLabel), pod,
       WasUpdated(a, batch), "Skip"},
  };
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
