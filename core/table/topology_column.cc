#include "core/table/topology_column.h"

#include <algorithm>

#include "core/base/cold.h"
#include "core/table/node_info.h"

namespace stowage {

STOWAGE_COLD void TopologyColumn::Clear() {
  values_.clear();
  num_missing_ = 0;
  numbers_.clear();
  numbers_.emplace(Symbol(), kEmptyValue);
  num_values_ = 1;
  num_rows_.assign(1, 0);
  num_occurring_ = 0;
  num_shared_ = 0;
}

STOWAGE_COLD uint32_t TopologyColumn::Find(const Symbol& value) const {
  auto found = numbers_.find(value);
  return found == numbers_.end() ? kMissing : found->second;
}

uint32_t TopologyColumn::NumberOf(const Symbol& value) {
  auto [place, is_new] = numbers_.try_emplace(value, static_cast<uint32_t>(num_values_));
  if (is_new) {
    ++num_values_;
    num_rows_.push_back(0);
  }
  return place->second;
}

void TopologyColumn::Count(uint32_t value, int change) {
  uint32_t number = value == kMissing ? kEmptyValue : value;
  uint32_t& rows = num_rows_[number];
  if (rows == 0) ++num_occurring_;
  if (rows > 1 && number != kEmptyValue) --num_shared_;
  rows += change;
  if (rows == 0) --num_occurring_;
  if (rows > 1 && number != kEmptyValue) ++num_shared_;
}

void TopologyColumn::Read(const NodeTable& table, size_t row) {
  const Symbol* value = table.info(row).node()->metadata.labels.Find(key_);
  uint32_t number = value == nullptr ? kMissing : NumberOf(*value);
  if (values_[row] == kMissing) --num_missing_;
  if (number == kMissing) ++num_missing_;
  Count(number, 1);
  Count(values_[row], -1);
  values_[row] = number;
}

// Reads every row. The numbers of values stay.
void TopologyColumn::ReadAll(const NodeTable& table) {
  values_.assign(table.size(), kMissing);
  num_missing_ = table.size();
  num_rows_.assign(num_values_, 0);
  num_rows_[kEmptyValue] = static_cast<uint32_t>(table.size());
  num_occurring_ = table.size() > 0 ? 1 : 0;
  num_shared_ = 0;
  for (size_t row = 0; row < table.size(); ++row) Read(table, row);
}

// New rows count as rows without the label until they are read.
void TopologyColumn::Move(const NodeTable& table) {
  size_t before = values_.size();
  replay_.Move(&values_, kMissing, [&](uint32_t gone) {
    Count(gone, -1);
    if (gone == kMissing) --num_missing_;
  });
  size_t num_kept = before - replay_.moves().removed().size();
  for (size_t added = table.size() - num_kept; added > 0; --added) {
    Count(kMissing, 1);
    ++num_missing_;
  }
}

void TopologyColumn::Refresh(const NodeTable& table) {
  if (replay_.epoch() != table.epoch()) Clear();
  switch (replay_.AdvanceNodes(table)) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kMoved:
      Move(table);
      [[fallthrough]];
    case RowReplay::Step::kRows:
      for (uint32_t row : replay_.rows(table)) Read(table, row);
      return;
    case RowReplay::Step::kAll:
      ReadAll(table);
  }
}

STOWAGE_COLD bool TopologyColumns::HasRows(const Symbol& key) {
  constexpr size_t kFewColumns = 16;
  if (by_key_.size() < kFewColumns || by_key_.contains(key)) {
    return Get(key)->num_missing() < table_.size();
  }
  uint64_t head = table_.node_changes().head();
  if (keys_numbering_ != table_.numbering() || keys_head_ != head || node_keys_.empty()) {
    node_keys_ = {};
    for (const NodeInfo* info : table_.infos()) {
      for (const auto& [label, value] : info->node()->metadata.labels) node_keys_.Add(label);
    }
    keys_numbering_ = table_.numbering();
    keys_head_ = head;
  }
  return node_keys_.Has(key);
}

STOWAGE_COLD void TopologyColumns::Forget() {
  by_key_.clear();
  node_keys_ = {};
}

void TopologyColumns::SweepIfDue() {
  if (by_key_.size() < sweep_size_) return;
  std::erase_if(by_key_, [](const auto& entry) { return entry.second.use_count() == 1; });
  sweep_size_ = std::max(kFewestToSweep, 2 * by_key_.size());
}

std::shared_ptr<TopologyColumn> TopologyColumns::Get(const Symbol& key) {
  SweepIfDue();
  std::shared_ptr<TopologyColumn>& column = by_key_[key];
  if (column == nullptr) column = std::make_shared<TopologyColumn>(key);
  column->Refresh(table_);
  return column;
}

}  // namespace stowage
