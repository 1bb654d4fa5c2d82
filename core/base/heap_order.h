// HeapOrder decides ties as the first pop of a heap over the feasible list would, without a heap.
//
// Fact: the first pop of container/heap built bottom-up over a list is the maximum that comes first
// in pre-order of the implicit binary tree over list positions (node i has children 2i+1, 2i+2).
// Proven against GoHeap by tests/core/base/heap_order_test.cc.
#pragma once

#include <bit>
#include <cstdint>

namespace stowage {

// True when position `a` comes before position `b` in pre-order. Positions are below 2^32 - 1.
inline bool HeapOrderBefore(uint32_t a, uint32_t b) {
  // Read from the top bit, position + 1 spells the path from the root; an ancestor is a prefix of
  // its descendants and comes first.
  uint32_t left = (a + 1) << std::countl_zero(a + 1);
  uint32_t right = (b + 1) << std::countl_zero(b + 1);
  return left != right ? left < right : a < b;
}

// HeapTieSearch finds the tie that comes first in pre-order while looking at few of them: in each
// level of the tree only the first tie can win, and once one was found only descendants of nodes
// before it can beat it. Ties are offered by rising position.
class HeapTieSearch {
 public:
  // Goes on to `position`, as no tie comes before it. Gives the first from there on that can still
  // win; the largest value when none can.
  uint32_t AdvanceTo(uint32_t position) {
    while (position >= end_ && lowest_ != kNone) Descend(end_);
    return lowest_;
  }

  // Where the candidates end among which the first tie wins; others may begin later.
  uint32_t candidates_end() const { return end_; }

  // Gives true when `position` beats every tie offered so far.
  bool Offer(uint32_t position) {
    if (position < AdvanceTo(position)) return false;
    Descend(position);
    return true;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // Goes to the next level: below the candidates of this one up to `end`, exclusive.
  void Descend(uint32_t end) {
    lowest_ = 2 * lowest_ + 1;
    end_ = 2 * end + 1;
    if (lowest_ >= end_) lowest_ = kNone;
  }

  // The candidates of the current level.
  uint32_t lowest_ = 0;
  uint32_t end_ = 1;
};

}  // namespace stowage
