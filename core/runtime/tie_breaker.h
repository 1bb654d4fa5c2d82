// TieBreaker picks one of the nodes that share the best total (spec 05 §7).
//
// heap: the reference's own rule, the first pop of a heap over the feasible list. name: the first by
// bytes. random: any, by a seeded draw per tie. Ties must be offered in list order.
#pragma once

#include <cstdint>

#include "core/base/heap_order.h"
#include "core/base/rng.h"
#include "core/framework/node_info.h"

namespace stowage {

enum class TieBreak : uint8_t { kHeap, kName, kRandom };

class TieBreaker {
 public:
  // `rng` is used by kRandom only and may be null otherwise.
  TieBreaker(TieBreak rule, Rng* rng) : rule_(rule), rng_(rng) {}

  // `position` is the node's index in the feasible list.
  void Offer(uint32_t position, const NodeInfo& node) {
    ++count_;
    if (winner_ != nullptr && !Replaces(position, node)) return;
    winner_ = &node;
    position_ = position;
  }

  const NodeInfo* winner() const { return winner_; }
  size_t count() const { return count_; }

 private:
  bool Replaces(uint32_t position, const NodeInfo& node) {
    switch (rule_) {
      case TieBreak::kHeap:
        return HeapOrderBefore(position, position_);
      case TieBreak::kName:
        return node.name() < winner_->name();
      case TieBreak::kRandom:
        return rng_->Below(count_) == 0;
    }
    CheckFailed("TieBreaker: no such rule");
  }

  TieBreak rule_;
  Rng* rng_;
  const NodeInfo* winner_ = nullptr;
  uint32_t position_ = 0;
  size_t count_ = 0;
};

}  // namespace stowage
