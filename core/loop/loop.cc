#include "core/loop/loop.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace stowage {

uint64_t Loop::Send(Call call) {
  call.id = ++last_id_;
  call.deadline = Instant::FromMicros(now_.ToMicros() + call.timeout_us);
  pending_[call.id] = {call.deadline, std::nullopt, nullptr};
  outbox_.push_back(std::move(call));
  return last_id_;
}

bool Loop::Complete(uint64_t id, Completion completion) {
  auto found = pending_.find(id);
  if (found == pending_.end() || found->second.answer) return false;
  found->second.answer = std::move(completion);
  answered_.push_back(id);
  return true;
}

void Loop::Resume() {
  ExpireOverdue();
  while (!answered_.empty()) {
    uint64_t id = answered_.front();
    answered_.erase(answered_.begin());
    auto found = pending_.find(id);
    // Nobody waits for it yet: it is there when somebody asks.
    if (found == pending_.end() || !found->second.waiting) continue;
    std::exchange(found->second.waiting, nullptr).resume();
  }
}

void Loop::ExpireOverdue() {
  std::vector<std::pair<Instant, uint64_t>> overdue;
  for (const auto& [id, pending] : pending_) {
    if (!pending.answer && pending.deadline <= now_) overdue.emplace_back(pending.deadline, id);
  }
  std::sort(overdue.begin(), overdue.end());
  for (const auto& [deadline, id] : overdue) {
    Complete(id, {CallFault::kTimeout, {}, 0, {}});
  }
}

std::vector<Call> Loop::TakeOutbox() { return std::exchange(outbox_, {}); }

std::optional<Instant> Loop::NextDeadline() const {
  std::optional<Instant> next;
  for (const auto& [id, pending] : pending_) {
    if (!pending.answer && (!next || pending.deadline < *next)) next = pending.deadline;
  }
  return next;
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
