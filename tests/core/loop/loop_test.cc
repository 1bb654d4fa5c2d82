// Goal: answers reach who asked, in the order in which they came; nobody waits past a deadline.
#include "core/loop/loop.h"

#include <gtest/gtest.h>

#include <string>

#include "core/loop/task.h"

namespace stowage {
namespace {

constexpr int64_t kSecond = 1'000'000;

Call CallTo(std::string url, int64_t timeout_us = 5 * kSecond) {
  Call call;
  call.url = std::move(url);
  call.timeout_us = timeout_us;
  return call;
}

Completion Answer(std::string body) { return {CallFault::kNone, {}, 200, std::move(body)}; }

std::string TextOf(const Completion& completion) {
  return completion.fault == CallFault::kTimeout ? "timeout" : completion.body;
}

Task<void> Ask(Loop& loop, std::string url, int64_t timeout_us, std::string* log) {
  uint64_t id = loop.Send(CallTo(url, timeout_us));
  Completion answer = co_await loop.Answer(id);
  *log += url + ":" + TextOf(answer) + " ";
}

// Two at a time; their answers are read in the order of asking.
Task<void> AskTwo(Loop& loop, std::string* log) {
  uint64_t first = loop.Send(CallTo("a"));
  uint64_t second = loop.Send(CallTo("b"));
  Completion first_answer = co_await loop.Answer(first);
  *log += "a:" + TextOf(first_answer) + " ";
  Completion second_answer = co_await loop.Answer(second);
  *log += "b:" + TextOf(second_answer) + " ";
}

TEST(Loop, HandsOutCallsOnce) {
  Outbox outbox;
  Loop loop(outbox);
  loop.set_now(Instant{100, 0});
  EXPECT_EQ(loop.Send(CallTo("a", 2 * kSecond)), 1u);
  EXPECT_EQ(loop.Send(CallTo("b")), 2u);
  std::vector<Call> calls = outbox.Take();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].id, 1u);
  EXPECT_EQ(calls[0].deadline, (Instant{102, 0}));
  EXPECT_EQ(calls[1].url, "b");
  EXPECT_TRUE(outbox.Take().empty());
  EXPECT_EQ(loop.NextDeadline(), (Instant{102, 0}));
}

TEST(Loop, ResumesInTheOrderOfTheAnswers) {
  Outbox outbox;
  Loop loop(outbox);
  std::string log;
  Task<void> a = Ask(loop, "a", kSecond, &log);
  Task<void> b = Ask(loop, "b", kSecond, &log);
  a.Start();
  b.Start();
  EXPECT_TRUE(loop.Complete(2, Answer("2")));
  EXPECT_TRUE(loop.Complete(1, Answer("1")));
  EXPECT_EQ(log, "") << "not before Resume";
  loop.Resume();
  EXPECT_EQ(log, "b:2 a:1 ");
  EXPECT_EQ(loop.NextDeadline(), std::nullopt);
}

TEST(Loop, KeepsAnAnswerUntilSomebodyAsks) {
  Outbox outbox;
  Loop loop(outbox);
  std::string log;
  Task<void> task = AskTwo(loop, &log);
  task.Start();
  loop.Complete(2, Answer("2"));
  loop.Resume();
  EXPECT_EQ(log, "");
  loop.Complete(1, Answer("1"));
  loop.Resume();
  EXPECT_EQ(log, "a:1 b:2 ");
  EXPECT_TRUE(task.IsDone());
}

TEST(Loop, RefusesAnswersThatNobodyWaitsFor) {
  Outbox outbox;
  Loop loop(outbox);
  std::string log;
  Task<void> task = Ask(loop, "a", kSecond, &log);
  EXPECT_FALSE(loop.Complete(1, Answer("early")));
  task.Start();
  EXPECT_FALSE(loop.Complete(7, Answer("unknown")));
  EXPECT_TRUE(loop.Complete(1, Answer("1")));
  EXPECT_FALSE(loop.Complete(1, Answer("twice")));
  loop.Resume();
  EXPECT_FALSE(loop.Complete(1, Answer("late")));
  EXPECT_EQ(log, "a:1 ");
}

TEST(Loop, EndsWhatIsOverdue) {
  Outbox outbox;
  Loop loop(outbox);
  loop.set_now(Instant{0, 0});
  std::string log;
  Task<void> slow = Ask(loop, "slow", 3 * kSecond, &log);
  Task<void> fast = Ask(loop, "fast", kSecond, &log);
  slow.Start();
  fast.Start();
  loop.set_now(Instant{0, 999'999'000});
  loop.Resume();
  EXPECT_EQ(log, "");
  loop.set_now(Instant{1, 0});
  loop.Resume();
  EXPECT_EQ(log, "fast:timeout ");
  EXPECT_EQ(loop.NextDeadline(), (Instant{3, 0}));
  loop.set_now(Instant{9, 0});
  loop.Resume();
  EXPECT_EQ(log, "fast:timeout slow:timeout ");
}

TEST(CallKey, TellsUrlsAndBodiesApart) {
  Call call = CallTo("http://a/filter");
  call.body = "{}";
  std::string key = CallKey(call);
  EXPECT_EQ(key.size(), 16u);
  Call other = call;
  other.id = 9;
  EXPECT_EQ(CallKey(other), key);
  other.body = "[]";
  EXPECT_NE(CallKey(other), key);
  other = call;
  other.url = "http://b/filter";
  EXPECT_NE(CallKey(other), key);
}

}  // namespace
}  // namespace stowage
