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

}  // namespace stowage
