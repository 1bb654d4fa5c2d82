#include "core/table/existing_terms.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/stable_sort.h"
#include "core/table/node_info.h"

namespace stowage {

int64_t PodsByValue::AtFew(uint32_t value) const {
  size_t place = PlaceAmongFew(value);
  return place < few_.size() && few_[place].first == value ? few_[place].second : 0;
}

size_t PodsByValue::PlaceAmongFew(uint32_t value) const {
  auto place = std::lower_bound(few_.begin(), few_.end(), std::pair(value, uint32_t{0}));
  return static_cast<size_t>(place - few_.begin());
}

void PodsByValue::Add(uint32_t value, size_t num_values) {
  constexpr size_t kFewValues = 16;
  constexpr size_t kSparsest = 64;  // an array by value has at most this many elements per pod
  if (by_value_.empty()) {
    size_t place = PlaceAmongFew(value);
    bool is_new = place == few_.size() || few_[place].first != value;
    if (is_new) few_.insert(few_.begin() + place, {value, 0});
    ++few_[place].second;
    if (few_.size() <= kFewValues || few_.size() * kSparsest <= num_values) return;
    by_value_.resize(num_values, 0);
    for (const auto& [known, pods] : few_) by_value_[known] = pods;
    few_ = {};
    return;
  }
  if (by_value_.size() <= value) by_value_.resize(num_values, 0);
  ++by_value_[value];
}

void PodsByValue::Remove(uint32_t value) {
  if (!by_value_.empty()) {
    CHECK(by_value_[value] > 0);
    --by_value_[value];
    return;
  }
  size_t place = PlaceAmongFew(value);
  CHECK(place < few_.size());
  CHECK(few_[place].first == value);
  if (--few_[place].second == 0) few_.erase(few_.begin() + place);
}

void ExistingTerms::Refresh(const NodeTable& table, TopologyColumns& columns, LabelKeys& keys) {
  Follow(table, columns);
  if (noted_version_ == version_) return;
  noted_version_ = version_;
  for (const Entry& entry : entries_) {
    if (entry.num_pods > 0) keys.Add(entry.term.selector);
  }
}

STOWAGE_COLD void ExistingTerms::Forget() {
  uint64_t version = version_;
  *this = ExistingTerms();
  version_ = version + 1;
}

void ExistingTerms::Follow(const NodeTable& table, TopologyColumns& columns) {
  uint64_t cursor = std::exchange(log_head_, table.pod_log().head());
  RowReplay::Step step = replay_.Advance(table);
  if (step == RowReplay::Step::kNothing) return;
  if (step == RowReplay::Step::kAll) {
    Clear(table.size());
    for (size_t row = 0; row < table.size(); ++row) Read(table, row, columns);
    return;
  }
  if (step == RowReplay::Step::kMoved) Move(table.size());
  // Labels of nodes may have changed: refresh the columns before AddPod uses them.
  bool have_nodes_changed =
      std::exchange(nodes_head_, table.node_changes().head()) != table.node_changes().head();
  if (have_nodes_changed || step == RowReplay::Step::kMoved) {
    for (const Entry& entry : entries_) {
      if (entry.num_pods > 0) columns.Get(entry.term.topology_key);
    }
  }
  auto follow = [&](uint32_t row, const PodLog::Entry& entry) {
    const PodInfo& pod = *entry.change.pod;
    if (!pod.has_affinity()) return;
    if (entry.change.is_added) {
      AddPod(*pod.affinity_terms, row, columns);
    } else {
      RemovePod(*pod.affinity_terms, row);
    }
  };
  auto read = [&](uint32_t row) { Read(table, row, columns); };
  if (!table.ReplayPods(cursor, follow, read)) std::ranges::for_each(replay_.rows(table), read);
}

void ExistingTerms::Move(size_t rows) {
  if (by_identity_.empty()) return shares_.resize(rows);  // no row has a share
  replay_.Move(&shares_, {}, [this](const std::vector<Share>& gone) {
    for (const Share& share : gone) Drop(share);
  });
}

STOWAGE_COLD void ExistingTerms::Clear(size_t rows) {
  entries_.clear();
  unused_.clear();
  by_identity_.clear();
  shares_.assign(rows, {});
  ++version_;
}

void ExistingTerms::Read(const NodeTable& table, size_t row, TopologyColumns& columns) {
  // Add before dropping: otherwise an entry whose only pod is this one would be freed and remade.
  std::vector<Share> before = std::exchange(shares_[row], {});
  for (const PodInfoRef& info : table.info(row).pods_with_affinity()) {
    AddPod(*info->affinity_terms, row, columns);
  }
  for (const Share& share : before) Drop(share);
}

void ExistingTerms::AddPod(const AffinityTerms& terms, size_t row, TopologyColumns& columns) {
  AddTerms(Kind::kRequiredAffinity, terms.required_affinity, row, columns);
  AddTerms(Kind::kRequiredAntiAffinity, terms.required_anti_affinity, row, columns);
  AddTerms(Kind::kPreferredAffinity, terms.preferred_affinity, row, columns);
  AddTerms(Kind::kPreferredAntiAffinity, terms.preferred_anti_affinity, row, columns);
}

// One pass over the row's shares, because a pod may have any number of terms. A term has no share
// if the node lacks its topology key; a pod may list the same term twice.
void ExistingTerms::RemovePod(const AffinityTerms& terms, size_t row) {
  std::vector<uint32_t> gone;
  FindEntries(Kind::kRequiredAffinity, terms.required_affinity, &gone);
  FindEntries(Kind::kRequiredAntiAffinity, terms.required_anti_affinity, &gone);
  FindEntries(Kind::kPreferredAffinity, terms.preferred_affinity, &gone);
  FindEntries(Kind::kPreferredAntiAffinity, terms.preferred_anti_affinity, &gone);
  StableSort(&gone);
  std::vector<size_t> num_dropped(gone.size());  // by the first index of an entry in `gone`
  std::erase_if(shares_[row], [&](const Share& share) {
    auto place = std::lower_bound(gone.begin(), gone.end(), share.entry);
    auto first = static_cast<size_t>(place - gone.begin());
    if (first == gone.size()) return false;
    size_t next = first + num_dropped[first];
    if (next == gone.size() || gone[next] != share.entry) return false;
    ++num_dropped[first];
    Drop(share);
    return true;
  });
}

void ExistingTerms::AddTerms(Kind kind, const std::vector<AffinityTerm>& terms, size_t row,
                             TopologyColumns& columns) {
  for (const AffinityTerm& term : terms) {
    uint32_t index = EntryOf(kind, term, columns);
    Entry& entry = entries_[index];
    uint32_t value = entry.column->At(row);
    if (value == TopologyColumn::kMissing) {
      if (entry.num_pods == 0) Drop({index, value});
      continue;
    }
    entry.pods.Add(value, entry.column->num_values());
    ++entry.num_pods;
    shares_[row].push_back({index, value});
  }
}

void ExistingTerms::FindEntries(Kind kind, const std::vector<AffinityTerm>& terms,
                                std::vector<uint32_t>* entries) const {
  for (const AffinityTerm& term : terms) {
    auto known = by_identity_.find(Identity{kind, term.identity});
    if (known != by_identity_.end()) entries->push_back(known->second);
  }
}

uint32_t ExistingTerms::EntryOf(Kind kind, const AffinityTerm& term, TopologyColumns& columns) {
  auto [place, is_new] = by_identity_.try_emplace(Identity{kind, term.identity}, 0);
  if (!is_new) return place->second;
  if (unused_.empty()) {
    unused_.push_back(static_cast<uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  ++version_;
  place->second = unused_.back();
  unused_.pop_back();
  entries_[place->second] = {kind, term, columns.Get(term.topology_key), {}, 0};
  return place->second;
}

// Subtracts one pod from its entry, and frees the entry when no pod is left.
STOWAGE_COLD void ExistingTerms::Drop(const Share& share) {
  Entry& entry = entries_[share.entry];
  if (share.value != TopologyColumn::kMissing) {
    CHECK(entry.num_pods > 0);
    entry.pods.Remove(share.value);
    --entry.num_pods;
  }
  if (entry.num_pods > 0) return;
  ++version_;
  by_identity_.erase({entry.kind, entry.term.identity});
  unused_.push_back(share.entry);
}

}  // namespace stowage
