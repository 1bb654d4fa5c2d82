#include "core/runtime/sorted_scored_nodes.h"

#include <limits>
#include <utility>

namespace stowage {

SortedScoredNodes::SortedScoredNodes(std::vector<ScoredNode> nodes, uint32_t host,
                                     std::shared_ptr<const NodeNames> names, TieBreak rule,
                                     Rng* rng)
    : unsorted_(std::move(nodes)),
      remaining_(unsorted_.size() - 1),
      host_(host),
      names_(std::move(names)),
      rule_(rule),
      rng_(rng) {}

Symbol SortedScoredNodes::Pop() {
  CHECK(remaining_ > 0);
  if (!heap_) Sort();
  --remaining_;
  return (*names_)[heap_->Pop().row];
}

void SortedScoredNodes::Sort() {
  if (rule_ == TieBreak::kRandom) {
    for (ScoredNode& node : unsorted_) {
      // TieBreaker chose the host, so it must come out first here too.
      node.randomizer = node.row == host_ ? std::numeric_limits<uint64_t>::max() : rng_->Next() / 2;
    }
  }
  heap_.emplace([by_name = rule_ == TieBreak::kName, names = names_](const ScoredNode& a,
                                                                     const ScoredNode& b) {
    if (a.total != b.total) return a.total > b.total;
    if (by_name) return (*names)[a.row] < (*names)[b.row];
    return a.randomizer > b.randomizer;
  });
  heap_->Init(std::exchange(unsorted_, {}));
  CHECK(heap_->Pop().row == host_);
}

}  // namespace stowage
