// TopologyColumn is one topology key over a NodeTable: each value as a small number, by row.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/symbol.h"
#include "core/framework/row_replay.h"

namespace stowage {

// Numbers stay what they are until the table's epoch changes.
class TopologyColumn {
 public:
  static constexpr uint32_t kMissing = 0xffffffff;
  // The number of the value "", whether or not it occurs.
  static constexpr uint32_t kEmptyValue = 0;

  explicit TopologyColumn(Symbol key) : key_(std::move(key)) { Clear(); }

  const Symbol& key() const { return key_; }
  // kMissing where the node has no such label.
  uint32_t At(size_t row) const { return values_[row]; }
  // The same, where a node without the label is one with the empty value.
  uint32_t AtOrEmpty(size_t row) const {
    uint32_t value = values_[row];
    return value == kMissing ? kEmptyValue : value;
  }
  // The number of a value; kMissing when no row has ever had it.
  uint32_t Find(const Symbol& value) const;
  // One more than the largest number. A value may have lost its last row.
  size_t num_values() const { return num_values_; }
  // Rows without the label.
  size_t num_missing() const { return num_missing_; }
  // Rows with this value by AtOrEmpty, and how many values have any.
  size_t NumRows(uint32_t value) const { return num_rows_[value]; }
  size_t num_occurring() const { return num_occurring_; }
  // No two rows have one value: it is a name.
  bool HasOneRowEach() const {
    return num_shared_ == 0 && num_rows_[kEmptyValue] <= num_missing_ + 1;
  }

  void Refresh(const NodeTable& table);

 private:
  void Clear();
  uint32_t NumberOf(const Symbol& value);
  void Count(uint32_t value, int change);
  void ReadAll(const NodeTable& table);
  void Move(const NodeTable& table);
  void Read(const NodeTable& table, size_t row);

  Symbol key_;
  RowReplay replay_;
  std::vector<uint32_t> values_;
  std::unordered_map<Symbol, uint32_t, SymbolHash> numbers_;
  size_t num_values_ = 0;
  size_t num_missing_ = 0;
  std::vector<uint32_t> num_rows_;  // by value
  size_t num_occurring_ = 0;
  size_t num_shared_ = 0;  // values but the empty one that several rows have
};

// The columns of the keys that somebody asked for.
class TopologyColumns {
 public:
  explicit TopologyColumns(const NodeTable& table) : table_(table) {}

  // The column as of now. Its pointer stays the same while somebody holds it.
  std::shared_ptr<TopologyColumn> Get(const Symbol& key);
  // Whether some row has the label. Pods may name any number of keys that no node has: where there
  // are columns of several keys, none is made of these.
  bool HasRows(const Symbol& key);
  void Forget();

 private:
  const NodeTable& table_;
  // All label keys of nodes, as of these changes of the table.
  std::unordered_set<Symbol, SymbolHash> node_keys_;
  uint64_t keys_numbering_ = 0;
  uint64_t keys_head_ = 0;
  std::unordered_map<Symbol, std::shared_ptr<TopologyColumn>, SymbolHash> by_key_;
};

}  // namespace stowage
