// InputBytes reads a fuzzer's bytes as choices, one byte each. Missing bytes are 0, so that a
// shorter input means the same with the simplest choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace stowage {

class InputBytes {
 public:
  explicit InputBytes(std::string_view bytes) : rest_(bytes) {}

  // 0 … bound - 1. The digits are the first ten, so that inputs can be written by hand.
  size_t Below(size_t bound) {
    if (rest_.empty()) return 0;
    auto choice = static_cast<uint8_t>(rest_.front() - '0');
    rest_.remove_prefix(1);
    return choice % bound;
  }

  template <typename T>
  T Pick(std::initializer_list<T> choices) {
    return choices.begin()[Below(choices.size())];
  }

  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace stowage
