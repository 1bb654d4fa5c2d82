// Spawner starts tasks that nobody awaits.
#pragma once

#include "core/loop/task.h"

namespace stowage {

class Spawner {
 public:
  virtual ~Spawner() = default;
  // The task starts when what runs now has ended, after those that were spawned before it.
  virtual void Spawn(Task<void> task) = 0;
};

}  // namespace stowage
