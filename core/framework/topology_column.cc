#include "core/framework/topology_column.h"

#include "core/framework/node_info.h"

namespace stowage {
namespace {

// Clusters use a handful of keys; pods may name any.
constexpr size_t kMaxColumns = 64;

}  // namespace

void TopologyColumn::Clear() {
  values_.clear();
  num_missing_ = 0;
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
  uint32_t number = value == nullptr ? kMissing : NumberOf(*value);
  if (values_[row] == kMissing) --num_missing_;
  if (number == kMissing) ++num_missing_;
  values_[row] = number;
}

void TopologyColumn::Refresh(const NodeTable& table) {
  Bitset changed;
  if (replay_.epoch() != table.epoch()) Clear();
  switch (replay_.Advance(table, &changed)) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kRows:
      changed.ForEach([&](size_t row) { Read(table, row); });
      return;
    case RowReplay::Step::kAll:
      values_.assign(table.size(), kMissing);
      num_missing_ = table.size();
      for (size_t row = 0; row < table.size(); ++row) Read(table, row);
  }
}

std::shared_ptr<const TopologyColumn> TopologyColumns::Get(const Symbol& key) {
  if (by_key_.size() >= kMaxColumns) {
    std::erase_if(by_key_, [](const auto& entry) { return entry.second.use_count() == 1; });
  }
  std::shared_ptr<TopologyColumn>& column = by_key_[key];
  if (column == nullptr) column = std::make_shared<TopologyColumn>(key);
  column->Refresh(table_);
  return column;
}

}  // namespace stowage
