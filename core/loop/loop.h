// Loop is the door between tasks and the world: calls go out through it, completions come in, and
// it alone resumes what waits for them, in the order in which they came in.
//
// An answer that is overdue becomes a timeout. Time comes in with Resume.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/loop/call.h"

namespace stowage {

class Loop final : public Calls {
 public:
  // The time that deadlines count from.
  void set_now(Instant now) { now_ = now; }

  uint64_t Send(Call call) override;
  // Takes an answer in; nobody is resumed yet. False when no such call waits for one.
  bool Complete(uint64_t id, Completion completion);
  // Resumes all that can go on, calls that are overdue by now included.
  void Resume();

  // The calls sent since the last time; each is handed out once.
  std::vector<Call> TakeOutbox();
  // When the first of the calls under way times out.
  std::optional<Instant> NextDeadline() const;

 private:
  struct Pending {
    Instant deadline;
    std::optional<Completion> answer;
    std::coroutine_handle<> waiting;
  };

  bool IsAnswered(uint64_t id) const override;
  void Wait(uint64_t id, std::coroutine_handle<> waiting) override;
  Completion Take(uint64_t id) override;
  void ExpireOverdue();

  Instant now_;
  uint64_t last_id_ = 0;
  std::map<uint64_t, Pending> pending_;
  std::vector<uint64_t> answered_;  // in the order of their answers, not resumed yet
  std::vector<Call> outbox_;
};

}  // namespace stowage
