#include "core/framework/topology_index.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/framework/node_info.h"

namespace stowage {
namespace {

constexpr size_t kMaxColumns = 64;

}  // namespace

void TopologyColumn::Clear() {
  values_.clear();
  numbers_.clear();
  numbers_.emplace(Symbol(), kEmptyValue);
  num_values_ = 1;
}

uint32_t TopologyColumn::Find(const Symbol& value) const {
  auto found = numbers_.find(value);
  return found == numbers_.end() ? kMissing : found->second;
}

uint32_t TopologyColumn::NumberOf(const Symbol& value) {
  auto [place, is_new] = numbers_.try_emplace(value, static_cast<uint32_t>(num_values_));
  if (is_new) ++num_values_;
  return place->second;
}

void TopologyColumn::Read(const NodeTable& table, size_t row) {
  const Symbol* value = table.info(row).node()->metadata.labels.Find(key_);
  values_[row] = value == nullptr ? kMissing : NumberOf(*value);
}

void TopologyColumn::Refresh(const NodeTable& table) {
  Bitset changed;
  switch (replay_.Advance(table, &changed)) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kRows:
      changed.ForEach([&](size_t row) { Read(table, row); });
      return;
    case RowReplay::Step::kAll:
      Clear();
      values_.resize(table.size());
      for (size_t row = 0; row < table.size(); ++row) Read(table, row);
  }
}

bool PodMatcher::Matches(const Pod& pod) const {
  const Symbol& namespace_ = pod.metadata.namespace_;
  bool is_of_namespace = all_namespaces || std::find(namespaces.begin(), namespaces.end(),
                                                     namespace_) != namespaces.end();
  return is_of_namespace && selector.Matches(pod.metadata.labels);
}

std::string PodMatcher::CanonicalKey() const {
  std::vector<Symbol> sorted = namespaces;
  std::sort(sorted.begin(), sorted.end());
  std::string key = all_namespaces ? "*" : "";
  for (const Symbol& name : sorted) {
    key += name.view();
    key += ',';
  }
  key += '\n';
  key += selector.CanonicalKey();
  return key;
}

bool PodCounts::Matches(const Pod& pod) const {
  return std::all_of(matchers_.begin(), matchers_.end(),
                     [&pod](const PodMatcher& matcher) { return matcher.Matches(pod); });
}

void PodCounts::Read(const NodeInfo& node, Count* count) {
  total_ -= count->all;
  *count = {};
  for (const PodInfoRef& info : node.pods()) {
    if (!Matches(*info->pod)) continue;
    ++count->all;
    if (!info->pod->metadata.deletion_timestamp) ++count->live;
  }
  total_ += count->all;
}

void PodCounts::Refresh(const NodeTable& table) {
  Bitset changed;
  switch (replay_.Advance(table, &changed)) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kRows:
      changed.ForEach([&](size_t row) { Read(table.info(row), &counts_[row]); });
      return;
    case RowReplay::Step::kAll:
      counts_.assign(table.size(), {});
      total_ = 0;
      for (size_t row = 0; row < table.size(); ++row) Read(table.info(row), &counts_[row]);
  }
}

std::shared_ptr<const TopologyColumn> TopologyIndex::Column(const Symbol& key) {
  EvictColumns();
  std::shared_ptr<TopologyColumn>& column = columns_[key];
  if (column == nullptr) column = std::make_shared<TopologyColumn>(key);
  column->Refresh(table_);
  return column;
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

// Clusters use a handful of keys; pods may name any.
void TopologyIndex::EvictColumns() {
  if (columns_.size() < kMaxColumns) return;
  std::erase_if(columns_, [](const auto& entry) { return entry.second.use_count() == 1; });
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
