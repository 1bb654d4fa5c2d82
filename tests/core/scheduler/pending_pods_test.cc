#include "core/scheduler/pending_pods.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod_helpers.h"
#include "core/config/features.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

// As PrioritySort: priority, then the time at which the pod was queued.
class ByPriority final : public QueueSortPlugin {
 public:
  bool Less(const QueuedPodInfo& a, const QueuedPodInfo& b) const override {
    int32_t priority_a = PodPriority(a.pod());
    int32_t priority_b = PodPriority(b.pod());
    return priority_a != priority_b ? priority_a > priority_b : a.timestamp < b.timestamp;
  }
};

PodInfoRef Info(const Pod& pod) {
  return MakePodInfo(std::make_shared<const Pod>(pod), Features());
}

ObjectKey Key(std::string_view name) { return {Symbol("default"), Symbol(name)}; }

std::string Names(const std::vector<ObjectKey>& keys) {
  std::string names;
  for (const ObjectKey& key : keys) names += key.name.str() + " ";
  return names;
}

class PendingPodsTest : public testing::Test {
 protected:
  void Add(const MakePod& pod) { pending_.AddOrUpdate(Info(pod.Obj())); }

  // Pops all, in order.
  std::string Drain() {
    std::string names;
    while (auto pod = pending_.Pop()) names += pod->pod().metadata.name.str() + " ";
    return names;
  }

  ByPriority by_priority_;
  PendingPods pending_{by_priority_};
};

TEST_F(PendingPodsTest, PopsByPriorityThenTimeThenArrival) {
  Add(MakePod().Name("late").CreationTimestamp(20));
  Add(MakePod().Name("second").CreationTimestamp(10));
  Add(MakePod().Name("first").CreationTimestamp(5));
  Add(MakePod().Name("third").CreationTimestamp(10));
  Add(MakePod().Name("urgent").Priority(7).CreationTimestamp(99));
  Add(MakePod().Name("timeless"));
  Add(MakePod().Name("last").Priority(-1).CreationTimestamp(1));
  EXPECT_EQ(Drain(), "urgent timeless first second third late last ");
  EXPECT_EQ(pending_.Pop(), nullptr);
}

TEST_F(PendingPodsTest, APoppedPodIsInNoQueue) {
  Add(MakePod().Name("a"));
  std::shared_ptr<QueuedPodInfo> pod = pending_.Pop();
  EXPECT_EQ(pending_.NumActive(), 0u);
  EXPECT_EQ(pending_.NumUnschedulable(), 0u);
  EXPECT_EQ(pending_.Take(Key("a")), nullptr);
  pending_.Activate(pod);
  EXPECT_EQ(Drain(), "a ");
}

TEST_F(PendingPodsTest, AnUpdateReplacesThePodAndKeepsItsHistory) {
  Add(MakePod().Name("a").CreationTimestamp(5));
  Add(MakePod().Name("b").CreationTimestamp(5));
  std::shared_ptr<QueuedPodInfo> a = pending_.Pop();
  a->attempts = 3;
  pending_.AddUnschedulable(a);
  EXPECT_EQ(pending_.NumUnschedulable(), 1u);
  Add(MakePod().Name("a").CreationTimestamp(99).Req({{"cpu", "2"}}));
  EXPECT_EQ(pending_.NumUnschedulable(), 0u);
  EXPECT_EQ(pending_.NumActive(), 2u);
  std::shared_ptr<QueuedPodInfo> updated = pending_.Pop();
  EXPECT_EQ(updated, a) << "in its old place";
  EXPECT_EQ(updated->attempts, 3u);
  EXPECT_EQ(updated->pod_info->requests.milli_cpu, 2000);
}

TEST_F(PendingPodsTest, AnUpdateMayChangeItsPlace) {
  Add(MakePod().Name("a"));
  Add(MakePod().Name("b"));
  Add(MakePod().Name("b").Priority(1));
  EXPECT_EQ(Drain(), "b a ");
}

TEST_F(PendingPodsTest, TakesAPodFromWhereverItWaits) {
  Add(MakePod().Name("active"));
  Add(MakePod().Name("waiting").Priority(1));
  pending_.AddUnschedulable(pending_.Pop());
  EXPECT_EQ(pending_.Take(Key("waiting"))->pod().metadata.name, "waiting");
  EXPECT_EQ(pending_.Take(Key("active"))->pod().metadata.name, "active");
  EXPECT_EQ(pending_.Take(Key("active")), nullptr);
  EXPECT_EQ(pending_.Take(Key("unknown")), nullptr);
  EXPECT_EQ(pending_.Pop(), nullptr);
}

TEST_F(PendingPodsTest, DeletesFromBothQueues) {
  Add(MakePod().Name("active"));
  Add(MakePod().Name("waiting").Priority(1));
  pending_.AddUnschedulable(pending_.Pop());
  pending_.Delete(Key("waiting"));
  pending_.Delete(Key("active"));
  pending_.Delete(Key("unknown"));
  pending_.MoveAllToActive();
  EXPECT_EQ(Drain(), "");
}

TEST_F(PendingPodsTest, WhatWaitsIsNotPoppedUntilItIsMoved) {
  for (const char* name : {"a", "b", "c"}) Add(MakePod().Name(name));
  pending_.AddUnschedulable(pending_.Pop());
  pending_.AddUnschedulable(pending_.Pop());
  EXPECT_EQ(Names(pending_.ActiveKeys()), "c ");
  EXPECT_EQ(Names(pending_.UnschedulableKeys()), "a b ");
  pending_.MoveAllToActive();
  EXPECT_EQ(Names(pending_.ActiveKeys()), "a b c ");
  EXPECT_EQ(pending_.NumUnschedulable(), 0u);
  pending_.MoveAllToActive();
  EXPECT_EQ(Drain(), "a b c ") << "in their order of arrival";
}

TEST_F(PendingPodsTest, ListsKeysByNamespaceAndName) {
  Add(MakePod().Namespace("b").Name("x").Uid("1"));
  Add(MakePod().Namespace("a").Name("z").Uid("2"));
  Add(MakePod().Namespace("a").Name("y").Uid("3").Priority(-5));
  EXPECT_EQ(Names(pending_.ActiveKeys()), "y z x ");
}

}  // namespace
}  // namespace stowage
