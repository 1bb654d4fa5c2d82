#include "core/plugins/inter_pod_affinity.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Runner = PluginRunner<InterPodAffinity>;

const LabelSelector kWeb = MakeLabelSelector({{"app", "web"}});
const LabelSelector kDb = MakeLabelSelector({{"app", "db"}});

InterPodAffinityArgs Args(int32_t hard_weight = 1, bool ignores_preferred = false) {
  return {hard_weight, ignores_preferred};
}

PodAffinityTerm Zone(std::optional<LabelSelector> selector) {
  return MakeAffinityTerm("zone", std::move(selector));
}

PodAffinityTerm In(PodAffinityTerm term, Texts namespaces,
                   std::optional<LabelSelector> namespace_selector = std::nullopt) {
  term.namespaces = MakeSymbols(namespaces);
  term.namespace_selector = std::move(namespace_selector);
  return term;
}

MakePod App(std::string_view name, std::string_view app) {
  return MakePod().Name(name).Label("app", app);
}

// Nodes a and b in zone z1, c in zone z2, and bare without labels.
void AddNodes(FakeHandle* handle) {
  handle->Add(MakeNode().Name("a").Label("zone", "z1").Obj());
  handle->Add(MakeNode().Name("b").Label("zone", "z1").Obj());
  handle->Add(MakeNode().Name("c").Label("zone", "z2").Obj());
  handle->Add(MakeNode().Name("bare").Obj());
}

std::string_view Words(const Status& status) {
  if (status.IsSuccess()) return "ok";
  const std::string message = status.Message();
  if (message == InterPodAffinity::kReasonAffinity) return "affinity";
  if (message == InterPodAffinity::kReasonAntiAffinity) return "anti";
  return message == InterPodAffinity::kReasonExistingAntiAffinity ? "existing" : "?";
}

// The verdicts of Filter on a, b, c and bare.
std::string VerdictText(Runner* runner, const Pod& pod) {
  std::string words;
  for (std::string_view node : {"a", "b", "c", "bare"}) {
    words.append(words.empty() ? "" : " ").append(Words(runner->Filter(pod, node)));
  }
  return words;
}

struct FilterCase {
  std::string_view name;
  Pod pod;
  std::vector<Pod> existing;
  std::string_view want;
};

void CheckFilter(const std::vector<FilterCase>& cases) {
  Namespace team;
  team.metadata.name = Symbol("team");
  team.metadata.labels = {{"kind", "team"}};
  for (const FilterCase& c : cases) {
    Runner runner(Args());
    AddNodes(&runner.handle());
    runner.handle().fake_listers().Add(team);
    for (const Pod& pod : c.existing) runner.handle().Add(pod);
    EXPECT_EQ(VerdictText(&runner, c.pod), c.want) << c.name;
  }
}

TEST(InterPodAffinity, FiltersByTerms) {
  CheckFilter({
      {"no terms", App("p", "web"), {App("e", "web").Node("a")}, "ok ok ok ok"},
      {"the zone of a matching pod",
       App("p", "db").PodAffinity(Zone(kWeb)),
       {App("e", "web").Node("a")},
       "ok ok affinity affinity"},
      {"no matching pod",
       App("p", "db").PodAffinity(Zone(kWeb)),
       {},
       "affinity affinity affinity affinity"},
      {"the first of its group", App("p", "web").PodAffinity(Zone(kWeb)), {}, "ok ok ok affinity"},
      {"one pod has to match all terms",
       App("p", "x").PodAffinity(Zone(kWeb)).PodAffinity(Zone(kDb)),
       {App("e", "web").Node("a"), App("f", "db").Node("a")},
       "affinity affinity affinity affinity"},
      {"anti-affinity",
       App("p", "web").PodAntiAffinity(Zone(kWeb)),
       {App("e", "web").Node("a")},
       "anti anti ok ok"},
      {"any term of anti-affinity",
       App("p", "x").PodAntiAffinity(Zone(kWeb)).PodAntiAffinity(Zone(kDb)),
       {App("e", "db").Node("c")},
       "ok ok anti ok"},
      {"an existing pod's anti-affinity",
       App("p", "db"),
       {App("e", "web").PodAntiAffinity(Zone(kDb)).Node("a")},
       "existing existing ok ok"},
      {"terminating pods count",
       App("p", "web").PodAntiAffinity(Zone(kWeb)),
       {App("e", "web").Terminating().Node("c")},
       "ok ok anti ok"},
      {"a null selector matches nothing",
       App("p", "web").PodAntiAffinity(Zone(std::nullopt)),
       {App("e", "web").Node("a")},
       "ok ok ok ok"},
  });
}

