#include "core/queue/unschedulable_pods.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "tests/support/make_pod.h"

namespace stowage {
namespace {

QueuedPodRef Queued(const Pod& pod, std::set<Symbol> rejectors, int64_t at = 0) {
  auto queued = std::make_shared<QueuedPodInfo>();
  queued->pod_info = MakePodInfo(std::make_shared<const Pod>(pod), Features());
  queued->unschedulable_plugins = std::move(rejectors);
  queued->timestamp = {at, 0};
  static uint64_t sequence = 0;
  queued->sequence = ++sequence;
  return queued;
}

std::string Names(const UnschedulablePods& pool) {
  std::string names;
  for (const QueuedPodRef& pod : pool.Pods()) names += pod->pod().metadata.name.str() + " ";
  return names;
}

// Goal: two pods are in one group exactly if they agree in everything that decides about events.
TEST(UnschedulablePods, GroupsPodsWithTheSameRejectors) {
  Symbol a("A");
  Symbol b("B");
  UnschedulablePods pool;
  pool.Add(Queued(MakePod().Name("p"), {a}));
  pool.Add(Queued(MakePod().Name("q"), {a}));
  EXPECT_EQ(pool.groups().size(), 1u);
  pool.Add(Queued(MakePod().Name("r"), {a, b}));
  EXPECT_EQ(pool.groups().size(), 2u) << "other rejectors";
  pool.Add(Queued(MakePod().Name("s").SchedulerName("x"), {a}));
  EXPECT_EQ(pool.groups().size(), 3u) << "another profile";
  QueuedPodRef pending = Queued(MakePod().Name("t"), {a});
  pending->pending_plugins = {b};
  pool.Add(pending);
  EXPECT_EQ(pool.groups().size(), 4u) << "pending";
  QueuedPodRef gated = Queued(MakePod().Name("u"), {a});
  gated->gating_plugin = a;
  pool.Add(gated);
  EXPECT_EQ(pool.groups().size(), 5u) << "gated";
  EXPECT_EQ(Names(pool), "p q r s t u ");
}

// Goal: pods are alike exactly if they share what the hints of ClusterEventWithHint read.
TEST(UnschedulablePods, TellsPodsApartThatShareLess) {
  Pod like = MakePod()
                 .Label("k", "v")
                 .PodAffinity(MakeAffinityTerm("zone", MakeLabelSelector({{"k", "v"}})))
                 .SpreadConstraint(1, "zone", "DoNotSchedule", MakeLabelSelector({{"k", "v"}}));
  auto named = [](Pod pod, std::string_view name) {
    pod.metadata.name = Symbol(name);
    return Queued(pod, {Symbol("A")});
  };
  UnschedulablePods pool;
  std::vector<QueuedPodRef> added = {named(like, "p"), named(like, "q")};
  Pod other = like;
  other.metadata.namespace_ = Symbol("other");
  added.push_back(named(other, "r"));
  other = like;
  other.metadata.labels = LabelMap({{"k", "w"}});
  added.push_back(named(other, "s"));
  other = like;
  other.spec.affinity = std::nullopt;
  added.push_back(named(other, "t"));
  other = like;
  other.spec.topology_spread_constraints.clear();
  added.push_back(named(other, "u"));
  other = like;
  other.metadata.owner_references.emplace_back().name = Symbol("owner");
  added.push_back(named(other, "v"));
  other = like;
  other.spec.priority = 7;
  added.push_back(named(other, "w"));
  for (const QueuedPodRef& pod : added) pool.Add(pod);
  const UnschedulablePods::Group& group = pool.groups().begin()->second;
  EXPECT_EQ(group.pods.size(), added.size());
  EXPECT_EQ(group.alike.size(), 6u);
  EXPECT_EQ(group.alike.at(UnschedulablePods::SharedParts::Of(like)).size(), 3u) << "p, q and w";
  for (const QueuedPodRef& pod : added) pool.Remove(pod);
  EXPECT_TRUE(pool.empty());
}

TEST(UnschedulablePods, ListsByNamespaceAndName) {
  UnschedulablePods pool;
  pool.Add(Queued(MakePod().Namespace("z").Name("a"), {Symbol("B")}));
  pool.Add(Queued(MakePod().Name("c"), {Symbol("A")}));
  pool.Add(Queued(MakePod().Name("b"), {Symbol("B")}));
  EXPECT_EQ(Names(pool), "b c a ");
}

TEST(UnschedulablePods, RemovesEmptyGroups) {
  UnschedulablePods pool;
  QueuedPodRef p = Queued(MakePod().Name("p"), {Symbol("A")});
  QueuedPodRef q = Queued(MakePod().Name("q"), {Symbol("A")});
  pool.Add(p);
  pool.Add(q);
  pool.Remove(p);
  EXPECT_EQ(Names(pool), "q ");
  pool.Remove(q);
  EXPECT_TRUE(pool.empty());
  EXPECT_FALSE(pool.OldestTimestamp().has_value());
}

TEST(UnschedulablePods, OldestTimestampSkipsGatedPods) {
  UnschedulablePods pool;
  QueuedPodRef gated = Queued(MakePod().Name("gated"), {Symbol("A")}, 1);
  gated->gating_plugin = Symbol("A");
  pool.Add(gated);
  EXPECT_FALSE(pool.OldestTimestamp().has_value());
  QueuedPodRef old = Queued(MakePod().Name("old"), {Symbol("A")}, 5);
  pool.Add(Queued(MakePod().Name("new"), {Symbol("A")}, 7));
  pool.Add(old);
  EXPECT_EQ(pool.OldestTimestamp(), (Instant{5, 0}));
  pool.Remove(old);
  EXPECT_EQ(pool.OldestTimestamp(), (Instant{7, 0}));
  pool.Remove(gated);
  EXPECT_EQ(pool.OldestTimestamp(), (Instant{7, 0}));
}

}  // namespace
}  // namespace stowage
