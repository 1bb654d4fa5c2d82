// SharedColumn is one value per row of a NodeTable. Copies of a column share the values until one
// of them gets another value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/api/shared.h"

namespace stowage {

// In place of a row number: there is no such row.
inline constexpr uint32_t kNoRow = 0xffffffff;

template <typename T>
class SharedColumn {
 public:
  std::span<const T> values() const { return {values_.begin(), values_.size()}; }
  const T& operator[](size_t row) const { return values_[row]; }

  void Set(size_t row, const T& value) {
    if (!(values_[row] == value)) values_.Mutable()[row] = value;
  }
  void Append(T value) { values_.push_back(std::move(value)); }
  // Moves each row's value from its previous row; rows without one (kNoRow) get the default.
  void Gather(std::span<const uint32_t> previous) {
    std::vector<T> gathered(previous.size());
    // Neighbours usually stay neighbours, and are copied together.
    for (size_t row = 0; row < previous.size();) {
      size_t first = row++;
      if (previous[first] == kNoRow) continue;
      while (row < previous.size() && previous[row] == previous[row - 1] + 1) ++row;
      std::copy_n(values_.begin() + previous[first], row - first, gathered.begin() + first);
    }
    values_ = SharedList<T>(std::move(gathered));
  }

 private:
  SharedList<T> values_;
};

}  // namespace stowage
