// Goal: equal inputs give equal bytes, and evaluations in between change none of them. Method:
// random clusters and pods by seed, driven twice, or with evaluations after every step.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/scheduler/engine.h"
#include "tests/core/scheduler/random_changes.h"

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 12;
constexpr size_t kSteps = 40;
// Evaluates an unknown pod and some known pods, and inspects the state after each.
void RunQueries(Rng* rng, Engine* engine) {
  static const std::vector<std::string> kNodeNames = Names("n", kNodes);
  static const std::vector<std::string> kPodNames = Names("p", kPods);
  std::string before = engine->StateText(kNodeNames, kPodNames);
  engine->Evaluate(R"({"allPlugins":true,"everyNode":true,"detail":"table"})",
                   std::string(PodText{.name = "asked", .cpu = "2", .priority = 5}));
  EXPECT_EQ(engine->StateText(kNodeNames, kPodNames), before);
  for (size_t count = 0; count < 3; ++count) {
    std::string key = R"("pod":"default/)" + kPodNames[rng->Below(kPods)] + "\"";
    bool is_known = before.find("{" + key + R"(,"uid")") != std::string::npos;
    engine->Evaluate("{" + key + "}", "", is_known);
    EXPECT_EQ(engine->StateText(kNodeNames, kPodNames), before) << key;
  }
}

enum class Queries { kNone, kAfterEveryStep };

// The decisions, and the state at the end.
std::string Drive(uint64_t seed, std::string_view options, Queries queries) {
  Changes changes(seed);
  Rng rng(seed + 1);
  Engine engine(options);
  std::string decisions;
  for (size_t step = 0; step < kSteps; ++step) {
    engine.Apply(changes.Next());
    if (queries != Queries::kNone) RunQueries(&rng, &engine);
    decisions += engine.RunText(1 + seed % 3);
    if (queries != Queries::kNone) RunQueries(&rng, &engine);
  }
  return decisions + engine.StateText(Names("n", kNodes), Names("p", kPods));
}

constexpr std::string_view kOptions[] = {
    R"({"verdictCache":"firstUse"})",
    R"({"verdictCache":"off"})",
    R"({"tieBreak":"random","seed":7,"detail":"nodes"})",
    R"({"tieBreak":"name","simulate":{"gracefulDeletion":true}})",
    R"({"api":"host"})",
};

TEST(Determinism, EqualInputsGiveEqualBytes) {
  for (std::string_view options : kOptions) {
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
      std::string first = Drive(seed, options, Queries::kNone);
      EXPECT_EQ(Drive(seed, options, Queries::kNone), first) << options << " seed " << seed;
    }
  }
}

TEST(Determinism, QueriesChangeNothing) {
  for (std::string_view options : kOptions) {
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
      EXPECT_EQ(Drive(seed, options, Queries::kAfterEveryStep),
                Drive(seed, options, Queries::kNone))
          << options << " seed " << seed;
    }
  }
}

// The evaluations of a pod with affinity terms, and of some known and unknown pods.
std::string AnswersOf(size_t step, Engine* engine) {
  std::string asked =
      PodText{.name = "asked",
              .cpu = "2",
              .priority = 5,
              .metadata = R"("labels":{"app":"a0"})",
              .spec = R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":)"
                      R"("topology.kubernetes.io/zone","whenUnsatisfiable":"DoNotSchedule",)"
                      R"("labelSelector":{"matchLabels":{"app":"a0"}}}],"affinity":{"podAffinity":)"
                      R"({"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":9,)"
                      R"("podAffinityTerm":{"topologyKey":"topology.kubernetes.io/zone",)"
                      R"("labelSelector":{"matchLabels":{"app":"a1"}}}}]}})"};
  std::string answers;
  engine->EvaluateText(R"({"allPlugins":true,"everyNode":true,"detail":"table"})", &answers, asked);
  engine->EvaluateText(R"({"classify":true})", &answers,
                       std::string(PodText{.name = "large", .cpu = "9", .priority = 15}));
  for (size_t index = step; index < step + 3; ++index) {
    engine->EvaluateText(R"({"pod":"default/p)" + std::to_string(index % kPods) + R"("})",
                         &answers);
  }
  return answers;
}

// Goal: without cycles, an evaluation answers like a scheduler that has just received everything,
// and evaluations do not affect later cycles.
TEST(Determinism, EvaluationsBeforeTheFirstCycleLeaveNoTrace) {
  for (std::string_view options : kOptions) {
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
      SCOPED_TRACE(std::string(options) + " seed " + std::to_string(seed));
      Changes changes(seed);
      Engine asked(options);
      Engine silent(options);
      std::vector<std::string> told;
      auto change = [&] {
        std::vector<std::string> lines = changes.Next();
        told.insert(told.end(), lines.begin(), lines.end());
        asked.Apply(lines);
        silent.Apply(lines);
      };
      for (size_t step = 0; step < kSteps && !HasFailure(); ++step) {
        change();
        Engine fresh(options);
        fresh.Apply(told);
        EXPECT_EQ(AnswersOf(step, &asked), AnswersOf(step, &fresh)) << "step " << step;
        EXPECT_EQ(asked.StateText(Names("n", kNodes), {}), fresh.StateText(Names("n", kNodes), {}));
      }
      for (size_t step = 0; step < kSteps && !HasFailure(); ++step) {
        change();
        EXPECT_EQ(asked.RunText(1 + seed % 3), silent.RunText(1 + seed % 3)) << "step " << step;
        EXPECT_EQ(asked.StateText(Names("n", kNodes), Names("p", kPods)),
                  silent.StateText(Names("n", kNodes), Names("p", kPods)));
        AnswersOf(step, &asked);
      }
      EXPECT_EQ(AnswersOf(0, &asked), AnswersOf(0, &silent));
    }
  }
}

