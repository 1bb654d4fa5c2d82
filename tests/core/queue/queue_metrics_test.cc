// Goal: the queue's metrics follow spec 08 §3, including what is easy to get wrong there.
#include <gtest/gtest.h>

#include "tests/core/queue/queue_fixture.h"

namespace stowage {
namespace {

class QueueMetricsTest : public QueueFixture {
 protected:
  int64_t Incoming(std::string_view queue, std::string_view event) const {
    return metrics_.Value(Metric::kQueueIncomingPods, {queue, event});
  }
  int64_t Unschedulable(std::string_view plugin) const {
    return metrics_.Value(Metric::kUnschedulablePods, {plugin, "default-scheduler"});
  }
  int64_t Pending(std::string_view place) {
    queue().SetGauges();
    return metrics_.Value(Metric::kPendingPods, {place});
  }
  int64_t InFlight(std::string_view event) {
    queue().SetGauges();
    return metrics_.Value(Metric::kInFlightEvents, {event});
  }
};

TEST_F(QueueMetricsTest, CountsIncomingPodsByQueueAndEvent) {
  Listen("P", NodeAdd());
  AddRejected("p", {Symbol("P")});
  EXPECT_EQ(Incoming("active", "UnschedulablePodAdd"), 1);
  EXPECT_EQ(Incoming("unschedulable", "ScheduleAttemptFailure"), 1);
  Move(NodeAdd());
  EXPECT_EQ(Incoming("backoff", "NodeAdd"), 1) << "its backoff is not over";
  Sleep(2 * kSecondUs);
  queue().FlushBackoffQCompleted();
  EXPECT_EQ(Incoming("active", "BackoffComplete"), 1);
}

// It was never in the active queue.
TEST_F(QueueMetricsTest, CountsAPodPoppedFromBackoffAsActive) {
  Listen("P", NodeAdd());
  AddRejected("p", {Symbol("P")});
  Move(NodeAdd());
  EXPECT_EQ(Pop(), "p");
  EXPECT_EQ(Incoming("active", "PopFromBackoffQ"), 1);
  EXPECT_EQ(Incoming("active", "BackoffComplete"), 0);
}

TEST_F(QueueMetricsTest, CountsAGatedPodOnce) {
  gates_["p"] = {"G"};
  Listen("G", NodeAdd());
  Add("p");
  EXPECT_EQ(Incoming("unschedulable", "UnschedulablePodAdd"), 1);
  Move(NodeAdd());
  EXPECT_EQ(Incoming("unschedulable", "NodeAdd"), 0) << "it was in the pool";
  EXPECT_EQ(Unschedulable("G"), 1) << "gated twice by one plugin";
  gates_["p"].clear();
  Move(NodeAdd());
  EXPECT_EQ(Incoming("active", "NodeAdd"), 1);
  EXPECT_EQ(Unschedulable("G"), 1) << "until it is popped";
  EXPECT_EQ(Pop(), "p");
  EXPECT_EQ(Unschedulable("G"), 0);
}

TEST_F(QueueMetricsTest, CountsAPodForEveryRejectorUntilItIsPopped) {
  AddRejected("p", {Symbol("P")}, {Symbol("Q")});
  AddRejected("q", {Symbol("P")});
  EXPECT_EQ(Unschedulable("P"), 2);
  EXPECT_EQ(Unschedulable("Q"), 1);
  PopNamed("p");
  EXPECT_EQ(Unschedulable("P"), 1);
  EXPECT_EQ(Unschedulable("Q"), 0);
}

TEST_F(QueueMetricsTest, UncountsADeletedPodOnlyInThePool) {
  Listen("P", NodeAdd());
  Pod in_pool = MakePod().Name("in-pool").Obj();
  Pod in_backoff = MakePod().Name("in-backoff").Obj();
  AddRejected(in_backoff, {Symbol("P")});
  Move(NodeAdd());
  AddRejected(in_pool, {Symbol("P")});
  EXPECT_EQ(Unschedulable("P"), 2);
  queue().Delete(in_pool);
  EXPECT_EQ(Unschedulable("P"), 1);
  queue().Delete(in_backoff);
  EXPECT_EQ(Unschedulable("P"), 1) << "as upstream's gauge";
}

TEST_F(QueueMetricsTest, GaugesPendingPods) {
  gates_["gated"] = {"G"};
  Listen("P", NodeAdd());
  Add("gated");
  AddRejected("backoff", {Symbol("P")});
  Move(NodeAdd());
  AddRejected("failed", {});
  AddRejected("pool", {Symbol("P")});
  Add("active");
  EXPECT_EQ(Pending("active"), 1);
  EXPECT_EQ(Pending("backoff"), 2);
  EXPECT_EQ(Pending("unschedulable"), 1);
  EXPECT_EQ(Pending("gated"), 1);
}

TEST_F(QueueMetricsTest, GaugesInFlightEvents) {
  Listen("P", NodeAdd());
  Add("p");
  Move(NodeAdd());
  EXPECT_EQ(InFlight("NodeAdd"), 0) << "no pod in flight needs it";
  EXPECT_EQ(Pop(), "p");
  Move(NodeAdd());
  Move(NodeAdd());
  EXPECT_EQ(InFlight("PodPopped"), 1);
  EXPECT_EQ(InFlight("NodeAdd"), 2);
  queue().Done(Symbol("p"));
  EXPECT_EQ(InFlight("PodPopped"), 0);
  EXPECT_EQ(InFlight("NodeAdd"), 0);
}

TEST_F(QueueMetricsTest, RecordsTheFirstEntryAndTheTimeout) {
  gates_["p"] = {"G"};
  Listen("G", NodeAdd());
  Add("p");
  EXPECT_EQ(Find("p")->initial_attempt_timestamp, std::nullopt) << "not while gated";
  Sleep(kSecondUs);
  gates_["p"].clear();
  Move(NodeAdd());
  Instant entered = now_;
  EXPECT_EQ(Find("p")->initial_attempt_timestamp, entered);
  PopNamed("p");
  Return("p", {Symbol("P")});
  EXPECT_FALSE(Find("p")->was_flushed_from_unschedulable);
  Sleep(int64_t{400} * kSecondUs);
  queue().FlushUnschedulablePodsLeftover();
  EXPECT_TRUE(Find("p")->was_flushed_from_unschedulable);
  EXPECT_EQ(Find("p")->initial_attempt_timestamp, entered);
  PopNamed("p");
  Return("p", {Symbol("P")});
  EXPECT_FALSE(Find("p")->was_flushed_from_unschedulable) << "cleared on return";
}

}  // namespace
}  // namespace stowage
