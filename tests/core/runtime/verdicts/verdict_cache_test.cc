// Goal: a decision read from the VerdictCache equals the plain form's decision, including its
// counts, after any change of the cluster. Method: seeded clusters under random changes; every step
// is decided both ways.
#include "core/runtime/verdicts/verdict_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/api/volume_helpers.h"
#include "tests/support/changing_cluster.h"
#include "tests/support/run_to_end.h"
#include "tests/support/same_result.h"

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 80;
constexpr size_t kSteps = 60;
constexpr size_t kNodesMax = 300;
constexpr std::string_view kAllNodes =
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("percentageOfNodesToScore":100})";
constexpr std::string_view kSampled =
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("percentageOfNodesToScore":20})";
// Without default constraints pods are signed, so OpportunisticBatching takes part.
constexpr std::string_view kSigned =
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
    R"("percentageOfNodesToScore":100,"profiles":[{"pluginConfig":[{"name":"PodTopologySpread",)"
    R"("args":{"defaultingType":"List"}}]}]})";

struct ModeCase {
  std::string name;
  VerdictCacheOptions options;
};

const std::vector<ModeCase>& Modes() {
  static const std::vector<ModeCase> modes = {
      {"first use", {VerdictCacheMode::kFirstUse}},
      {"second use", {VerdictCacheMode::kSecondUse}},
      {"one entry", {VerdictCacheMode::kFirstUse, 1}},
      {"refill", {.mode = VerdictCacheMode::kFirstUse, .refills = true}},
  };
  return modes;
}

struct Tally {
  size_t cached = 0;
  size_t classed = 0;    // of these, decided by classes
  size_t nominated = 0;  // of these, with nominated pods
  size_t refused = 0;    // of these, refused on all nodes
  size_t claiming = 0;   // of these, for pods with a claim
  size_t waiting = 0;    // of these, whose claim has no volume yet
  size_t hinted = 0;
};

std::string CountedBy(const ProfileRuntime& profile, const Metrics& metrics) {
  profile.framework->SetEvaluations();
  std::string text;
  JsonWriter json(&text);
  metrics.Write(&json);
  return text;
}

// Checks the entry, however it was found.
void ExpectOwnSignature(const ProfileRuntime& profile, const Pod& pod, const VerdictEntry& entry,
                        const std::string& where) {
  PodSignature signature;
  UncachedPlugins uncached = profile.framework->AppendAllFragments(pod, &signature);
  EXPECT_EQ(entry.signature(), signature) << where;
  EXPECT_EQ(entry.uncached_plugins(), uncached.per_class | uncached.per_node) << where;
}

// Whether the pod has a claim, and the volume plugins are among those that vouch.
bool UsesClaim(const VerdictEntry& entry, const Pod& pod) {
  return entry.has_classes() && !pod.spec.volumes.empty() &&
         pod.spec.volumes.back().persistent_volume_claim.has_value();
}

bool WaitsForVolume(const ProfileRuntime& profile, const Pod& pod) {
  const Symbol& name = pod.spec.volumes.back().persistent_volume_claim->claim_name;
  return !IsFullyBound(
      *profile.framework->listers().GetPersistentVolumeClaim(pod.metadata.namespace_, name));
}

