// ScheduleCommands are the SCHEDULE_ONE commands that have come in: pods to be tried next, before
// those of the queue.
#pragma once

#include <deque>

#include "core/framework/snapshot.h"
#include "core/queue/scheduling_queue.h"
#include "core/scheduler/record_log.h"

namespace stowage {

class ScheduleCommands {
 public:
  struct Parts {
    SchedulingQueue& queue;
    RecordLog& records;
    const Snapshot& snapshot;
  };

  explicit ScheduleCommands(Parts parts) : parts_(parts) {}

  void Add(ObjectKey pod) { pods_.push_back(std::move(pod)); }
  bool empty() const { return pods_.empty(); }
  // Takes the pod of the first command out of the queue. Null, with a record that gives the reason,
  // if the pod is gated or not pending. There must be a command.
  QueuedPodRef Pop();

 private:
  Parts parts_;
  std::deque<ObjectKey> pods_;
};

}  // namespace stowage
