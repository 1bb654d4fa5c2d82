// Bitset is a set of rows of any size, 64 rows per word, with rank and select.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/check.h"

namespace stowage {

// Calls visit(offset) for each bit that is set, in order. Usually all of them are.
template <typename Visit>
void ForEachBit(uint64_t bits, Visit visit) {
  if (bits == ~uint64_t{0}) {
    for (size_t offset = 0; offset < 64; ++offset) visit(offset);
    return;
  }
  for (; bits != 0; bits &= bits - 1) visit(static_cast<size_t>(std::countr_zero(bits)));
}

// The same for several words, of which usually few bits are set. Offsets count through all words.
template <typename Visit>
void ForEachBit(std::span<const uint64_t> words, Visit visit) {
  for (size_t word = 0; word < words.size(); ++word) {
    for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
      visit(word * 64 + static_cast<size_t>(std::countr_zero(bits)));
    }
  }
}

class Bitset {
 public:
  static constexpr size_t kWordBits = 64;

  Bitset() = default;
  explicit Bitset(size_t size) { Resize(size); }

  // Sets the size and clears all bits.
  void Resize(size_t size) {
    size_ = size;
    words_.assign((size + kWordBits - 1) / kWordBits, 0);
    before_.assign(words_.size(), 0);
    num_counted_ = 0;
    num_full_ = 0;
  }

  // Sets the size and keeps the rows below it.
  void SetSize(size_t size) {
    size_ = size;
    words_.resize((size + kWordBits - 1) / kWordBits, 0);
    before_.resize(words_.size(), 0);
    num_counted_ = std::min(num_counted_, words_.size());
    num_full_ = std::min(num_full_, size / kWordBits * kWordBits);
    if (size % kWordBits != 0) words_.back() &= (uint64_t{1} << (size % kWordBits)) - 1;
  }

  size_t size() const { return size_; }
  size_t word_count() const { return words_.size(); }
  uint64_t word(size_t index) const { return words_[index]; }
  std::span<const uint64_t> words() const { return words_; }

  bool Test(size_t row) const { return (words_[row / kWordBits] >> (row % kWordBits) & 1) != 0; }
  void Set(size_t row, bool value) {
    CHECK(row < size_);
    uint64_t bit = uint64_t{1} << (row % kWordBits);
    uint64_t& word = words_[row / kWordBits];
    uint64_t changed = value ? word | bit : word & ~bit;
    if (changed != word) Change(row / kWordBits);
    word = changed;
  }

  // Replaces a whole word; bits beyond size() must be 0.
  void SetWord(size_t index, uint64_t word) {
    if (words_[index] != word) Change(index);
    words_[index] = word;
  }

  // Becomes the rows of `other` that are not in `removed`, given by its words.
  void AssignWithout(const Bitset& other, std::span<const uint64_t> removed) {
    CHECK(removed.size() == other.words_.size());
    size_ = other.size_;
    words_.resize(removed.size());
    before_.resize(removed.size());
    const uint64_t* words = other.words_.data();
    for (size_t index = 0; index < removed.size(); ++index) {
      words_[index] = words[index] & ~removed[index];
    }
    num_counted_ = 0;
    num_full_ = 0;
  }

  // Removes the rows of another set, given by its words.
  void Remove(std::span<const uint64_t> words) {
    CHECK(words.size() == words_.size());
    for (size_t index = 0; index < words_.size(); ++index) words_[index] &= ~words[index];
    Change(0);
  }

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

  // The number of set rows before `row` (row ≤ size).
  size_t Rank(size_t row) const {
    if (row <= num_full_) return row;
    size_t index = row / kWordBits;
    if (index == words_.size()) return Count();
    CountUpTo(index);
    uint64_t mask = (uint64_t{1} << (row % kWordBits)) - 1;
    return before_[index] + static_cast<size_t>(std::popcount(words_[index] & mask));
  }

  // The set row with `rank` set rows before it; size() if there is none.
  size_t Select(size_t rank) const { return rank < num_full_ ? rank : SelectCounted(rank); }

  // The first set row from `row` on; size() if there is none.
  size_t NextSet(size_t row) const {
    if (row >= size_) return size_;
    size_t index = row / kWordBits;
    uint64_t word = words_[index] & ~uint64_t{0} << (row % kWordBits);
    while (word == 0) {
      if (++index == words_.size()) return size_;
      word = words_[index];
    }
    return index * kWordBits + static_cast<size_t>(std::countr_zero(word));
  }

