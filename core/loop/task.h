// Task is a computation that may wait for an answer from outside: a coroutine that starts when it
// is awaited, or by Start, and owns what it awaits. It waits by `co_await calls.Answer(id)`, and
// only the Loop resumes it. If the result is known at once, Task::Of needs no coroutine. Tasks may
// await tasks to any depth: the Trampoline resumes them one after the other on a bounded stack.
//
// A coroutine owns its parameters, or a comment states why they outlive it. Code that runs per node
// is never a coroutine. Destroying a waiting task abandons everything that it awaits.
#pragma once

#include <coroutine>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/check.h"
#include "core/loop/frame_pool.h"
#include "core/loop/trampoline.h"

namespace stowage {

template <typename T>
class Task;

namespace task_internal {

// The common part of promises: a task runs nothing before it is first resumed, and at its end the
// task that awaits it continues.
class PromiseBase {
 public:
  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> finished) const noexcept {
      Trampoline::Continue(finished.promise().continuation_);
    }
    void await_resume() const noexcept {}
  };

  static void* operator new(size_t size) { return FramePool::New(size); }
  static void operator delete(void* frame, size_t size) { FramePool::Delete(frame, size); }

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  // The standard requires it; nothing throws here.
  void unhandled_exception() const { CHECK(false); }
  void set_continuation(std::coroutine_handle<> continuation) { continuation_ = continuation; }

 private:
  std::coroutine_handle<> continuation_;
};

template <typename T>
class Promise : public PromiseBase {
 public:
  Task<T> get_return_object();
  void return_value(T value) { value_.emplace(std::move(value)); }
  T TakeValue() {
    CHECK(value_.has_value());
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
};

template <>
class Promise<void> : public PromiseBase {
 public:
  Task<void> get_return_object();
  void return_void() const {}
};

}  // namespace task_internal

template <typename T>
class [[nodiscard]] Task {
 public:
  using promise_type = task_internal::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;
  // The result's type; std::monostate for Task<void>.
  using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

  explicit Task(Handle handle) : handle_(handle) {}
  // A task that is done without having run.
  static Task Of(Value value) { return Task(std::move(value)); }
  static Task Done() { return Task(Value()); }

  Task(Task&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), value_(std::move(other.value_)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(value_, other.value_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // Runs until the end or the first wait. For a task that no other task awaits.
  void Start() {
    if (!value_) Trampoline::Run(handle_);
  }
  bool IsDone() const { return value_.has_value() || handle_.done(); }
  // The result of a finished task; call it once.
  T Take() {
    CHECK(IsDone());
    return await_resume();
  }

  // co_await task.Join() waits for the end of a started task. Take then returns its result.
  auto Join() const {
    struct Awaiter {
      const Task& task;
      bool await_ready() const { return task.IsDone(); }
      void await_suspend(std::coroutine_handle<> awaiting) const {
        task.handle_.promise().set_continuation(awaiting);
      }
      void await_resume() const {}
    };
    return Awaiter{*this};
  }

  bool await_ready() const noexcept { return value_.has_value(); }
  void await_suspend(std::coroutine_handle<> awaiting) const {
    handle_.promise().set_continuation(awaiting);
    Trampoline::Continue(handle_);
  }
  T await_resume() {
    if constexpr (std::is_void_v<T>) {
      return;
    } else {
      return value_ ? std::move(*value_) : handle_.promise().TakeValue();
    }
  }

 private:
  template <typename Made, typename U, typename... Args>
  friend Task<Made> Map(Task<U> task, Made (*make)(const U&, const Args&...), Args... args);

  explicit Task(Value&& value) : value_(std::move(value)) {}

  Handle handle_;
  std::optional<Value> value_;
};

namespace task_internal {

template <typename T>
Task<T> Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}

inline Task<void> Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

template <typename Made, typename T, typename... Args>
Task<Made> MapWhenDone(Task<T> task, Made (*make)(const T&, const Args&...), Args... args) {
  co_return make(co_await task, args...);
}

}  // namespace task_internal

// A task whose result is `make`, called with `task`'s result and copies of `args`; done at once if
// `task` is.
template <typename Made, typename T, typename... Args>
Task<Made> Map(Task<T> task, Made (*make)(const T&, const Args&...), Args... args) {
  if (!task.await_ready()) {
    return task_internal::MapWhenDone<Made, T, Args...>(std::move(task), make, std::move(args)...);
  }
  return Task<Made>::Of(make(*task.value_, args...));
}

}  // namespace stowage
