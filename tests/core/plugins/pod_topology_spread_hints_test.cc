// Goal: a rejected pod is queued when the counts of its hard constraints change.
#include <gtest/gtest.h>

#include "core/plugins/pod_topology_spread.h"
#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

const ClusterEvent kPodAdded = AssignedPodEvent(action::kAdd);
const ClusterEvent kPodRelabelled = AssignedPodEvent(action::kUpdatePodLabel);
const ClusterEvent kPodDeleted = AssignedPodEvent(action::kDelete);
const ClusterEvent kNodeAdded = NodeEvent(action::kAdd);
const ClusterEvent kNodeDeleted = NodeEvent(action::kDelete);
const ClusterEvent kNodeRelabelled = NodeEvent(action::kUpdateNodeLabel);
const ClusterEvent kNodeTainted = NodeEvent(action::kUpdateNodeTaint);

constexpr std::string_view kHard = "DoNotSchedule";
constexpr std::string_view kSoft = "ScheduleAnyway";
const LabelSelector kFoo = MakeLabelSelector({}, {Expression("foo", "Exists")});
const LabelSelector kBar = MakeLabelSelector({}, {Expression("bar", "Exists")});
const LabelSelector kBroken = MakeLabelSelector({}, {Expression("foo", "Near")});

MakePod Spread() {
  return MakePod()
      .Name("p")
      .SpreadConstraint(1, "zone", kHard, kFoo)
      .SpreadConstraint(1, "host", kHard, kBar);
}

MakePod Placed(TextPairs labels) { return MakePod().Name("q").Labels(labels).Node("n"); }