void RunSeed(uint64_t seed, std::string_view configuration, const ModeCase& mode, Tally* tally) {
  SchedulingFixture fixture(configuration);
  ChangingCluster cluster(seed, kNodesMax, &fixture);
  // With metrics off, nominated pods do not prevent the use of the cache.
  bool is_counting = seed % 2 == 0;
  Metrics fast_metrics(is_counting);
  Metrics plain_metrics(is_counting);
  ProfileRuntime fast = fixture.MakeProfile(mode.options, &fast_metrics);
  ProfileRuntime plain = fixture.MakeProfile({VerdictCacheMode::kOff}, &plain_metrics);
  SchedulingCycle fast_cycle = fixture.MakeCycle();
  SchedulingCycle plain_cycle = fixture.MakeCycle();
  for (size_t step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) {
    cluster.Change();
    fixture.Refresh();
    Pod pod = cluster.NextPod();
    std::string where =
        mode.name + ", seed " + std::to_string(seed) + ", step " + std::to_string(step);
    bool is_nominated_case = false;
    {
      Metrics::Pause pause(fast_metrics);
      const VerdictEntry* entry = fast.verdicts->Find(pod);
      if (entry != nullptr) ExpectOwnSignature(fast, pod, *entry, where);
      bool is_classed = entry != nullptr && entry->has_classes();
      bool is_among_nominated = fixture.nominator().size() > 0;
      if (entry != nullptr && !is_among_nominated) ++tally->cached;
      if (is_classed && !is_among_nominated) ++tally->classed;
      if (entry != nullptr && UsesClaim(*entry, pod)) {
        ++tally->claiming;
        if (WaitsForVolume(fast, pod)) ++tally->waiting;
      }
      is_nominated_case = is_classed && is_among_nominated && !is_counting;
      if (is_nominated_case) ++tally->nominated;
    }
    CycleOptions options;
    options.stamp = CycleStamp{step, Instant::FromMicros(static_cast<int64_t>(step) * 1000)};
    ScheduleResult decided = RunToEnd(fast_cycle.Run(fast, pod, options));
    ScheduleResult expected = RunToEnd(plain_cycle.Run(plain, pod, options));
    if (!expected.hint.empty()) ++tally->hinted;
    if (is_nominated_case && expected.host.empty()) ++tally->refused;
    EXPECT_EQ(CompareResults(decided, expected), "") << where;
    EXPECT_EQ(fast_cycle.next_start_node_index(), plain_cycle.next_start_node_index()) << where;
    cluster.CarryOut(pod, expected);
  }
  EXPECT_EQ(CountedBy(fast, fast_metrics), CountedBy(plain, plain_metrics))
      << mode.name << ", seed " << seed;
}

TEST(VerdictCache, DecidesLikeThePlainFormWithAllNodes) {
  Tally tally;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    RunSeed(seed, kAllNodes, Modes()[seed % Modes().size()], &tally);
  }
  EXPECT_GT(tally.cached, kSeeds * kSteps / 5);
  EXPECT_GT(tally.classed, kSeeds * kSteps / 5);
  EXPECT_GT(tally.nominated, kSeeds);
  EXPECT_GT(tally.refused, kSeeds / 4);
  EXPECT_GT(tally.claiming, kSeeds);
  EXPECT_GT(tally.waiting, kSeeds / 2);
}

TEST(VerdictCache, DecidesLikeThePlainFormWithSampling) {
  Tally tally;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    RunSeed(seed * 7919, kSampled, Modes()[seed % Modes().size()], &tally);
  }
  EXPECT_GT(tally.cached, kSeeds * kSteps / 5);
}

TEST(VerdictCache, DecidesLikeThePlainFormWithBatching) {
  Tally tally;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    RunSeed(seed * 104729, kSigned, Modes()[seed % Modes().size()], &tally);
  }
  EXPECT_GT(tally.cached, kSeeds * kSteps / 5);
  EXPECT_GT(tally.hinted, kSeeds / 4);
}

// The first of 100 nodes that the search wants is nearly full and has no taint. Behind the window
// are nodes with more taints, beside which one taint would look harmless.
TEST(VerdictCache, IgnoresClassesWithoutRowsInTheWindow) {
  SchedulingFixture fixture(kSampled);
  for (size_t row = 0; row < 150; ++row) {
    MakeNode node;
    node.Name("n" + std::to_string(row)).Allocatable({{"cpu", "10"}, {"memory", "10Gi"}});
    size_t num_taints = row == 0 ? 0 : row < 100 ? 1 : 10;
    for (size_t at = 0; at < num_taints; ++at) {
      node.Taint("k" + std::to_string(at), "v", "PreferNoSchedule");
    }
    fixture.PutNode(node);
  }
  Pod filler = MakePod().Name("filler").Req({{"cpu", "8"}, {"memory", "1Gi"}});
  fixture.PlacePod(filler, Symbol("n0"));
  fixture.Refresh();
  Pod pod = MakePod().Name("p").Req({{"cpu", "1"}, {"memory", "1Gi"}});
  ProfileRuntime fast = fixture.MakeProfile({VerdictCacheMode::kFirstUse});
  ASSERT_TRUE(fast.verdicts->Find(pod)->has_classes());
  SchedulingCycle cycle = fixture.MakeCycle();
  EXPECT_EQ(RunToEnd(cycle.Run(fast, pod, CycleOptions())).host, "n0");
  ProfileRuntime plain = fixture.MakeProfile({VerdictCacheMode::kOff});
  SchedulingCycle plain_cycle = fixture.MakeCycle();
  EXPECT_EQ(RunToEnd(plain_cycle.Run(plain, pod, CycleOptions())).host, "n0");
}

