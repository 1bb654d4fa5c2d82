// Goal: metrics are counted by label, and written as families (spec 08).
#include "core/framework/metrics.h"

#include <gtest/gtest.h>

#include <string>

namespace stowage {
namespace {

std::string Written(const Metrics& metrics) {
  std::string text;
  JsonWriter json(&text);
  metrics.Write(&json);
  return text;
}

// The family as a JSON object.
std::string Family(const Metrics& metrics, const std::string& name) {
  std::string text = Written(metrics);
  size_t begin = text.find(R"({"name":")" + name + "\"");
  EXPECT_NE(begin, std::string::npos) << name;
  size_t end = text.find(R"(,{"name":)", begin);
  return text.substr(begin, end == std::string::npos ? end : end - begin);
}

TEST(Metrics, CountsByLabel) {
  Metrics metrics(true);
  metrics.Add(Metric::kScheduleAttempts, {"scheduled", "s"});
  metrics.Add(Metric::kScheduleAttempts, {"scheduled", "s"}, 2);
  metrics.Add(Metric::kScheduleAttempts, {"error", "s"});
  EXPECT_EQ(metrics.Value(Metric::kScheduleAttempts, {"scheduled", "s"}), 3);
  EXPECT_EQ(metrics.Value(Metric::kScheduleAttempts, {"error", "s"}), 1);
  EXPECT_EQ(metrics.Value(Metric::kScheduleAttempts, {"unschedulable", "s"}), 0);
  EXPECT_EQ(Family(metrics, "scheduler_schedule_attempts_total"),
            R"({"name":"scheduler_schedule_attempts_total","type":"counter",)"
            R"("help":"Attempts to schedule a pod, by their result.","stability":"STABLE",)"
            R"("labels":["result","profile"],"samples":[)"
            R"({"labels":["error","s"],"value":1},{"labels":["scheduled","s"],"value":3}]})");
}

TEST(Metrics, SetsAndClearsGauges) {
  Metrics metrics(true);
  metrics.Set(Metric::kPendingPods, {"active"}, 7);
  metrics.Set(Metric::kPendingPods, {"active"}, 4);
  EXPECT_EQ(metrics.Value(Metric::kPendingPods, {"active"}), 4);
  metrics.Clear(Metric::kPendingPods);
  EXPECT_NE(Family(metrics, "scheduler_pending_pods").find(R"({"labels":["active"],"value":0})"),
            std::string::npos);
}

// A bound belongs to its bucket; values above the last bound appear only in the count.
TEST(Metrics, WritesHistogramsOfAmounts) {
  Metrics metrics(true);
  for (int64_t attempts : {1, 2, 3, 16, 17}) {
    metrics.Observe(Metric::kPodSchedulingAttempts, {}, attempts);
  }
  std::string family = Family(metrics, "scheduler_pod_scheduling_attempts");
  EXPECT_NE(family.find(R"("bounds":[1,2,4,8,16],"samples":[)"
                        R"({"labels":[],"buckets":[1,1,1,0,1],"count":5,"sum":39}])"),
            std::string::npos)
      << family;
}

TEST(Metrics, WritesHistogramsOfTimesInSeconds) {
  Metrics metrics(true);
  metrics.Observe(Metric::kPermitWaitDuration, {"Success"}, 1'000);
  metrics.Observe(Metric::kPermitWaitDuration, {"Success"}, 2'500'001);
  std::string family = Family(metrics, "scheduler_permit_wait_duration_seconds");
  EXPECT_NE(family.find(R"("bounds":[0.001000,0.002000,0.004000,)"), std::string::npos) << family;
  EXPECT_NE(family.find(R"(,16.384000],)"), std::string::npos) << family;
  EXPECT_NE(family.find(R"("buckets":[1,0,0,0,0,0,0,0,0,0,0,0,1,0,0],"count":2,"sum":2.501001)"),
            std::string::npos)
      << family;
}

TEST(Metrics, ExistFromTheStartWithoutLabels) {
  Metrics metrics(true);
  EXPECT_NE(Family(metrics, "scheduler_preemption_attempts_total")
                .find(R"("samples":[{"labels":[],"value":0}])"),
            std::string::npos);
  EXPECT_NE(Family(metrics, "scheduler_schedule_attempts_total").find(R"("samples":[])"),
            std::string::npos);
}

TEST(Metrics, CountNothingInAPause) {
  Metrics metrics(true);
  {
    Metrics::Pause outer(metrics);
    Metrics::Pause inner(metrics);
    EXPECT_FALSE(metrics.is_counting());
    metrics.Add(Metric::kPreemptionAttempts, {});
    metrics.Observe(Metric::kPreemptionVictims, {}, 3);
  }
  EXPECT_TRUE(metrics.is_counting());
  EXPECT_EQ(metrics.Value(Metric::kPreemptionAttempts, {}), 0);
  EXPECT_EQ(metrics.Value(Metric::kPreemptionVictims, {}), 0);
}

TEST(Metrics, CountNothingIfDisabled) {
  Metrics metrics(false);
  metrics.Add(Metric::kPreemptionAttempts, {});
  metrics.Set(Metric::kPendingPods, {"active"}, 1);
  EXPECT_EQ(Written(metrics).find(R"("value")"), std::string::npos);
}

}  // namespace
}  // namespace stowage
