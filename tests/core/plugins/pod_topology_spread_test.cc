#include "core/plugins/pod_topology_spread.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/plugin_runner.h"
#include "tests/support/random_cluster.h"

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

// Nodes a, b (zone1) and x, y (zone2), with these numbers of matching pods.
void AddCluster(const std::vector<size_t>& pods, FakeHandle* handle) {
  const std::string_view names[] = {"a", "b", "x", "y"};
  for (size_t at = 0; at < pods.size(); ++at) {
    handle->Add(ZoneNode(names[at], at < 2 ? "zone1" : "zone2"));
    for (size_t pod = 0; pod < pods[at]; ++pod) {
      handle->Add(FooPod(std::string(names[at]) + std::to_string(pod)).Node(names[at]).Obj());
    }
  }
}

// The verdicts on a, b, x and y: '.' passes, 'U' and 'R' (unresolvable) do not.
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
  min_domains.spec.topology_spread_constraints.Mutable()[0].min_domains = 3;
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
      {"an empty selector counts only the pod itself", other_selector, {2, 0, 0, 0}, "...."},
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

TEST(PodTopologySpread, InclusionPoliciesExcludeNodes) {
  Spread spread(SystemArgs());
  AddCluster({1, 1, 0, 0}, &spread.handle());
  Pod pod = FooPod("p").SpreadConstraint(1, kZone, kHard, kFoo).NodeAffinityIn(kZone, {"zone1"});
  EXPECT_EQ(spread.Filter(pod, "a"), Status::Success()) << "zone2 is no domain for this pod";
  pod.spec.topology_spread_constraints.Mutable()[0].node_affinity_policy = Symbol("Ignore");
  EXPECT_EQ(spread.Filter(pod, "a"),
            Status::Unschedulable(PodTopologySpread::kReasonConstraintsNotMatch));
}

