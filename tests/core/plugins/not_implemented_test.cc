#include "core/plugins/not_implemented.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

const Node kNode = MakeNode().Name("n").Label("zone", "z1");
const LabelSelector kApp = MakeLabelSelector({{"app", "web"}});
const LabelSelector kBroken = MakeLabelSelector({{"app", "{{.bad-value.}}"}});

PodAffinityTerm Zone(std::optional<LabelSelector> selector) {
  return AffinityTerm("zone", std::move(selector));
}

PodAffinityTerm In(PodAffinityTerm term, Texts namespaces,
                   std::optional<LabelSelector> namespace_selector = std::nullopt) {
  term.namespaces = MakeSymbols(namespaces);
  term.namespace_selector = std::move(namespace_selector);
  return term;
}

template <typename Object>
Object Named(std::string_view name, std::string_view namespace_ = "default") {
  Object object;
  object.metadata.name = Symbol(name);
  object.metadata.namespace_ = Symbol(namespace_);
  return object;
}

template <typename Object, typename Selector>
Object Selecting(std::string_view name, Selector selector,
                 std::string_view namespace_ = "default") {
  Object object = Named<Object>(name, namespace_);
  object.spec.selector = std::move(selector);
  return object;
}

// Goal: each volume plugin is flagged for the volumes that it would look at, and for no others.
TEST(NotImplemented, VolumePluginsMatterToTheirVolumes) {
  struct {
    std::string_view name;
    Pod pod;
    bool restrictions;
    bool limits;
    bool binding;
    bool zone;
  } cases[] = {
      {"no volumes", MakePod(), false, false, false, false},
      {"unread volumes", MakePod().EmptyDir().ImageVolume("i"), false, false, false, false},
      {"claim", MakePod().EmptyDir().Pvc("c"), true, true, true, true},
      {"ephemeral volume", MakePod().EphemeralVolume(), false, true, true, false},
      {"in-tree disk", MakePod().InTreeDisk(), true, true, false, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(PluginRunner<VolumeRestrictions>().plugin().Matters(c.pod), c.restrictions) << c.name;
    EXPECT_EQ(PluginRunner<NodeVolumeLimits>().plugin().Matters(c.pod), c.limits) << c.name;
    EXPECT_EQ(PluginRunner<VolumeBinding>().plugin().Matters(c.pod), c.binding) << c.name;
    EXPECT_EQ(PluginRunner<VolumeZone>().plugin().Matters(c.pod), c.zone) << c.name;
  }
}

// Goal: VolumeBinding's zeros are in the scores exactly when storage capacity is scored.
TEST(NotImplemented, VolumeBindingScoresWithItsGate) {
  PluginRunner<VolumeBinding> off;
  off.handle().Add(kNode);
  EXPECT_EQ(*off.Scores(MakePod()), std::vector<int64_t>());
  Features features;
  features.storage_capacity_scoring = true;
  PluginRunner<VolumeBinding> on(NewPluginArgs(VolumeBinding::kName), features);
  on.handle().Add(kNode);
  EXPECT_EQ(*on.Scores(MakePod()), std::vector<int64_t>{0});
}

PodTopologySpreadArgs SpreadArgs(std::string_view defaulting, bool has_constraint) {
  PodTopologySpreadArgs args;
  args.defaulting_type = std::string(defaulting);
  if (has_constraint) args.default_constraints.emplace_back();
  return args;
}

// Goal: a pod is spread by its own constraints, or by default ones when it has a default selector.
TEST(NotImplemented, PodTopologySpreadMattersToSpreadPods) {
  const LabelSelector no_requirements;
  const LabelSelector other = MakeLabelSelector({{"app", "other"}});
  const LabelSelector exists = MakeLabelSelector({}, {Expression("app", "Exists")});
  FakeListers objects;
  objects.Add(Selecting<Service>("a-web", LabelMap{{"app", "web"}}));
  objects.Add(Selecting<Service>("b-all", LabelMap()));
  objects.Add(Named<Service>("c-headless"));
  objects.Add(Selecting<Service>("web", LabelMap{{"app", "web"}, {"tier", "front"}}, "shop"));
  objects.Add(Selecting<ReplicationController>("rc", LabelMap{{"app", "other"}}));
  objects.Add(Selecting<ReplicationController>("rc-empty", LabelMap()));
  objects.Add(Selecting<ReplicaSet>("rs", other));
  objects.Add(Selecting<ReplicaSet>("rs-empty", no_requirements));
  objects.Add(Selecting<ReplicaSet>("rs-broken", kBroken));
  objects.Add(Named<ReplicaSet>("rs-null"));
  objects.Add(Selecting<StatefulSet>("sts", exists));

  Pod other_owner = MakePod().OwnerReference("apps/v1", "ReplicaSet", "rs");
  other_owner.metadata.owner_references[0].controller = false;
  struct {
    std::string_view name;
    Pod pod;
    bool want;
  } cases[] = {
      {"nobody's pod", MakePod(), false},
      {"service of the namespace", MakePod().Label("app", "web"), true},
      {"service of another namespace", MakePod().Namespace("else").Label("app", "web"), false},
      {"service with one label too many", MakePod().Namespace("shop").Label("app", "web"), false},
      {"service with all labels",
       MakePod().Namespace("shop").Label("app", "web").Label("tier", "front"), true},
      {"empty and null service selectors select nobody", MakePod().Label("x", "y"), false},
      {"ReplicationController", MakePod().OwnerReference("v1", "ReplicationController", "rc"),
       true},
      {"one without selector", MakePod().OwnerReference("v1", "ReplicationController", "rc-empty"),
       false},
      {"ReplicaSet", MakePod().OwnerReference("apps/v1", "ReplicaSet", "rs"), true},
      {"missing ReplicaSet", MakePod().OwnerReference("apps/v1", "ReplicaSet", "gone"), false},
      {"old API version", MakePod().OwnerReference("extensions/v1beta1", "ReplicaSet", "rs"),
       false},
      {"empty selector", MakePod().OwnerReference("apps/v1", "ReplicaSet", "rs-empty"), false},
      {"null selector", MakePod().OwnerReference("apps/v1", "ReplicaSet", "rs-null"), false},
      {"broken selector", MakePod().OwnerReference("apps/v1", "ReplicaSet", "rs-broken"), false},
      {"StatefulSet", MakePod().OwnerReference("apps/v1", "StatefulSet", "sts"), true},
      {"Job", MakePod().OwnerReference("batch/v1", "Job", "rs"), false},
      {"owner that is no controller", other_owner, false},
  };
  auto matters = [&objects](const PodTopologySpreadArgs& args, const Pod& pod) {
    PluginRunner<PodTopologySpread> runner(args);
    runner.handle().fake_listers() = objects;
    return runner.plugin().Matters(pod);
  };
  for (const auto& c : cases) {
    EXPECT_EQ(matters(SpreadArgs("System", false), c.pod), c.want) << c.name;
    EXPECT_EQ(matters(SpreadArgs("List", true), c.pod), c.want) << c.name;
    EXPECT_FALSE(matters(SpreadArgs("List", false), c.pod)) << c.name;
    Pod spread = c.pod;
    spread.spec.topology_spread_constraints.emplace_back();
    EXPECT_TRUE(matters(SpreadArgs("List", false), spread)) << c.name;
  }
}

struct InterPodCase {
  std::string_view name;
  MakePod existing;
  Pod pod;
  bool want;                     // with default arguments
  bool want_ignoring = false;    // with ignorePreferredTermsOfExistingPods
  bool want_weightless = false;  // with hardPodAffinityWeight 0
};

void CheckInterPodAffinity(InterPodCase& c) {
  struct {
    std::string_view name;
    InterPodAffinityArgs args;
    bool want;
  } variants[] = {{"default", {}, c.want},
                  {"ignorePreferredTermsOfExistingPods", {1, true}, c.want_ignoring},
                  {"hardPodAffinityWeight 0", {0, false}, c.want_weightless}};
  for (const auto& variant : variants) {
    PluginRunner<InterPodAffinity> runner(variant.args);
    runner.handle().Add(kNode).Add(c.existing.Name("existing").Node("n").Obj());
    Namespace labelled = Named<Namespace>("default", "");
    labelled.metadata.labels = LabelMap{{"team", "a"}};
    runner.handle().fake_listers().Add(labelled);
    EXPECT_EQ(runner.plugin().Matters(c.pod), variant.want) << c.name << ", " << variant.name;
  }
}

// Goal: a pod's own terms always count.
TEST(NotImplemented, InterPodAffinityMattersToPodsWithTerms) {
  Pod empty_terms = MakePod();
  empty_terms.spec.affinity.emplace().pod_affinity.emplace();
  InterPodCase cases[] = {
      {"no affinity", MakePod(), MakePod(), false, false, false},
      {"affinity without terms", MakePod(), empty_terms, false, false, false},
      {"node affinity", MakePod(), MakePod().NodeAffinityIn("zone", {"z1"}), false, false, false},
      {"required affinity", MakePod(), MakePod().PodAffinity(Zone(kApp)), true, true, true},
      {"required anti-affinity", MakePod(), MakePod().PodAntiAffinity(Zone(kApp)), true, true,
       true},
      {"preferred affinity", MakePod(), MakePod().PreferredPodAffinity(1, Zone(kApp)), true, true,
       true},
      {"preferred anti-affinity", MakePod(), MakePod().PreferredPodAntiAffinity(1, Zone(kApp)),
       true, true, true},
  };
  for (InterPodCase& c : cases) CheckInterPodAffinity(c);
}

// Goal: terms of existing pods count when they match the pod and their node has the topology key.
TEST(NotImplemented, InterPodAffinityMattersToMatchedPods) {
  const Pod web = MakePod().Label("app", "web");
  const Pod other = MakePod().Label("app", "other");
  const LabelSelector everything;
  const LabelSelector team_a = MakeLabelSelector({{"team", "a"}});
  const LabelSelector not_team_b = MakeLabelSelector({}, {Expression("team", "NotIn", {"b"})});
  const LabelSelector expression = MakeLabelSelector({}, {Expression("app", "In", {"web", "x"})});
  auto anti = [](PodAffinityTerm term) { return MakePod().PodAntiAffinity(std::move(term)); };
  InterPodCase cases[] = {
      {"anti-affinity", anti(Zone(kApp)), web, true, true, true},
      {"anti-affinity against others", anti(Zone(kApp)), other, false, false, false},
      {"by expression", anti(Zone(expression)), web, true, true, true},
      {"by expression, against others", anti(Zone(expression)), other, false, false, false},
      {"null selector", anti(Zone(std::nullopt)), web, false, false, false},
      {"empty selector", anti(Zone(everything)), other, true, true, true},
      {"node lacks the key", anti(AffinityTerm("rack", kApp)), web, false, false, false},
      {"broken selector", anti(Zone(kBroken)), web, false, false, false},
      {"a broken selector drops its list", anti(Zone(kApp)).PodAntiAffinity(Zone(kBroken)), web,
       false, false, false},
      {"not the other lists", anti(Zone(kApp)).PodAffinity(Zone(kBroken)), web, true, true, true},
      {"existing pod of another namespace", anti(Zone(kApp)).Namespace("shop"), web, false, false,
       false},
      {"which lists the pod's", anti(In(Zone(kApp), {"x", "default"})).Namespace("shop"), web, true,
       true, true},
      {"listed namespaces replace the own", anti(In(Zone(kApp), {"x"})), web, false, false, false},
      {"selected namespace", anti(In(Zone(kApp), {}, team_a)).Namespace("shop"), web, true, true,
       true},
      {"namespace not selected", anti(In(Zone(kApp), {}, kApp)).Namespace("shop"), web, false,
       false, false},
      {"all namespaces", anti(In(Zone(kApp), {}, everything)).Namespace("shop"), web, true, true,
       true},
      {"unknown namespace has no labels", anti(In(Zone(kApp), {}, not_team_b)),
       MakePod().Namespace("new").Label("app", "web"), true, true, true},
      {"preferred affinity", MakePod().PreferredPodAffinity(1, Zone(kApp)), web, true, false, true},
      {"preferred affinity to others", MakePod().PreferredPodAffinity(1, Zone(kApp)), other, false,
       false, false},
      {"preferred anti-affinity", MakePod().PreferredPodAntiAffinity(1, Zone(kApp)), web, true,
       false, true},
      {"required affinity", MakePod().PodAffinity(Zone(kApp)), web, true, false, false},
  };
  for (InterPodCase& c : cases) CheckInterPodAffinity(c);
}

// Goal: members of pod groups are flagged where the plugins of groups are enabled.
TEST(NotImplemented, GroupPluginsMatterToMembers) {
  Pod member = MakePod();
  member.spec.scheduling_group.emplace().pod_group_name = Symbol("group");
  EXPECT_TRUE(PluginRunner<GangScheduling>().plugin().Matters(member));
  EXPECT_TRUE(PluginRunner<TopologyPlacementGenerator>().plugin().Matters(member));
  EXPECT_TRUE(PluginRunner<PodGroupPodsCount>().plugin().Matters(member));
  EXPECT_FALSE(PluginRunner<GangScheduling>().plugin().Matters(MakePod()));
  EXPECT_FALSE(PluginRunner<TopologyPlacementGenerator>().plugin().Matters(MakePod()));
  EXPECT_FALSE(PluginRunner<PodGroupPodsCount>().plugin().Matters(MakePod()));
}

}  // namespace
}  // namespace stowage
