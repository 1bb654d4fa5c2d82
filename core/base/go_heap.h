// GoHeap keeps a vector in exactly the order of Go's container/heap.
//
// The sift order determines which of several equal items comes out first, and kube-scheduler's
// choice among equal nodes is such a tie; so the sift order is part of the specification (spec 05
// §7). HeapOrder finds the first item without a heap; tests compare it with this.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace stowage {

// `less(a, b)`: a comes out before b. Strict; the order of equal items follows from the algorithm.
template <typename T, typename Less>
class GoHeap {
 public:
  explicit GoHeap(Less less) : less_(std::move(less)) {}

  // Takes `items` and establishes the heap order bottom-up.
  void Init(std::vector<T> items) {
    items_ = std::move(items);
    for (size_t index = items_.size() / 2; index > 0; --index) Down(index - 1, items_.size());
  }

  void Push(T item) {
    items_.push_back(std::move(item));
    Up(items_.size() - 1);
  }

  T Pop() {
    CHECK(!items_.empty());
    size_t last = items_.size() - 1;
    std::swap(items_[0], items_[last]);
    Down(0, last);
    T item = std::move(items_.back());
    items_.pop_back();
    return item;
  }

  bool empty() const { return items_.empty(); }
  size_t size() const { return items_.size(); }
  const std::vector<T>& items() const { return items_; }

 private:
  void Up(size_t index) {
    while (index > 0) {
      size_t parent = (index - 1) / 2;
      if (!less_(items_[index], items_[parent])) break;
      std::swap(items_[parent], items_[index]);
      index = parent;
    }
  }

  void Down(size_t index, size_t size) {
    while (2 * index + 1 < size) {
      size_t child = 2 * index + 1;
      if (child + 1 < size && less_(items_[child + 1], items_[child])) ++child;
      if (!less_(items_[child], items_[index])) break;
      std::swap(items_[index], items_[child]);
      index = child;
    }
  }

  Less less_;
  std::vector<T> items_;
};

}  // namespace stowage
