// Goal: a task runs when it is started, returns its value to the awaiting task, and releases
// everything that it holds when it is destroyed.
#include "core/loop/task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/loop/loop.h"

namespace stowage {
namespace {

Task<int> Noted(std::string* log, int value) {
  *log += "ran ";
  co_return value;
}

Task<int> Sum(std::string* log) {
  int a = co_await Noted(log, 1);
  Task<int> second = Noted(log, 2);
  *log += "between ";
  int b = co_await second;
  co_return a + b;
}

TEST(Task, StartsWhenItIsAwaited) {
  std::string log;
  Task<int> sum = Sum(&log);
  EXPECT_EQ(log, "") << "nothing runs before";
  sum.Start();
  ASSERT_TRUE(sum.IsDone());
  EXPECT_EQ(sum.Take(), 3);
  EXPECT_EQ(log, "ran between ran ");
}

// Suspends forever.
struct Never {
  std::coroutine_handle<>* waiting;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) const { *waiting = handle; }
  void await_resume() const {}
};

Task<void> Inner(std::coroutine_handle<>* waiting, std::shared_ptr<int> held) {
  co_await Never{waiting};
  *held = 1;
}

Task<void> Outer(std::coroutine_handle<>* waiting, std::shared_ptr<int> held) {
  co_await Inner(waiting, held);
  *held += 1;
}

TEST(Task, ContinuesWhereItWaited) {
  std::coroutine_handle<> waiting;
  auto held = std::make_shared<int>(0);
  Task<void> task = Outer(&waiting, held);
  task.Start();
  EXPECT_FALSE(task.IsDone());
  Trampoline::Run(waiting);
  EXPECT_TRUE(task.IsDone());
  EXPECT_EQ(*held, 2) << "the inner one first";
}

TEST(Task, ReleasesEverythingWhenDestroyed) {
  std::coroutine_handle<> waiting;
  auto held = std::make_shared<int>(0);
  {
    Task<void> task = Outer(&waiting, held);
    task.Start();
    EXPECT_GT(held.use_count(), 1);
    Task<void> moved = std::move(task);
    EXPECT_FALSE(moved.IsDone());
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(*held, 0);
}

TEST(Task, MayBeDoneWithoutStarting) {
  Task<int> done = Task<int>::Of(3);
  EXPECT_TRUE(done.IsDone());
  done.Start();
  Task<int> moved = std::move(done);
  EXPECT_EQ(moved.Take(), 3);
  EXPECT_TRUE(Task<void>::Done().IsDone());
}

Task<int> SumOf(Task<int> a, Task<int> b) {
  int first = co_await a;
  co_return first + co_await b;
}

Task<int> Late(std::coroutine_handle<>* waiting, int value) {
  co_await Never{waiting};
  co_return value;
}

TEST(Task, AwaitsAFinishedTaskWithoutWaiting) {
  Task<int> sum = SumOf(Task<int>::Of(1), Task<int>::Of(2));
  sum.Start();
  ASSERT_TRUE(sum.IsDone());
  EXPECT_EQ(sum.Take(), 3);
}

std::string WithUnit(const int& value, const char& unit) { return std::to_string(value) + unit; }

TEST(Task, MapsAtOnceOrAfterWaiting) {
  EXPECT_EQ(Map(Task<int>::Of(3), &WithUnit, 's').Take(), "3s");
  std::coroutine_handle<> waiting;
  Task<std::string> late = Map(Late(&waiting, 4), &WithUnit, 'h');
  EXPECT_FALSE(late.IsDone());
  late.Start();
  EXPECT_FALSE(late.IsDone());
  Trampoline::Run(waiting);
  ASSERT_TRUE(late.IsDone());
  EXPECT_EQ(late.Take(), "4h");
}

TEST(Task, JoinsAFinishedTask) {
  auto join = [](const Task<int>& task) -> Task<void> { co_await task.Join(); };
  Task<int> done = Task<int>::Of(1);
  Task<void> joining = join(done);
  joining.Start();
  EXPECT_TRUE(joining.IsDone());
  EXPECT_EQ(done.Take(), 1);
}

// Goal: the depth of nesting bounds the stack that tasks need, not their number. Method: the lowest
// stack address that any of them sees.
class StackDepth {
 public:
  StackDepth() { Measure(); }
  __attribute__((noinline)) void Measure() {
    volatile char here = 0;
    auto address = reinterpret_cast<uintptr_t>(&here);
    top_ = std::max(top_, address);
    lowest_ = std::min(lowest_, address);
  }
  size_t bytes() const { return top_ - lowest_; }

 private:
  uintptr_t top_ = 0;
  uintptr_t lowest_ = UINTPTR_MAX;
};

constexpr int kManyTasks = 200'000;
constexpr size_t kStackBytesMax = 8 * 1024;

Task<int> ReadyAtOnce(StackDepth* depth) {
  depth->Measure();
  co_return 1;
}

Task<int> AwaitInTurn(StackDepth* depth) {
  int sum = 0;
  for (int round = 0; round < kManyTasks; ++round) sum += co_await ReadyAtOnce(depth);
  co_return sum;
}

TEST(Task, AwaitsAnyNumberOfReadyTasksOnABoundedStack) {
  StackDepth depth;
  Task<int> sum = AwaitInTurn(&depth);
  sum.Start();
  ASSERT_TRUE(sum.IsDone());
  EXPECT_EQ(sum.Take(), kManyTasks);
  EXPECT_LT(depth.bytes(), kStackBytesMax);
}

Task<int> AwaitInTurnLater(Calls& calls, StackDepth* depth) {
  co_await calls.Sleep(1);
  co_return co_await AwaitInTurn(depth);
}

TEST(Task, AwaitsAnyNumberOfReadyTasksAfterTheLoopResumedIt) {
  Outbox outbox;
  Loop loop(outbox);
  loop.set_now(Instant{0, 0});
  StackDepth depth;
  Task<int> sum = AwaitInTurnLater(loop, &depth);
  sum.Start();
  EXPECT_FALSE(sum.IsDone());
  loop.set_now(Instant{1, 0});
  loop.Resume();
  ASSERT_TRUE(sum.IsDone());
  EXPECT_EQ(sum.Take(), kManyTasks);
  EXPECT_LT(depth.bytes(), kStackBytesMax);
}

Task<int> StartInTurn(StackDepth* depth) {
  int sum = 0;
  for (int round = 0; round < kManyTasks; ++round) {
    Task<int> started = ReadyAtOnce(depth);
    started.Start();
    co_await started.Join();
    sum += started.Take();
  }
  co_return sum;
}

TEST(Task, StartsAnyNumberOfReadyTasksOnABoundedStack) {
  StackDepth depth;
  Task<int> sum = StartInTurn(&depth);
  sum.Start();
  ASSERT_TRUE(sum.IsDone());
  EXPECT_EQ(sum.Take(), kManyTasks);
  EXPECT_LT(depth.bytes(), kStackBytesMax);
}

Task<int> Nest(Calls& calls, StackDepth* depth, int levels) {
  depth->Measure();
  if (levels == 0) {
    co_await calls.Sleep(1);
    co_return 0;
  }
  int below = co_await Nest(calls, depth, levels - 1);
  depth->Measure();
  co_return below + 1;
}

TEST(Task, NestsOnABoundedStack) {
  constexpr int kLevels = 10'000;
  Outbox outbox;
  Loop loop(outbox);
  loop.set_now(Instant{0, 0});
  StackDepth depth;
  Task<int> task = Nest(loop, &depth, kLevels);
  task.Start();
  loop.set_now(Instant{1, 0});
  loop.Resume();
  ASSERT_TRUE(task.IsDone());
  EXPECT_EQ(task.Take(), kLevels);
  EXPECT_LT(depth.bytes(), kStackBytesMax);
}

}  // namespace
}  // namespace stowage
