// TieBreaker picks one of the nodes that share the best total (spec 05 §7).
//
// heap: the reference's own rule, the first pop of a heap over the feasible list. name: the first
// name in byte order. random: a seeded draw for each tie. Ties must be offered in list order.
#pragma once

#include <cstdint>
#include <limits>
#include <set>

#include "core/base/check.h"
#include "core/base/heap_order.h"
#include "core/base/rng.h"
#include "core/table/node_info.h"

namespace stowage {

enum class TieBreak : uint8_t { kHeap, kName, kRandom };

class TieBreaker {
 public:
  // `rng` is used by kRandom only and may be null otherwise. kRandom also adds the names that it
  // draws from to `best`, unless that is null.
  TieBreaker(TieBreak rule, Rng* rng, std::set<Symbol>* best = nullptr)
      : rule_(rule), rng_(rng), best_(best) {}

  // `position` is the node's index in the feasible list.
  void Offer(uint32_t position, const NodeInfo& node) {
    ++count_;
    if (Replaces(position, node)) winner_ = &node;
  }

  // Moves on to `position`, given that there is no tie before it. Returns a position; ties before
  // that cannot win.
  uint32_t AdvanceTo(uint32_t position) {
    return rule_ == TieBreak::kHeap ? heap_.AdvanceTo(position) : 0;
  }

  // The end of the range of candidates that starts at the position from AdvanceTo. Offer the first
  // tie in that range; if it has none, the next range may begin later.
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
        if (best_ != nullptr) best_->insert(node.name());
        return rng_->Below(count_) == 0;
    }
    CHECK(false);
  }

  TieBreak rule_;
  Rng* rng_;
  std::set<Symbol>* best_;
  HeapTieSearch heap_;
  const NodeInfo* winner_ = nullptr;
  size_t count_ = 0;
};

}  // namespace stowage
