// AnsweredCalls serves a question that must not wait: answers that the asker brought along are
// there at once; what it did not bring is noted, and the task that waits for it is given up.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/loop/call.h"

namespace stowage {

class AnsweredCalls final : public Calls {
 public:
  // `answers` by CallKey.
  explicit AnsweredCalls(std::map<std::string, Completion> answers)
      : answers_(std::move(answers)) {}

  uint64_t Send(Call call) override;
  // The calls without an answer so far; ids count from 1.
  const std::vector<Call>& missing() const { return missing_; }

 private:
  bool IsAnswered(uint64_t id) const override { return sent_[id - 1] != nullptr; }
  void Wait(uint64_t, std::coroutine_handle<>) override {}
  Completion Take(uint64_t id) override { return *sent_[id - 1]; }
  // A question writes nothing, and only who writes tries again later.
  void SetTimer(int64_t, std::coroutine_handle<>) override { CHECK(false); }

  std::map<std::string, Completion> answers_;
  std::vector<const Completion*> sent_;  // by id - 1; null: missing
  std::vector<Call> missing_;
};

}  // namespace stowage
