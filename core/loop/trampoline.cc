#include "core/loop/trampoline.h"

#include <utility>

#include "core/base/check.h"

namespace stowage {

void Trampoline::Run(std::coroutine_handle<> coroutine) {
  // A coroutine that named its successor has suspended; it must not start a task after that.
  CHECK(!next_);
  while (coroutine) {
    coroutine.resume();
    coroutine = std::exchange(next_, nullptr);
  }
}

}  // namespace stowage
