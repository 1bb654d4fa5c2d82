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
  // `moved`: the rows whose previous row is another one.
  void Gather(std::span<const uint32_t> previous, std::span<const uint32_t> moved) {
    std::vector<T> gathered(previous.size());
    std::copy_n(values_.begin(), std::min(values_.size(), previous.size()), gathered.begin());
    for (uint32_t row : moved) {
      gathered[row] = previous[row] == kNoRow ? T() : values_[previous[row]];
    }
    values_ = SharedList<T>(std::move(gathered));
  }

 private:
  SharedList<T> values_;
};

}  // namespace stowage
