// RowReplay follows a NodeTable for a reader that keeps values by row: it reports which rows the
// reader must read again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bitset.h"
#include "core/base/check.h"
#include "core/table/node_table.h"
#include "core/table/renumbering.h"

namespace stowage {

class RowReplay {
 public:
  enum class Step {
    kNothing,
    kRows,   // read rows() again
    kMoved,  // rows were renumbered: call Move for what is kept by row, then as kRows
    kAll,    // read every row: an epoch began, or so much changed that reading all is as cheap, or
             // the last read was within an evaluation that has ended
  };

  // Decides how the reader follows the changes since the last call.
  Step Advance(const NodeTable& table) { return Advance(table, table.changes()); }
  // The same for a reader of Nodes only: changes of pods are left out.
  Step AdvanceNodes(const NodeTable& table) { return Advance(table, table.node_changes()); }

  // After kRows and kMoved, until the next Advance: the changed rows, each once, ascending.
  std::span<const uint32_t> rows() const {
    if (!are_sorted_) Sort();
    return rows_;
  }

  // After kMoved, until the next Advance: where the rows are now.
  const Renumbering& moves() const { return *moves_; }
  // After kMoved: moves the values in `kept` to the new rows. New rows get `none`; calls `drop`
  // with the values of removed rows.
  template <typename T, typename Drop>
  void Move(std::vector<T>* kept, const T& none, Drop drop) const {
    for (uint32_t row : moves_->removed()) drop((*kept)[row]);
    moves_->Apply(kept, none);
  }

  // The table's epoch at the last Advance; 0 before the first.
  uint64_t epoch() const { return epoch_; }

 private:
  // Up to this many rows, sorting is quicker than scanning a bit for each row of a large table.
  static constexpr size_t kSortedMax = 64;

  Step Advance(const NodeTable& table, const ChangeLog& changes) {
    bool can_replay = CanReplay(table, changes);
    bool is_renumbered = numbering_ != table.numbering();
    evaluation_ = table.evaluation();
    moves_ = is_renumbered && can_replay ? table.RenumberingSince(slots_) : nullptr;
    if (is_renumbered || !can_replay) {
      numbering_ = table.numbering();
      slots_ = table.slots();
    }
    if (!can_replay) {
      epoch_ = table.epoch();
      cursor_ = changes.head();
      return Step::kAll;
    }
    if (cursor_ == changes.head() && !is_renumbered) return Step::kNothing;
    ReadLog(table, changes);
    return is_renumbered ? Step::kMoved : Step::kRows;
  }

  // Whether the log has everything that happened since the last Advance, and reading it is cheaper
  // than reading all rows.
  bool CanReplay(const NodeTable& table, const ChangeLog& changes) const {
    bool is_same_epoch = epoch_ != 0 && epoch_ == table.epoch();
    uint64_t gap = changes.head() - cursor_;
    return is_same_epoch && gap <= std::min(table.size() + 1, changes.capacity()) &&
           !WasInEndedEvaluation(table);
  }

  // Whether the last read was within an evaluation that has ended. The table was restored since,
  // which no log records.
  bool WasInEndedEvaluation(const NodeTable& table) const {
    return evaluation_ != 0 && evaluation_ != table.evaluation();
  }

  void ReadLog(const NodeTable& table, const ChangeLog& changes) {
    rows_.clear();
    are_sorted_ = changes.head() - cursor_ > kSortedMax;
    Bitset changed(are_sorted_ ? table.size() : 0);
    for (; cursor_ < changes.head(); ++cursor_) {
      uint32_t row = table.RowOfSlot(changes.At(cursor_));
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
  uint64_t evaluation_ = 0;
  std::shared_ptr<const std::vector<uint32_t>> slots_;  // NodeTable::slots() of numbering_
  std::shared_ptr<const Renumbering> moves_;
  mutable std::vector<uint32_t> rows_;
  mutable bool are_sorted_ = true;  // sorted on demand: some readers never call rows()
};

}  // namespace stowage
