#include "tests/sim/simulation.h"

#include "tests/sim/sampling.h"
#include "tests/support/changing_cluster.h"
#include "tests/support/recount.h"
#include "tests/support/run_to_end.h"
#include "tests/support/same_result.h"

namespace stowage {
namespace {

constexpr std::string_view kTopologyKeys[] = {"zone", "kubernetes.io/hostname", "disk"};

#define STOWAGE_CONFIGURATION(rest)                    \
  R"({"apiVersion":"kubescheduler.config.k8s.io/v1",)" \
  R"("kind":"KubeSchedulerConfiguration",)" rest "}"

constexpr std::string_view kConfigurations[] = {
    STOWAGE_CONFIGURATION(R"("percentageOfNodesToScore":100)"),
    STOWAGE_CONFIGURATION(R"("percentageOfNodesToScore":20)"),
    // Without default constraints pods have signatures, so that OpportunisticBatching takes part.
    STOWAGE_CONFIGURATION(R"("percentageOfNodesToScore":100,"profiles":[{"pluginConfig":[)"
                          R"({"name":"PodTopologySpread","args":{"defaultingType":"List"}}]}])"),
    // All settings of a profile that affect the plugins' rules.
    STOWAGE_CONFIGURATION(
        R"("profiles":[{"pluginConfig":[)"
        R"({"name":"PodTopologySpread","args":{"defaultingType":"List","defaultConstraints":[)"
        R"({"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"},)"
        R"({"maxSkew":2,"topologyKey":"disk","whenUnsatisfiable":"ScheduleAnyway"}]}},)"
        R"({"name":"InterPodAffinity","args":{"hardPodAffinityWeight":60,)"
        R"("ignorePreferredTermsOfExistingPods":true}},)"
        R"({"name":"NodeAffinity","args":{"addedAffinity":{)"
        R"("preferredDuringSchedulingIgnoredDuringExecution":[{"weight":7,"preference":)"
        R"({"matchExpressions":[{"key":"disk","operator":"Exists"}]}}]}}},)"
        R"({"name":"NodeResourcesFit","args":{"ignoredResources":["example.com/gpu"],)"
        R"("scoringStrategy":{"type":"RequestedToCapacityRatio","resources":[)"
        R"({"name":"cpu","weight":3},{"name":"memory","weight":1}],)"
        R"("requestedToCapacityRatio":{"shape":[{"utilization":0,"score":0},)"
        R"({"utilization":40,"score":10},{"utilization":100,"score":3}]}}}}]}])"),
    STOWAGE_CONFIGURATION(R"("profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":)"
                          R"({"scoringStrategy":{"type":"MostAllocated","resources":[)"
                          R"({"name":"example.com/gpu","weight":2},)"
                          R"({"name":"memory","weight":1}]}}}]}])"),
};
#undef STOWAGE_CONFIGURATION

// So few nodes that they fill up and pods preempt; one full chunk and a partial one; or enough for
// sampling.
size_t NodesMax(uint64_t seed) {
  switch (seed % 7) {
    case 0:
      return 300;
    case 1:
    case 2:
    case 3:
      return 6;
    default:
      return 70;
  }
}

VerdictCacheOptions CacheOf(uint64_t seed) {
  switch (seed % 4) {
    case 0:
      return {.mode = VerdictCacheMode::kFirstUse};
    case 1:
      return {.mode = VerdictCacheMode::kSecondUse};
    case 2:
      return {.mode = VerdictCacheMode::kFirstUse, .max_bytes = 1};  // room for one entry
    default:
      return {.mode = VerdictCacheMode::kFirstUse, .refills = true};
  }
}

PodMatcher SomeMatcher(Rng* rng) {
  static const std::vector<Symbol> kNamespaces = MakeSymbols({"default", "other"});
  static const std::vector<Symbol> kApps = MakeSymbols({"web", "db", "job"});
  PodMatcher matcher;
  matcher.all_namespaces = rng->Below(3) == 0;
  if (!matcher.all_namespaces) matcher.namespaces = {kNamespaces[rng->Below(2)]};
  matcher.selector = Selector::FromSet({{"app", kApps[rng->Below(kApps.size())].view()}});
  return matcher;
}

class Simulation {
 public:
  Simulation(uint64_t seed, SimulationTally* tally)
      : tally_(tally),
        fixture_(kConfigurations[seed % std::size(kConfigurations)]),
        cluster_(seed, NodesMax(seed), &fixture_),
        rng_(~seed),
        index_(fixture_.snapshot().table(), steps_, seed % 2 == 0 ? 1 : size_t{1} << 20),
        index_anew_(fixture_.snapshot().table(), steps_),
        fast_(fixture_.MakeProfile(CacheOf(seed))),
        plain_(fixture_.MakeProfile({VerdictCacheMode::kOff}, &index_anew_)),
        fast_cycle_(fixture_.MakeCycle()),
        plain_cycle_(fixture_.MakeCycle()),
        sampling_(seed % 3 == 0 ? 0 : static_cast<int32_t>(1 + rng_.Below(99)), &fixture_),
        subjects_(BuildSubjects(fixture_.registry(), fixture_.profile(), fixture_.features(),
                                *fast_.framework)) {}

