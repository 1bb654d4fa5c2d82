// Goal: answers reach the waiting tasks in order of arrival, and no task waits past a deadline.
#include "core/loop/loop.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

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

Task<void> Fetch(Loop& loop, std::string url, int64_t timeout_us, std::string* log) {
  uint64_t id = loop.Send(CallTo(url, timeout_us));
  Completion answer = co_await loop.Answer(id);
  *log += url + ":" + TextOf(answer) + " ";
}

// Sends two calls, and reads their answers in the order of sending.
Task<void> FetchTwo(Loop& loop, std::string* log) {
  uint64_t first = loop.Send(CallTo("a"));
  uint64_t second = loop.Send(CallTo("b"));
  Completion first_answer = co_await loop.Answer(first);
  *log += "a:" + TextOf(first_answer) + " ";
  Completion second_answer = co_await loop.Answer(second);
  *log += "b:" + TextOf(second_answer) + " ";
}

TEST(Loop, ReturnsEachCallOnce) {
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

TEST(Loop, ResumesTasksInTheOrderOfAnswers) {
  Outbox outbox;
  Loop loop(outbox);
  std::string log;
  Task<void> a = Fetch(loop, "a", kSecond, &log);
  Task<void> b = Fetch(loop, "b", kSecond, &log);
  a.Start();
  b.Start();
  EXPECT_TRUE(loop.Complete(2, Answer("2")));
  EXPECT_TRUE(loop.Complete(1, Answer("1")));
  EXPECT_EQ(log, "") << "not before Resume";
  loop.Resume();
  EXPECT_EQ(log, "b:2 a:1 ");
  EXPECT_EQ(loop.NextDeadline(), std::nullopt);
}

TEST(Loop, KeepsAnAnswerUntilATaskAwaitsIt) {
  Outbox outbox;
  Loop loop(outbox);
  std::string log;
  Task<void> task = FetchTwo(loop, &log);
  task.Start();
  loop.Complete(2, Answer("2"));
  loop.Resume();
  EXPECT_EQ(log, "");
  loop.Complete(1, Answer("1"));
  loop.Resume();
  EXPECT_EQ(log, "a:1 b:2 ");
  EXPECT_TRUE(task.IsDone());
}

TEST(Loop, RefusesAnswersToUnknownCalls) {
  Outbox outbox;
  Loop loop(outbox);
  std::string log;
  Task<void> task = Fetch(loop, "a", kSecond, &log);
  EXPECT_FALSE(loop.Complete(1, Answer("early")));
  task.Start();
  EXPECT_FALSE(loop.Complete(7, Answer("unknown")));
  EXPECT_TRUE(loop.Complete(1, Answer("1")));
  EXPECT_FALSE(loop.Complete(1, Answer("twice")));
  loop.Resume();
  EXPECT_FALSE(loop.Complete(1, Answer("late")));
  EXPECT_EQ(log, "a:1 ");
}

TEST(Loop, TimesOutOverdueCalls) {
  Outbox outbox;
  Loop loop(outbox);
  loop.set_now(Instant{0, 0});
  std::string log;
  Task<void> slow = Fetch(loop, "slow", 3 * kSecond, &log);
  Task<void> fast = Fetch(loop, "fast", kSecond, &log);
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

Task<void> SleepFor(Loop& loop, std::string name, int64_t duration_us, std::string* log) {
  co_await loop.Sleep(duration_us);
  *log += name + " ";
}

TEST(Loop, WakesSleepersInTheOrderOfTheirTimes) {
  Outbox outbox;
  Loop loop(outbox);
  loop.set_now(Instant{10, 0});
  std::string log;
  Task<void> late = SleepFor(loop, "late", 2 * kSecond, &log);
  Task<void> early = SleepFor(loop, "early", kSecond, &log);
  Task<void> also_early = SleepFor(loop, "also early", kSecond, &log);
  Task<void> not_at_all = SleepFor(loop, "at once", 0, &log);
  for (Task<void>* task : {&late, &early, &also_early, &not_at_all}) task->Start();
  EXPECT_EQ(log, "at once ");
  EXPECT_EQ(loop.NextDeadline(), (Instant{11, 0}));
  loop.set_now(Instant{10, 999'999'000});
  loop.Resume();
  EXPECT_EQ(log, "at once ");
  loop.set_now(Instant{11, 0});
  loop.Resume();
  EXPECT_EQ(log, "at once early also early ");
  EXPECT_EQ(loop.NextDeadline(), (Instant{12, 0}));
  loop.set_now(Instant{99, 0});
  loop.Resume();
  EXPECT_EQ(log, "at once early also early late ");
  EXPECT_EQ(loop.NextDeadline(), std::nullopt);
}

Task<void> SleepTwice(Loop& loop, std::string* log) {
  co_await loop.Sleep(kSecond);
  *log += "once ";
  co_await loop.Sleep(kSecond);
  *log += "twice ";
}

TEST(Loop, CountsEverySleepFromItsOwnTime) {
  Outbox outbox;
  Loop loop(outbox);
  loop.set_now(Instant{0, 0});
  std::string log;
  Task<void> task = SleepTwice(loop, &log);
  task.Start();
  loop.set_now(Instant{5, 0});
  loop.Resume();
  EXPECT_EQ(log, "once ");
  EXPECT_EQ(loop.NextDeadline(), (Instant{6, 0}));
  loop.set_now(Instant{6, 0});
  loop.Resume();
  EXPECT_EQ(log, "once twice ");
}

// FireTimers resumes sleepers; Resume delivers answers afterwards.
TEST(Loop, FiresSleepersBeforeOverdueCalls) {
  Outbox outbox;
  Loop loop(outbox);
  loop.set_now(Instant{0, 0});
  std::string log;
  Task<void> call = Fetch(loop, "call", kSecond, &log);
  Task<void> sleeper = SleepFor(loop, "sleeper", 2 * kSecond, &log);
  call.Start();
  sleeper.Start();
  loop.set_now(Instant{9, 0});
  loop.Resume();
  EXPECT_EQ(log, "sleeper call:timeout ");
}

Task<void> Note(std::string name, std::string* log) {
  *log += name + " ";
  co_return;
}

Task<void> SpawnTwo(Loop& loop, std::string* log) {
  loop.Spawn(Note("inner", log));
  loop.Spawn(Note("inner too", log));
  *log += "outer ";
  co_return;
}

TEST(Loop, StartsSpawnedTasksOneAfterTheOther) {
  Outbox outbox;
  Loop loop(outbox);
  std::string log;
  EXPECT_FALSE(loop.IsBusy());
  loop.Spawn(SpawnTwo(loop, &log));
  loop.Spawn(Note("next", &log));
  EXPECT_EQ(log, "") << "not before it is their turn";
  EXPECT_TRUE(loop.IsBusy());
  loop.StartSpawned();
  EXPECT_EQ(log, "outer next inner inner too ");
  EXPECT_FALSE(loop.IsBusy());
}

Task<void> Hold(Loop& loop, std::shared_ptr<int> held) {
  co_await loop.Sleep(kSecond);
  ++*held;
}

TEST(Loop, ReleasesSpawnedTasksThatHaveEnded) {
  Outbox outbox;
  auto held = std::make_shared<int>(0);
  {
    Loop loop(outbox);
    loop.set_now(Instant{0, 0});
    loop.Spawn(Hold(loop, held));
    loop.Resume();
    EXPECT_TRUE(loop.IsBusy());
    EXPECT_EQ(held.use_count(), 2);
    loop.set_now(Instant{1, 0});
    loop.Resume();
    EXPECT_EQ(*held, 1);
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_FALSE(loop.IsBusy());
    loop.Spawn(Hold(loop, held));
    loop.StartSpawned();
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1) << "a loop that ends abandons its tasks";
  EXPECT_EQ(*held, 1);
}

TEST(Loop, ReleasesATaskThatEndsAtOnce) {
  Outbox outbox;
  Loop loop(outbox);
  auto held = std::make_shared<int>(0);
  auto end_at_once = [](std::shared_ptr<int> owned) -> Task<void> {
    *owned += 1;
    co_return;
  };
  loop.Start(end_at_once(held));
  EXPECT_EQ(*held, 1);
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(loop.IsBusy());
}

TEST(Loop, SharesAnOutbox) {
  Outbox outbox;
  Loop cycle(outbox);
  Loop background(outbox);
  std::string log;
  Task<void> a = Fetch(cycle, "a", 0, &log);
  Task<void> b = Fetch(background, "b", 0, &log);
  a.Start();
  b.Start();
  std::vector<Call> calls = outbox.Take();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].url, "a");
  EXPECT_EQ(calls[0].id, 1u);
  EXPECT_EQ(calls[1].url, "b");
  EXPECT_EQ(calls[1].id, 2u);
  EXPECT_FALSE(cycle.Complete(2, Answer("2"))) << "the other's";
  EXPECT_TRUE(background.Complete(2, Answer("2")));
  cycle.Resume();
  EXPECT_EQ(log, "");
  EXPECT_FALSE(a.IsDone());
  background.Resume();
  EXPECT_EQ(log, "b:2 ");
  EXPECT_FALSE(background.IsBusy());
  EXPECT_TRUE(cycle.IsBusy()) << "a waits for ever";
  EXPECT_EQ(cycle.NextDeadline(), std::nullopt);
}

// Goal: a finished task does not count as busy, even if another loop resumed it last.
TEST(Loop, IsNotBusyWithATaskThatEndedInAnotherLoop) {
  Outbox outbox;
  Loop cycle(outbox);
  Loop background(outbox);
  std::string log;
  background.Spawn(Fetch(cycle, "a", 0, &log));
  background.StartSpawned();
  EXPECT_TRUE(background.IsBusy());
  cycle.Complete(1, Answer("1"));
  cycle.Resume();
  EXPECT_EQ(log, "a:1 ");
  EXPECT_FALSE(background.IsBusy());
}

TEST(CallKey, DistinguishesUrlsAndBodies) {
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