// The nominated node is removed, and the next one gets its row and the nomination.
TEST(VerdictCache, DropsNominatedVerdictsWhenTheRowMoves) {
  SchedulingFixture fixture;
  fixture.PutNode(MakeNode().Name("a").Allocatable({{"cpu", "4"}}));
  fixture.PutNode(MakeNode().Name("b").Allocatable({{"cpu", "8"}}));
  auto nominee =
      std::make_shared<const Pod>(MakePod().Name("n").Uid("n").Req({{"cpu", "3"}}).Obj());
  fixture.store().Put(nominee);
  PodInfoRef nominated = MakePodInfo(nominee, fixture.features());
  fixture.nominator().AddNominatedPod(nominated, Symbol("a"));
  fixture.Refresh();
  ProfileRuntime profile = fixture.MakeProfile({VerdictCacheMode::kFirstUse});
  Pod pod = MakePod().Name("p").Uid("p").Req({{"cpu", "2"}});
  const NodeInfo* node = fixture.snapshot().nodes()[0];
  ASSERT_EQ(node->name(), "a");
  EXPECT_TRUE(profile.verdicts->Find(pod)->WithNominated(pod)->refused().Test(0));
  fixture.RemoveNode(Symbol("a"));
  fixture.nominator().AddNominatedPod(nominated, Symbol("b"));
  fixture.Refresh();
  node = fixture.snapshot().nodes()[0];
  ASSERT_EQ(node->name(), "b");
  EXPECT_FALSE(profile.verdicts->Find(pod)->WithNominated(pod)->refused().Test(0));
}

// Goal: an entry under which most rows have changed equals a new one.
TEST(VerdictCache, FollowsManyChangesAtOnce) {
  SchedulingFixture fixture;
  auto name_of = [](size_t row) { return "n" + std::to_string(row); };
  for (size_t row = 0; row < 200; ++row) {
    fixture.PutNode(MakeNode().Name(name_of(row)).Allocatable({{"cpu", "4"}, {"memory", "8Gi"}}));
  }
  fixture.Refresh();
  ProfileRuntime old = fixture.MakeProfile({VerdictCacheMode::kFirstUse});
  Pod pod = MakePod().Name("p").Req({{"cpu", "2"}, {"memory", "1Gi"}});
  ASSERT_TRUE(old.verdicts->Find(pod)->has_classes());
  for (size_t row = 0; row < 150; ++row) {
    Pod filler = MakePod()
                     .Name("filler-" + std::to_string(row))
                     .Uid("filler-" + std::to_string(row))
                     .Req({{"cpu", std::to_string(1 + row % 3)}});
    fixture.PlacePod(filler, Symbol(name_of(row)));
  }
  fixture.Refresh();
  ProfileRuntime anew = fixture.MakeProfile({VerdictCacheMode::kFirstUse});
  const VerdictEntry* followed = old.verdicts->Find(pod);
  const VerdictEntry* filled = anew.verdicts->Find(pod);
  EXPECT_TRUE(std::ranges::equal(followed->verdicts(), filled->verdicts()));
  EXPECT_EQ(filled->feasible().Count(), 150u);
  for (size_t row = 0; row < 200; ++row) {
    EXPECT_EQ(followed->feasible().Test(row), filled->feasible().Test(row)) << row;
    if (!filled->feasible().Test(row)) continue;
    EXPECT_EQ(followed->classes().base(row), filled->classes().base(row)) << row;
  }
}

