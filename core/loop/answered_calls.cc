#include "core/loop/answered_calls.h"

#include <utility>

namespace stowage {

uint64_t AnsweredCalls::Send(Call call) {
  auto found = answers_.find(CallKey(call));
  sent_.push_back(found == answers_.end() ? nullptr : &found->second);
  if (sent_.back() == nullptr) {
    call.id = missing_.size() + 1;
    missing_.push_back(std::move(call));
  }
  return sent_.size();
}

}  // namespace stowage
