#include "core/plugins/use_shares.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/simd.h"

namespace stowage {
namespace {

size_t RoundedUp(size_t rows) {
  return (rows + NodeTable::kChunkRows - 1) / NodeTable::kChunkRows * NodeTable::kChunkRows;
}

bool IsInRange(int64_t amount) { return amount >= 0 && amount < UseShares::kMaxAmount; }

}  // namespace

STOWAGE_COLD void UseShares::Reset(size_t rows, size_t resources) {
  columns_.resize(2 * resources + 1);
  for (std::vector<float>& column : columns_) column.assign(RoundedUp(rows), 0);
}

STOWAGE_COLD void UseShares::Move(const Renumbering& moves) {
  for (std::vector<float>& column : columns_) {
    moves.Apply(&column, 0.0F);
    column.resize(RoundedUp(moves.num_rows()), 0);
  }
}

void UseShares::Set(size_t row, std::span<const ResourceUse> uses, int64_t own) {
  bool is_known = uses.size() == num_resources();
  for (const ResourceUse& use : uses) {
    is_known = is_known && IsInRange(use.allocatable - 1) && IsInRange(use.allocated);
  }
  for (size_t index = 0; index < num_resources(); ++index) {
    constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
    double unit = is_known ? 100 / static_cast<double>(uses[index].allocatable) : kUnknown;
    double used = is_known ? static_cast<double>(uses[index].allocated) : kUnknown;
    columns_[index * 2][row] = static_cast<float>(100 - 0.5 - used * unit);
    columns_[index * 2 + 1][row] = static_cast<float>(unit);
  }
  columns_.back()[row] = static_cast<float>(own);
}

bool ChunkShares::Add(const UseShares& shares, int64_t request, int64_t weight) {
  CHECK(size_ < columns_.size());
  columns_[size_] = {Read(shares.left(size_), &copies_[size_ * 2]),
                     Read(shares.unit(size_), &copies_[size_ * 2 + 1]), static_cast<float>(request),
                     static_cast<float>(weight)};
  ++size_;
  return IsInRange(request);
}

STOWAGE_COLD STOWAGE_SIMD uint64_t ChunkShares::BitsOf(std::span<const FourInts> results) {
  LaneBits bits;
  for (size_t four = 0; four < results.size(); ++four) bits.Add(four * 4, results[four]);
  return bits.bits();
}

const float* ChunkShares::Read(const float* column, Shares* copy) const {
  if (chunk_.is_consecutive) return column + chunk_.rows[0];
  size_t count = chunk_.rows.size();
  for (size_t offset = 0; offset < count; ++offset) (*copy)[offset] = column[chunk_.rows[offset]];
  std::fill(copy->begin() + static_cast<ptrdiff_t>(count),
            copy->begin() + static_cast<ptrdiff_t>(num_rows()), 0.0F);
  return copy->data();
}

}  // namespace stowage
