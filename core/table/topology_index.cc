#include "core/table/topology_index.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/base/cold.h"

namespace stowage {
namespace {

// Sums per selection. Bounded because pods may name any topology key.
constexpr size_t kMaxSums = 4;
// To make a filter takes as long as two counts of all pods.
constexpr size_t kFullReadsMax = 2;

}  // namespace

const ExistingTerms& TopologyIndex::Terms() {
  terms_.Refresh(table_, columns_, term_keys_);
  return terms_;
}

STOWAGE_COLD void TopologyIndex::Forget() {
  columns_.Forget();
  terms_.Forget();
  labels_ = LabelFilter();
  num_full_reads_ = 0;
  by_key_.clear();
  entries_.clear();
}

size_t TopologyIndex::Entry::bytes() const {
  size_t bytes = counts->bytes();
  for (const std::shared_ptr<PodSums>& one : sums) bytes += one->bytes();
  return bytes;
}

// Charges for reading all pods even if the counts are cached, so that the cost of an evaluation
// does not depend on earlier ones.
bool TopologyIndex::SpendOn(const PodSelection& selection) {
  if (!steps_.is_counting()) return true;
  std::span<const int64_t> pods = table_.pod_count();
  auto num_pods = static_cast<uint64_t>(std::accumulate(pods.begin(), pods.end(), int64_t{0}));
  return steps_.Spend(table_.size() + num_pods, selection.matchers.size());
}

// Returns the entry of the selection, refreshed, and moves it to the front of entries_.
STOWAGE_COLD TopologyIndex::Entry& TopologyIndex::Refreshed(PodSelection selection) {
  CHECK(!selection.matchers.empty());
  if (!SpendOn(selection)) selection = std::vector<PodMatcher>{{{}, false, Selector::Nothing()}};
  std::string key = selection.CanonicalKey();
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    entries_.push_front({key, std::make_shared<PodCounts>(std::move(selection)), {}});
    by_key_.emplace(std::move(key), entries_.begin());
  } else {
    entries_.splice(entries_.begin(), entries_, found->second);
  }
  PodCounts& counts = *entries_.front().counts;
  counts.Refresh(table_, FilterFor(counts));
  return entries_.front();
}

STOWAGE_COLD const LabelFilter* TopologyIndex::FilterFor(const PodCounts& counts) {
  if (!counts.MayReadAll(table_) || num_full_reads_++ < kFullReadsMax) return nullptr;
  labels_.Refresh(table_);
  return &labels_;
}

std::shared_ptr<PodCounts> TopologyIndex::Counts(PodSelection selection) {
  std::shared_ptr<PodCounts> counts = Refreshed(std::move(selection)).counts;
  Evict();
  return counts;
}

std::shared_ptr<PodSums> TopologyIndex::SumsOf(Entry& entry, const Symbol& key) {
  std::shared_ptr<TopologyColumn> column = columns_.Get(key);
  auto found = std::find_if(entry.sums.begin(), entry.sums.end(),
                            [&](const auto& one) { return one->column() == column; });
  if (found == entry.sums.end()) {
    if (entry.sums.size() == kMaxSums) entry.sums.erase(entry.sums.begin());
    entry.sums.push_back(std::make_shared<PodSums>(std::move(column), entry.counts));
    found = entry.sums.end() - 1;
  }
  (*found)->Refresh(table_);
  return *found;
}

std::shared_ptr<PodSums> TopologyIndex::Sums(const Symbol& key, PodSelection selection) {
  std::shared_ptr<PodSums> sums = SumsOf(Refreshed(std::move(selection)), key);
  Evict();
  return sums;
}

std::vector<std::shared_ptr<PodSums>> TopologyIndex::Sums(const std::vector<Symbol>& keys,
                                                          PodSelection selection) {
  Entry& entry = Refreshed(std::move(selection));
  std::vector<std::shared_ptr<PodSums>> sums;
  for (const Symbol& key : keys) sums.push_back(SumsOf(entry, key));
  Evict();
  return sums;
}

// Assumes that all entries are as large as the first one, because they have the same rows.
STOWAGE_COLD void TopologyIndex::Evict() {
  size_t capacity = std::max<size_t>(1, max_bytes_ / entries_.front().bytes());
  while (entries_.size() > capacity) {
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

}  // namespace stowage
