// Trampoline resumes coroutines one after the other from one frame of the stack.
//
// A coroutine that awaits a task, or ends while another awaits it, names the coroutine that goes on
// and returns to the trampoline. Symmetric transfer would resume it from within: without tail
// calls, which WebAssembly lacks here, each such resumption stays on the stack, and a loop over
// tasks that are ready at once would need stack for each of its rounds.
//
// One per program, as the engine is single-threaded.
#pragma once

#include <coroutine>

namespace stowage {

class Trampoline {
 public:
  // Resumes `coroutine`, then whichever coroutine the last one named, until one names none. Runs
  // may nest: a running coroutine may start a task.
  static void Run(std::coroutine_handle<> coroutine);

  // Names the coroutine that Run resumes when the running one has suspended. For await_suspend;
  // null names none.
  static void Continue(std::coroutine_handle<> coroutine) { next_ = coroutine; }

 private:
  inline static std::coroutine_handle<> next_;
};

}  // namespace stowage
