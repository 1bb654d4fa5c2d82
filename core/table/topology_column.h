// TopologyColumn holds the values of one topology key by row of a NodeTable, as small numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/symbol.h"
#include "core/base/symbol_set.h"
#include "core/table/row_replay.h"

namespace stowage {

// Values keep their numbers until the table's epoch changes.
class TopologyColumn {
 public:
  static constexpr uint32_t kMissing = 0xffffffff;
  // The number of the value "", whether or not it occurs.
  static constexpr uint32_t kEmptyValue = 0;

  explicit TopologyColumn(Symbol key) : key_(std::move(key)) { Clear(); }

  const Symbol& key() const { return key_; }
  // The number of the row's value; kMissing if the node has no such label.
  uint32_t At(size_t row) const { return values_[row]; }
  // The same, but kEmptyValue if the node has no such label.
  uint32_t AtOrEmpty(size_t row) const {
    uint32_t value = values_[row];
    return value == kMissing ? kEmptyValue : value;
  }
  // The number of a value; kMissing if no row has had it.
  uint32_t Find(const Symbol& value) const;
  // The largest number plus one. Counts values that no row has any more.
  size_t num_values() const { return num_values_; }
  // Rows without the label.
  size_t num_missing() const { return num_missing_; }
  // The number of rows with this value (AtOrEmpty), and the number of values with rows.
  size_t NumRows(uint32_t value) const { return num_rows_[value]; }
  size_t num_occurring() const { return num_occurring_; }
  // Whether no two rows share a value, as with hostnames.
  bool HasOneRowEach() const {
    return num_shared_ == 0 && num_rows_[kEmptyValue] <= num_missing_ + 1;
  }

  // Reads what changed since the last call.
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
  size_t num_shared_ = 0;  // values with several rows, except the empty value
};

// The columns of all keys that were requested, made on demand.
class TopologyColumns {
 public:
  explicit TopologyColumns(const NodeTable& table) : table_(table) {}

  // The column, refreshed. The pointer stays the same while a caller holds it.
  std::shared_ptr<TopologyColumn> Get(const Symbol& key);
  // Whether some row has the label. Pods may name any number of keys that no node has; with several
  // columns in use, this makes no column for them.
  bool HasRows(const Symbol& key);
  // Drops all columns.
  void Forget();

 private:
  // Clusters use a handful of keys, but pods may name any.
  static constexpr size_t kFewestToSweep = 64;

  // Drops the columns that no caller holds, once there are twice as many as the last sweep left.
  void SweepIfDue();

  const NodeTable& table_;
  // All label keys of the nodes, as of the numbering and node changes below.
  SymbolSet node_keys_;
  uint64_t keys_numbering_ = 0;
  uint64_t keys_head_ = 0;
  std::unordered_map<Symbol, std::shared_ptr<TopologyColumn>, SymbolHash> by_key_;
  size_t sweep_size_ = kFewestToSweep;
};

}  // namespace stowage
