#include "core/loop/loop.h"

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/loop/trampoline.h"

namespace stowage {

uint64_t Loop::Send(Call call) {
  Instant deadline;
  bool can_time_out = call.timeout_us > 0;
  if (can_time_out) {
    deadline = Instant::FromMicros(now_.ToMicros() + call.timeout_us);
    call.deadline = deadline;
  }
  uint64_t id = outbox_.Add(std::move(call));
  Pending& pending = pending_[id];
  if (can_time_out) {
    TimerKey key{deadline, ++num_timers_};
    // Usually it is the latest deadline.
    pending.timer = timers_.try_emplace(timers_.end(), key, id, nullptr);
  }
  return id;
}

STOWAGE_COLD void Loop::SetTimer(int64_t duration_us, std::coroutine_handle<> waiting) {
  Instant deadline = Instant::FromMicros(now_.ToMicros() + duration_us);
  timers_[{deadline, ++num_timers_}] = {0, waiting};
}

bool Loop::Complete(uint64_t id, Completion completion) {
  auto found = pending_.find(id);
  if (found == pending_.end() || found->second.answer) return false;
  if (found->second.timer) timers_.erase(*found->second.timer);
  found->second.answer = std::move(completion);
  answered_.push_back(id);
  return true;
}

void Loop::Resume() {
  FireTimers();
  ResumeAnswered();
  StartSpawned();
}

void Loop::FireTimers() {
  while (!timers_.empty() && timers_.begin()->first.first <= now_) {
    auto [id, waiting] = timers_.begin()->second;
    if (waiting) {
      timers_.erase(timers_.begin());
      Trampoline::Run(waiting);
    } else {
      Complete(id, {CallFault::kTimeout, {}, 0, {}});
    }
  }
}

void Loop::ResumeAnswered() {
  while (!answered_.empty()) {
    uint64_t id = answered_.front();
    answered_.pop_front();
    auto found = pending_.find(id);
    // No task waits for it yet; Answer finds it there later.
    if (found == pending_.end() || !found->second.waiting) continue;
    Trampoline::Run(std::exchange(found->second.waiting, nullptr));
  }
  DropEnded();
}

void Loop::Start(Task<void> task) {
  task.Start();
  if (task.IsDone()) return;
  auto place = running_.emplace(running_.end());
  place->emplace(RunAt(place, std::move(task)));
  (*place)->Start();
}

void Loop::StartSpawned() {
  while (!spawned_.empty()) {
    Task<void> task = std::move(spawned_.front());
    spawned_.pop_front();
    Start(std::move(task));
  }
  DropEnded();
}

// A task cannot destroy itself, so it records its place for later removal.
Task<void> Loop::RunAt(Running::iterator place, Task<void> task) {
  co_await task.Join();
  ended_.push_back(place);
}

void Loop::DropEnded() {
  for (Running::iterator place : ended_) running_.erase(place);
  ended_.clear();
}

STOWAGE_COLD void Loop::SwapTasks(Loop* other) {
  std::swap(num_timers_, other->num_timers_);
  pending_.swap(other->pending_);
  timers_.swap(other->timers_);
  answered_.swap(other->answered_);
  spawned_.swap(other->spawned_);
  running_.swap(other->running_);
  ended_.swap(other->ended_);
}

STOWAGE_COLD void Loop::Abandon() {
  ended_.clear();
  running_.clear();
  spawned_.clear();
  answered_.clear();
  timers_.clear();
  pending_.clear();
}

std::optional<Instant> Loop::NextDeadline() const {
  if (timers_.empty()) return std::nullopt;
  return timers_.begin()->first.first;
}

bool Loop::IsBusy() const {
  return running_.size() > ended_.size() || !spawned_.empty() || !pending_.empty();
}

bool Loop::IsAnswered(uint64_t id) const {
  auto found = pending_.find(id);
  CHECK(found != pending_.end());
  return found->second.answer.has_value();
}

void Loop::Wait(uint64_t id, std::coroutine_handle<> waiting) { pending_[id].waiting = waiting; }

Completion Loop::Take(uint64_t id) {
  auto found = pending_.find(id);
  CHECK(found != pending_.end());
  CHECK(found->second.answer.has_value());
  Completion completion = std::move(*found->second.answer);
  pending_.erase(found);
  return completion;
}

}  // namespace stowage
