#include "core/table/row_replay.h"

#include <bit>

#include "core/base/cold.h"

namespace stowage {

void RowReplay::ReadLog(const NodeTable& table) const {
  if (IsLong()) MarkRows(table);
  if (has_marks_) {
    ForEachBit(marks_, [&](size_t row) { rows_.push_back(static_cast<uint32_t>(row)); });
    has_marks_ = false;
  }
  for (uint32_t slot : std::exchange(left_, {})) {
    uint32_t row = table.RowOfSlot(slot);
    if (row != kNoRow) Insert(row);
  }
  (table.*log_)().ForEach(first_, cursor_, [&](uint32_t slot) {
    uint32_t row = table.RowOfSlot(slot);
    if (row != kNoRow && !IsVacantAgain(table, row)) Insert(row);
  });
  first_ = cursor_;
}

void RowReplay::MarkRows(const NodeTable& table) const {
  has_marks_ = true;
  // Counting takes as long as to read a part of the log.
  const uint64_t gap = cursor_ - first_;
  if (!occupied_.empty() && gap > table.size() / 8 && CountOccupied(table) < gap) {
    MarkOccupied(table);
  } else {
    MarkLogged(table);
  }
  first_ = cursor_;
  NoteOccupied(table);
}

STOWAGE_COLD void RowReplay::MarkLogged(const NodeTable& table) const {
  marks_.assign((table.size() + Bitset::kWordBits - 1) / Bitset::kWordBits, 0);
  (table.*log_)().ForEach(first_, cursor_, [&](uint32_t slot) {
    const uint32_t row = table.RowOfSlot(slot);
    if (row == kNoRow) return;
    marks_[row / Bitset::kWordBits] |= uint64_t{1} << (row % Bitset::kWordBits);
  });
  if (occupied_.empty()) return;
  for (size_t word = 0; word < marks_.size(); ++word) {
    marks_[word] &= occupied_[word] | table.occupied()[word];
  }
}

// Of the rows that have pods or had some, those that have changed.
void RowReplay::MarkOccupied(const NodeTable& table) const {
  marks_ = occupied_;
  for (size_t word = 0; word < marks_.size(); ++word) {
    marks_[word] |= table.occupied()[word];
    ForEachBit(marks_[word], [&](size_t offset) {
      const bool is_same = table.last_change(word * Bitset::kWordBits + offset) < first_;
      marks_[word] &= ~(uint64_t{is_same} << offset);
    });
  }
}

void RowReplay::FollowOccupied(const NodeTable& table, bool* can_replay) {
  const bool is_known = first_ == cursor_ && left_.empty() && evaluation_ == 0 &&
                        table.evaluation() == 0 && epoch_ == table.epoch() &&
                        numbering_ == table.numbering() &&
                        num_other_changes_ == table.num_other_changes();
  if (!is_known) return occupied_.clear();
  if (!*can_replay) *can_replay = CountOccupied(table) <= table.size() / 2;
}

STOWAGE_COLD size_t RowReplay::CountOccupied(const NodeTable& table) const {
  size_t count = 0;
  for (size_t word = 0; word < occupied_.size(); ++word) {
    count += static_cast<size_t>(std::popcount(occupied_[word] | table.occupied()[word]));
  }
  return count;
}

// Within an evaluation, rows have pods that they do not have after it.
STOWAGE_COLD void RowReplay::NoteOccupied(const NodeTable& table) const {
  if (reader_ == Reader::kOfOtherLogs || table.evaluation() != 0) return occupied_.clear();
  occupied_ = table.occupied();
}

// Adds a row to the few that are sorted already.
void RowReplay::Insert(uint32_t row) const {
  size_t place = rows_.size();
  while (place > 0 && rows_[place - 1] > row) --place;
  if (place > 0 && rows_[place - 1] == row) return;
  rows_.push_back(row);
  for (size_t at = rows_.size() - 1; at > place; --at) rows_[at] = rows_[at - 1];
  rows_[place] = row;
}

// Within a list of nodes of its own, an evaluation cannot be left.
STOWAGE_COLD void RowReplay::NoteSeen(const NodeTable& table) {
  constexpr uint64_t kSeenMax = 256;
  const NodeTable::Stand& start = table.evaluation_start();
  const ChangeLog& changes = table.changes();
  can_leave_ = reader_ == Reader::kOfRows && start.epoch == epoch_ &&
               start.numbering == numbering_ && changes.head() - start.num_changes <= kSeenMax;
  if (!can_leave_) return;
  settled_cursor_ = start.num_changes;
  seen_.clear();
  for (uint64_t position = settled_cursor_; position < changes.head(); ++position) {
    seen_.push_back(changes.At(position));
  }
}

}  // namespace stowage
