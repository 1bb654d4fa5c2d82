#include "core/table/row_replay.h"

#include <vector>

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
    if (row != kNoRow) Insert(row);
  });
  first_ = cursor_;
}

void RowReplay::MarkRows(const NodeTable& table) const {
  marks_.assign((table.size() + Bitset::kWordBits - 1) / Bitset::kWordBits, 0);
  has_marks_ = true;
  (table.*log_)().ForEach(first_, cursor_, [&](uint32_t slot) {
    const uint32_t row = table.RowOfSlot(slot);
    if (row == kNoRow) return;
    marks_[row / Bitset::kWordBits] |= uint64_t{1} << (row % Bitset::kWordBits);
  });
  first_ = cursor_;
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
