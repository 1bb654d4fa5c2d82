// Task is a computation that may wait for the world outside: a coroutine that starts when it is
// awaited, or by Start, and owns what it awaits. It waits by `co_await calls.Answer(id)` and is
// resumed by the Loop alone.
//
// Parameters of a coroutine are owned, or outlive it for a reason that is written down; per-node
// code is never a coroutine. Destroying a task that waits abandons all that it awaits.
#pragma once

#include <coroutine>
#include <optional>
#include <utility>

#include "core/base/check.h"

namespace stowage {

template <typename T>
class Task;

namespace task_internal {

// What promises share: nothing runs before the first resumption, and whoever awaits goes on at the
// end.
class PromiseBase {
 public:
  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> finished) const noexcept {
      std::coroutine_handle<> continuation = finished.promise().continuation_;
      return continuation ? continuation : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  // Nothing throws here; the standard asks for it.
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
  void TakeValue() const {}
};

}  // namespace task_internal

template <typename T>
class [[nodiscard]] Task {
 public:
  using promise_type = task_internal::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // Runs until the end or the first wait. For a task that nobody awaits.
  void Start() { handle_.resume(); }
  bool IsDone() const { return handle_.done(); }
  // The result of a task that is done; once.
  T Take() {
    CHECK(IsDone());
    return handle_.promise().TakeValue();
  }

  // co_await task.Join() waits for the end of a task that was started. Its result is then to Take.
  auto Join() const {
    struct Awaiter {
      Handle handle;
      bool await_ready() const { return handle.done(); }
      void await_suspend(std::coroutine_handle<> awaiting) const {
        handle.promise().set_continuation(awaiting);
      }
      void await_resume() const {}
    };
    return Awaiter{handle_};
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) const {
    handle_.promise().set_continuation(awaiting);
    return handle_;
  }
  T await_resume() const { return handle_.promise().TakeValue(); }

 private:
  Handle handle_;
};

namespace task_internal {

template <typename T>
Task<T> Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}

inline Task<void> Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

}  // namespace task_internal

}  // namespace stowage
