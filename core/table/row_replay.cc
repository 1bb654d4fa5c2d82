#include "core/table/row_replay.h"

#include <vector>

#include "core/base/cold.h"

namespace stowage {
namespace {

// Up to this many changes, sorting is quicker than scanning a bit for each row of a large table.
constexpr uint64_t kSortedMax = 64;

}  // namespace

void RowReplay::ReadLog(const NodeTable& table) const {
  const ChangeLog& changes = (table.*log_)();
  if (cursor_ - first_ > kSortedMax) ReadLongLog(table, changes);
  for (uint32_t slot : std::exchange(left_, {})) {
    uint32_t row = table.RowOfSlot(slot);
    if (row != kNoRow) Insert(row);
  }
  for (; first_ < cursor_; ++first_) {
    uint32_t row = table.RowOfSlot(changes.At(first_));
    if (row != kNoRow) Insert(row);
  }
}

void RowReplay::ReadLongLog(const NodeTable& table, const ChangeLog& changes) const {
  std::vector<uint64_t> changed(table.size() / Bitset::kWordBits + 1);
  changes.ForEach(first_, cursor_, [&](uint32_t slot) {
    const uint32_t row = table.RowOfSlot(slot);
    if (row == kNoRow) return;
    changed[row / Bitset::kWordBits] |= uint64_t{1} << (row % Bitset::kWordBits);
  });
  rows_.resize(static_cast<size_t>(cursor_ - first_));
  first_ = cursor_;
  auto next = rows_.begin();
  ForEachBit(changed, [&](size_t row) { *next++ = static_cast<uint32_t>(row); });
  rows_.erase(next, rows_.end());
}

// Adds a row to the few that are sorted already.
void RowReplay::Insert(uint32_t row) const {
  auto place = rows_.end();
  while (place != rows_.begin() && place[-1] >= row) --place;
  if (place == rows_.end() || *place != row) rows_.insert(place, row);
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
