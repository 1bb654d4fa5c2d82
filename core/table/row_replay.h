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
             // the last read was within an evaluation that has ended (unless kOfRows)
  };
  enum class Reader {
    kOfOtherLogs,
    // It calls Advance(table), reads the changed rows before the next change, and keeps what
    // follows from the Node and its pods: a row that had no pods when it was read and has none
    // again is left out.
    kOfContents,
    // The same for one that learns of changes from rows() alone: after an evaluation, it reads
    // again what that has changed.
    kOfRows,
  };

  explicit RowReplay(Reader reader = Reader::kOfOtherLogs) : reader_(reader) {}

  // Decides how the reader follows the changes since the last call.
  Step Advance(const NodeTable& table) { return Advance(table, &NodeTable::changes); }
  // The same for a reader of Nodes only: changes of pods are left out.
  Step AdvanceNodes(const NodeTable& table) { return Advance(table, &NodeTable::node_changes); }
  // The same for a reader of every field of the pods, not only of those that count.
  Step AdvanceVersions(const NodeTable& table) {
    return Advance(table, &NodeTable::version_changes);
  }

  // Whether the next Advance will return kMoved or kAll, so that following takes time for all rows.
  bool IsFarBehind(const NodeTable& table) const {
    return numbering_ != table.numbering() || !CanReplay(table, table.changes());
  }

  // After kRows and kMoved, until the next Advance: the changed rows, each once, ascending. Read on
  // demand, because most readers learn from other logs which rows they need.
  std::span<const uint32_t> rows(const NodeTable& table) const {
    if (first_ != cursor_ || !left_.empty() || has_marks_) ReadLog(table);
    return rows_;
  }
  // The same as bits, 64 rows a word, if so much was logged that they are quicker to read; else
  // empty.
  std::span<const uint64_t> marked_rows(const NodeTable& table) const {
    if (IsLong()) MarkRows(table);
    if (!has_marks_ || !left_.empty()) return {};
    return marks_;
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
  using Log = const ChangeLog& (NodeTable::*)() const;

  Step Advance(const NodeTable& table, Log log) {
    const ChangeLog& changes = (table.*log)();
    if (IsUpToDate(table, changes)) return Step::kNothing;
    bool can_replay = CanReplay(table, changes);
    if (!occupied_.empty()) FollowOccupied(table, &can_replay);
    bool is_renumbered = numbering_ != table.numbering();
    if (WasInEndedEvaluation(table)) LeaveEvaluation();
    evaluation_ = table.evaluation();
    moves_ = is_renumbered && can_replay ? table.RenumberingSince(slots_) : nullptr;
    if (is_renumbered || !can_replay) {
      numbering_ = table.numbering();
      slots_ = table.slots();
    }
    first_ = can_replay ? cursor_ : changes.head();
    cursor_ = changes.head();
    log_ = log;
    rows_.clear();
    has_marks_ = false;
    bool is_same = first_ == cursor_ && left_.empty();
    num_other_changes_ = table.num_other_changes();
    if (!can_replay) {
      epoch_ = table.epoch();
      NoteOccupied(table);
      left_.clear();
    }
    if (evaluation_ != 0) NoteSeen(table);
    if (!can_replay) return Step::kAll;
    if (is_renumbered) return Step::kMoved;
    return is_same ? Step::kNothing : Step::kRows;
  }

  // Whether nothing has happened since the last Advance, as at most calls.
  bool IsUpToDate(const NodeTable& table, const ChangeLog& changes) const {
    return cursor_ == changes.head() && epoch_ == table.epoch() && epoch_ != 0 &&
           numbering_ == table.numbering() && evaluation_ == table.evaluation();
  }

  // Whether the log has everything that happened since the last Advance, and reading it is cheaper
  // than reading all rows.
  bool CanReplay(const NodeTable& table, const ChangeLog& changes) const {
    bool was_in_evaluation = WasInEndedEvaluation(table);
    if (was_in_evaluation && !can_leave_) return false;
    bool is_same_epoch = epoch_ != 0 && epoch_ == table.epoch();
    uint64_t gap = changes.head() - (was_in_evaluation ? settled_cursor_ : cursor_);
    return is_same_epoch && gap <= std::min(table.size() + 1, changes.capacity());
  }

  // Whether the last read was within an evaluation that has ended. The table was restored since,
  // which no log records.
  bool WasInEndedEvaluation(const NodeTable& table) const {
    return evaluation_ != 0 && evaluation_ != table.evaluation();
  }

  void LeaveEvaluation() {
    cursor_ = settled_cursor_;
    left_ = std::move(seen_);
    seen_.clear();
  }
  // Keeps what LeaveEvaluation needs.
  void NoteSeen(const NodeTable& table);

  // Forgets occupied_ unless all changes since were of pods. Few such rows can be looked at instead
  // of a log that is too long.
  void FollowOccupied(const NodeTable& table, bool* can_replay);
  // Notes which rows have pods now, which makes all others known to be vacant.
  void NoteOccupied(const NodeTable& table) const;
  size_t CountOccupied(const NodeTable& table) const;
  // Whether the row had no pods when it was read, and has none now. Notes whether it has.
  bool IsVacantAgain(const NodeTable& table, uint32_t row) const {
    if (occupied_.empty()) return false;
    uint64_t& word = occupied_[row / Bitset::kWordBits];
    const uint64_t bit = uint64_t{1} << (row % Bitset::kWordBits);
    const uint64_t before = word;
    word = (word & ~bit) | (table.occupied()[row / Bitset::kWordBits] & bit);
    return ((before | word) & bit) == 0;
  }

  void ReadLog(const NodeTable& table) const;
  // Whether what is logged is quicker to read by marking rows than by sorting them.
  bool IsLong() const { return cursor_ - first_ > kSortedMax; }
  void MarkRows(const NodeTable& table) const;
  void MarkLogged(const NodeTable& table) const;
  void MarkOccupied(const NodeTable& table) const;
  void Insert(uint32_t row) const;

  // More changes are not sorted, which would take longer than to scan a bit for each row.
  static constexpr uint64_t kSortedMax = 32;

  uint64_t epoch_ = 0;
  uint64_t numbering_ = 0;
  uint64_t cursor_ = 0;
  mutable uint64_t first_ = 0;     // what is logged from here to cursor_ is not in rows_ yet
  Log log_ = &NodeTable::changes;  // the log of first_ and cursor_
  uint64_t evaluation_ = 0;
  std::shared_ptr<const std::vector<uint32_t>> slots_;  // NodeTable::slots() of numbering_
  std::shared_ptr<const Renumbering> moves_;
  mutable std::vector<uint32_t> rows_;
  mutable std::vector<uint64_t> marks_;  // what was logged before first_ and is not in rows_ yet
  mutable bool has_marks_ = false;
  // The rows that had pods when they were last read, as bits. Empty: not known.
  mutable std::vector<uint64_t> occupied_;
  uint64_t num_other_changes_ = 0;  // NodeTable::num_other_changes() at the last Advance
  Reader reader_;
  // Of an evaluation: where the log was before it, the slots that it has changed so far, and
  // whether these suffice to go on after it.
  uint64_t settled_cursor_ = 0;
  std::vector<uint32_t> seen_;
  bool can_leave_ = false;
  mutable std::vector<uint32_t> left_;  // slots of the last evaluation that are not in rows_ yet
};

}  // namespace stowage