// The evaluations of pods with the same signature, and of some that fit nowhere.
std::string SummariesOf(size_t step, std::string_view detail, Engine* engine) {
  std::string options = R"({"classify":true,"detail":")" + std::string(detail) + "\"";
  std::string answers;
  for (size_t cpu : {size_t{1}, 3 + step % 3, size_t{9}}) {
    for (std::string_view spec :
         {"", R"("hostNetwork":true)", R"("nodeSelector":{"no":"where"})"}) {
      engine->EvaluateText(options + "}", &answers,
                           std::string(PodText{.name = "asked",
                                               .cpu = std::to_string(cpu),
                                               .priority = static_cast<int>(step % 2) * 15,
                                               .metadata = R"("labels":{"app":"a0"})",
                                               .spec = std::string(spec)}));
    }
  }
  for (size_t index = step; index < step + 3; ++index) {
    std::string key = R"(,"pod":"default/p)" + std::to_string(index % kPods) + R"("})";
    engine->EvaluateText(options + key, &answers);
  }
  return answers;
}

// Goal: the cache changes no answer, whether cycles use it or not.
TEST(Determinism, CachedVerdictsDoNotChangeEvaluations) {
  for (bool is_run : {false, true}) {
    for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Changes changes(seed);
      Engine remembering(R"({"verdictCache":"firstUse"})");
      Engine plain(R"({"verdictCache":"off"})");
      for (size_t step = 0; step < kSteps && !HasFailure(); ++step) {
        std::vector<std::string> lines = changes.Next();
        remembering.Apply(lines);
        plain.Apply(lines);
        for (std::string_view detail : {"summary", "nodes"}) {
          EXPECT_EQ(SummariesOf(step, detail, &remembering), SummariesOf(step, detail, &plain))
              << detail << " at step " << step;
        }
        std::string decided = is_run ? remembering.RunText(2) : "";
        EXPECT_EQ(decided, is_run ? plain.RunText(2) : "") << "step " << step;
      }
    }
  }
}

TEST(Determinism, CachedVerdictsDoNotChangeDecisions) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    EXPECT_EQ(Drive(seed, R"({"verdictCache":"firstUse"})", Queries::kNone),
              Drive(seed, R"({"verdictCache":"off"})", Queries::kNone))
        << "seed " << seed;
  }
}

// Goal: after an evaluation, the cache notices that a claim is assumed on a node: the next pod with
// that claim goes there, too.
TEST(Determinism, EvaluationsDoNotHideAssumedClaims) {
  Engine engine(R"({"api":"host","verdictCache":"firstUse"})");
  for (const char* node : {"a", "b", "c"}) engine.Add({NodeText{node}});
  engine.Apply({
      R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"wait"},)"
      R"("provisioner":"csi.example.com","volumeBindingMode":"WaitForFirstConsumer"})",
      R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"namespace":"default",)"
      R"("name":"c","uid":"u"},"spec":{"accessModes":["ReadWriteOnce"],)"
      R"("storageClassName":"wait"},"status":{"phase":"Pending"}})",
  });
  const std::string volume =
      R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}])";
  for (const char* pod : {"p0", "p1"}) engine.Add({PodText{.name = pod, .spec = volume}});
  engine.Evaluate(R"({"pod":"default/p0","detail":"summary"})");
  std::vector<JsonTree> decisions = engine.RunFor("Decision");
  ASSERT_EQ(decisions.size(), 2u);
  EXPECT_EQ(decisions[1]["feasibleNodes"].number(), 1);
  EXPECT_EQ(decisions[1]["node"].text(), decisions[0]["node"].text());
}

// Goal: pods of one template have ephemeral volumes with claims of their own; one pod's claim is
// there, the other's is not.
TEST(Determinism, EphemeralVolumesAreOfOnePod) {
  Engine engine(R"({"verdictCache":"firstUse"})");
  engine.Add({NodeText{"a"}});
  engine.Apply({
      R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"pv","uid":"pv"},)"
      R"("spec":{"claimRef":{"namespace":"default","name":"p0-v","uid":"u"}}})",
      R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"namespace":"default",)"
      R"("name":"p0-v","uid":"u","annotations":{"pv.kubernetes.io/bind-completed":"yes"},)"
      R"("ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p0","uid":"uid-p0",)"
      R"("controller":true}]},"spec":{"volumeName":"pv"},"status":{"phase":"Bound"}})",
  });
  const std::string volume = R"("volumes":[{"name":"v","ephemeral":{"volumeClaimTemplate":{}}}])";
  for (const char* pod : {"p0", "p1"}) engine.Add({PodText{.name = pod, .spec = volume}});
  auto result_of = [&engine](const std::string& pod) {
    return engine.Evaluate(R"({"pod":"default/)" + pod + R"(","detail":"summary"})")["result"];
  };
  for (int time = 1; time <= 3; ++time) {
    EXPECT_EQ(result_of("p0").text(), "scheduled") << time;
    EXPECT_EQ(result_of("p1").text(), "unschedulable") << time;
  }
}

}  // namespace
}  // namespace stowage
