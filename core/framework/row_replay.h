// RowReplay follows a NodeTable for a reader that keeps something per row: it says which rows have
// to be read again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bitset.h"
#include "core/framework/node_table.h"

namespace stowage {

class RowReplay {
 public:
  enum class Step {
    kNothing,
    kRows,   // those that changed
    kMoved,  // the rows were renumbered: what is kept by row has to Move, then as kRows
    kAll,    // an epoch began, or so much changed that reading all is as cheap, or what was read
             // last was a question's
  };

  // What has happened since the last call.
  Step Advance(const NodeTable& table) { return Advance(table, table.changes()); }
  // The same for a reader of Nodes alone, whatever becomes of pods.
  Step AdvanceNodes(const NodeTable& table) { return Advance(table, table.node_changes()); }

  // After kRows and kMoved, until the next call: the changed rows, each once, in order.
  std::span<const uint32_t> rows() const {
    if (!are_sorted_) Sort();
    return rows_;
  }

  // After kMoved: where each row is now; kNoRow where it is no more.
  std::span<const uint32_t> moves() const { return moves_; }
  // After kMoved: brings what was kept by row to where the rows are now. New rows have `none`;
  // `drop` gets what was kept of those that are no more.
  template <typename T, typename Drop>
  void Move(std::vector<T>* kept, const T& none, Drop drop) const {
    std::vector<T> moved(num_rows_, none);
    for (size_t row = 0; row < moves_.size(); ++row) {
      if (moves_[row] == kNoRow) {
        drop((*kept)[row]);
      } else {
        moved[moves_[row]] = std::move((*kept)[row]);
      }
    }
    *kept = std::move(moved);
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
    bool is_void = epoch_ != table.epoch() || epoch_ == 0 || is_far || is_undone;
    bool is_renumbered = numbering_ != table.numbering();
    question_ = table.question();
    if (is_renumbered && !is_void) FindMoves(table);
    if (is_renumbered || is_void) {
      numbering_ = table.numbering();
      seats_ = table.seats();
    }
    if (is_void) {
      epoch_ = table.epoch();
      cursor_ = changes.head();
      return Step::kAll;
    }
    if (gap == 0 && !is_renumbered) return Step::kNothing;
    ReadLog(table, changes);
    return is_renumbered ? Step::kMoved : Step::kRows;
  }

  void FindMoves(const NodeTable& table) {
    num_rows_ = table.size();
    moves_.resize(seats_->size());
    for (size_t row = 0; row < moves_.size(); ++row) moves_[row] = table.RowOfSeat((*seats_)[row]);
  }

  void ReadLog(const NodeTable& table, const ChangeLog& changes) {
    rows_.clear();
    are_sorted_ = changes.head() - cursor_ > kSortedMax;
    Bitset changed(are_sorted_ ? table.size() : 0);
    for (; cursor_ < changes.head(); ++cursor_) {
      uint32_t row = changes.At(cursor_);
      if (row == kNoRow) continue;
      if (are_sorted_) {
        changed.Set(row, true);
      } else {
        rows_.push_back(row);
      }
    }
    changed.ForEach([this](size_t row) { rows_.push_back(static_cast<uint32_t>(row)); });
  }

  void Sort() const {
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    are_sorted_ = true;
  }

  uint64_t epoch_ = 0;
  uint64_t numbering_ = 0;
  uint64_t cursor_ = 0;
  uint64_t question_ = 0;
  std::shared_ptr<const std::vector<uint32_t>> seats_;  // of the numbering
  std::vector<uint32_t> moves_;
  size_t num_rows_ = 0;
  mutable std::vector<uint32_t> rows_;
  mutable bool are_sorted_ = true;  // not every reader asks for them
};

}  // namespace stowage
