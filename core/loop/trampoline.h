// Trampoline resumes coroutines one after the other from a single stack frame.
//
// A coroutine that awaits a task, or ends while another awaits it, names the coroutine to continue
// with and returns to the trampoline. Symmetric transfer would resume that coroutine from within.
// WebAssembly has no tail calls here, so each such resumption would stay on the stack, and a loop
// over tasks that are ready at once would need stack for each iteration.
//
// There is one trampoline per program, because the engine is single-threaded.
#pragma once

#include <coroutine>

namespace stowage {

class Trampoline {
 public:
  // Resumes `coroutine`, then the coroutine that the last one named, until one names none. Runs may
  // nest: a running coroutine may start a task.
  static void Run(std::coroutine_handle<> coroutine);

  // Names the coroutine that Run resumes once the running one has suspended; null: none. For use in
  // await_suspend.
  static void Continue(std::coroutine_handle<> coroutine) { next_ = coroutine; }

 private:
  inline static std::coroutine_handle<> next_;
};

}  // namespace stowage