TEST(InterPodAffinity, FiltersByNamespaces) {
  const LabelSelector teams = MakeLabelSelector({{"kind", "team"}});
  const LabelSelector no_teams = MakeLabelSelector({}, {Expression("kind", "DoesNotExist")});
  CheckFilter({
      {"a pod of another namespace",
       App("p", "db").PodAffinity(Zone(kWeb)),
       {App("e", "web").Namespace("other").Node("a")},
       "affinity affinity affinity affinity"},
      {"a listed namespace",
       App("p", "db").PodAffinity(In(Zone(kWeb), {"other"})),
       {App("e", "web").Namespace("other").Node("a")},
       "ok ok affinity affinity"},
      {"a selected namespace",
       App("p", "db").PodAffinity(In(Zone(kWeb), {}, teams)),
       {App("e", "web").Namespace("team").Node("a")},
       "ok ok affinity affinity"},
      {"a selector of no labels selects every namespace",
       App("p", "db").PodAffinity(In(Zone(kWeb), {}, no_teams)),
       {App("e", "web").Namespace("team").Node("a")},
       "ok ok affinity affinity"},
      {"an existing pod's term over selected namespaces",
       App("p", "db").Namespace("team"),
       {App("e", "web").PodAntiAffinity(In(Zone(kDb), {}, teams)).Node("a")},
       "existing existing ok ok"},
  });
}

TEST(InterPodAffinity, OnlyUnmetAffinityIsUnresolvable) {
  Runner runner(Args());
  AddNodes(&runner.handle());
  runner.handle().Add(App("e", "web").PodAntiAffinity(Zone(kDb)).Node("a").Obj());
  EXPECT_EQ(runner.Filter(App("p", "x").PodAffinity(Zone(kDb)), "a"),
            Status::UnschedulableAndUnresolvable(InterPodAffinity::kReasonAffinity));
  EXPECT_EQ(runner.Filter(App("p", "x").PodAntiAffinity(Zone(kWeb)), "a"),
            Status::Unschedulable(InterPodAffinity::kReasonAntiAffinity));
  EXPECT_EQ(runner.Filter(App("p", "db"), "a"),
            Status::Unschedulable(InterPodAffinity::kReasonExistingAntiAffinity));
}

TEST(InterPodAffinity, ReportsSelectorsThatDoNotParse) {
  Runner runner(Args());
  AddNodes(&runner.handle());
  const LabelSelector broken = MakeLabelSelector({}, {Expression("app", "Near")});
  Status status = runner.PreFilter(App("p", "web").PodAffinity(Zone(broken)));
  EXPECT_EQ(status.code(), Code::kUnschedulableAndUnresolvable);
  EXPECT_TRUE(status.Message().starts_with("parsing pod: requiredAffinityTerms: "))
      << status.Message();
  auto scores = runner.Scores(App("p", "web").PreferredPodAffinity(1, Zone(broken)));
  ASSERT_FALSE(scores.ok());
  EXPECT_TRUE(scores.fault().Message().starts_with("failed to parse pod: preferredAffinityTerms: "))
      << scores.fault().Message();
}

