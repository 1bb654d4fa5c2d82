// SortedScoredNodes gives the nodes of a scoring by falling total, the way they come out of the
// reference's heap (spec 05 §7).
//
// Most are never asked for more than the first, which TieBreaker finds without sorting; so sorting
// waits for the first Pop. Counterpart: SortedScoredNodes of schedule_one.go, v1.36.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/go_heap.h"
#include "core/base/rng.h"
#include "core/base/symbol.h"
#include "core/runtime/tie_breaker.h"

namespace stowage {

struct ScoredNode {
  int64_t total = 0;
  uint32_t row = 0;
  uint64_t randomizer = 0;
};

class SortedScoredNodes {
 public:
  SortedScoredNodes() = default;
  // `nodes` in the order in which they were found; `names` by row. The host, which is one of them,
  // has been taken already. `rng` as for TieBreaker.
  SortedScoredNodes(std::vector<ScoredNode> nodes, uint32_t host,
                    std::shared_ptr<const std::vector<Symbol>> names, TieBreak rule, Rng* rng);

  bool empty() const { return remaining_ == 0; }
  // The name of the best that is left; there must be one.
  Symbol Pop();

 private:
  using Less = std::function<bool(const ScoredNode&, const ScoredNode&)>;

  void Sort();

  std::vector<ScoredNode> unsorted_;
  std::optional<GoHeap<ScoredNode, Less>> heap_;
  size_t remaining_ = 0;
  uint32_t host_ = 0;
  std::shared_ptr<const std::vector<Symbol>> names_;
  TieBreak rule_ = TieBreak::kHeap;
  Rng* rng_ = nullptr;
};

}  // namespace stowage
