// Goal: attempts, bindings and preemptions are counted according to spec 08 §3, and Inspect returns
// all families. Method: an engine whose metrics are read after each step.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kCounting = R"({"metrics":true})";
constexpr std::string_view kCountingHost = R"({"metrics":true,"api":"host"})";

JsonTree Families(Engine& engine) { return engine.Inspect(R"({"metrics":true})"); }

// The sample with these label values, each followed by a space; a missing value if there is none.
const JsonTree& SampleOf(const JsonTree& families, const std::string& name,
                         const std::string& labels) {
  static const JsonTree kNone;
  for (const JsonTree& family : families["metrics"]["families"].items()) {
    if (family["name"].text() != "scheduler_" + name) continue;
    for (const JsonTree& sample : family["samples"].items()) {
      if (sample["labels"].Words() == labels) return sample;
    }
    return kNone;
  }
  ADD_FAILURE() << "no family " << name;
  return kNone;
}

std::string Value(Engine& engine, const std::string& name, const std::string& labels) {
  return SampleOf(Families(engine), name, labels)["value"].text();
}

std::string Sum(Engine& engine, const std::string& name, const std::string& labels) {
  JsonTree families = Families(engine);
  const JsonTree& sample = SampleOf(families, name, labels);
  return sample["count"].text() + " of " + sample["sum"].text();
}

TEST(SchedulerMetrics, AreOptional) {
  Engine engine;
  JsonTree answer = engine.Inspect(R"({"metrics":true})", false);
  EXPECT_EQ(answer["field"].text(), "metrics");
  EXPECT_EQ(answer["message"].text(), "metrics: the scheduler was created without them");
}

TEST(SchedulerMetrics, CountsAScheduledPodWhenItIsBound) {
  Engine engine(kCountingHost);
  engine.Add({NodeText{"a"}, PodText{"p"}});
  engine.RunAll();
  EXPECT_EQ(Value(engine, "schedule_attempts_total", "scheduled default-scheduler "), "");
  EXPECT_EQ(Value(engine, "cache_size", "assumed_pods "), "1");
  engine.Sleep(250'000);
  engine.Add({Completed(engine.calls()[0].first, 201)});
  engine.RunAll();
  EXPECT_EQ(Value(engine, "schedule_attempts_total", "scheduled default-scheduler "), "1");
  EXPECT_EQ(Sum(engine, "pod_scheduling_attempts", ""), "1 of 1");
  EXPECT_EQ(Sum(engine, "pod_scheduling_sli_duration_seconds", "1 "), "1 of 0.250000");
  EXPECT_EQ(Value(engine, "queue_incoming_pods_total", "active UnschedulablePodAdd "), "1");
  EXPECT_EQ(Value(engine, "pod_scheduled_after_flush_total", ""), "0");
}

TEST(SchedulerMetrics, CountsARejectedPodAndItsRejectors) {
  Engine engine(kCounting);
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "9"}});
  engine.RunAll();
  EXPECT_EQ(Value(engine, "schedule_attempts_total", "unschedulable default-scheduler "), "1");
  EXPECT_EQ(Value(engine, "unschedulable_pods", "NodeResourcesFit default-scheduler "), "1");
  EXPECT_EQ(Value(engine, "preemption_attempts_total", ""), "1");
  EXPECT_EQ(Value(engine, "pending_pods", "unschedulable "), "1");
  EXPECT_EQ(Value(engine, "pending_pods", "active "), "0");
  EXPECT_EQ(Value(engine, "cache_size", "nodes "), "1");
}

// The queue treats such a pod like one whose attempt failed with an error; the counter does not.
TEST(SchedulerMetrics, ARejectionInPreBindIsNoError) {
  FakeBehavior plugin{.name = "Refusing"};
  plugin.pre_bind = []() -> Task<Status> { co_return Status::Unschedulable("no"); };
  Engine engine({plugin}, R"("metrics":true)");
  engine.Add({NodeText{"a"}, PodText{"p"}});
  engine.RunAll();
  EXPECT_EQ(Value(engine, "schedule_attempts_total", "unschedulable default-scheduler "), "1");
  EXPECT_EQ(Value(engine, "schedule_attempts_total", "error default-scheduler "), "");
  EXPECT_EQ(Value(engine, "pending_pods", "backoff "), "1");
}

