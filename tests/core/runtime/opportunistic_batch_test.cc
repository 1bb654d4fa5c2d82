// Goal: there is a hint exactly when spec 05 §11 allows it. Method: whole cycles for pods with a
// host port, of which a node holds one; one condition is changed at a time.
#include "core/runtime/opportunistic_batch.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/run_to_end.h"
#include "tests/support/scheduling_fixture.h"

namespace stowage {
namespace {

constexpr std::string_view kSigned =
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("profiles":[{"pluginConfig":[{"name":"PodTopologySpread",)"
    R"("args":{"defaultingType":"List"}}]}]})";

class BatchTest : public testing::Test {
 protected:
  explicit BatchTest(std::string_view configuration = kSigned) : fixture_(configuration) {
    for (const char* name : {"a", "b", "c", "d"}) {
      fixture_.PutNode(MakeNode().Name(name).Allocatable({{"cpu", "4"}}));
    }
    profile_ = fixture_.MakeProfile({VerdictCacheMode::kOff});
    cycle_.emplace(fixture_.MakeCycle());
  }

  static Pod OnePerNode(std::string_view name) {
    return MakePod().Name(name).Uid(name).Req({{"cpu", "1"}}).HostPort(80);
  }

  // Schedules and places a pod, one millisecond after the previous cycle.
  ScheduleResult Schedule(const Pod& pod) {
    fixture_.Refresh();
    ++number_;
    now_us_ += 1000;
    CycleOptions options;
    options.stamp = CycleStamp{number_, Instant::FromMicros(now_us_)};
    ScheduleResult result = RunToEnd(cycle_->Run(profile_, pod, options));
    if (result.status.IsSuccess()) fixture_.PlacePod(pod, result.host);
    return result;
  }

  std::string HintFor(const Pod& pod) { return Schedule(pod).hint.str(); }

  SchedulingFixture fixture_;
  ProfileRuntime profile_;
  std::optional<SchedulingCycle> cycle_;
  uint64_t number_ = 0;
  int64_t now_us_ = 0;
};

TEST_F(BatchTest, FollowsTheRankingOfTheFirstPod) {
  EXPECT_EQ(Schedule(OnePerNode("p1")).host, "a");
  // The heap's order of four equal nodes: a, d, c, b.
  for (const char* node : {"d", "c", "b"}) {
    ScheduleResult result = Schedule(OnePerNode(std::string("p-") + node));
    EXPECT_EQ(result.hint, node);
    EXPECT_EQ(result.host, node);
    EXPECT_EQ(result.evaluated_nodes, 1u);
    EXPECT_EQ(result.feasible_nodes, 1u);
  }
  EXPECT_EQ(HintFor(OnePerNode("p5")), "") << "the ranking is used up";
}

TEST_F(BatchTest, GivesNoHintToAPodOfAnotherSignature) {
  Schedule(OnePerNode("p1"));
  Pod other = OnePerNode("p2");
  other.metadata.labels = {{"app", "x"}};
  EXPECT_EQ(HintFor(other), "");
}

TEST_F(BatchTest, GivesNoHintWhileTheLastNodeHasRoom) {
  Pod pod = MakePod().Name("p1").Uid("p1").Req({{"cpu", "1"}});
  Schedule(pod);
  EXPECT_EQ(HintFor(MakePod().Name("p2").Uid("p2").Req({{"cpu", "1"}})), "");
}

TEST_F(BatchTest, GivesNoHintAfterHalfASecond) {
  Schedule(OnePerNode("p1"));
  now_us_ += 499'000;
  EXPECT_EQ(HintFor(OnePerNode("p2")), "d") << "500 ms are not too long";
  now_us_ += 1;
  EXPECT_EQ(HintFor(OnePerNode("p3")), "") << "the age is the ranking's, not the last pod's";
}

TEST_F(BatchTest, GivesNoHintAfterACycleInBetween) {
  Schedule(OnePerNode("p1"));
  ++number_;
  EXPECT_EQ(HintFor(OnePerNode("p2")), "");
}

TEST_F(BatchTest, GivesNoHintAfterAFailedPod) {
  Schedule(OnePerNode("p1"));
  EXPECT_FALSE(Schedule(MakePod().Name("big").Uid("big").Req({{"cpu", "9"}})).status.IsSuccess());
  EXPECT_EQ(HintFor(OnePerNode("p2")), "");
}

TEST_F(BatchTest, GivesNoHintWhenTheLastNodeIsGone) {
  fixture_.Refresh();
  Symbol host = Schedule(OnePerNode("p1")).host;
  fixture_.RemovePod(fixture_.store().GetPod(Symbol("default"), Symbol("p1")));
  fixture_.RemoveNode(host);
  EXPECT_EQ(HintFor(OnePerNode("p2")), "");
}

TEST_F(BatchTest, SearchesAllNodesWhenTheHintDoesNotFit) {
  Schedule(OnePerNode("p1"));
  fixture_.PlacePod(OnePerNode("other"), Symbol("d"));
  ScheduleResult result = Schedule(OnePerNode("p2"));
  EXPECT_EQ(result.hint, "d");
  EXPECT_NE(result.host, "d");
  EXPECT_EQ(result.feasible_nodes, 2u);
}

TEST_F(BatchTest, PrefersTheNominatedNode) {
  Schedule(OnePerNode("p1"));
  Pod nominated = OnePerNode("p2");
  nominated.status.nominated_node_name = Symbol("b");
  ScheduleResult result = Schedule(nominated);
  EXPECT_EQ(result.hint, "d") << "taken from the ranking all the same";
  EXPECT_EQ(result.host, "b");
}

TEST_F(BatchTest, TakesNoPartWithoutAStamp) {
  Schedule(OnePerNode("p1"));
  fixture_.Refresh();
  Pod other = OnePerNode("p2");
  EXPECT_EQ(RunToEnd(cycle_->Run(profile_, other, {})).hint, "");
}

class DefaultBatchTest : public BatchTest {
 protected:
  DefaultBatchTest() : BatchTest("") {}
};

TEST_F(DefaultBatchTest, SignsNoPodWithTheDefaultConstraints) {
  Schedule(OnePerNode("p1"));
  EXPECT_EQ(HintFor(OnePerNode("p2")), "");
}

}  // namespace
}  // namespace stowage