// Goal: a score out of range is an error, as in the plain form. Method: amounts near the largest
// number wrap, as 3Ei CPUs in milli units do, and the percentage of 99Pi.
TEST(VerdictCache, FailsOnScoresOutOfRange) {
  for (size_t num_nodes : {size_t{2}, size_t{40}}) {
    for (const char* memory : {"8Gi", "99Pi"}) {
      for (const char* cpu : {"1", "3Ei"}) {
        SchedulingFixture fixture;
        for (size_t row = 0; row < num_nodes; ++row) {
          fixture.PutNode(MakeNode()
                              .Name("n" + std::to_string(row))
                              .Allocatable({{"cpu", "1"}, {"memory", memory}, {"pods", "9"}}));
        }
        fixture.Refresh();
        Pod pod = MakePod().Name("p").Req({{"cpu", cpu}, {"memory", "1Gi"}});
        ProfileRuntime fast = fixture.MakeProfile({VerdictCacheMode::kFirstUse});
        ProfileRuntime plain = fixture.MakeProfile({VerdictCacheMode::kOff});
        SchedulingCycle cycle = fixture.MakeCycle();
        SchedulingCycle plain_cycle = fixture.MakeCycle();
        ScheduleResult want = RunToEnd(plain_cycle.Run(plain, pod, CycleOptions()));
        const bool is_in_range = memory == std::string_view("8Gi") && cpu == std::string_view("1");
        EXPECT_EQ(want.status.IsSuccess(), is_in_range) << memory << cpu;
        EXPECT_EQ(CompareResults(RunToEnd(cycle.Run(fast, pod, CycleOptions())), want), "")
            << num_nodes << " nodes, " << memory << ", " << cpu;
      }
    }
  }
}

// Goal: a plugin that scored no node when the entry was filled is asked about a changed row.
TEST(VerdictCache, ReadsScoresThatWereNothingBefore) {
  SchedulingFixture fixture;
  auto node = [](const char* name) { return MakeNode().Name(name).Allocatable({{"cpu", "4"}}); };
  for (const char* name : {"a", "b"}) fixture.PutNode(node(name));
  fixture.Refresh();
  ProfileRuntime profile = fixture.MakeProfile({VerdictCacheMode::kFirstUse});
  Pod pod = MakePod().Name("p");
  const ScoreClasses& before = profile.verdicts->Find(pod)->classes();
  EXPECT_EQ(before.class_of(0), before.class_of(1));
  fixture.PutNode(node("b").Taint("key", "value", "PreferNoSchedule"));
  fixture.Refresh();
  const ScoreClasses& after = profile.verdicts->Find(pod)->classes();
  EXPECT_NE(after.class_of(0), after.class_of(1));
}

TEST(VerdictCache, KeepsEntriesWithinItsBytes) {
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

// Goal: verdicts with nominated pods are counted, even though they are computed after the entry was
// found.
TEST(VerdictCache, CountsVerdictsWithNominatedPods) {
  SchedulingFixture fixture;
  fixture.PutNode(MakeNode().Name("a").Allocatable({{"cpu", "4"}}));
  for (int index = 0; index < 10'000; ++index) {
    std::string name = "n" + std::to_string(index);
    auto nominee = std::make_shared<const Pod>(MakePod().Name(name).Uid(name).Obj());
    fixture.store().Put(nominee);
    fixture.nominator().AddNominatedPod(MakePodInfo(nominee, fixture.features()), Symbol("a"));
  }
  fixture.Refresh();
  ProfileRuntime profile = fixture.MakeProfile({VerdictCacheMode::kFirstUse, size_t{64} << 10});
  Pod first = MakePod().Name("p").Uid("p").Req({{"cpu", "1"}});
  Pod second = MakePod().Name("q").Uid("q").Req({{"cpu", "2"}});
  profile.verdicts->Find(first);
  profile.verdicts->Find(second);
  EXPECT_EQ(profile.verdicts->size(), 2u);
  profile.verdicts->Find(first)->WithNominated(first);
  profile.verdicts->Find(second);
  EXPECT_EQ(profile.verdicts->size(), 1u);
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
