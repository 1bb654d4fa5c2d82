// RowReplay follows a NodeTable for a reader that keeps something per row: it says which rows have
// to be read again.
#pragma once

#include <algorithm>
#include <cstdint>

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

  // What has happened since the last call. `rows` holds the changed rows after kRows: each once,
  // however often it changed.
  Step Advance(const NodeTable& table, Bitset* rows) {
    const ChangeLog& changes = table.changes();
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
    rows->Resize(table.size());
    for (; cursor_ < changes.head(); ++cursor_) rows->Set(changes.At(cursor_), true);
    return Step::kRows;
  }

  // Of the table whose rows the reader knows; 0 before the first Advance.
  uint64_t epoch() const { return epoch_; }

 private:
  uint64_t epoch_ = 0;
  uint64_t cursor_ = 0;
  uint64_t question_ = 0;
};

}  // namespace stowage
