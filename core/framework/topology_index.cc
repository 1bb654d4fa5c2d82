#include "core/framework/topology_index.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace stowage {
namespace {

// Of one selector; pods may name any topology key.
constexpr size_t kMaxSums = 4;

}  // namespace

const ExistingTerms& TopologyIndex::Terms() {
  terms_.Refresh(table_, columns_, term_keys_);
  return terms_;
}

void TopologyIndex::Forget() {
  columns_.Forget();
  terms_.Forget();
  by_key_.clear();
  entries_.clear();
}

size_t TopologyIndex::Entry::bytes() const {
  size_t bytes = counts->bytes();
  for (const std::shared_ptr<PodSums>& one : sums) bytes += one->bytes();
  return bytes;
}

// It is the first of the entries.
TopologyIndex::Entry& TopologyIndex::Refreshed(std::vector<PodMatcher> matchers) {
  CHECK(!matchers.empty());
  std::string key;
  for (const PodMatcher& matcher : matchers) key += matcher.CanonicalKey() + '\0';
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    entries_.push_front({key, std::make_shared<PodCounts>(std::move(matchers)), {}});
    by_key_.emplace(std::move(key), entries_.begin());
  } else {
    entries_.splice(entries_.begin(), entries_, found->second);
  }
  entries_.front().counts->Refresh(table_);
  return entries_.front();
}

std::shared_ptr<PodCounts> TopologyIndex::Counts(std::vector<PodMatcher> matchers) {
  std::shared_ptr<PodCounts> counts = Refreshed(std::move(matchers)).counts;
  Evict();
  return counts;
}

std::shared_ptr<PodSums> TopologyIndex::Sums(const Symbol& key, std::vector<PodMatcher> matchers) {
  Entry& entry = Refreshed(std::move(matchers));
  std::shared_ptr<TopologyColumn> column = columns_.Get(key);
  auto found = std::find_if(entry.sums.begin(), entry.sums.end(),
                            [&](const auto& one) { return one->column() == column; });
  if (found == entry.sums.end()) {
    if (entry.sums.size() == kMaxSums) entry.sums.erase(entry.sums.begin());
    entry.sums.push_back(std::make_shared<PodSums>(std::move(column), entry.counts));
    found = entry.sums.end() - 1;
  }
  std::shared_ptr<PodSums> sums = *found;
  sums->Refresh(table_);
  Evict();
  return sums;
}

// Entries are taken for as large as the one in use: their rows are the same.
void TopologyIndex::Evict() {
  size_t capacity = std::max<size_t>(1, max_bytes_ / entries_.front().bytes());
  while (entries_.size() > capacity) {
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

}  // namespace stowage
