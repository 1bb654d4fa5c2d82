// Goal: a turn does what is due, in order, and reports its next deadline and whether work is under
// way. Method: engines whose time the test moves.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

// The last record of a turn without cycles.
JsonTree TurnOf(Engine& engine) { return engine.RunAll(0).back(); }

TEST(Turn, HasNoDeadlineOnAnEmptyEngine) {
  Engine engine;
  JsonTree turn = TurnOf(engine);
  EXPECT_TRUE(turn["nextDeadline"].is_null());
  EXPECT_EQ(turn["idle"].text(), "true");
  EXPECT_EQ(turn["waiting"].text(), "false");
  EXPECT_EQ(turn["busy"].text(), "false");
}

TEST(Turn, EndsBackoffOnWholeSeconds) {
  Engine engine;
  engine.set_now({1'000'000, 300'000'000});
  engine.Add({PodText{"p"}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  EXPECT_EQ(TurnOf(engine)["nextDeadline"].text(), "1000002000000");
  engine.set_now({1'000'001, 999'999'000});
  EXPECT_EQ(engine.Decide(), "");
  engine.set_now({1'000'002, 0});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  EXPECT_EQ(TurnOf(engine)["nextDeadline"].text(), "1000005000000") << "two seconds now";
}

TEST(Turn, RetriesAPodThatWaitsTooLong) {
  Engine engine(R"({"podMaxInUnschedulablePodsDuration":60000,"startTimeUs":1000000000000})");
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "9"}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  EXPECT_EQ(TurnOf(engine)["nextDeadline"].text(), "1000090000000") << "after 60 s, every 30 s";
  engine.Sleep(89'999'999);
  EXPECT_EQ(engine.Decide(), "");
  engine.Sleep(1);
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
}

// Goal: after a long pause, one turn does everything that is due.
TEST(Turn, CatchesUpAfterALongPause) {
  Engine engine(R"({"moves":true,"startTimeUs":1000000000000})");
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "9"}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  engine.Sleep(int64_t{24} * 3600 * 1'000'000);
  std::vector<JsonTree> moves = engine.RunFor("QueueMove");
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_EQ(moves[0]["event"].text(), "UnschedulableTimeout");
  EXPECT_EQ(moves[1]["event"].text(), "ScheduleAttemptFailure") << "tried once";
}

// Goal: within one turn, earlier deadlines fire first.
TEST(Turn, FiresTimersInOrder) {
  FakeBehavior holding{.name = "W"};
  holding.permit = [](int64_t* timeout_us) {
    *timeout_us = 1'500'000;
    return Status::WithReasons(Code::kWait, {});
  };
  Engine engine({holding}, R"("moves":true)");
  engine.Add({PodText{"error"}});
  engine.Run(1);
  engine.Add({NodeText{"a"}, PodText{.name = "p", .priority = 9}});
  engine.Run(1);
  engine.Sleep(9'000'000);
  std::vector<std::string> order;
  for (const JsonTree& record : engine.RunAll(0)) {
    if (record["kind"].text() == "BindingResult") order.push_back("permit");
    if (record["event"].text() == "BackoffComplete") order.push_back("backoff");
  }
  EXPECT_EQ(order, (std::vector<std::string>{"backoff", "permit"}));
}

TEST(Turn, IsNotBusyWithAWaitingPod) {
  FakeBehavior holding{.name = "W"};
  holding.permit = [](int64_t* timeout_us) {
    *timeout_us = 1'500'000;
    return Status::WithReasons(Code::kWait, {});
  };
  Engine engine({holding}, "");
  engine.Add({NodeText{"a"}, PodText{"p"}});
  engine.Run();
  JsonTree turn = TurnOf(engine);
  EXPECT_EQ(turn["busy"].text(), "true") << "its binding cycle is under way";
  EXPECT_EQ(turn["waiting"].text(), "false");
  EXPECT_EQ(turn["nextDeadline"].text(), "1000001500000");
}

// Goal: cycles continue while bindings are under way, and records tell the bindings apart.
TEST(Turn, OverlapsBindings) {
  Engine engine(R"({"api":"host"})");
  engine.Add({NodeText{"a"}, PodText{"p"}, PodText{"q"}});
  EXPECT_EQ(engine.Decide(), "p@a q@a ");
  std::vector<JsonTree> binds;
  for (const auto& [call, body] : engine.calls()) {
    if (call["verb"].text() == "bind") binds.push_back(call);
  }
  ASSERT_EQ(binds.size(), 2u);
  engine.Add({Completed(binds[1], 201)});
  std::vector<JsonTree> bindings = engine.RunFor("BindingResult");
  ASSERT_EQ(bindings.size(), 1u);
  EXPECT_EQ(bindings[0]["pod"].text(), "default/q");
  EXPECT_EQ(bindings[0]["decision"].number(), 2);
  EXPECT_EQ(TurnOf(engine)["busy"].text(), "true");
  engine.Add({Completed(binds[0], 201)});
  EXPECT_EQ(engine.RunFor("BindingResult").at(0)["decision"].number(), 1);
}

// Goal: records are numbered without gaps.
TEST(Turn, NumbersRecords) {
  Engine engine(R"({"events":true,"moves":true})");
  engine.Add({NodeText{"a"}, PodText{"p"}, PodText{.name = "q", .cpu = "9"}});
  int64_t seq = 0;
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<JsonTree> records = engine.RunAll();
    for (size_t index = 0; index + 1 < records.size(); ++index) {
      EXPECT_EQ(records[index]["seq"].number(), ++seq);
    }
    engine.Add({NodeText{"b", R"("cpu":"16","pods":"9")"}});
  }
  EXPECT_GT(seq, 6);
}

}  // namespace
}  // namespace stowage
