// The step budget of an evaluation: beyond it the evaluation is refused midway and leaves no trace.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kTerms =
    R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
    R"({"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"a"}}},)"
    R"({"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"b"}}}],)"
    R"("preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"podAffinityTerm":)"
    R"({"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"c"}}}}]}},)"
    R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",)"
    R"("whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app":"a"}}}])";

// 20 nodes; every second one is full of pods that high-priority pods may preempt.
std::vector<std::string> Cluster() {
  std::vector<std::string> lines;
  for (int index = 0; index < 20; ++index) {
    std::string number = std::to_string(index);
    lines.push_back(
        NodeText{.name = "n" + number,
                 .metadata = R"("labels":{"zone":"z)" + std::to_string(index % 3) + "\"}"});
    for (int pod = 0; pod < (index % 2 == 0 ? 4 : 1); ++pod) {
      lines.push_back(PodText{.name = "r" + number + "-" + std::to_string(pod),
                              .node = "n" + number,
                              .metadata = R"("labels":{"app":"a"})"});
    }
  }
  return lines;
}

struct EvaluationCase {
  std::string_view name;
  std::string options;  // members
  std::string pod;
};

std::vector<EvaluationCase> EvaluationCases() {
  std::string fits = PodText{.name = "p", .spec = std::string(kTerms)};
  std::string preempts = PodText{.name = "p", .cpu = "4", .priority = 9};
  std::string never = PodText{.name = "p", .cpu = "40", .priority = 9};
  return {
      {"nodes", R"("detail":"nodes")", fits},
      {"summary", R"("detail":"summary")", fits},
      {"table of every refusal", R"("detail":"table","allPlugins":true,"everyNode":true)", fits},
      {"preemption", R"("detail":"nodes")", preempts},
      {"preemption, in short", R"("detail":"summary")", preempts},
      {"classified", R"("detail":"summary","classify":true)", never},
  };
}

std::string With(const EvaluationCase& c, int64_t max_steps) {
  return "{" + c.options + R"(,"maxSteps":)" + std::to_string(max_steps) + "}";
}

// The answer of an engine without earlier evaluations: cached data would cost no steps again.
JsonTree FirstAnswer(const EvaluationCase& c, int64_t max_steps, bool succeeds = true) {
  Engine engine;
  engine.Add(Cluster());
  return engine.Evaluate(With(c, max_steps), c.pod, succeeds);
}

// Goal: a budget is exact and changes nothing else. Method: with the steps that an evaluation
// needs, the answer equals the one without a bound; with one step less it is refused.
TEST(EvaluationSteps, EqualTheReportedNumber) {
  for (const EvaluationCase& c : EvaluationCases()) {
    int64_t steps = FirstAnswer(c, 1'000'000'000)["steps"].number();
    EXPECT_GT(steps, 20) << c.name;
    EXPECT_EQ(FirstAnswer(c, steps)["steps"].number(), steps) << c.name;
    JsonTree refusal = FirstAnswer(c, steps - 1, false);
    EXPECT_EQ(refusal["code"].text(), "TooManySteps") << c.name;
    EXPECT_EQ(refusal["kind"].text(), "Pod");
    EXPECT_EQ(refusal["name"].text(), "p");
    EXPECT_EQ(refusal["field"].text(), "maxSteps");
    EXPECT_EQ(
        refusal["message"].text(),
        "maxSteps: Too many steps: the evaluation takes more than " + std::to_string(steps - 1));
  }
}

// Goal: an evaluation leaves no trace wherever it ends. Method: try every budget up to the steps
// that it needs, and compare answers and state with an engine that never evaluated.
TEST(EvaluationSteps, LeaveNoTraceWhereverTheyEnd) {
  std::vector<std::string> lines = Cluster();
  for (const EvaluationCase& c : EvaluationCases()) {
    Engine engine;
    engine.Add(lines);
    std::string unbounded = "{" + c.options + "}";
    std::string want;
    ASSERT_TRUE(engine.EvaluateText(unbounded, &want, c.pod));
    int64_t steps = engine.Evaluate(With(c, 1 << 30), c.pod)["steps"].number();
    std::string state = engine.StateText({"n0", "n1"}, {"r0-0", "p"});
    int64_t stride = 1 + steps / 97;
    for (int64_t max_steps = 1; max_steps < steps; max_steps += stride) {
      engine.Evaluate(With(c, max_steps), c.pod, false);
      std::string got;
      ASSERT_TRUE(engine.EvaluateText(unbounded, &got, c.pod));
      ASSERT_EQ(got, want) << c.name << ", after " << max_steps << " steps";
    }
    EXPECT_EQ(engine.StateText({"n0", "n1"}, {"r0-0", "p"}), state) << c.name;
    Engine never_asked;
    never_asked.Add(lines).Add({c.pod});
    EXPECT_EQ(engine.Add({c.pod}).Decide(), never_asked.Decide()) << c.name;
  }
}

TEST(EvaluationSteps, GrowWithThePod) {
  Engine engine;
  engine.Add(Cluster());
  auto steps_of = [&engine](int terms) {
    std::string list;
    for (int term = 0; term < terms; ++term) {
      list += std::string(term == 0 ? "" : ",") + R"({"topologyKey":"zone","labelSelector":)" +
              R"({"matchLabels":{"app":"x)" + std::to_string(term) + R"("}}})";
    }
    std::string spec = R"("affinity":{"podAntiAffinity":)"
                       R"({"requiredDuringSchedulingIgnoredDuringExecution":[)" +
                       list + "]}}";
    std::string pod = PodText{.name = "p", .spec = spec};
    return engine.Evaluate(R"({"maxSteps":1000000000})", pod)["steps"].number();
  };
  int64_t steps = steps_of(500);
  EXPECT_GT(steps, 500 * 20) << "each term with each node";
  EXPECT_LE(steps_of(1000), 2 * steps);
}

TEST(EvaluationSteps, AreAtLeastOne) {
  Engine engine;
  engine.Add(Cluster());
  std::string pod = PodText{"p"};
  for (std::string_view bound : {"0", "-1"}) {
    JsonTree refusal = engine.Evaluate(R"({"maxSteps":)" + std::string(bound) + "}", pod, false);
    EXPECT_EQ(refusal["code"].text(), "FieldValueInvalid");
    EXPECT_EQ(refusal["field"].text(), "maxSteps");
  }
  EXPECT_FALSE(engine.Evaluate("{}", pod)["steps"].exists()) << "the request has no bound";
}

}  // namespace
}  // namespace stowage
