// SharedColumn is one value per row of a NodeTable. Copies of a column share the values until one
// of them gets another value.
#pragma once

#include <algorithm>
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
    if (values_[row] == value) return;
    is_uniform_ = false;
    values_.Mutable()[row] = value;
  }
  void Append(T value) {
    is_uniform_ = false;
    values_.push_back(std::move(value));
  }
  // Set the values of new rows afterwards.
  void Move(const Renumbering& moves) {
    if (moves.num_rows() == 0) is_uniform_ = false;
    if (!is_uniform_) return moves.Apply(&values_.Mutable(), T());
    if (moves.num_rows() != values_.size()) values_.Mutable().resize(moves.num_rows(), values_[0]);
  }
  [[gnu::noinline]] bool AreAll(const T& value) const {
    if (is_uniform_) return values_[0] == value;
    return std::ranges::count(values_, value) == static_cast<ptrdiff_t>(values_.size());
  }
  // Looks whether all rows have the same value, as in many clusters: then nothing moves.
  void FindUniform() {
    is_uniform_ = false;
    is_uniform_ = !values_.empty() && AreAll(values_[0]);
  }

 private:
  SharedList<T> values_;
  bool is_uniform_ = false;  // whether all rows are known to have the same value
};

}  // namespace stowage
