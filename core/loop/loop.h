// Loop is the door between tasks and the world: calls go out through it, completions come in, and
// it alone resumes what waits for them.
//
// Time comes in with set_now. An answer that is overdue becomes a timeout. Two loops may share an
// Outbox, so that what a scheduling cycle waits for can be told apart from everything else.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/loop/call.h"
#include "core/loop/spawner.h"

namespace stowage {

// Outbox numbers calls and keeps them, in order, until they are handed out.
class Outbox {
 public:
  // Gives the call its id.
  uint64_t Add(Call call) {
    call.id = ++last_id_;
    calls_.push_back(std::move(call));
    return last_id_;
  }
  // The calls since the last time; each is handed out once.
  std::vector<Call> Take() { return std::exchange(calls_, {}); }

 private:
  uint64_t last_id_ = 0;
  std::vector<Call> calls_;
};

class Loop final : public Calls, public Spawner {
 public:
  explicit Loop(Outbox& outbox) : outbox_(outbox) {}

  // The time that deadlines count from.
  void set_now(Instant now) { now_ = now; }
  Instant now() const { return now_; }

  uint64_t Send(Call call) override;
  void Spawn(Task<void> task) override { spawned_.push_back(std::move(task)); }
  // Starts a task at once, and keeps it where it waits.
  void Start(Task<void> task);

  bool IsWaitingFor(uint64_t id) const { return pending_.contains(id); }
  // Takes an answer in; nobody is resumed yet. False when no such call waits for one.
  bool Complete(uint64_t id, Completion completion);
  // Fires what is due by now, sleepers and overdue calls, in the order of their deadlines.
  void FireTimers();
  // Fires timers; then resumes what can go on, in the order in which answers came in; then starts
  // spawned tasks.
  void Resume();
  // Starts spawned tasks, and those that they spawn.
  void StartSpawned();

  // When the first of the calls and sleepers is due.
  std::optional<Instant> NextDeadline() const;
  // Whether a task of this loop, or a call sent through it, is under way.
  bool IsBusy() const;

 private:
  using Running = std::list<std::optional<Task<void>>>;
  // Deadline, then order of arrival.
  using TimerKey = std::pair<Instant, uint64_t>;
  struct Pending {
    std::optional<TimerKey> timer;
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
  std::map<uint64_t, Pending> pending_;
  // Of a call (its id) or of a sleeper (0, and whom to resume).
  std::map<TimerKey, std::pair<uint64_t, std::coroutine_handle<>>> timers_;
  std::deque<uint64_t> answered_;  // in the order of their answers, not resumed yet
  std::deque<Task<void>> spawned_;
  Running running_;
  std::vector<Running::iterator> ended_;  // to be dropped
};

}  // namespace stowage
