#include "core/plugins/pod_topology_spread.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

using Spread = PluginRunner<PodTopologySpread>;

constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kHard = "DoNotSchedule";
constexpr std::string_view kSoft = "ScheduleAnyway";

const LabelSelector kFoo = MakeLabelSelector({}, {Expression("foo", "Exists")});

PodTopologySpreadArgs SystemArgs() {
  PodTopologySpreadArgs args;
  args.defaulting_type = PodTopologySpreadArgs::kSystemDefaulting;
  return args;
}

Node ZoneNode(std::string_view name, std::string_view zone) {
  return MakeNode().Name(name).Label(kZone, zone).Label(kHostname, name);
}

MakePod FooPod(std::string_view name) { return MakePod().Name(name).Label("foo", ""); }

// Nodes a, b (zone1) and x, y (zone2), with this many matching pods on each.
void AddCluster(const std::vector<size_t>& pods, FakeHandle* handle) {
  const std::string_view names[] = {"a", "b", "x", "y"};
  for (size_t at = 0; at < pods.size(); ++at) {
    handle->Add(ZoneNode(names[at], at < 2 ? "zone1" : "zone2"));
    for (size_t pod = 0; pod < pods[at]; ++pod) {
      handle->Add(FooPod(std::string(names[at]) + std::to_string(pod)).Node(names[at]).Obj());
    }
  }
}

// The verdicts on a, b, x and y: '.' passes, 'U' or 'R' (unresolvable) does not.
std::string Verdicts(Spread* spread, const Pod& pod) {
  std::string verdicts;
  for (const NodeInfo* node : spread->handle().snapshot().nodes()) {
    Status status = spread->Filter(pod, node->name().view());
    verdicts += status.IsSuccess() ? '.' : status.code() == Code::kUnschedulable ? 'U' : 'R';
  }
  return verdicts;
}

TEST(PodTopologySpread, FiltersByHardConstraints) {
  Pod other_selector = FooPod("p").SpreadConstraint(1, kZone, kHard, MakeLabelSelector({}, {}));
  Pod no_selector = FooPod("p").SpreadConstraint(1, kZone, kHard, std::nullopt);
  Pod min_domains = FooPod("p").SpreadConstraint(2, kZone, kHard, kFoo);
  min_domains.spec.topology_spread_constraints[0].min_domains = 3;
  struct {
    std::string_view name;
    Pod pod;
    std::vector<size_t> pods;  // on a, b, x, y
    std::string_view want;
  } cases[] = {
      {"zones 3 and 3", FooPod("p").SpreadConstraint(1, kZone, kHard, kFoo), {2, 1, 0, 3}, "...."},
      {"zones 3 and 2", FooPod("p").SpreadConstraint(1, kZone, kHard, kFoo), {2, 1, 0, 2}, "UU.."},
      {"hosts, skew 1",
       FooPod("p").SpreadConstraint(1, kHostname, kHard, kFoo),
       {2, 1, 0, 3},
       "UU.U"},
      {"hosts, skew 2",
       FooPod("p").SpreadConstraint(2, kHostname, kHard, kFoo),
       {2, 1, 0, 3},
       "U..U"},
      {"a pod that its selector does not match",
       MakePod().Name("p").SpreadConstraint(1, kHostname, kHard, kFoo),
       {2, 1, 0, 3},
       "U..U"},
      {"both constraints have to hold",
       FooPod("p")
           .SpreadConstraint(1, kZone, kHard, kFoo)
           .SpreadConstraint(1, kHostname, kHard, kFoo),
       {1, 0, 1, 0},
       "U.U."},
      {"no node has the key",
       FooPod("p").SpreadConstraint(1, "rack", kHard, kFoo),
       {0, 0, 0, 0},
       "RRRR"},
      {"a null selector matches nothing", no_selector, {2, 0, 0, 0}, "...."},
      {"an empty selector counts nobody but the pod itself", other_selector, {2, 0, 0, 0}, "...."},
      {"fewer domains than minDomains: the minimum is 0", min_domains, {1, 1, 1, 0}, "UU.."},
      {"soft constraints filter nothing",
       FooPod("p").SpreadConstraint(1, kZone, kSoft, kFoo),
       {5, 0, 0, 0},
       "...."},
  };
  for (const auto& c : cases) {
    Spread spread(SystemArgs());
    AddCluster(c.pods, &spread.handle());
    // The snapshot lists the zones in turns.
    std::string by_name;
    std::string verdicts = Verdicts(&spread, c.pod);
    for (std::string_view name : {"a", "b", "x", "y"}) {
      by_name += verdicts[spread.handle().node(name).row()];
    }
    EXPECT_EQ(by_name, c.want) << c.name;
  }
}

