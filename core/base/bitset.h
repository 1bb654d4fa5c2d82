// Bitset is a row set of any size, 64 rows a word, with rank and select.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.h"

namespace stowage {

class Bitset {
 public:
  static constexpr size_t kWordBits = 64;

  Bitset() = default;
  explicit Bitset(size_t size) { Resize(size); }

  // All bits are cleared.
  void Resize(size_t size) {
    size_ = size;
    words_.assign((size + kWordBits - 1) / kWordBits, 0);
  }

  size_t size() const { return size_; }
  size_t word_count() const { return words_.size(); }
  uint64_t word(size_t index) const { return words_[index]; }

  bool Test(size_t row) const { return (words_[row / kWordBits] >> (row % kWordBits) & 1) != 0; }
  void Set(size_t row, bool value) {
    CHECK(row < size_);
    uint64_t bit = uint64_t{1} << (row % kWordBits);
    uint64_t& word = words_[row / kWordBits];
    word = value ? word | bit : word & ~bit;
  }

  // Takes a whole word; bits beyond size() must be 0.
  void SetWord(size_t index, uint64_t word) { words_[index] = word; }

  // Visits the set rows in order.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t index = 0; index < words_.size(); ++index) {
      for (uint64_t word = words_[index]; word != 0; word &= word - 1) {
        visit(index * kWordBits + static_cast<size_t>(std::countr_zero(word)));
      }
    }
  }

  size_t Count() const {
    size_t count = 0;
    for (uint64_t word : words_) count += static_cast<size_t>(std::popcount(word));
    return count;
  }

  // Number of set rows before `row` (row ≤ size).
  size_t Rank(size_t row) const {
    size_t count = 0;
    for (size_t index = 0; index < row / kWordBits; ++index) {
      count += static_cast<size_t>(std::popcount(words_[index]));
    }
    if (row % kWordBits != 0) {
      uint64_t mask = (uint64_t{1} << (row % kWordBits)) - 1;
      count += static_cast<size_t>(std::popcount(words_[row / kWordBits] & mask));
    }
    return count;
  }

  // The set row that has `rank` set rows before it; size() when there is none.
  size_t Select(size_t rank) const {
    for (size_t index = 0; index < words_.size(); ++index) {
      size_t count = static_cast<size_t>(std::popcount(words_[index]));
      if (rank >= count) {
        rank -= count;
        continue;
      }
      uint64_t word = words_[index];
      for (; rank > 0; --rank) word &= word - 1;
      return index * kWordBits + static_cast<size_t>(std::countr_zero(word));
    }
    return size_;
  }

 private:
  size_t size_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace stowage
