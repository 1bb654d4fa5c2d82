// Goal: a decision read from the VerdictCache is the plain form's decision, whatever happened to
// the cluster in between. Method: seeded clusters under random change; every step is decided both
// ways.
#include "core/runtime/verdict_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/random_cluster.h"
#include "tests/support/run_to_end.h"
#include "tests/support/scheduling_fixture.h"

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 200;
constexpr size_t kSteps = 60;
constexpr std::string_view kAllNodes =
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("percentageOfNodesToScore":100})";
constexpr std::string_view kSampled =
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("percentageOfNodesToScore":20})";
// Without default constraints pods are signed, so that OpportunisticBatching takes part.
constexpr std::string_view kSigned =
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("percentageOfNodesToScore":100,"profiles":[{"pluginConfig":[{"name":"PodTopologySpread",)"
    R"("args":{"defaultingType":"List"}}]}]})";

// A cluster that changes at random, with a few pod templates that are placed over and over.
class ChangingCluster {
 public:
  ChangingCluster(uint64_t seed, SchedulingFixture* fixture)
      : random_(seed), fixture_(fixture), node_count_(1 + random_.rng().Below(300)) {
    for (size_t index = 0; index < node_count_; ++index) PutNode(index);
    for (size_t index = 0; index < 4; ++index) {
      templates_.push_back(random_.RandomPod("template"));
      templates_.back().spec.node_name = Symbol();
    }
  }

  Pod NextPod() {
    Pod pod = templates_[random_.rng().Below(templates_.size())];
    std::string name = "pod-" + std::to_string(++pod_count_);
    pod.metadata.name = Symbol(name);
    pod.metadata.uid = Symbol(name);
    return pod;
  }

  void Place(const Pod& pod, const Symbol& node) {
    fixture_->PlacePod(pod, node);
    placed_.push_back(fixture_->store().GetPod(pod.metadata.namespace_, pod.metadata.name));
  }

  void Change() {
    switch (random_.rng().Below(8)) {
      case 0:
        PutNode(random_.rng().Below(node_count_));  // retainted, relabelled, cordoned, new images
        break;
      case 1:
        PutNode(node_count_++);
        break;
      case 2:
        RemoveSomeNode();
        break;
      case 3:
        RemoveSomePod();
        break;
      case 4:
        ToggleNomination();
        break;
      default:
        break;
    }
  }

 private:
  static std::string NodeName(size_t index) { return "n" + std::to_string(index); }

  void PutNode(size_t index) { fixture_->PutNode(random_.RandomNode(NodeName(index))); }

  void RemoveSomeNode() {
    Symbol name(NodeName(random_.rng().Below(node_count_)));
    if (fixture_->snapshot().NumNodes() > 1 && fixture_->store().GetNode(name) != nullptr) {
      fixture_->RemoveNode(name);
    }
  }

  void RemoveSomePod() {
    if (placed_.empty()) return;
    std::swap(placed_[random_.rng().Below(placed_.size())], placed_.back());
    fixture_->RemovePod(placed_.back());
    placed_.pop_back();
  }

  void ToggleNomination() {
    Symbol uid("nominee");
    if (fixture_->nominator().size() > 0) {
      fixture_->nominator().DeleteNominatedPod(uid);
      return;
    }
    Pod nominee = random_.RandomPod("nominee");
    nominee.metadata.uid = uid;
    PodInfoRef info =
        MakePodInfo(std::make_shared<const Pod>(std::move(nominee)), fixture_->features());
    fixture_->nominator().AddNominatedPod(info, Symbol(NodeName(random_.rng().Below(node_count_))));
  }

  RandomCluster random_;
  SchedulingFixture* fixture_;
  size_t node_count_;
  size_t pod_count_ = 0;
  std::vector<Pod> templates_;
  std::vector<PodRef> placed_;
};

struct ModeCase {
  std::string name;
  VerdictCacheOptions options;
};

const std::vector<ModeCase>& Modes() {
  static const std::vector<ModeCase> modes = {
      {"first use", {VerdictCacheMode::kFirstUse}},
      {"second use", {VerdictCacheMode::kSecondUse}},
      {"one entry", {VerdictCacheMode::kFirstUse, 1}},
  };
  return modes;
}

void ExpectSame(const ScheduleResult& fast, const ScheduleResult& plain, const std::string& where) {
  EXPECT_EQ(fast.status, plain.status) << where;
  EXPECT_EQ(fast.host.view(), plain.host.view()) << where;
  EXPECT_EQ(fast.hint.view(), plain.hint.view()) << where;
  EXPECT_EQ(fast.evaluated_nodes, plain.evaluated_nodes) << where;
  EXPECT_EQ(fast.feasible_nodes, plain.feasible_nodes) << where;
  EXPECT_EQ(fast.message, plain.message) << where;
  if (plain.status.IsSuccess()) return;
  EXPECT_EQ(fast.diagnosis.unschedulable_plugins, plain.diagnosis.unschedulable_plugins) << where;
  const NodeToStatus& statuses = plain.diagnosis.node_to_status;
  for (size_t row = 0; row < statuses.rows(); ++row) {
    EXPECT_EQ(fast.diagnosis.node_to_status.Get(row), statuses.Get(row)) << where << " row " << row;
  }
}

struct Tally {
  size_t cached = 0;
  size_t hinted = 0;
};

void RunSeed(uint64_t seed, std::string_view configuration, const ModeCase& mode, Tally* tally) {
  SchedulingFixture fixture(configuration);
  ChangingCluster cluster(seed, &fixture);
  ProfileRuntime fast = fixture.MakeProfile(mode.options);
  ProfileRuntime plain = fixture.MakeProfile({VerdictCacheMode::kOff});
  SchedulingCycle fast_cycle = fixture.MakeCycle();
  SchedulingCycle plain_cycle = fixture.MakeCycle();
  for (size_t step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) {
    cluster.Change();
    fixture.Refresh();
    Pod pod = cluster.NextPod();
    std::string where =
        mode.name + ", seed " + std::to_string(seed) + ", step " + std::to_string(step);
    if (fixture.nominator().size() == 0 && fast.verdicts->Find(pod) != nullptr) {
      ++tally->cached;
    }
    CycleOptions options;
    options.stamp = CycleStamp{step, Instant::FromMicros(static_cast<int64_t>(step) * 1000)};
    ScheduleResult decided = RunToEnd(fast_cycle.Run(fast, pod, options));
    ScheduleResult expected = RunToEnd(plain_cycle.Run(plain, pod, options));
    if (!expected.hint.empty()) ++tally->hinted;
    ExpectSame(decided, expected, where);
    EXPECT_EQ(fast_cycle.next_start_node_index(), plain_cycle.next_start_node_index()) << where;
    if (expected.status.IsSuccess()) cluster.Place(pod, expected.host);
  }
}

TEST(VerdictCache, DecidesAsThePlainFormWithAllNodes) {
  Tally tally;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    RunSeed(seed, kAllNodes, Modes()[seed % Modes().size()], &tally);
  }
  EXPECT_GT(tally.cached, kSeeds * kSteps / 5);
}

TEST(VerdictCache, DecidesAsThePlainFormWithSampling) {
  Tally tally;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    RunSeed(seed * 7919, kSampled, Modes()[seed % Modes().size()], &tally);
  }
  EXPECT_GT(tally.cached, kSeeds * kSteps / 5);
}

TEST(VerdictCache, DecidesAsThePlainFormWithBatching) {
  Tally tally;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    RunSeed(seed * 104729, kSigned, Modes()[seed % Modes().size()], &tally);
  }
  EXPECT_GT(tally.cached, kSeeds * kSteps / 5);
  EXPECT_GT(tally.hinted, kSeeds / 4);
}

TEST(VerdictCache, KeepsAsManyEntriesAsFitItsBytes) {
  SchedulingFixture fixture;
  for (const char* name : {"a", "b"}) {
    fixture.PutNode(MakeNode().Name(name).Allocatable({{"cpu", "4"}}));
  }
  fixture.Refresh();
  ProfileRuntime tiny = fixture.MakeProfile({VerdictCacheMode::kFirstUse, 1});
  ProfileRuntime roomy = fixture.MakeProfile({VerdictCacheMode::kFirstUse});
  for (const char* cpu : {"1", "2", "3"}) {
    Pod pod = MakePod().Name("p").Req({{"cpu", cpu}});
    EXPECT_NE(tiny.verdicts->Find(pod), nullptr);
    EXPECT_NE(roomy.verdicts->Find(pod), nullptr);
  }
  EXPECT_EQ(tiny.verdicts->size(), 1u);
  EXPECT_EQ(roomy.verdicts->size(), 3u);
}

TEST(VerdictCache, RefusesPodsThatPreFilterNarrows) {
  SchedulingFixture fixture;
  fixture.PutNode(MakeNode().Name("a").Allocatable({{"cpu", "4"}}));
  fixture.Refresh();
  ProfileRuntime profile = fixture.MakeProfile({VerdictCacheMode::kFirstUse});
  Pod pod =
      MakePod().Name("p").RequiredTerms({Term({}, {Expression("metadata.name", "In", {"a"})})});
  EXPECT_EQ(profile.verdicts->Find(pod), nullptr);
}

}  // namespace
}  // namespace stowage