// Goal: the extensions remove exactly what they added.
TEST(InterPodAffinity, PreFilterExtensionsFollowPods) {
  Runner runner(Args());
  AddNodes(&runner.handle());
  const Pod pod = App("p", "web").PodAffinity(Zone(kWeb)).PodAntiAffinity(Zone(kDb));
  ASSERT_TRUE(runner.PreFilter(pod).IsSuccess());
  const NodeInfo& a = runner.handle().node("a");
  auto words = [&](std::string_view node) {
    return Words(runner.plugin().Filter(runner.state(), pod, runner.handle().node(node)));
  };
  EXPECT_EQ(words("c"), "ok") << "the first of its group";
  PodInfoRef web = MakePodInfo(App("w", "web").Node("a").Ref(), Features());
  PodInfoRef db = MakePodInfo(App("d", "db").Node("a").Ref(), Features());
  PodInfoRef jealous =
      MakePodInfo(App("j", "x").PodAntiAffinity(Zone(kWeb)).Node("a").Ref(), Features());
  ASSERT_TRUE(runner.plugin().AddPod(runner.state(), pod, *web, a).IsSuccess());
  EXPECT_EQ(words("c"), "affinity");
  EXPECT_EQ(words("b"), "ok");
  ASSERT_TRUE(runner.plugin().AddPod(runner.state(), pod, *jealous, a).IsSuccess());
  EXPECT_EQ(words("b"), "existing");
  ASSERT_TRUE(runner.plugin().AddPod(runner.state(), pod, *db, a).IsSuccess());
  EXPECT_EQ(words("b"), "anti");
  for (const PodInfoRef& info : {db, jealous, web}) {
    ASSERT_TRUE(runner.plugin().RemovePod(runner.state(), pod, *info, a).IsSuccess());
  }
  EXPECT_EQ(words("b"), "ok");
  EXPECT_EQ(words("c"), "ok");
}

TEST(InterPodAffinity, ScoresByTerms) {
  struct {
    std::string_view name;
    InterPodAffinityArgs args;
    Pod pod;
    std::vector<Pod> existing;
    std::vector<int64_t> want;  // a, b, c, bare; empty: skipped
  } cases[] = {
      {"nothing to go by", Args(), App("p", "web"), {App("e", "web").Node("a")}, {}},
      {"preferred affinity",
       Args(),
       App("p", "x").PreferredPodAffinity(5, Zone(kWeb)),
       {App("e", "web").Node("a")},
       {100, 100, 0, 0}},
      {"preferred anti-affinity",
       Args(),
       App("p", "x").PreferredPodAntiAffinity(5, Zone(kWeb)),
       {App("e", "web").Node("a")},
       {0, 0, 100, 100}},
      {"both",
       Args(),
       App("p", "x").PreferredPodAffinity(8, Zone(kWeb)).PreferredPodAntiAffinity(5, Zone(kDb)),
       {App("e", "web").Node("a"), App("f", "db").Node("c")},
       {100, 100, 0, 38}},
      {"an existing pod's required affinity",
       Args(3),
       App("p", "web"),
       {App("e", "x").PodAffinity(Zone(kWeb)).Node("c")},
       {0, 0, 100, 0}},
      {"which has no weight",
       Args(0),
       App("p", "web"),
       {App("e", "x").PodAffinity(Zone(kWeb)).Node("c")},
       {}},
      {"an existing pod's preferences",
       Args(),
       App("p", "web"),
       {App("e", "x").PreferredPodAffinity(2, Zone(kWeb)).Node("c"),
        App("f", "x").PreferredPodAntiAffinity(2, Zone(kWeb)).Node("a")},
       {0, 0, 100, 50}},
      {"which are ignored",
       Args(1, true),
       App("p", "web"),
       {App("e", "x").PreferredPodAffinity(2, Zone(kWeb)).Node("c")},
       {}},
      {"unless the pod prefers something itself",
       Args(1, true),
       App("p", "web").PreferredPodAffinity(1, Zone(kDb)),
       {App("e", "x").PreferredPodAffinity(2, Zone(kWeb)).Node("c")},
       {0, 0, 100, 0}},
      {"a sum of 0 is a sum",
       Args(),
       App("p", "x").PreferredPodAffinity(5, Zone(kWeb)).PreferredPodAntiAffinity(5, Zone(kWeb)),
       {App("e", "web").Node("a")},
       {0, 0, 0, 0}},
  };
  for (const auto& c : cases) {
    Runner runner(c.args);
    AddNodes(&runner.handle());
    for (const Pod& pod : c.existing) runner.handle().Add(pod);
    std::vector<int64_t> scores = *runner.Scores(c.pod);
    std::vector<int64_t> by_name;
    for (std::string_view name : {"a", "b", "c", "bare"}) {
      if (!scores.empty()) by_name.push_back(scores[runner.handle().node(name).row()]);
    }
    EXPECT_EQ(by_name, c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