TEST(PodTopologySpread, CountsOnlyLivePodsOfTheNamespace) {
  Spread spread(SystemArgs());
  AddCluster({0, 0, 0, 0}, &spread.handle());
  spread.handle().Add(FooPod("other").Namespace("other").Node("a").Obj());
  spread.handle().Add(FooPod("leaving").Terminating().Node("a").Obj());
  EXPECT_EQ(Verdicts(&spread, FooPod("p").SpreadConstraint(1, kZone, kHard, kFoo)), "....");
}

TEST(PodTopologySpread, InclusionPoliciesLeaveNodesOut) {
  Spread spread(SystemArgs());
  AddCluster({1, 1, 0, 0}, &spread.handle());
  Pod pod = FooPod("p").SpreadConstraint(1, kZone, kHard, kFoo).NodeAffinityIn(kZone, {"zone1"});
  EXPECT_EQ(spread.Filter(pod, "a"), Status::Success()) << "zone2 is no domain for this pod";
  pod.spec.topology_spread_constraints[0].node_affinity_policy = Symbol("Ignore");
  EXPECT_EQ(spread.Filter(pod, "a"),
            Status::Unschedulable(PodTopologySpread::kReasonConstraintsNotMatch));
}

TEST(PodTopologySpread, MissingKeysAreTold) {
  Spread spread(SystemArgs());
  spread.handle().Add(MakeNode().Name("bare"));
  EXPECT_EQ(spread.Filter(FooPod("p").SpreadConstraint(1, kZone, kHard, kFoo), "bare"),
            Status::UnschedulableAndUnresolvable(PodTopologySpread::kReasonNodeLabelNotMatch));
}

TEST(PodTopologySpread, PreFilterExtensionsFollowPods) {
  Spread spread(SystemArgs());
  AddCluster({1, 0, 0, 0}, &spread.handle());
  const Pod pod = FooPod("p").SpreadConstraint(1, kZone, kHard, kFoo);
  ASSERT_TRUE(spread.PreFilter(pod).IsSuccess());
  const NodeInfo& a = spread.handle().node("a");
  const NodeInfo& x = spread.handle().node("x");
  auto passes = [&](const NodeInfo& node) {
    return spread.plugin().Filter(spread.state(), pod, node).IsSuccess();
  };
  EXPECT_FALSE(passes(a));
  PodInfoRef added = MakePodInfo(FooPod("q").Node("x").Ref(), Features());
  PodInfoRef stranger = MakePodInfo(FooPod("q").Namespace("other").Node("x").Ref(), Features());
  ASSERT_TRUE(spread.plugin().AddPod(spread.state(), pod, *stranger, x).IsSuccess());
  EXPECT_FALSE(passes(a)) << "another namespace";
  ASSERT_TRUE(spread.plugin().AddPod(spread.state(), pod, *added, x).IsSuccess());
  EXPECT_TRUE(passes(a));
  ASSERT_TRUE(spread.plugin().RemovePod(spread.state(), pod, *added, x).IsSuccess());
  EXPECT_FALSE(passes(a));
}