void Check(std::span<const HintCase> cases, const Features& features = Features()) {
  PodTopologySpreadArgs args;
  args.defaulting_type = PodTopologySpreadArgs::kSystemDefaulting;
  PluginRunner<PodTopologySpread> runner(args, features);
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

TEST(PodTopologySpreadHints, CoverAddedAndDeletedPods) {
  const Pod pod = Spread();
  const Pod soft = MakePod().Name("p").SpreadConstraint(1, "zone", kSoft, kFoo);
  const Pod broken = MakePod().Name("p").SpreadConstraint(1, "zone", kHard, kBroken);
  const Pod all = MakePod().Name("p").SpreadConstraint(1, "zone", kHard, MakeLabelSelector({}));
  const HintCase cases[] = {
      {"counted by the first constraint", kPodAdded, pod, WasAdded(Placed({{"foo", ""}})), "Queue"},
      {"counted by the second", kPodAdded, pod, WasAdded(Placed({{"bar", ""}})), "Queue"},
      {"counted by none", kPodAdded, pod, WasAdded(Placed({{"baz", ""}})), "Skip"},
      {"of another namespace", kPodAdded, pod, WasAdded(Placed({{"foo", ""}}).Namespace("other")),
       "Skip"},
      {"nominated", kPodAdded, pod,
       WasAdded(MakePod().Name("q").Label("foo", "").NominatedNodeName("n")), "Queue"},
      {"nowhere", UnscheduledPodEvent(action::kAdd), pod,
       WasAdded(MakePod().Name("q").Label("foo", "")), "Skip"},
      {"itself, nowhere", UnscheduledPodEvent(action::kAdd), pod,
       WasAdded(Spread().Label("foo", "")), "Queue"},
      {"goes, was counted", kPodDeleted, pod, WasDeleted(Placed({{"bar", ""}})), "Queue"},
      {"goes, was not counted", kPodDeleted, pod, WasDeleted(Placed({})), "Skip"},
      {"goes, was nowhere", kPodDeleted, pod, WasDeleted(MakePod().Name("q").Label("foo", "")),
       "Skip"},
      {"soft constraints do not count", kPodAdded, soft, WasAdded(Placed({{"foo", ""}})), "Skip"},
      {"nor does their absence", kPodAdded, MakePod().Name("p"), WasAdded(Placed({})), "Skip"},
      {"an empty selector matches", kPodAdded, all, WasAdded(Placed({})), "Queue"},
      {"a selector does not parse", kPodAdded, broken, WasAdded(Placed({})), "Queue"},
      {"it does not parse, for a pod elsewhere", kPodAdded, broken,
       WasAdded(Placed({}).Namespace("other")), "Skip"},
      {"the object is no pod", kPodAdded, pod, WithWrongNew(WasAdded(Placed({}))), "Queue"},
      {"nor was it", kPodDeleted, pod, WithWrongOld(WasDeleted(Placed({}))), "Queue"},
  };
  Check(cases);
}

// Goal: until v1.35 changes of nominated pods, other than itself, wake no pod.
TEST(PodTopologySpreadHints, CoverNominatedPodsOfEarlierReleases) {
  const Pod pod = Spread();
  const Pod nominated = MakePod().Name("q").Label("foo", "").NominatedNodeName("n");
  Features features;
  features.behaviour.nominated_pods_wake = false;
  const HintCase cases[] = {
      {"comes", kPodAdded, pod, WasAdded(nominated), "Skip"},
      {"goes", kPodDeleted, pod, WasDeleted(nominated), "Skip"},
      {"is the pod itself", UnscheduledPodEvent(action::kAdd), pod,
       WasAdded(Spread().Label("foo", "").NominatedNodeName("n")), "Queue"},
      {"is assigned", kPodAdded, pod, WasAdded(Placed({{"foo", ""}})), "Queue"},
  };
  Check(cases, features);
}

TEST(PodTopologySpreadHints, CoverChangedPods) {
  const ClusterEvent own_tolerations = UnscheduledPodEvent(action::kUpdatePodToleration);
  const Pod pod = Spread();
  MakePod honoring;
  honoring.Name("p").AddSpreadConstraint().when_unsatisfiable = Symbol(kHard);
  Pod honors = honoring.Obj();
  honors.spec.topology_spread_constraints.Mutable()[0].node_taints_policy = Symbol("Honor");
  Pod honors_and_tolerates = honors;
  honors_and_tolerates.spec.tolerations.push_back({Symbol("k"), Symbol("Exists"), {}, {}});
  const Pod foo = Placed({{"foo", ""}});
  const Pod other_foo = Placed({{"foo", "x"}});
  const Pod plain = Placed({});
  const HintCase cases[] = {
      {"comes to be counted", kPodRelabelled, pod, WasUpdated(plain, foo), "Queue"},
      {"is counted no longer", kPodRelabelled, pod, WasUpdated(foo, plain), "Queue"},
      {"is counted as before", kPodRelabelled, pod, WasUpdated(foo, other_foo), "Skip"},
      {"is counted otherwise", kPodRelabelled, pod, WasUpdated(foo, Placed({{"bar", ""}})),
       "Queue"},
      {"itself comes to be counted", UnscheduledPodEvent(action::kUpdatePodLabel), pod,
       WasUpdated(pod, Spread().Label("foo", "")), "Queue"},
      {"nowhere", kPodRelabelled, pod,
       WasUpdated(MakePod().Name("q"), MakePod().Name("q").Label("foo", "")), "Skip"},
      {"its tolerations, taints are honored", own_tolerations, honors,
       WasUpdated(honors, honors_and_tolerates), "Queue"},
      {"its tolerations, taints are ignored", own_tolerations, pod,
       WasUpdated(pod, Spread().Toleration("k", "Exists")), "Skip"},
      {"another pod's tolerations", AssignedPodEvent(action::kUpdatePodToleration), honors,
       WasUpdated(plain, Placed({}).Toleration("k", "Exists")), "Skip"},
      {"the old object is no pod", kPodRelabelled, pod, WithWrongOld(WasUpdated(plain, plain)),
       "Queue"},
      {"scale down", AssignedPodEvent(action::kUpdatePodScaleDown), pod, WasUpdated(plain, foo),
       "deaf"},
  };
  Check(cases);
}

TEST(PodTopologySpreadHints, CoverNodes) {
  const Pod pod = Spread();
  const Pod broken = MakePod().Name("p").SpreadConstraint(1, "zone", kHard, kBroken);
  auto node = [](TextPairs labels) {
    MakeNode made;
    made.Name("n");
    for (const auto& [key, value] : labels) made.Label(key, value);
    return made;
  };
  const Node bare = node({});
  const Node partial = node({{"zone", "a"}});
  const Node full = node({{"zone", "a"}, {"host", "h"}});
  const Node moved = node({{"zone", "b"}, {"host", "h"}});
  const Node labelled = node({{"zone", "a"}, {"host", "h"}, {"k", "v"}});
  const Node tainted = node({{"zone", "a"}, {"host", "h"}}).Taint("k", "", "NoSchedule");
  const HintCase cases[] = {
      {"one with all keys comes", kNodeAdded, pod, WasAdded(full), "Queue"},
      {"one with some keys comes", kNodeAdded, pod, WasAdded(partial), "Skip"},
      {"any comes, nothing is spread", kNodeAdded, MakePod().Name("p"), WasAdded(bare), "Queue"},
      {"one with all keys goes", kNodeDeleted, pod, WasDeleted(full), "Queue"},
      {"one with some keys goes", kNodeDeleted, pod, WasDeleted(partial), "Skip"},
      {"the last key comes", kNodeRelabelled, pod, WasUpdated(partial, full), "Queue"},
      {"a key goes", kNodeRelabelled, pod, WasUpdated(full, partial), "Queue"},
      {"some keys, as before", kNodeRelabelled, pod, WasUpdated(bare, partial), "Skip"},
      {"a value changes", kNodeRelabelled, pod, WasUpdated(full, moved), "Queue"},
      {"another label", kNodeRelabelled, pod, WasUpdated(full, labelled), "Skip"},
      {"taints of one with all keys", kNodeTainted, pod, WasUpdated(full, tainted), "Queue"},
      {"taints of one with some keys", kNodeTainted, pod,
       WasUpdated(partial, node({{"zone", "a"}}).Taint("k", "", "NoSchedule")), "Skip"},
      {"a selector does not parse", kNodeRelabelled, broken, WasUpdated(bare, bare), "Queue"},
      {"the old object is no node", kNodeRelabelled, pod, WithWrongOld(WasUpdated(full, full)),
       "Queue"},
      {"the new object is no node", kNodeAdded, pod, WithWrongNew(WasAdded(partial)), "Queue"},
      {"allocatable", NodeEvent(action::kUpdateNodeAllocatable), pod, WasUpdated(bare, full),
       "deaf"},
  };
  Check(cases);
}

}  // namespace
}  // namespace stowage
