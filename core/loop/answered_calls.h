// AnsweredCalls serves an evaluation, which must not wait: answers that the caller supplied are
// available at once. A call without an answer is recorded as missing, and the task that waits for
// it is abandoned.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/loop/call.h"

namespace stowage {

class AnsweredCalls final : public Calls {
 public:
  // `answers` are keyed by CallKey.
  explicit AnsweredCalls(std::map<std::string, Completion> answers)
      : answers_(std::move(answers)) {}

  uint64_t Send(Call call) override;
  // The calls without an answer so far; ids start at 1.
  const std::vector<Call>& missing() const { return missing_; }

 private:
  bool IsAnswered(uint64_t id) const override { return sent_[id - 1] != nullptr; }
  void Wait(uint64_t, std::coroutine_handle<>) override {}
  Completion Take(uint64_t id) override { return *sent_[id - 1]; }
  // Evaluations write nothing, and only writes are retried after a delay.
  void SetTimer(int64_t, std::coroutine_handle<>) override { CHECK(false); }

  std::map<std::string, Completion> answers_;
  std::vector<const Completion*> sent_;  // by id - 1; null: missing
  std::vector<Call> missing_;
};

}  // namespace stowage
