#include "core/framework/topology_index.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace stowage {

const ExistingTerms& TopologyIndex::Terms() {
  terms_.Refresh(table_, columns_);
  return terms_;
}

void TopologyIndex::Forget() {
  columns_.Forget();
  terms_ = ExistingTerms();
  by_key_.clear();
  entries_.clear();
}

std::shared_ptr<const PodCounts> TopologyIndex::Counts(std::vector<PodMatcher> matchers) {
  CHECK(!matchers.empty());
  std::string key;
  for (const PodMatcher& matcher : matchers) key += matcher.CanonicalKey() + '\0';
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    entries_.push_front({key, std::make_shared<PodCounts>(std::move(matchers))});
    found = by_key_.emplace(std::move(key), entries_.begin()).first;
  } else {
    entries_.splice(entries_.begin(), entries_, found->second);
  }
  std::shared_ptr<PodCounts> counts = found->second->counts;
  counts->Refresh(table_);
  EvictCounts();
  return counts;
}

// Counts are of one size while the number of nodes stays.
void TopologyIndex::EvictCounts() {
  size_t capacity = std::max<size_t>(1, max_bytes_ / entries_.front().counts->bytes());
  while (entries_.size() > capacity) {
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

}  // namespace stowage
