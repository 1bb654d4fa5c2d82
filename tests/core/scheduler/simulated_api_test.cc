// The API server and its controllers as the engine plays them: what becomes of a decision.
#include "core/scheduler/simulated_api.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/core/scheduler/handled_cluster.h"

namespace stowage {
namespace {

constexpr Instant kNow{100, 0};

class SimulatedApiTest : public testing::Test, protected HandledCluster {
 protected:
  SimulatedApiTest() { Put(MakeNode().Name("a").Allocatable({{"cpu", "8"}})); }

  static MakePod PodOf(std::string_view name) { return MakePod().Name(name).Req({{"cpu", "1"}}); }

  // A preemption on node "a" of running pods, with nominations that it takes away.
  PreemptionReport Preemption(const std::vector<Pod>& victims, const std::vector<Pod>& nominees) {
    PreemptionReport report;
    report.selected.emplace().node = Symbol("a");
    for (const Pod& pod : victims) report.selected->pods.push_back(Info(pod));
    for (const Pod& pod : nominees) report.cleared_nominations.push_back(Info(pod));
    return report;
  }
  PodInfoRef Info(const Pod& pod) const {
    return MakePodInfo(std::make_shared<const Pod>(pod), features_);
  }

  SimulatedApi api_{handlers_, store_, false};
  SimulatedApi graceful_api_{handlers_, store_, true};
};

TEST_F(SimulatedApiTest, ABoundPodRuns) {
  Pod pod = PodOf("p").NominatedNodeName("b");
  Put(pod);
  api_.Bind(pod, Symbol("a"), kNow);
  PodRef bound = GetPod("p");
  EXPECT_EQ(bound->spec.node_name, "a");
  EXPECT_EQ(bound->status.phase, "Running");
  EXPECT_TRUE(bound->status.nominated_node_name.empty());
  EXPECT_EQ(bound->status.start_time, kNow);
  EXPECT_EQ(MilliCpu("a"), 1000);
  EXPECT_EQ(pending_.NumActive(), 0u);
  EXPECT_EQ(nominator_.size(), 0u);
}

TEST_F(SimulatedApiTest, NoPodStartsBeforeOneThatCameFromOutside) {
  api_.Observe(PodOf("without a start"));
  api_.Observe(PodOf("later").StartTime(500));
  api_.Observe(PodOf("earlier").StartTime(3));
  Pod pod = PodOf("p");
  Put(pod);
  api_.Bind(pod, Symbol("a"), kNow);
  EXPECT_EQ(GetPod("p")->status.start_time, (Instant{500, 0}));
  Pod next = PodOf("q");
  Put(next);
  api_.Bind(next, Symbol("a"), {600, 0});
  EXPECT_EQ(GetPod("q")->status.start_time, (Instant{600, 0}));
}

TEST_F(SimulatedApiTest, VictimsVanish) {
  std::vector<Pod> victims = {PodOf("v").Node("a"), PodOf("w").Node("a")};
  for (const Pod& victim : victims) Put(victim);
  Put(PodOf("stays").Node("a"));
  api_.Preempt(Preemption(victims, {}), kNow);
  EXPECT_EQ(GetPod("v"), nullptr);
  EXPECT_EQ(GetPod("w"), nullptr);
  EXPECT_EQ(MilliCpu("a"), 1000);
}

TEST_F(SimulatedApiTest, GracefulVictimsStayAndTerminate) {
  std::vector<Pod> victims = {PodOf("v").Node("a"), PodOf("w").Node("a").Terminating(7)};
  for (const Pod& victim : victims) Put(victim);
  graceful_api_.Preempt(Preemption(victims, {}), kNow);
  PodRef victim = GetPod("v");
  ASSERT_NE(victim, nullptr);
  EXPECT_EQ(victim->metadata.deletion_timestamp, kNow);
  ASSERT_EQ(victim->status.conditions.size(), 1u);
  EXPECT_EQ(victim->status.conditions[0].type, "DisruptionTarget");
  EXPECT_EQ(victim->status.conditions[0].status, "True");
  EXPECT_EQ(victim->status.conditions[0].reason, "PreemptionByScheduler");
  EXPECT_EQ(GetPod("w")->metadata.deletion_timestamp, (Instant{7, 0})) << "was leaving already";
  EXPECT_TRUE(GetPod("w")->status.conditions.empty());
  EXPECT_EQ(MilliCpu("a"), 2000) << "they take room until they are gone";
}

TEST_F(SimulatedApiTest, NominationsThatThePreemptionTakesAwayAreEmptied) {
  Pod victim = PodOf("v").Node("a");
  Pod nominee = PodOf("nominee").NominatedNodeName("a");
  Put(victim);
  Put(nominee);
  EXPECT_EQ(nominator_.NodeOf(Symbol("nominee")), "a");
  api_.Preempt(Preemption({victim}, {nominee}), kNow);
  EXPECT_TRUE(GetPod("nominee")->status.nominated_node_name.empty());
  EXPECT_EQ(nominator_.size(), 0u);
  EXPECT_EQ(pending_.NumActive(), 1u) << "a changed pod is tried again";
}

TEST_F(SimulatedApiTest, NominationsAreWritten) {
  Pod pod = PodOf("p");
  Put(pod);
  PodRef before = GetPod("p");
  EXPECT_EQ(api_.SetNomination(pod, Symbol()), before) << "nothing to write";
  PodRef written = api_.SetNomination(pod, Symbol("a"));
  EXPECT_EQ(written, GetPod("p"));
  EXPECT_EQ(written->status.nominated_node_name, "a");
  EXPECT_TRUE(before->status.nominated_node_name.empty());
  EXPECT_EQ(api_.SetNomination(pod, Symbol("a")), written);
  EXPECT_TRUE(api_.SetNomination(pod, Symbol())->status.nominated_node_name.empty());
  EXPECT_EQ(api_.SetNomination(PodOf("gone"), Symbol("a")), nullptr);
}

}  // namespace
}  // namespace stowage