// Goal: the facts of the specification for soft constraints.
TEST(PodTopologySpread, ScoresBySoftConstraints) {
  struct {
    std::string_view name;
    Pod pod;
    std::vector<size_t> pods;
    std::vector<int64_t> want;  // a, b, x, y
  } cases[] = {
      {"hosts 2/1/0/3",
       FooPod("p").SpreadConstraint(1, kHostname, kSoft, kFoo),
       {2, 1, 0, 3},
       {20, 60, 100, 0}},
      {"the same with skew 2",
       FooPod("p").SpreadConstraint(2, kHostname, kSoft, kFoo),
       {2, 1, 0, 3},
       {33, 66, 100, 16}},
      {"hosts 4/3/2/1, skew 3",
       FooPod("p").SpreadConstraint(3, kHostname, kSoft, kFoo),
       {4, 3, 2, 1},
       {44, 66, 77, 100}},
      {"a null selector",
       FooPod("p").SpreadConstraint(1, kHostname, kSoft, std::nullopt),
       {2, 1, 0, 3},
       {100, 100, 100, 100}},
  };
  for (const auto& c : cases) {
    Spread spread(SystemArgs());
    AddCluster(c.pods, &spread.handle());
    std::vector<int64_t> scores = *spread.Scores(c.pod);
    std::vector<int64_t> by_name;
    for (std::string_view name : {"a", "b", "x", "y"}) {
      by_name.push_back(scores[spread.handle().node(name).row()]);
    }
    EXPECT_EQ(by_name, c.want) << c.name;
  }
}

TEST(PodTopologySpread, DefaultConstraintsNeedASelector) {
  Spread spread(SystemArgs());
  AddCluster({3, 0, 0, 0}, &spread.handle());
  EXPECT_TRUE(spread.Scores(FooPod("p"))->empty()) << "nobody selects the pod";
  Service service;
  service.metadata.name = Symbol("s");
  service.metadata.namespace_ = Symbol("default");
  service.spec.selector = LabelMap{{"foo", ""}};
  spread.handle().fake_listers().Add(service);
  std::vector<int64_t> scores = *spread.Scores(FooPod("p"));
  ASSERT_EQ(scores.size(), 4u);
  EXPECT_LT(scores[spread.handle().node("a").row()], scores[spread.handle().node("b").row()]);
  EXPECT_LT(scores[spread.handle().node("b").row()], scores[spread.handle().node("x").row()]);
  EXPECT_EQ(scores[spread.handle().node("x").row()], 100);
}

TEST(PodTopologySpread, MatchLabelKeysNarrowTheSelector) {
  Spread spread(SystemArgs());
  AddCluster({1, 0, 0, 0}, &spread.handle());
  Pod pod = FooPod("p").Label("version", "2").SpreadConstraint(1, kZone, kHard, kFoo);
  EXPECT_FALSE(spread.Filter(pod, "a").IsSuccess());
  pod.spec.topology_spread_constraints[0].match_label_keys = MakeSymbols({"version", "absent"});
  EXPECT_TRUE(spread.Filter(pod, "a").IsSuccess()) << "the pod on a has no version";
}

TEST(PodTopologySpread, SelectorsThatDoNotParseAreErrors) {
  Spread spread(SystemArgs());
  AddCluster({0}, &spread.handle());
  const LabelSelector broken = MakeLabelSelector({}, {Expression("foo", "Near")});
  Status hard = spread.PreFilter(FooPod("p").SpreadConstraint(1, kZone, kHard, broken));
  EXPECT_EQ(hard.code(), Code::kError);
  EXPECT_TRUE(hard.Message().starts_with(
      "get constraints from pod: obtaining pod's hard topology spread constraints: "))
      << hard.Message();
  auto soft = spread.Scores(FooPod("p").SpreadConstraint(1, kZone, kSoft, broken));
  ASSERT_FALSE(soft.ok());
  EXPECT_TRUE(soft.fault().Message().starts_with(
      "calculating preScoreState: obtaining pod's soft topology spread constraints: "))
      << soft.fault().Message();
}

}  // namespace
}  // namespace stowage
