// HeapOrder decides ties like the first pop of a heap over the feasible list, without a heap.
//
// It relies on this fact: the first pop of a container/heap that is built bottom-up over a list is
// the maximum that comes first in pre-order of the implicit binary tree over list positions (node i
// has children 2i+1, 2i+2). tests/core/base/heap_order_test.cc checks this against GoHeap.
#pragma once

#include <bit>
#include <cstdint>

namespace stowage {

// Whether position `a` comes before position `b` in pre-order. Positions must be below 2^32 - 1.
inline bool HeapOrderBefore(uint32_t a, uint32_t b) {
  // The bits of position + 1, from the top, are the path from the root. An ancestor's path is a
  // prefix of its descendants' and comes first.
  uint32_t left = (a + 1) << std::countl_zero(a + 1);
  uint32_t right = (b + 1) << std::countl_zero(b + 1);
  return left != right ? left < right : a < b;
}

// HeapTieSearch finds the tie that comes first in pre-order while looking at only a few: in each
// level of the tree only the first tie can win, and once one is found, only descendants of nodes
// before it can beat it. Offer ties in ascending order.
class HeapTieSearch {
 public:
  // Moves on to `position`, given that there is no tie before it. Returns the first position from
  // there on that can still win; the largest value if none can.
  uint32_t AdvanceTo(uint32_t position) {
    while (position >= end_ && lowest_ != kNone) Descend(end_);
    return lowest_;
  }

  // The end of the current range of candidates, in which the first tie wins. If it has none, a
  // later range follows.
  uint32_t candidates_end() const { return end_; }

  // Returns true if `position` beats every tie offered so far.
  bool Offer(uint32_t position) {
    if (position < AdvanceTo(position)) return false;
    Descend(position);
    return true;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // Moves to the next level: the children of this level's candidates before `end`.
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
