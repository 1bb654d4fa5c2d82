// SortedScoredNodes returns scored nodes by descending total, in the order of the reference's heap
// (spec 05 §7).
//
// Usually only the first node is needed, and TieBreaker finds it without sorting; so the sort waits
// for the first Pop. Counterpart: SortedScoredNodes of schedule_one.go, v1.36.
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
#include "core/table/node_table.h"

namespace stowage {

struct ScoredNode {
  int64_t total = 0;
  uint32_t row = 0;
  uint64_t randomizer = 0;
};

class SortedScoredNodes {
 public:
  SortedScoredNodes() = default;
  // `nodes` in the order in which the search found them; `names` by row. `host` is one of the nodes
  // and has been chosen already, so Pop does not return it. `rng` as for TieBreaker.
  SortedScoredNodes(std::vector<ScoredNode> nodes, uint32_t host,
                    std::shared_ptr<const NodeNames> names, TieBreak rule, Rng* rng);

  // Later draws come from `rng`.
  void set_rng(Rng* rng) { rng_ = rng; }
  bool empty() const { return remaining_ == 0; }
  // The name of the best remaining node; requires that there is one.
  Symbol Pop();

 private:
  using Less = std::function<bool(const ScoredNode&, const ScoredNode&)>;

  void Sort();

  std::vector<ScoredNode> unsorted_;
  std::optional<GoHeap<ScoredNode, Less>> heap_;
  size_t remaining_ = 0;
  uint32_t host_ = 0;
  std::shared_ptr<const NodeNames> names_;
  TieBreak rule_ = TieBreak::kHeap;
  Rng* rng_ = nullptr;
};

}  // namespace stowage