  // Returns the first disagreement, empty if there is none.
  std::string Step(size_t step) {
    for (size_t count = 1 + rng_.Below(3); count > 0; --count) cluster_.Change();
    fixture_.Refresh();
    std::string fault = CompareCountsOfAll();
    if (!fault.empty()) return fault;
    const Pod asked = cluster_.OtherPod();
    for (const auto& subject : subjects_) {
      fault = CompareForms(*subject, asked, fixture_.snapshot(), &rng_, &tally_->forms);
      if (!fault.empty()) return fault;
    }
    const Pod pod = cluster_.NextPod();
    fault = CheckSampling(pod);
    return fault.empty() ? Decide(pod, step) : fault;
  }

 private:
  std::string CompareCountsOfAll() {
    const Snapshot& snapshot = fixture_.snapshot();
    std::string fault = CompareNodes(snapshot);
    for (std::string_view key : kTopologyKeys) {
      if (fault.empty()) fault = CompareColumn(snapshot, Symbol(key), &index_);
    }
    std::vector<PodMatcher> matchers = {SomeMatcher(&rng_)};
    if (rng_.Below(3) == 0) matchers.push_back(SomeMatcher(&rng_));
    if (fault.empty()) fault = CompareCounts(snapshot, matchers, &index_, &tally_->counted);
    std::string_view key = kTopologyKeys[rng_.Below(std::size(kTopologyKeys))];
    if (fault.empty()) fault = CompareSums(snapshot, Symbol(key), matchers, &index_);
    return fault.empty() ? CompareTerms(snapshot, &index_) : fault;
  }

  std::string CheckSampling(const Pod& pod) {
    SamplingTally tally;
    std::string fault = sampling_.Check(pod, &tally);
    tally_->sampled += tally.sampled;
    tally_->exhausted += tally.exhausted;
    return fault;
  }

  std::string Decide(const Pod& pod, size_t step) {
    bool can_cache = fixture_.nominator().size() == 0 && pod.status.nominated_node_name.empty();
    CycleOptions options;
    options.stamp = CycleStamp{step, Instant::FromMicros(static_cast<int64_t>(step) * 1000)};
    index_anew_.Forget();
    ScheduleResult fast = RunToEnd(fast_cycle_.Run(fast_, pod, options));
    ScheduleResult plain = RunToEnd(plain_cycle_.Run(plain_, pod, options));
    Count(pod, plain);
    if (can_cache && fast_.verdicts->size() > 0) ++tally_->cached;
    std::string difference = CompareResults(fast, plain);
    if (!difference.empty()) return "remembered verdicts and counts: " + difference;
    if (fast_cycle_.next_start_node_index() != plain_cycle_.next_start_node_index()) {
      return "remembered verdicts move the start index elsewhere";
    }
    cluster_.CarryOut(pod, plain);
    return "";
  }

  void Count(const Pod& pod, const ScheduleResult& result) {
    ++tally_->decisions;
    if (result.status.IsSuccess()) ++tally_->scheduled;
    if (result.preemption && result.preemption->selected) ++tally_->preempted;
    if (!pod.status.nominated_node_name.empty()) ++tally_->retried;
    if (!result.hint.empty()) ++tally_->hinted;
  }

  SimulationTally* tally_;
  SchedulingFixture fixture_;
  ChangingCluster cluster_;
  Rng rng_;
  StepBudget steps_;
  TopologyIndex index_;       // used for any pod, with room for many entries or for one
  TopologyIndex index_anew_;  // cleared before every decision
  ProfileRuntime fast_;
  ProfileRuntime plain_;
  SchedulingCycle fast_cycle_;
  SchedulingCycle plain_cycle_;
  SamplingCheck sampling_;
  std::vector<std::unique_ptr<PluginSubject>> subjects_;
};

}  // namespace

std::optional<SimulationFailure> Simulate(uint64_t seed, size_t steps, SimulationTally* tally) {
  Simulation simulation(seed, tally);
  for (size_t step = 0; step < steps; ++step) {
    std::string what = simulation.Step(step);
    if (!what.empty()) return SimulationFailure{seed, step, what};
  }
  return std::nullopt;
}

}  // namespace stowage
