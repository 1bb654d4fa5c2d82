// SharedColumn is one value per row of a NodeTable. Copies of a column share the values until one
// of them gets another value.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "core/api/shared.h"
#include "core/table/renumbering.h"

namespace stowage {

template <typename T>
class SharedColumn {
 public:
  std::span<const T> values() const { return {values_.begin(), values_.size()}; }
  const T& operator[](size_t row) const { return values_[row]; }

  void Set(size_t row, const T& value) {
    if (!(values_[row] == value)) values_.Mutable()[row] = value;
  }
  void Append(T value) { values_.push_back(std::move(value)); }
  void Move(const Renumbering& moves) { moves.Apply(&values_.Mutable(), T()); }

 private:
  SharedList<T> values_;
};

}  // namespace stowage