TEST(SchedulerMetrics, AFailingPluginIsAnError) {
  FakeBehavior plugin{.name = "Failing"};
  plugin.pre_bind = []() -> Task<Status> { co_return Status::Error("broken"); };
  Engine engine({plugin}, R"("metrics":true)");
  engine.Add({NodeText{"a"}, PodText{"p"}});
  engine.RunAll();
  EXPECT_EQ(Value(engine, "schedule_attempts_total", "error default-scheduler "), "1");
}

TEST(SchedulerMetrics, MeasuresTheWaitInPermit) {
  FakeBehavior plugin{.name = "Holding"};
  plugin.permit = [](int64_t* timeout_us) {
    *timeout_us = 5'000'000;
    return Status::WithReasons(Code::kWait, {});
  };
  Engine engine({plugin}, R"("metrics":true)");
  engine.Add({NodeText{"a"}, PodText{"p"}, PodText{"q"}});
  engine.RunAll();
  engine.Sleep(1'500'000);
  engine.Add({R"({"type":"ALLOW_WAITING_POD","uid":"uid-p","plugin":"Holding"})"});
  engine.RunAll(0);
  engine.Sleep(4'000'000);
  engine.RunAll(0);
  EXPECT_EQ(Sum(engine, "permit_wait_duration_seconds", "Success "), "1 of 1.500000");
  EXPECT_EQ(Sum(engine, "permit_wait_duration_seconds", "Unschedulable "), "1 of 5.500000");
}

TEST(SchedulerMetrics, CountsVictims) {
  Engine engine(kCounting);
  engine.Add({NodeText{"a"}, PodText{.name = "v", .cpu = "2", .node = "a"},
              PodText{.name = "w", .cpu = "2", .node = "a"},
              PodText{.name = "p", .cpu = "3", .priority = 10}});
  engine.RunAll();
  EXPECT_EQ(Sum(engine, "preemption_victims", ""), "1 of 2");
  EXPECT_EQ(Value(engine, "preemption_attempts_total", ""), "1");
  EXPECT_EQ(Value(engine, "preemption_goroutines_execution_total", "success "), "1");
}

// Two nodes fit, so that scoring runs too.
TEST(SchedulerMetrics, CountsEvaluationsOfPlugins) {
  Engine engine(kCounting);
  engine.Add(
      {NodeText{"a"}, NodeText{"b"}, NodeText{"full", R"("cpu":"0","pods":"110")"}, PodText{"p"}});
  engine.RunAll();
  auto evaluations = [&](const std::string& plugin, const std::string& point) {
    return Value(engine, "plugin_evaluation_total", plugin + " " + point + " default-scheduler ");
  };
  EXPECT_EQ(evaluations("NodeResourcesFit", "PreFilter"), "1");
  EXPECT_EQ(evaluations("NodeResourcesFit", "Filter"), "3");
  EXPECT_EQ(evaluations("NodeResourcesFit", "PreScore"), "1");
  EXPECT_EQ(evaluations("NodeResourcesFit", "Score"), "2");
  EXPECT_EQ(evaluations("NodePorts", "PreFilter"), "") << "it answers Skip";
  EXPECT_EQ(evaluations("NodePorts", "Filter"), "");
}

TEST(SchedulerMetrics, IgnoresEvaluations) {
  Engine engine(kCounting);
  engine.Add({NodeText{"a"}, PodText{"p"}});
  engine.RunAll();
  std::string before = engine.InspectText(R"({"metrics":true})");
  engine.Evaluate("{}", std::string(PodText{.name = "q", .cpu = "9"}));
  EXPECT_EQ(engine.InspectText(R"({"metrics":true})"), before);
}

}  // namespace
}  // namespace stowage