TEST(PodTopologySpread, ReportsMissingKeys) {
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
  EXPECT_TRUE(spread.Scores(FooPod("p"))->empty()) << "no constraint selects the pod";
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
  pod.spec.topology_spread_constraints.Mutable()[0].match_label_keys =
      MakeSymbols({"version", "absent"});
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

// A cluster in motion, and pods that come to it.
class SpreadUnderChange {
 public:
  explicit SpreadUnderChange(uint64_t seed) : random_(seed), spread_(SystemArgs()) {
    Service service;
    service.metadata.name = Symbol("s");
    service.metadata.namespace_ = Symbol("default");
    service.spec.selector = LabelMap{{"app", "web"}};
    spread_.handle().fake_listers().Add(service);
    lacks_keys_ = random_.Chance(2);
    for (size_t count = 1 + random_.rng().Below(40); count > 0; --count) AddNode();
  }

  void Change() {
    switch (random_.rng().Below(10)) {
      case 0:
        AddNode();
        break;
      case 1:
        if (nodes_.size() > 1) RemoveNode();
        break;
      case 2:
      case 3:
        Relabel();
        break;
      case 4:
      case 5:
        RemovePod();
        break;
      default:
        AddPod();
    }
  }

  // Asks about a pod that may be anywhere, and about one that says which nodes count, by a rule
  // that all of them meet: the second is counted by a walk.
  void Check() {
    Pod pod = Asked();
    Pod walked = pod;
    NodeSelectorTerm term;
    term.match_expressions.push_back(Expression("absent", "DoesNotExist"));
    walked.spec.affinity.emplace();
    walked.spec.affinity.Mutable().node_affinity.emplace();
    walked.spec.affinity.Mutable().node_affinity->required = NodeSelector{{term}};
    std::vector<const NodeInfo*> filtered;
    size_t one_in = 1 + random_.rng().Below(4);
    for (const NodeInfo* node : spread_.handle().snapshot().nodes()) {
      if (random_.Chance(one_in)) filtered.push_back(node);
    }
    ASSERT_EQ(Answers(pod, filtered), Answers(walked, filtered));
  }

  // Different scores that were met.
  const std::set<int64_t>& scores() const { return scores_; }
  size_t num_refusals() const { return num_refusals_; }

 private:
  // The verdict on every node, and the raw scores of those that are left.
  std::vector<int64_t> Answers(const Pod& pod, const std::vector<const NodeInfo*>& filtered) {
    std::vector<int64_t> answers;
    bool is_skipped = spread_.PreFilter(pod).IsSkip();
    for (const NodeInfo* node : spread_.handle().snapshot().nodes()) {
      if (is_skipped) break;
      Code code = spread_.plugin().Filter(spread_.state(), pod, *node).code();
      answers.push_back(static_cast<int64_t>(code));
      if (code != Code::kSuccess) ++num_refusals_;
    }
    if (filtered.empty()) return answers;
    if (spread_.plugin().PreScore(spread_.state(), pod, filtered).IsSkip()) return answers;
    for (const NodeInfo* node : filtered) {
      answers.push_back(*spread_.plugin().Score(spread_.state(), pod, *node));
      scores_.insert(answers.back());
    }
    return answers;
  }

  // Without constraints, or with some of its own.
  Pod Asked() {
    MakePod pod;
    pod.Name("asked").Label("app", App());
    for (size_t count = random_.rng().Below(3); count > 0; --count) {
      std::string_view keys[] = {kZone, kHostname, "disk"};
      std::string_view key = keys[random_.rng().Below(3)];
      std::string_view action = random_.Chance(2) ? kHard : kSoft;
      auto max_skew = static_cast<int32_t>(1 + random_.rng().Below(3));
      pod.SpreadConstraint(max_skew, key, action, MakeLabelSelector({{"app", App()}}));
    }
    return pod;
  }

  std::string_view App() { return random_.Chance(2) ? "web" : "db"; }

  Node RandomNode(std::string_view name) {
    MakeNode node;
    node.Name(name).Label(kHostname, name);
    std::string zone = "z" + std::to_string(random_.rng().Below(4));
    if (!lacks_keys_ || !random_.Chance(6)) node.Label(kZone, zone);
    if (!lacks_keys_ || !random_.Chance(6)) node.Label("disk", random_.Chance(2) ? "ssd" : "");
    return node;
  }

  void AddNode() {
    nodes_.push_back(RandomNode("n" + std::to_string(next_++)));
    spread_.handle().Add(nodes_.back());
  }

  void RemoveNode() {
    size_t at = random_.rng().Below(nodes_.size());
    spread_.handle().Remove(nodes_[at]);
    nodes_.erase(nodes_.begin() + static_cast<ptrdiff_t>(at));
  }

  void Relabel() {
    Node& node = nodes_[random_.rng().Below(nodes_.size())];
    node = RandomNode(node.metadata.name.view());
    spread_.handle().Update(node);
  }

  void AddPod() {
    const Node& node = nodes_[random_.rng().Below(nodes_.size())];
    Pod pod = MakePod().Name("p" + std::to_string(next_++)).Label("app", App());
    pod.spec.node_name = node.metadata.name;
    if (random_.Chance(5)) pod.metadata.deletion_timestamp = Instant{1, 0};
    pods_.push_back(pod);
    spread_.handle().Add(std::move(pod));
  }

  void RemovePod() {
    if (pods_.empty()) return;
    size_t at = random_.rng().Below(pods_.size());
    spread_.handle().Remove(pods_[at]);
    pods_.erase(pods_.begin() + static_cast<ptrdiff_t>(at));
  }

  RandomCluster random_;
  Spread spread_;
  bool lacks_keys_ = false;
  std::vector<Node> nodes_;
  std::vector<Pod> pods_;
  size_t next_ = 0;
  std::set<int64_t> scores_;
  size_t num_refusals_ = 0;
};

// Goal: sums that are kept decide as a walk over all nodes does. Method: random changes; after each
// a pod for which the sums serve, and its double for which they cannot.
TEST(PodTopologySpread, CachedSumsEqualAWalk) {
  std::set<int64_t> scores;
  size_t num_refusals = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SpreadUnderChange cluster(seed);
    for (size_t step = 0; step < 80; ++step) {
      for (size_t change = 0; change < 1 + seed % 4; ++change) cluster.Change();
      cluster.Check();
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
    scores.insert(cluster.scores().begin(), cluster.scores().end());
    num_refusals += cluster.num_refusals();
  }
  EXPECT_GT(scores.size(), 25u);
  EXPECT_GT(num_refusals, 1000u);
}

}  // namespace
}  // namespace stowage
