// RunToEnd runs a task that never waits.
#pragma once

#include <utility>

#include "core/loop/task.h"

namespace stowage {

template <typename T>
T RunToEnd(Task<T> task) {
  task.Start();
  return task.Take();
}

}  // namespace stowage
