// Turns does the work of one turn in order: the waiting cycle, timers, answers, scheduling cycles;
// all at the same `now` (Scheduler::Run).
#pragma once

#include <optional>

#include "core/framework/waiting_pods.h"
#include "core/loop/loop.h"
#include "core/queue/scheduling_queue.h"
#include "core/scheduler/apply_batch.h"
#include "core/scheduler/binding_cycle.h"
#include "core/scheduler/commands.h"
#include "core/scheduler/event_broadcaster.h"
#include "core/scheduler/schedule_one.h"
#include "core/scheduler/simulated_claims.h"
#include "core/scheduler/simulated_volumes.h"
#include "core/scheduler/sync_tracker.h"

namespace stowage {

class Turns {
 public:
  struct Parts {
    CycleRunner& cycles;
    BindingCycles& bindings;
    const Cache& cache;
    ScheduleCommands& commands;
    SchedulingQueue& queue;
    WaitingPods& waiting_pods;
    EventBroadcaster& event_broadcaster;
    const SyncTracker& sync;
    SimulatedVolumes* simulated_volumes;  // null if the host binds volumes
    SimulatedClaims* simulated_claims;    // null if the host plays their controller
    Loop& cycle_loop;                     // tasks of the current cycle
    Loop& loop;                           // all other tasks
    BatchReceiver::Parts receiver;        // applies the inbox after a cycle
  };

  explicit Turns(Parts parts) : parts_(parts) {}

  // Resumes the waiting cycle. If no cycle waits any more, fires the timers due by `now` and
  // resumes the tasks that run beside cycles.
  void Step(Instant now);
  // Whether RunNextCycle has work.
  bool HasCycleToRun() const;
  // Starts the next scheduling cycle: for the first command, or else for the first pod in the
  // queue.
  void RunNextCycle();

  // When the next timer is due; nullopt if there is none.
  std::optional<Instant> NextDeadline() const;
  // The parts that batches are applied with.
  const BatchReceiver::Parts& receiver() const { return parts_.receiver; }
  // Whether a cycle, a task or a call is under way.
  bool IsBusy() const { return parts_.loop.IsBusy() || parts_.cycles.IsWaiting(); }

 private:
  // A source of timers: when its next timer is due, and how to fire all that are due.
  struct Timer {
    std::optional<Instant> (Turns::*deadline)() const;
    void (Turns::*fire)(Instant now);
  };
  static const Timer kTimers[];

  std::optional<Instant> NextBackoffFlush() const { return parts_.queue.NextBackoffFlush(); }
  void FlushBackoffQ(Instant) { parts_.queue.FlushBackoffQCompleted(); }
  std::optional<Instant> NextLeftoverFlush() const { return parts_.queue.NextLeftoverFlush(); }
  void FlushLeftover(Instant) { parts_.queue.FlushUnschedulablePodsLeftover(); }
  std::optional<Instant> NextPermitTimeout() const { return parts_.waiting_pods.NextDeadline(); }
  void ExpireWaitingPods(Instant now) { parts_.waiting_pods.Expire(now); }
  std::optional<Instant> NextAssumedExpiry() const { return parts_.bindings.NextExpiry(); }
  void ExpireAssumedPods(Instant now) { parts_.bindings.ExpireAssumedPods(now); }
  std::optional<Instant> NextEventTimer() const { return parts_.event_broadcaster.NextDeadline(); }
  void FireEventTimers(Instant now) { parts_.event_broadcaster.FireTimers(now); }
  std::optional<Instant> NextLoopTimer() const { return parts_.loop.NextDeadline(); }
  void FireLoopTimers(Instant) { parts_.loop.FireTimers(); }

  void EndCycle();
  void ReadNextPodAhead() const;
  void ResumeTasks();
  void SyncControllers();
  void FireTimers(Instant now);

  Parts parts_;
};

}  // namespace stowage
