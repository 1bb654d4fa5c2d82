// Goal: a task runs when it is asked to, gives its value to whom awaits it, and takes what it holds
// with it when it is given up.
#include "core/loop/task.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

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

// Suspends for good.
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

TEST(Task, GoesOnWhereItWaited) {
  std::coroutine_handle<> waiting;
  auto held = std::make_shared<int>(0);
  Task<void> task = Outer(&waiting, held);
  task.Start();
  EXPECT_FALSE(task.IsDone());
  waiting.resume();
  EXPECT_TRUE(task.IsDone());
  EXPECT_EQ(*held, 2) << "the inner one first";
}

TEST(Task, ReleasesAllItHoldsWhenGivenUp) {
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

}  // namespace
}  // namespace stowage
