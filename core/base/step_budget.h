// StepBudget bounds the work of one question in steps: a host's timer cannot fire while it waits
// for an answer, and a time would differ between native code and WebAssembly.
//
// A step is about one comparison of a plugin: a part of the pod with a node, a pod or a term. Loops
// spend what a pass costs before they make it, and end early once nothing is left: what they found
// so far is discarded then, and the question is refused.
#pragma once

#include <cstdint>
#include <string_view>

namespace stowage {

class StepBudget {
 public:
  // The message of an Error status where a loop gives up. It is discarded with the answer.
  static constexpr std::string_view kUsedUp = "the steps of the question are used up";

  // From now on steps are counted. `visit`: what it costs to compare the pod with one node.
  void Begin(uint64_t max, uint64_t visit) {
    is_counting_ = true;
    is_exhausted_ = false;
    left_ = max;
    max_ = max;
    visit_ = visit;
  }
  // Nothing is counted any more.
  void End() { *this = StepBudget(); }

  // False when there are not so many left; then none is.
  bool Spend(uint64_t steps) {
    if (!is_counting_) return true;
    if (is_exhausted_ || steps > left_) {
      is_exhausted_ = true;
      return false;
    }
    left_ -= steps;
    return true;
  }
  // `times`: each of them may be large.
  bool Spend(uint64_t steps, uint64_t times) {
    if (!is_counting_) return true;
    if (times != 0 && steps > left_ / times) return Spend(UINT64_MAX);
    return Spend(steps * times);
  }
  // Compares the pod with so many nodes.
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
