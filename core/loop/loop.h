// Loop connects tasks with the outside: calls leave through it, completions arrive in it, and only
// it resumes the tasks that wait for them.
//
// set_now provides the time. A call whose deadline passes completes with a timeout. Two loops may
// share an Outbox, so that the tasks of a scheduling cycle are separate from all others.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/loop/call.h"
#include "core/loop/spawner.h"

namespace stowage {

// Outbox numbers calls and keeps them, in order, until Take.
class Outbox {
 public:
  // Assigns the call its id and returns it.
  uint64_t Add(Call call) {
    call.id = ++last_id_;
    calls_.push_back(std::move(call));
    return last_id_;
  }
  // Numbers the next calls as `other` would number its own.
  void CopyStateFrom(const Outbox& other) { last_id_ = other.last_id_; }
  // Exchanges the calls that have not been taken yet.
  void SwapCalls(Outbox* other) { calls_.swap(other->calls_); }
  // The calls added since the last Take, in order.
  std::vector<Call> Take() { return std::exchange(calls_, {}); }

 private:
  uint64_t last_id_ = 0;
  std::vector<Call> calls_;
};

class Loop final : public Calls, public Spawner {
 public:
  explicit Loop(Outbox& outbox) : outbox_(outbox) {}

  // Sets the current time, from which deadlines count.
  void set_now(Instant now) { now_ = now; }
  Instant now() const { return now_; }

  uint64_t Send(Call call) override;
  void Spawn(Task<void> task) override { spawned_.push_back(std::move(task)); }
  // Starts a task at once, and keeps it while it waits.
  void Start(Task<void> task);

  bool IsWaitingFor(uint64_t id) const { return pending_.contains(id); }
  // Stores an answer without resuming a task. Returns false if no such call is pending.
  bool Complete(uint64_t id, Completion completion);
  // Fires sleepers and overdue calls that are due, in the order of their deadlines.
  void FireTimers();
  // Fires timers; then resumes the tasks that can continue, in the order in which their answers
  // arrived; then starts spawned tasks.
  void Resume();
  // Starts spawned tasks, and those that they spawn.
  void StartSpawned();

  // The earliest deadline of the calls and sleepers; nullopt if there is none.
  std::optional<Instant> NextDeadline() const;
  // Exchanges the tasks, calls and timers of two loops. A task must be back in its loop before it
  // is resumed.
  void SwapTasks(Loop* other);
  // Destroys all tasks, and drops their calls and timers.
  void Abandon();
  // Whether a task of this loop, or a call sent through it, is under way.
  bool IsBusy() const;

 private:
  using Running = std::list<std::optional<Task<void>>>;
  // Deadline, then order of arrival.
  using TimerKey = std::pair<Instant, uint64_t>;
  // A call (its id) or a sleeper (0, and the coroutine to resume).
  using Timers = std::map<TimerKey, std::pair<uint64_t, std::coroutine_handle<>>>;
  struct Pending {
    std::optional<Timers::iterator> timer;
    std::optional<Completion> answer;
    std::coroutine_handle<> waiting;
  };

  bool IsAnswered(uint64_t id) const override;
  void Wait(uint64_t id, std::coroutine_handle<> waiting) override;
  Completion Take(uint64_t id) override;
  void SetTimer(int64_t duration_us, std::coroutine_handle<> waiting) override;
  void ResumeAnswered();
  Task<void> RunAt(Running::iterator place, Task<void> task);
  void DropEnded();

  Outbox& outbox_;
  Instant now_;
  uint64_t num_timers_ = 0;
  std::unordered_map<uint64_t, Pending> pending_;  // by the id of the call
  Timers timers_;
  std::deque<uint64_t> answered_;  // in order of arrival, not resumed yet
  std::deque<Task<void>> spawned_;
  Running running_;
  std::vector<Running::iterator> ended_;  // to be removed
};

}  // namespace stowage
