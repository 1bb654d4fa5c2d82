// ScheduleCommands queues SCHEDULE_ONE commands. Their pods are scheduled before those of the
// scheduling queue.
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

  void CopyStateFrom(const ScheduleCommands& other) { pods_ = other.pods_; }
  void Add(ObjectKey pod) { pods_.push_back(std::move(pod)); }
  bool empty() const { return pods_.empty(); }
  // Removes the first command and takes its pod out of the scheduling queue. If the pod is gated or
  // not pending, writes a record with the reason and returns null. Requires a command.
  QueuedPodRef Pop();

 private:
  Parts parts_;
  std::deque<ObjectKey> pods_;
};

}  // namespace stowage
