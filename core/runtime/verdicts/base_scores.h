// BaseScores keeps the bases of all rows for entries whose pods are alike in what plugins without a
// normalizer read: pods of many workloads request the same. A row that has changed is then scored
// once for all of these entries.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/table/node_table.h"
#include "core/table/row_replay.h"

namespace stowage {

class BaseScores {
 public:
  // Updates all rows. `add(chunk, candidates, totals)` adds the plugins' weighted scores as
  // ScorePlugin::AddScores does, and returns false if a plugin has no such form. Returns false
  // then, and ever after. The table has rows.
  template <typename Add>
  bool Follow(const NodeTable& table, const Add& add) {
    const RowReplay::Step step = replay_.Advance(table);
    if (step == RowReplay::Step::kNothing || has_failed_) return !has_failed_;
    std::span<const uint32_t> rows;
    if (step == RowReplay::Step::kRows) rows = replay_.rows(table);
    const size_t words = (table.size() + NodeTable::kChunkRows - 1) / NodeTable::kChunkRows;
    const bool reads_all = step != RowReplay::Step::kRows || rows.size() >= kManyRows * words;
    has_failed_ = !(reads_all ? ReadAll(table, words, add) : Read(table, rows, add));
    return !has_failed_;
  }
  // By row, up to whole words. Valid after Follow has returned true.
  std::span<const int32_t> bases() const { return bases_; }
  size_t bytes() const { return sizeof(BaseScores) + bases_.capacity() * sizeof(int32_t); }

 private:
  // If so many rows of a word have changed, reading the whole word is faster.
  static constexpr size_t kManyRows = 5;

  template <typename Add>
  bool ReadAll(const NodeTable& table, size_t words, const Add& add) {
    bases_.assign(words * NodeTable::kChunkRows, 0);
    std::vector<uint64_t> candidates(words, ~uint64_t{0});
    candidates.back() = table.Chunk(words - 1).all();
    return add(table.All(), candidates, bases_.data());
  }
  template <typename Add>
  bool Read(const NodeTable& table, std::span<const uint32_t> rows, const Add& add) {
    while (!rows.empty()) {
      const NodeChunk chunk = table.Chunk(rows.first(std::min(rows.size(), NodeTable::kChunkRows)));
      const uint64_t candidates = chunk.all();
      std::array<int32_t, NodeTable::kChunkRows> totals = {};
      if (!add(chunk, std::span(&candidates, 1), totals.data())) return false;
      for (size_t at = 0; at < chunk.rows.size(); ++at) bases_[chunk.row(at)] = totals[at];
      rows = rows.subspan(chunk.rows.size());
    }
    return true;
  }

  RowReplay replay_{RowReplay::Reader::kOfRows};
  std::vector<int32_t> bases_;
  bool has_failed_ = false;
};

}  // namespace stowage
