// Goal: a cached dry run equals a fresh one after any change of the cluster. Method: seeded
// clusters under random changes; after each step every node's dry run is read from the cache and
// run again.
#include "core/preemption/dry_run_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/api/pod_helpers.h"
#include "tests/core/preemption/capacity_handle.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scheduling_fixture.h"

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 60;
constexpr size_t kSteps = 40;

// A cluster with pods of several priorities, some started, some under budgets, some nominated.
class CrowdedCluster {
 public:
  explicit CrowdedCluster(uint64_t seed)
      : random_(seed), profile_(fixture_.MakeProfile({VerdictCacheMode::kOff})) {
    for (size_t index = 2 + Below(60); index > 0; --index) PutNode(node_count_++);
    for (size_t index = 0; index < 40; ++index) AddPod();
    for (size_t index = 0; index < 3; ++index) {
      preemptors_.push_back(NewPod("preemptor-" + std::to_string(index)));
      preemptors_.back().spec.priority = static_cast<int32_t>(1 + Below(2)) * 100;
    }
  }

  void Change() {
    framework().set_now({++seconds_, 0});
    switch (Below(10)) {
      case 0:
        PutNode(Below(node_count_));
        break;
      case 1:
        PutNode(node_count_++);
        break;
      case 2:
      case 3:
        RemovePod();
        break;
      case 4:
        ToggleNomination();
        break;
      case 5:
        PutBudget();
        break;
      case 6:
        CheckInEvaluation();
        break;
      case 7:
        UpdatePod();
        break;
      default:
        AddPod();
    }
  }

  // How many rows were not promising.
  size_t num_skipped() const { return num_skipped_; }
  // How many rows were known to have the common cost.
  size_t num_common() const { return num_common_; }

  // Returns how many dry runs found victims.
  size_t Check() {
    fixture_.Refresh();
    return CheckNow();
  }

 private:
  Framework& framework() { return *profile_.framework; }
  uint64_t Below(uint64_t bound) { return random_.rng().Below(bound); }

  void PutNode(size_t index) { fixture_.PutNode(random_.RandomNode("n" + std::to_string(index))); }

  // A pod with anti-affinity has no cached dry runs, and prevents caching for all others.
  Pod NewPod(std::string_view name) {
    Pod pod = random_.RandomPod(name);
    if (Below(500) == 0) return pod;
    if (pod.spec.affinity) {
      pod.spec.affinity.Mutable().pod_affinity.reset();
      pod.spec.affinity.Mutable().pod_anti_affinity.reset();
    }
    pod.spec.topology_spread_constraints.clear();
    return pod;
  }

  void AddPod() {
    std::string name = "p" + std::to_string(++pod_count_);
    Pod pod = NewPod(name);
    pod.metadata.uid = Symbol(name);
    if (Below(3) > 0) pod.status.start_time = Instant{static_cast<int64_t>(Below(5)), 0};
    Symbol node("n" + std::to_string(Below(node_count_)));
    fixture_.PlacePod(pod, node);
    pods_.push_back(fixture_.store().GetPod(pod.metadata.namespace_, pod.metadata.name));
  }

  void RemovePod() {
    if (pods_.empty()) return;
    std::swap(pods_[Below(pods_.size())], pods_.back());
    fixture_.RemovePod(pods_.back());
    pods_.pop_back();
  }

  // It starts, or starts again, which affects only the order of victims.
  void UpdatePod() {
    if (pods_.empty()) return;
    PodRef& pod = pods_[Below(pods_.size())];
    Pod changed = *pod;
    changed.status.start_time = Instant{static_cast<int64_t>(Below(5)), 0};
    fixture_.UpdatePod(std::move(changed));
    pod = fixture_.store().GetPod(pod->metadata.namespace_, pod->metadata.name);
  }

