// UseShares keeps what ResourceUse says about each row as floats: what is left of each resource, in
// percent of what the node has. With them, scores are computed for four rows at a time, without a
// division. Floats are not exact: a scorer says which rows' results are so close to a boundary that
// the exact rule must decide.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/lanes.h"
#include "core/base/simd.h"
#include "core/plugins/resource_use.h"
#include "core/table/node_table.h"

namespace stowage {

class UseShares {
 public:
  // Up to so many resources, and amounts below this, which leave room for percentages.
  static constexpr size_t kMaxResources = 4;
  static constexpr int64_t kMaxAmount = int64_t{1} << 56;

  void Reset(size_t rows, size_t resources);
  // Values move to their rows' new places. Set those of new rows afterwards.
  void Move(const Renumbering& moves);
  // `own`: a number that the scorer wants back. If the row lacks a resource, or an amount is out of
  // range, its results will never be sure.
  void Set(size_t row, std::span<const ResourceUse> uses, int64_t own);

  // By row, less one half, which saves rounding down a step; these and the following ones are
  // readable up to a multiple of 64 rows.
  const float* left(size_t resource) const { return columns_[resource * 2].data(); }
  // The percentage that one unit of the resource is.
  const float* unit(size_t resource) const { return columns_[resource * 2 + 1].data(); }
  const float* own() const { return columns_.back().data(); }

 private:
  size_t num_resources() const { return columns_.size() / 2; }

  // Of each resource two, then `own`; rows are rounded up.
  std::vector<std::vector<float>> columns_;
};

// The shares of a chunk's rows, and a pod's requests. The chunk may have any number of neighbours.
class ChunkShares {
 public:
  struct Column {
    const float* left;
    const float* unit;
    float request;
    float weight;

    // What is left with the pod, less one half.
    FourFloats LessOn(size_t offset) const {
      return LoadLanes<FourFloats>(left + offset) -
             LoadLanes<FourFloats>(unit + offset) * Four(request);
    }
  };
  // Enough for all errors of LessOn between 0 and 100, which are below 0.00003.
  static constexpr float kMargin = 1.0F / 8192;

  // A chunk with fewer candidates is scored faster row by row.
  static constexpr int kMinCandidates = 12;

  explicit ChunkShares(const NodeChunk& chunk) : chunk_(chunk) {}

  // Adds the next resource of `shares`. Returns false if the amount is out of range.
  bool Add(const UseShares& shares, int64_t request, int64_t weight);
  void AddOwn(const UseShares& shares) { own_ = Read(shares.own(), &copies_.back()); }

  std::span<const Column> columns() const { return {columns_.data(), size_}; }
  const float* own() const { return own_; }
  // The number of rows, rounded up to a multiple of four.
  size_t num_rows() const { return (chunk_.rows.size() + 3) / 4 * 4; }
  // Adds weight × score for the rows of which the scorer is sure, and removes them from `rest`.
  // Scorer::operator() scores the four rows at an offset.
  template <typename Scorer>
  STOWAGE_SIMD void AddSure(Scorer scorer, int32_t weight, int32_t* totals,
                            std::span<uint64_t> rest) const;

 private:
  using Shares = std::array<float, NodeTable::kChunkRows>;

  const float* Read(const float* column, Shares* copy) const;
  // The results of comparisons of four rows each, as bits.
  static uint64_t BitsOf(std::span<const FourInts> results);

  const NodeChunk& chunk_;
  size_t size_ = 0;
  std::array<Column, UseShares::kMaxResources> columns_;
  const float* own_ = nullptr;
  std::array<Shares, UseShares::kMaxResources * 2 + 1> copies_;  // of rows that are not neighbours
};

// The scores of four rows, and which of them are sure.
struct FourScores {
  FourInts scores;
  FourInts are_sure;
};

// Four values rounded down. `less` is one half less than they are, because rounding down is
// rounding that to the nearest number.
struct RoundedDown {
  explicit RoundedDown(FourFloats less)
      : values(less + Four(kNoFraction) - Four(kNoFraction)), errors(Absolute(less - values)) {}

  // Whether the values are sure of which these are the largest errors: others may be wrong by one.
  // A value that is no number is not sure.
  static FourInts AreSure(FourFloats errors) { return errors < Four(0.5F - ChunkShares::kMargin); }

  FourFloats values;
  FourFloats errors;
};

template <typename Scorer>
STOWAGE_SIMD void ChunkShares::AddSure(Scorer scorer, int32_t weight, int32_t* totals,
                                       std::span<uint64_t> rest) const {
  constexpr size_t kWordRows = NodeTable::kChunkRows;
  for (size_t word = 0; word < rest.size(); ++word) {
    if (rest[word] == 0) continue;
    const size_t first = word * kWordRows;
    const size_t size = std::min(num_rows() - first, kWordRows);
    std::array<FourInts, kWordRows / 4> sure;
    FourInts all = Four(-1);
    for (size_t offset = 0; offset < size; offset += 4) {
      const FourScores four = scorer(first + offset);
      AddLanes((four.scores * Four(weight)) & four.are_sure, totals + first + offset);
      sure[offset / 4] = four.are_sure;
      all &= four.are_sure;
    }
    // Usually all are.
    rest[word] &= MaskOf(all) == 0xf ? 0 : ~BitsOf({sure.data(), size / 4});
  }
}

}  // namespace stowage
