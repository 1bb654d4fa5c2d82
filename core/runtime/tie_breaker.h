// TieBreaker picks one of the nodes that share the best total (spec 05 §7).
//
// heap: the reference's own rule, the first pop of a heap over the feasible list. name: the first
// by bytes. random: any, by a seeded draw per tie. Ties must be offered in list order.
#pragma once

#include <cstdint>
#include <limits>

#include "core/base/check.h"
#include "core/base/heap_order.h"
#include "core/base/rng.h"
#include "core/table/node_info.h"

namespace stowage {

enum class TieBreak : uint8_t { kHeap, kName, kRandom };

class TieBreaker {
 public:
  // `rng` is used by kRandom only and may be null otherwise.
  TieBreaker(TieBreak rule, Rng* rng) : rule_(rule), rng_(rng) {}

  // `position` is the node's index in the feasible list.
  void Offer(uint32_t position, const NodeInfo& node) {
    ++count_;
    if (Replaces(position, node)) winner_ = &node;
  }

  // Goes on to `position`, as no tie comes before it. No tie below what it gives can win.
  uint32_t AdvanceTo(uint32_t position) {
    return rule_ == TieBreak::kHeap ? heap_.AdvanceTo(position) : 0;
  }

  // Where the candidates from there on end, of which the first tie is to be offered; others may
  // begin later.
  uint32_t candidates_end() const {
    return rule_ == TieBreak::kHeap ? heap_.candidates_end() : std::numeric_limits<uint32_t>::max();
  }

  const NodeInfo* winner() const { return winner_; }

 private:
  bool Replaces(uint32_t position, const NodeInfo& node) {
    switch (rule_) {
      case TieBreak::kHeap:
        return heap_.Offer(position);
      case TieBreak::kName:
        return winner_ == nullptr || node.name() < winner_->name();
      case TieBreak::kRandom:
        return rng_->Below(count_) == 0;
    }
    CHECK(false);
  }

  TieBreak rule_;
  Rng* rng_;
  HeapTieSearch heap_;
  const NodeInfo* winner_ = nullptr;
  size_t count_ = 0;
};

}  // namespace stowage