  void ToggleNomination() {
    Symbol uid("nominee");
    if (fixture_.nominator().size() > 0) return fixture_.nominator().DeleteNominatedPod(uid);
    Pod nominee = random_.RandomPod("nominee");
    nominee.metadata.uid = uid;
    nominee.spec.node_name = Symbol();
    nominee.spec.priority = 1000;
    auto pending = std::make_shared<const Pod>(std::move(nominee));
    fixture_.store().Put(pending);
    PodInfoRef info = MakePodInfo(pending, fixture_.features());
    fixture_.nominator().AddNominatedPod(info, Symbol("n" + std::to_string(Below(node_count_))));
  }

  void PutBudget() {
    auto budget =
        MakeBudget("budget", MakeLabelSelector({{"app", "web"}}), static_cast<int32_t>(Below(3)));
    fixture_.store().Put(std::make_shared<const PodDisruptionBudget>(std::move(budget)));
  }

  // Checks within an evaluation, which restores everything afterwards.
  void CheckInEvaluation() {
    if (pods_.empty()) return;
    PodInfoRef removed = fixture_.cache().GetPod(pods_[Below(pods_.size())]->metadata.uid);
    fixture_.Evaluate(*removed, [this] { CheckNow(); });
  }

  size_t CheckNow() {
    size_t count = 0;
    for (const Pod& pod : preemptors_) count += CheckDryRuns(pod);
    return count;
  }

  size_t CheckDryRuns(const Pod& pod) {
    CycleState state;
    framework().RunPreFilterPlugins(state, pod);
    DisruptionBudgets budgets(framework().listers().PodDisruptionBudgets());
    Preemptor preemptor{framework(), state, pod, budgets};
    CachedDryRuns& cached = cache_.Find(framework(), state, pod, Below(4) > 0);
    size_t count = 0;
    for (const NodeInfo* node : fixture_.snapshot().nodes()) {
      if (Below(4) == 0) continue;  // some are read late
      size_t row = node->row();
      bool is_promising =
          (cached.Promising(row / Bitset::kWordBits) >> row % Bitset::kWordBits & 1) != 0;
      DryRunResult want = SelectVictimsOnNode(preemptor, *node);
      if (!is_promising) {
        EXPECT_EQ(cached.RefusalOf(row), want.status) << want.node.view();
        ++num_skipped_;
      }
      if ((cached.Common(row / Bitset::kWordBits) >> row % Bitset::kWordBits & 1) != 0) {
        EXPECT_EQ(cached.common_cost(), want.cost) << want.node.view();
        ++num_common_;
      }
      DryRunRef run = cached.Run(preemptor, *node);
      EXPECT_EQ(run->node, want.node);
      EXPECT_EQ(run->status, want.status) << want.node.view() << ": " << want.status.Message();
      if (!want.status.IsSuccess()) {
        EXPECT_EQ(cached.RefusalOf(row), want.status) << want.node.view();
        continue;
      }
      EXPECT_EQ(run->cost.amounts, want.cost.amounts);
      EXPECT_EQ(run->cost.EarliestStart(framework().now()),
                want.cost.EarliestStart(framework().now()));
      EXPECT_EQ(run->victims.node, want.victims.node);
      EXPECT_EQ(run->victims.pods, want.victims.pods) << want.node.view();
      EXPECT_EQ(run->victims.num_pdb_violations, want.victims.num_pdb_violations);
      ++count;
    }
    return count;
  }

  RandomCluster random_;
  SchedulingFixture fixture_;
  ProfileRuntime profile_;
  DryRunCache cache_;
  size_t node_count_ = 0;
  size_t pod_count_ = 0;
  int64_t seconds_ = 0;
  std::vector<PodRef> pods_;
  std::vector<Pod> preemptors_;
  size_t num_skipped_ = 0;
  size_t num_common_ = 0;
};

TEST(DryRunCache, EqualsFreshDryRuns) {
  size_t count = 0;
  size_t num_skipped = 0;
  size_t num_common = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CrowdedCluster cluster(seed);
    for (size_t step = 0; step < kSteps; ++step) {
      cluster.Change();
      count += cluster.Check();
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", step " << step;
    }
    num_skipped += cluster.num_skipped();
    num_common += cluster.num_common();
  }
  EXPECT_GT(count, kSeeds * kSteps);
  EXPECT_GT(num_skipped, kSeeds * kSteps);
  EXPECT_GT(num_common, kSeeds * kSteps / 3);
}

