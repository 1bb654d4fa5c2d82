// RunToEnd runs a task that has nothing to wait for.
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
