// RowReplay follows a NodeTable for a reader that keeps something per row: it says which rows have
// to be read again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/bitset.h"
#include "core/framework/node_table.h"

namespace stowage {

class RowReplay {
 public:
  enum class Step {
    kNothing,
    kRows,  // those that changed
    kAll,   // the rows were numbered anew, or so much changed that reading all is as cheap, or
            // what was read last was a question's
  };

  // What has happened since the last call.
  Step Advance(const NodeTable& table) { return Advance(table, table.changes()); }
  // The same for a reader of Nodes alone, whatever becomes of pods.
  Step AdvanceNodes(const NodeTable& table) { return Advance(table, table.node_changes()); }

  // After kRows, until the next call: the changed rows, each once, in order.
  std::span<const uint32_t> rows() const {
    if (!are_sorted_) Sort();
    return rows_;
  }

  // Of the table whose rows the reader knows; 0 before the first Advance.
  uint64_t epoch() const { return epoch_; }

 private:
  // Sorting so many is quicker than going over a bit for each row of a large table.
  static constexpr size_t kSortedMax = 64;

  Step Advance(const NodeTable& table, const ChangeLog& changes) {
    uint64_t gap = changes.head() - cursor_;
    bool is_far = gap > std::min(table.size() + 1, changes.capacity());
    bool is_undone = question_ != 0 && question_ != table.question();
    question_ = table.question();
    if (epoch_ != table.epoch() || epoch_ == 0 || is_far || is_undone) {
      epoch_ = table.epoch();
      cursor_ = changes.head();
      return Step::kAll;
    }
    if (gap == 0) return Step::kNothing;
    rows_.clear();
    if (gap <= kSortedMax) {
      for (; cursor_ < changes.head(); ++cursor_) rows_.push_back(changes.At(cursor_));
      are_sorted_ = false;
    } else {
      Bitset changed(table.size());
      for (; cursor_ < changes.head(); ++cursor_) changed.Set(changes.At(cursor_), true);
      changed.ForEach([this](size_t row) { rows_.push_back(static_cast<uint32_t>(row)); });
      are_sorted_ = true;
    }
    return Step::kRows;
  }

  void Sort() const {
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    are_sorted_ = true;
  }

  uint64_t epoch_ = 0;
  uint64_t cursor_ = 0;
  uint64_t question_ = 0;
  mutable std::vector<uint32_t> rows_;
  mutable bool are_sorted_ = true;  // not every reader asks for them
};

}  // namespace stowage