// Counts the filter calls of dry runs.
class CountingHandle final : public FakeHandle {
 public:
  PluginBits AppendFragments(const Pod& pod, PodSignature* signature) const override {
    signature->Add(pod.metadata.namespace_);
    return open;
  }
  FragmentSources FragmentSourcesFor(const Pod&) const override {
    return {.term_keys = static_cast<uint64_t>(open)};
  }
  Status RunFilterPluginsWithNominatedPods(const CycleState&, const Pod&,
                                           const NodeInfo&) const override {
    ++filtered;
    return Status::Unschedulable("no");
  }

  PluginBits open = 0;
  mutable size_t filtered = 0;
};

// Goal: an unchanged node is not run again, and cacheable results are cached. Method: count the
// filter calls.
TEST(DryRunCache, CachesResultsThatStayValid) {
  CountingHandle handle;
  handle.Add(NodeOfCpu("n", "4")).Add(NodeOfCpu("m", "4"));
  handle.Add(CpuPod("a", 1, "1").Node("n").StartTime(1));
  handle.Add(CpuPod("b", 1, "1").Node("m").StartTime(1));
  DryRunCache cache;
  bool is_skipped = false;
  auto run = [&](const Pod& pod, std::string_view node) {
    CycleState state;
    if (is_skipped) state.SkipFilter(1);
    CachedDryRuns& cached = cache.Find(handle, state, pod);
    size_t before = handle.filtered;
    DisruptionBudgets budgets(handle.listers().PodDisruptionBudgets());
    cached.Run({handle, state, pod, budgets}, handle.node(node));
    return handle.filtered - before;
  };
  const Pod pod = CpuPod("p", 10, "4");
  EXPECT_EQ(run(pod, "n"), 1u);
  EXPECT_EQ(run(CpuPod("q", 10, "4"), "n"), 0u);
  EXPECT_EQ(run(CpuPod("q", 11, "4"), "n"), 1u) << "another priority";
  EXPECT_EQ(run(pod, "m"), 1u);
  handle.Add(CpuPod("c", 1, "1").Node("m"));
  EXPECT_EQ(run(pod, "n"), 0u);
  EXPECT_EQ(run(pod, "m"), 1u) << "a pod came";
  EXPECT_EQ(run(pod, "m"), 1u) << "who goes first depends on the time";
  handle.fake_listers().Add(MakeBudget("b", MakeLabelSelector({{"app", "x"}}), 1));
  EXPECT_EQ(run(pod, "n"), 1u) << "budgets changed";
  handle.fake_nominator().Add(Symbol("n"), MakePodInfo(CpuPod("d", 20, "1").Ref(), Features()));
  EXPECT_EQ(run(pod, "n"), 1u) << "a nominated pod";
  handle.Remove(CpuPod("c", 1, "1").Node("m").Obj());
  EXPECT_EQ(run(pod, "m"), 1u) << "a pod left";
  EXPECT_EQ(run(pod, "m"), 0u);
  handle.open = 2;
  EXPECT_EQ(run(pod, "m"), 1u) << "an open plugin filters";
  EXPECT_EQ(run(pod, "m"), 1u) << "an open plugin filters";
  is_skipped = true;
  EXPECT_EQ(run(pod, "m"), 1u) << "it has nothing to filter";
  EXPECT_EQ(run(pod, "m"), 0u) << "it has nothing to filter";
}

// Goal: the cache is bounded. Method: more signatures than fit.
TEST(DryRunCache, KeepsTheMostRecentlyUsedEntries) {
  CountingHandle handle;
  handle.Add(NodeOfCpu("n", "4"));
  DryRunCache roomy;
  DryRunCache narrow(1);
  for (int32_t priority = 0; priority < 100; ++priority) {
    roomy.Find(handle, CycleState(), CpuPod("p", priority, "1"));
    narrow.Find(handle, CycleState(), CpuPod("p", priority, "1"));
  }
  EXPECT_EQ(roomy.size(), 32u);
  EXPECT_EQ(narrow.size(), 1u);
}

}  // namespace
}  // namespace stowage
