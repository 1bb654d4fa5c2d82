// Spawner starts tasks that no other task awaits.
#pragma once

#include "core/loop/task.h"

namespace stowage {

class Spawner {
 public:
  virtual ~Spawner() = default;
  // Starts the task when the running one has ended, after the tasks that were spawned earlier.
  virtual void Spawn(Task<void> task) = 0;
};

}  // namespace stowage
