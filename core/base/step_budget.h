// StepBudget bounds the work of one evaluation in steps. It does not use time, because a host's
// timer cannot fire while the host waits for an answer, and times differ between native code and
// WebAssembly.
//
// A step is about one comparison by a plugin: of a part of the pod with a node, a pod or a term.
// Loops spend the cost of a pass before they run it, and end early when nothing is left; then the
// results so far are discarded and the evaluation is refused.
#pragma once

#include <cstdint>
#include <string_view>

namespace stowage {

class StepBudget {
 public:
  // The message of the Error status with which a loop gives up. It is discarded with the answer.
  static constexpr std::string_view kExhausted = "the steps of the question are used up";

  // Starts counting. `visit`: the cost of comparing the pod with one node.
  void Begin(uint64_t max, uint64_t visit) {
    is_counting_ = true;
    is_exhausted_ = false;
    left_ = max;
    max_ = max;
    visit_ = visit;
  }
  // Stops counting.
  void End() { *this = StepBudget(); }

  // Returns false if fewer steps are left; then none are left any more.
  bool Spend(uint64_t steps) {
    if (!is_counting_) return true;
    if (is_exhausted_ || steps > left_) {
      is_exhausted_ = true;
      return false;
    }
    left_ -= steps;
    return true;
  }
  // Spends `times` × `steps`; each of them may be large.
  bool Spend(uint64_t steps, uint64_t times) {
    if (!is_counting_) return true;
    if (times != 0 && steps > left_ / times) return Spend(UINT64_MAX);
    return Spend(steps * times);
  }
  // Spends the cost of comparing the pod with that many nodes.
  bool Visit(uint64_t nodes = 1) { return Spend(visit_, nodes); }

  bool is_counting() const { return is_counting_; }
  bool is_exhausted() const { return is_exhausted_; }
  uint64_t spent() const { return is_exhausted_ ? max_ : max_ - left_; }

 private:
  bool is_counting_ = false;
  bool is_exhausted_ = false;
  uint64_t left_ = 0;
  uint64_t max_ = 0;
  uint64_t visit_ = 0;
};

}  // namespace stowage
