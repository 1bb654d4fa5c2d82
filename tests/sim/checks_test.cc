// Goal: every check of the simulation can fail. Method: each check gets incorrect input.
#include <gtest/gtest.h>

#include <bit>

#include "tests/sim/sampling.h"
#include "tests/support/plugin_forms.h"
#include "tests/support/recount.h"
#include "tests/support/run_to_end.h"
#include "tests/support/same_result.h"
#include "tests/support/scheduling_fixture.h"

namespace stowage {
namespace {

enum class EngineFault { kNone, kStatus, kTooMany, kTooFew, kScore };

// A plugin whose chunk forms are wrong for node "b".
class SlippingPlugin final : public Plugin, public FilterPlugin, public ScorePlugin {
 public:
  explicit SlippingPlugin(EngineFault slip) : slip_(slip) {}

  std::string_view Name() const override { return "Slipping"; }
  Status Filter(const CycleState&, const Pod&, const NodeInfo& node) const override {
    return IsBad(node) ? Status::Unschedulable("bad") : Status::Success();
  }
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override {
    if (slip_ == EngineFault::kTooMany) return candidates;
    uint64_t passed = 0;
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      Status status = Filter(state, pod, chunk.node(offset));
      bool slips = IsBad(chunk.node(offset)) && slip_ == EngineFault::kStatus;
      if (slips || slip_ == EngineFault::kTooFew) status = Status::Unschedulable("worse");
      if (status.IsSuccess()) passed |= uint64_t{1} << offset;
      if (!status.IsSuccess()) statuses->SetOne(offset, status);
    }
    return passed;
  }
  Result<int64_t, Status> Score(const CycleState&, const Pod&, const NodeInfo&) const override {
    return 7;
  }
  Status ScoreChunk(const CycleState&, const Pod&, const NodeChunk&, uint64_t,
                    ChunkScores* scores) const override {
    scores->fill(7);
    if (slip_ == EngineFault::kScore) (*scores)[0] = 8;
    return Status::Success();
  }

 private:
  static bool IsBad(const NodeInfo& node) { return node.name() == "b"; }

  EngineFault slip_;
};

// Two nodes and one pod on the first.
class ChecksTest : public testing::Test {
 protected:
  ChecksTest() {
    fixture_.PutNode(MakeNode().Name("a").Label("zone", "z").Allocatable({{"cpu", "4"}}));
    fixture_.PutNode(MakeNode().Name("b").Allocatable({{"cpu", "4"}}));
    Pod pod = MakePod()
                  .Name("p")
                  .Label("app", "web")
                  .PodAffinity(MakeAffinityTerm("zone", MakeLabelSelector({{"app", "web"}})));
    fixture_.PlacePod(pod, Symbol("a"));
    fixture_.Refresh();
  }

  SchedulingFixture fixture_;
};

TEST_F(ChecksTest, FindFormsThatDiffer) {
  for (EngineFault slip : {EngineFault::kNone, EngineFault::kStatus, EngineFault::kTooMany,
                           EngineFault::kTooFew, EngineFault::kScore}) {
    PluginSubject subject{"Slipping", {}, {}};
    subject.instance = PluginInstance::Of(std::make_unique<SlippingPlugin>(slip));
    Rng rng(1);
    FormsTally tally;
    bool differs = false;
    for (size_t round = 0; round < 20; ++round) {
      differs |= !CompareForms(subject, MakePod(), fixture_.snapshot(), &rng, &tally).empty();
    }
    EXPECT_EQ(differs, slip != EngineFault::kNone) << static_cast<int>(slip);
  }
}

TEST_F(ChecksTest, FindCountsThatAreNotTheSnapshots) {
  const std::vector<PodMatcher> web = {{{}, true, Selector::FromSet({{"app", "web"}})}};
  const Symbol zone("zone");
  size_t counted = 0;
  const Snapshot& snapshot = fixture_.snapshot();
  TopologyIndex& index = fixture_.topology_index();
  EXPECT_EQ(CompareCounts(snapshot, web, &index, &counted), "");
  EXPECT_EQ(counted, 1u);
  EXPECT_EQ(CompareColumn(snapshot, zone, &index), "");
  EXPECT_EQ(CompareTerms(snapshot, &index), "");
  EXPECT_EQ(CompareNodes(snapshot), "");

  // The same nodes, without the pod and with another zone.
  SchedulingFixture other;
  other.PutNode(MakeNode().Name("a").Allocatable({{"cpu", "4"}}));
  other.PutNode(MakeNode().Name("b").Label("zone", "y").Allocatable({{"cpu", "2"}}));
  other.Refresh();
  EXPECT_NE(CompareCounts(other.snapshot(), web, &index, &counted), "");
  EXPECT_NE(CompareColumn(other.snapshot(), zone, &index), "");
  EXPECT_NE(CompareTerms(other.snapshot(), &index), "");
}

TEST_F(ChecksTest, FindStaleSums) {
  fixture_.PlacePod(MakePod().Name("q").Req({{"cpu", "1"}}), Symbol("a"));
  EXPECT_NE(CompareNodes(fixture_.snapshot()), "");
  fixture_.Refresh();
  EXPECT_EQ(CompareNodes(fixture_.snapshot()), "");
}

TEST_F(ChecksTest, FindDecisionsThatDiffer) {
  ProfileRuntime profile = fixture_.MakeProfile({VerdictCacheMode::kOff});
  auto decide = [&](const Pod& pod) {
    SchedulingCycle cycle = fixture_.MakeCycle();
    return RunToEnd(cycle.Run(profile, pod, {}));
  };
  ScheduleResult placed = decide(MakePod().Name("x").NodeSelector({{"zone", "z"}}));
  ScheduleResult elsewhere = decide(MakePod().Name("x").NodeSelector({}).Req({{"cpu", "4"}}));
  ScheduleResult refused = decide(MakePod().Name("x").Req({{"cpu", "5"}}));
  ScheduleResult refused_otherwise = decide(MakePod().Name("x").NodeSelector({{"zone", "no"}}));
  const ScheduleResult* all[] = {&placed, &elsewhere, &refused, &refused_otherwise};
  for (const ScheduleResult* one : all) {
    for (const ScheduleResult* other : all) {
      EXPECT_EQ(CompareResults(*one, *other).empty(), one == other);
    }
  }
  ScheduleResult one_row = decide(MakePod().Name("x").Req({{"cpu", "5"}}));
  EXPECT_EQ(CompareResults(one_row, refused), "");
  one_row.diagnosis.node_to_status.Set(0, Status::Unschedulable("other"));
  EXPECT_NE(CompareResults(one_row, refused), "");
}

// A cycle whose sample is smaller than the check expects of its percentage.
TEST(SamplingCheckTest, FindsSamplesOfAnotherSize) {
  for (int32_t percentage : {100, 60}) {
    SchedulingFixture fixture(
        R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
        R"("profiles":[{"percentageOfNodesToScore":60}]})");
    for (size_t index = 0; index < 200; ++index) {
      fixture.PutNode(MakeNode().Name("n" + std::to_string(index)).Allocatable({{"cpu", "4"}}));
    }
    fixture.Refresh();
    // The profile's own percentage overrides that of the cycles.
    SamplingCheck check(percentage, &fixture);
    SamplingTally tally;
    EXPECT_NE(check.Check(MakePod().Name("x"), &tally), "");
  }
}

}  // namespace
}  // namespace stowage
