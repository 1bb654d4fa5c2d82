#include "core/runtime/verdicts/remaining_rows.h"

#include <algorithm>

namespace stowage {

const Bitset& RemainingRows::Without(std::span<const Class> refused, const Bitset& feasible,
                                     const ScoreClasses& classes) {
  Set& set = SetFor(refused);
  if (set.version == classes.version()) return set.rows;
  set.version = classes.version();
  set.rows.AssignWithout(feasible, classes.rows(refused.front()));
  for (Class one : refused.subspan(1)) set.rows.Remove(classes.rows(one));
  return set.rows;
}

RemainingRows::Set& RemainingRows::SetFor(std::span<const Class> refused) {
  for (Set& set : sets_) {
    if (std::ranges::equal(set.refused, refused)) return set;
  }
  if (sets_.size() < kSets) return sets_.emplace_back(Set{{refused.begin(), refused.end()}, 0, {}});
  Set& set = sets_[oldest_];
  oldest_ = (oldest_ + 1) % kSets;
  set.refused.assign(refused.begin(), refused.end());
  set.version = 0;
  return set;
}

size_t RemainingRows::bytes() const {
  if (sets_.empty()) return 0;
  const size_t words = sets_.back().rows.word_count();
  return sets_.size() * (sizeof(Set) + words * (sizeof(uint64_t) + sizeof(uint32_t)));
}

}  // namespace stowage
