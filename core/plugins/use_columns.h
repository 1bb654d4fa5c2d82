// UseColumns holds the amounts of ResourceUse for all rows of a chunk, by columns. All resources in
// it count on every row, and an even number of rows can be read: a row without a neighbour is
// followed by an equal one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/plugins/row_pairs.h"
#include "core/table/node_table.h"

namespace stowage {

class UseColumns {
 public:
  struct Column {
    const int64_t* allocatable;
    const int64_t* allocated;
    int64_t request;
    int64_t weight;
  };
  // With amounts below this, hundredfold amounts are exact as doubles, and so are their sums.
  static constexpr int64_t kMaxAmount = int64_t{1} << 43;

  // A chunk with fewer candidates is scored faster row by row.
  static constexpr int kMinCandidates = 12;

  explicit UseColumns(const NodeChunk& chunk) : chunk_(chunk) {}

  // Adds a resource. Returns false if there is no room for it.
  bool Add(const int64_t* allocatable, const int64_t* allocated, int64_t request, int64_t weight);

  std::span<const Column> columns() const { return {columns_.data(), size_}; }
  // The number of rows, rounded up to an even one.
  size_t num_rows() const { return (chunk_.rows.size() + 1) / kPair * kPair; }

 private:
  static constexpr size_t kMax = 4;
  using Amounts = std::array<int64_t, NodeTable::kChunkRows>;

  const int64_t* Read(const int64_t* column, Amounts* copy) const;

  const NodeChunk& chunk_;
  size_t size_ = 0;
  std::array<Column, kMax> columns_;
  std::array<std::array<Amounts, 2>, kMax> copies_;  // of rows that are not neighbours
};

// Checks the amounts that a column form has read: it is exact for allocatable amounts from 1 and
// allocated ones from 0, both up to UseColumns::kMaxAmount.
class AmountCheck {
 public:
  void See(TwoInts allocatable, TwoInts allocated) {
    seen_ |= (allocatable - Both(int64_t{1})) | allocated;
  }
  bool Passes() const { return ((seen_[0] | seen_[1]) & ~(UseColumns::kMaxAmount - 1)) == 0; }

 private:
  TwoInts seen_ = {};
};

}  // namespace stowage
