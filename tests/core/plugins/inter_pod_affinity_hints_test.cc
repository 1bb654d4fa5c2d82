// Goal: a rejected pod is queued when an affinity may be met or an anti-affinity is gone; and, like
// in the reference, sometimes too often or not often enough.
#include <gtest/gtest.h>

#include "core/plugins/inter_pod_affinity.h"
#include "tests/support/plugin_runner.h"
#include "tests/support/queueing_hints.h"

namespace stowage {
namespace {

const ClusterEvent kPodAdded = AssignedPodEvent(action::kAdd);
const ClusterEvent kPodRelabelled = AssignedPodEvent(action::kUpdatePodLabel);
const ClusterEvent kPodDeleted = AssignedPodEvent(action::kDelete);
const ClusterEvent kNodeAdded = NodeEvent(action::kAdd);
const ClusterEvent kNodeRelabelled = NodeEvent(action::kUpdateNodeLabel);

PodAffinityTerm Zone(std::optional<LabelSelector> selector) {
  return MakeAffinityTerm("zone", std::move(selector));
}

PodAffinityTerm ZoneOf(TextPairs labels) { return Zone(MakeLabelSelector(labels)); }

PodAffinityTerm In(PodAffinityTerm term, std::optional<LabelSelector> namespace_selector) {
  term.namespace_selector = std::move(namespace_selector);
  return term;
}

// A pod on a node.
MakePod Placed(TextPairs labels) { return MakePod().Name("q").Labels(labels).Node("n"); }

void Check(std::span<const HintCase> cases, const Behaviour& behaviour = Behaviour()) {
  Features features;
  features.behaviour = behaviour;
  PluginRunner<InterPodAffinity> runner(NewPluginArgs("InterPodAffinity"), features);
  for (const HintCase& c : cases) {
    EXPECT_EQ(HintOf(runner.plugin(), c.event, c.pod, c.objects), c.want) << c.name;
  }
}

TEST(InterPodAffinityHints, CoverAddedPods) {
  const Pod friendly =
      MakePod().Name("p").PodAffinity(ZoneOf({{"a", "1"}})).PodAffinity(ZoneOf({{"b", "1"}}));
  const Pod hostile = MakePod().Name("p").PodAntiAffinity(ZoneOf({{"a", "1"}}));
  const Pod broken =
      MakePod().Name("p").PodAffinity(Zone(MakeLabelSelector({}, {Expression("k", "Near")})));
  const Pod gently_broken = MakePod().Name("p").PreferredPodAffinity(
      1, Zone(MakeLabelSelector({}, {Expression("k", "Near")})));
  const HintCase cases[] = {
      {"matches all terms", kPodAdded, friendly, WasAdded(Placed({{"a", "1"}, {"b", "1"}})),
       "Queue"},
      {"matches one term", kPodAdded, friendly, WasAdded(Placed({{"a", "1"}})), "Skip"},
      {"matches in another namespace", kPodAdded, friendly,
       WasAdded(Placed({{"a", "1"}, {"b", "1"}}).Namespace("other")), "Skip"},
      {"matches, and is nominated", kPodAdded, friendly,
       WasAdded(MakePod().Labels({{"a", "1"}, {"b", "1"}}).NominatedNodeName("n")), "Queue"},
      {"matches, and is nowhere", kPodAdded, friendly,
       WasAdded(MakePod().Labels({{"a", "1"}, {"b", "1"}})), "Skip"},
      {"whom an anti-affinity is about", kPodAdded, hostile, WasAdded(Placed({{"a", "1"}})),
       "Skip"},
      {"whom an anti-affinity is not about", kPodAdded, hostile, WasAdded(Placed({})), "Skip"},
      {"a pod without terms", kPodAdded, MakePod().Name("p"), WasAdded(Placed({})), "Skip"},
      {"a term does not parse", kPodAdded, broken, WasAdded(Placed({})), "Queue"},
      {"a preferred term is not read", kPodAdded, gently_broken, WasAdded(Placed({})), "Skip"},
      {"the object is no pod", kPodAdded, friendly, WithWrongNew(WasAdded(Placed({}))), "Queue"},
  };
  Check(cases);
}

TEST(InterPodAffinityHints, CoverNamespaceSelectors) {
  auto wanting = [](std::optional<LabelSelector> namespaces) {
    return MakePod().Name("p").PodAffinity(In(ZoneOf({{"a", "1"}}), std::move(namespaces))).Obj();
  };
  const EventObjects elsewhere = WasAdded(Placed({{"a", "1"}}).Namespace("other"));
  const HintCase cases[] = {
      {"none: its own namespace", kPodAdded, wanting({}), elsewhere, "Skip"},
      {"empty: all namespaces", kPodAdded, wanting(MakeLabelSelector({})), elsewhere, "Queue"},
      {"by label: is not looked at", kPodAdded, wanting(MakeLabelSelector({{"team", "x"}})),
       elsewhere, "Skip"},
      {"by the absence of a label: all namespaces", kPodAdded,
       wanting(MakeLabelSelector({}, {Expression("team", "DoesNotExist")})), elsewhere, "Queue"},
  };
  Check(cases);
}

TEST(InterPodAffinityHints, CoverChangedLabelsOfPods) {
  const Pod friendly =
      MakePod().Name("p").PodAffinity(ZoneOf({{"a", "1"}})).PodAffinity(ZoneOf({{"b", "1"}}));
  const Pod hostile = MakePod()
                          .Name("p")
                          .PodAntiAffinity(ZoneOf({{"a", "1"}}))
                          .PodAntiAffinity(ZoneOf({{"b", "1"}}));
  const Pod neither = Placed({});
  const Pod one = Placed({{"a", "1"}});
  const Pod both = Placed({{"a", "1"}, {"b", "1"}});
  const HintCase cases[] = {
      {"comes to match all terms", kPodRelabelled, friendly, WasUpdated(one, both), "Queue"},
      {"comes to match one term", kPodRelabelled, friendly, WasUpdated(neither, one), "Skip"},
      {"matched before", kPodRelabelled, friendly, WasUpdated(both, both), "Skip"},
      {"matches no longer", kPodRelabelled, friendly, WasUpdated(both, one), "Skip"},
      {"leaves all anti-affinity terms", kPodRelabelled, hostile, WasUpdated(both, neither),
       "Queue"},
      {"leaves one of the two it matched", kPodRelabelled, hostile, WasUpdated(both, one), "Queue"},
      {"leaves the only one it matched", kPodRelabelled, hostile, WasUpdated(one, neither), "Skip"},
      {"enters all of them", kPodRelabelled, hostile, WasUpdated(neither, both), "Skip"},
      {"is the pod itself", UnscheduledPodEvent(action::kUpdatePodLabel), friendly,
       WasUpdated(friendly, friendly), "Queue"},
      {"is nowhere", kPodRelabelled, friendly,
       WasUpdated(MakePod().Name("q"), MakePod().Name("q").Labels({{"a", "1"}, {"b", "1"}})),
       "Skip"},
      {"the old object is no pod", kPodRelabelled, friendly,
       WithWrongOld(WasUpdated(neither, neither)), "Queue"},
      {"tolerations", AssignedPodEvent(action::kUpdatePodToleration), friendly,
       WasUpdated(one, both), "deaf"},
  };
  Check(cases);
}

TEST(InterPodAffinityHints, CoverDeletedPods) {
  const Pod friendly = MakePod().Name("p").PodAffinity(ZoneOf({{"a", "1"}}));
  const Pod hostile = MakePod()
                          .Name("p")
                          .PodAntiAffinity(ZoneOf({{"a", "1"}}))
                          .PodAntiAffinity(ZoneOf({{"b", "1"}}));
  const Pod plain = MakePod().Name("p").Label("app", "p");
  const HintCase cases[] = {
      {"whom all anti-affinity terms are about", kPodDeleted, hostile,
       WasDeleted(Placed({{"a", "1"}, {"b", "1"}})), "Queue"},
      {"whom one anti-affinity term is about", kPodDeleted, hostile,
       WasDeleted(Placed({{"a", "1"}})), "Skip"},
      {"whom an affinity term is about", kPodDeleted, friendly, WasDeleted(Placed({{"a", "1"}})),
       "Skip"},
      {"who refused the pod", kPodDeleted, plain,
       WasDeleted(Placed({}).PodAntiAffinity(ZoneOf({{"app", "p"}}))), "Queue"},
      {"who refused the pod by one of two terms", kPodDeleted, plain,
       WasDeleted(Placed({})
                      .PodAntiAffinity(ZoneOf({{"app", "p"}}))
                      .PodAntiAffinity(ZoneOf({{"app", "x"}}))),
       "Skip"},
      {"who refused others", kPodDeleted, plain,
       WasDeleted(Placed({}).PodAntiAffinity(ZoneOf({{"app", "x"}}))), "Skip"},
      {"who was nowhere", kPodDeleted, plain,
       WasDeleted(MakePod().Name("q").PodAntiAffinity(ZoneOf({{"app", "p"}}))), "Skip"},
      {"whose terms do not parse", kPodDeleted, plain,
       WasDeleted(
           Placed({}).PodAntiAffinity(Zone(MakeLabelSelector({}, {Expression("k", "Near")})))),
       "Queue"},
      {"the object is no pod", kPodDeleted, plain, WithWrongOld(WasDeleted(Placed({}))), "Queue"},
  };
  Check(cases);
}

// Goal: each of the facts that v1.36 added wakes pods of its own. All of them slept until v1.35.
TEST(InterPodAffinityHints, CoverEarlierReleases) {
  const Pod friendly = MakePod().Name("p").Label("app", "p").PodAffinity(ZoneOf({{"a", "1"}}));
  const Pod nominated = MakePod().Name("q").Label("a", "1").NominatedNodeName("n");
  const Pod assigned = Placed({{"a", "1"}});
  const EventObjects refuser_gone = WasDeleted(Placed({}).PodAntiAffinity(ZoneOf({{"app", "p"}})));
  struct {
    bool Behaviour::*fact;  // null: none, as in v1.36
    std::string_view want_nominated;
    std::string_view want_own_labels;
    std::string_view want_refuser_gone;
  } cases[] = {
      {nullptr, "Queue", "Queue", "Queue"},
      {&Behaviour::nominated_pods_wake, "Skip", "Queue", "Queue"},
      {&Behaviour::own_labels_wake, "Queue", "Skip", "Queue"},
      {&Behaviour::deleted_anti_affinity_wakes, "Queue", "Queue", "Skip"},
  };
  for (const auto& c : cases) {
    Behaviour behaviour;
    if (c.fact != nullptr) behaviour.*c.fact = false;
    const HintCase hints[] = {
        {"a nominated pod", kPodAdded, friendly, WasAdded(nominated), c.want_nominated},
        {"an assigned pod", kPodAdded, friendly, WasAdded(assigned), "Queue"},
        {"its own labels", UnscheduledPodEvent(action::kUpdatePodLabel), friendly,
         WasUpdated(friendly, friendly), c.want_own_labels},
        {"a pod that refused it", kPodDeleted, friendly, refuser_gone, c.want_refuser_gone},
    };
    Check(hints, behaviour);
  }
}

TEST(InterPodAffinityHints, CoverNodes) {
  const Pod friendly = MakePod().Name("p").PodAffinity(ZoneOf({{"a", "1"}}));
  const Pod hostile = MakePod().Name("p").PodAntiAffinity(ZoneOf({{"a", "1"}}));
  const Pod plain = MakePod().Name("p");
  const Pod broken =
      MakePod().Name("p").PodAntiAffinity(Zone(MakeLabelSelector({}, {Expression("k", "Near")})));
  const Node bare = MakeNode().Name("n");
  const Node z1 = MakeNode().Name("n").Label("zone", "z1");
  const Node z2 = MakeNode().Name("n").Label("zone", "z2");
  const Node also_z1 = MakeNode().Name("n").Label("zone", "z1").Label("k", "v");
  const HintCase cases[] = {
      {"affinity: one with the key comes", kNodeAdded, friendly, WasAdded(z1), "Queue"},
      {"affinity: one without comes", kNodeAdded, friendly, WasAdded(bare), "Skip"},
      {"affinity: the key comes", kNodeRelabelled, friendly, WasUpdated(bare, z1), "Queue"},
      {"affinity: the key goes", kNodeRelabelled, friendly, WasUpdated(z1, bare), "Skip"},
      {"affinity: the value changes", kNodeRelabelled, friendly, WasUpdated(z1, z2), "Queue"},
      {"affinity: another key", kNodeRelabelled, friendly, WasUpdated(z1, also_z1), "Skip"},
      {"anti-affinity: one with the key comes", kNodeAdded, hostile, WasAdded(z1), "Queue"},
      {"anti-affinity: one without comes", kNodeAdded, hostile, WasAdded(bare), "Queue"},
      {"anti-affinity: the key comes", kNodeRelabelled, hostile, WasUpdated(bare, z1), "Skip"},
      {"anti-affinity: the key goes", kNodeRelabelled, hostile, WasUpdated(z1, bare), "Queue"},
      {"anti-affinity: the value changes", kNodeRelabelled, hostile, WasUpdated(z1, z2), "Queue"},
      {"anti-affinity: another key", kNodeRelabelled, hostile, WasUpdated(z1, also_z1), "Skip"},
      {"no terms of its own", kNodeAdded, plain, WasAdded(z1), "Skip"},
      {"a term does not parse", kNodeRelabelled, broken, WasUpdated(z1, also_z1), "Queue"},
      {"the old object is no node", kNodeRelabelled, friendly, WithWrongOld(WasUpdated(z1, z1)),
       "Queue"},
      {"the new object is no node", kNodeAdded, plain, WithWrongNew(WasAdded(bare)), "Queue"},
      {"taints", NodeEvent(action::kUpdateNodeTaint), friendly, WasUpdated(bare, z1), "deaf"},
  };
  Check(cases);
}

}  // namespace
}  // namespace stowage
