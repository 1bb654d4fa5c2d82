// SearchWindow is the part of the node list that a search visits, over the set of feasible rows
// (spec 05 §5.2).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/bitset.h"
#include "core/base/check.h"

namespace stowage {

// The rows that a search visits, in visit order from `start`, wrapping around at the end.
struct SearchWindow {
  size_t start = 0;
  size_t evaluated = 0;  // rows visited
  size_t feasible = 0;   // of these, rows that pass
};

// The window that ends before the first surplus feasible row; `total` rows are feasible.
inline SearchWindow FindWindow(const Bitset& feasible, size_t total, size_t start, size_t want) {
  size_t rows = feasible.size();
  CHECK(start < rows);
  if (total <= want) return {start, rows, total};
  // The first surplus feasible row, counted from `start` and wrapping around.
  size_t rank = feasible.Rank(start) + want;
  bool is_wrapped = rank >= total;
  size_t surplus = feasible.Select(is_wrapped ? rank - total : rank);
  return {start, (is_wrapped ? surplus + rows : surplus) - start, want};
}

// Visits the words of the feasible set in visit order, cut to the window: visit(word, its bits,
// number of feasible rows before it).
template <typename Visit>
void ForEachWord(const Bitset& feasible, const SearchWindow& window, Visit visit) {
  size_t rows = feasible.size();
  size_t end = window.start + window.evaluated;
  uint32_t position = 0;
  auto segment = [&](size_t first, size_t last) {
    for (size_t word = first / 64; word * 64 < last; ++word) {
      uint64_t bits = feasible.word(word);
      if (word * 64 < first) bits &= ~uint64_t{0} << (first % 64);
      if (last - word * 64 < 64) bits &= (uint64_t{1} << (last - word * 64)) - 1;
      if (bits == 0) continue;
      visit(word, bits, position);
      position += static_cast<uint32_t>(std::popcount(bits));
    }
  };
  segment(window.start, std::min(end, rows));
  if (end > rows) segment(0, end - rows);
}

// Visits the window's feasible rows in visit order: visit(position in the feasible list, row).
template <typename Visit>
void ForEachFeasible(const Bitset& feasible, const SearchWindow& window, Visit visit) {
  ForEachWord(feasible, window, [&visit](size_t word, uint64_t bits, uint32_t position) {
    if (bits == ~uint64_t{0}) {
      for (size_t row = word * 64; row < (word + 1) * 64; ++row) visit(position++, row);
      return;
    }
    for (; bits != 0; bits &= bits - 1) {
      visit(position++, word * 64 + static_cast<size_t>(std::countr_zero(bits)));
    }
  });
}

}  // namespace stowage