 private:
  size_t SelectCounted(size_t rank) const {
    if (words_.empty()) return size_;
    CountUpTo(words_.size() - 1);
    if (rank < num_full_) return rank;
    const size_t index = WordOfRank(rank);
    const uint64_t word = words_[index];
    const size_t rest = rank - before_[index];
    if (rest >= static_cast<size_t>(std::popcount(word))) return size_;
    return index * kWordBits + (word == ~uint64_t{0} ? rest : SelectIn(word, rest));
  }

  // The last word with at most `rank` set rows before it. All words have been counted.
  size_t WordOfRank(size_t rank) const {
    // Usually the set rows are spread evenly.
    const size_t last = words_.size() - 1;
    const float share = static_cast<float>(rank) / static_cast<float>(before_[last] + 1);
    const size_t guess = std::min(static_cast<size_t>(share * static_cast<float>(last)), last);
    const bool is_late = before_[guess] > rank && guess > 0;
    const size_t index = is_late ? guess - 1 : guess;
    if (before_[index] <= rank) {
      if (index == last || before_[index + 1] > rank) return index;
      if (index + 1 == last || before_[index + 2] > rank) return index + 1;
    }
    return static_cast<size_t>(std::ranges::upper_bound(before_, rank) - before_.begin()) - 1;
  }

  // The bit of the word with `rank` set bits before it; there must be one. Without branches, which
  // could not be predicted: adds up the set bits byte by byte, compares all sums with the rank at
  // once, and does the same with the bits of the byte.
  static size_t SelectIn(uint64_t word, size_t rank) {
    constexpr uint64_t kOnes = 0x0101010101010101;
    constexpr uint64_t kHighs = 0x80 * kOnes;
    uint64_t sums = word - (word >> 1 & 0x55 * kOnes);
    sums = (sums & 0x33 * kOnes) + (sums >> 2 & 0x33 * kOnes);
    sums = ((sums + (sums >> 4)) & 0x0f * kOnes) * kOnes;
    const uint64_t passed = ((rank * kOnes | kHighs) - sums) & kHighs;
    const auto first = static_cast<size_t>(std::popcount(passed)) * 8;
    const uint64_t rest = rank - (sums << 8 >> first & 0xff);
    const uint64_t bits = ((word >> first & 0xff) * kOnes & 0x8040201008040201);
    const uint64_t are_set = ((bits | ((bits | kHighs) - kOnes)) & kHighs) >> 7;
    const uint64_t passed_bits = ((rest * kOnes | kHighs) - are_set * kOnes) & kHighs;
    return first + static_cast<size_t>(std::popcount(passed_bits));
  }

  // Forgets what depends on the words from `index` on.
  void Change(size_t index) {
    num_counted_ = std::min(num_counted_, index + 1);
    num_full_ = std::min(num_full_, index * kWordBits);
  }

  void CountUpTo(size_t index) const {
    if (num_counted_ <= index) CountBefore(index + 1);
  }

  // Counts the rows before each of the first words, more than are known. The members are
  // read and written once, because the compiler cannot tell them from the counts.
  void CountBefore(size_t num_words) const {
    const size_t first = std::max<size_t>(num_counted_, 1);
    size_t count = before_[first - 1];
    uint32_t* before = before_.data();
    const uint64_t* words = words_.data();
    size_t index = first;
    // While all rows so far are set.
    if (count == (first - 1) * kWordBits) {
      for (; index < num_words && words[index - 1] == ~uint64_t{0}; ++index) {
        before[index] = static_cast<uint32_t>(index * kWordBits);
      }
      count = (index - 1) * kWordBits;
      num_full_ = std::max(num_full_, count);
    }
    for (; index < num_words; ++index) {
      count += static_cast<size_t>(std::popcount(words[index - 1]));
      before[index] = static_cast<uint32_t>(count);
    }
    num_counted_ = num_words;
  }

  size_t size_ = 0;
  std::vector<uint64_t> words_;
  // The number of set rows before each word, for as many words as have been counted since the last
  // change.
  mutable std::vector<uint32_t> before_;
  mutable size_t num_counted_ = 0;
  mutable size_t num_full_ = 0;  // so many rows from the first one on are known to be set
};

}  // namespace stowage
