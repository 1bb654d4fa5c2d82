// Shared<T> and SharedList<T> are values whose copies share one T until one of them is changed.
//
// Pods of one template are equal in nearly all of their parts, and so is a pod before and after its
// binding. Sharing makes a copy of a pod a few additions, and keeps the parts in memory once. They
// read like a const std::optional<T> and std::vector<T>. To write, call Mutable(), which copies the
// T first if it is shared. Do not write through a reference from Mutable() after the value was
// copied. Counts are not atomic, because the engine is single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace stowage {

// A T or nothing.
template <typename T>
class Shared {
 public:
  Shared() = default;
  Shared(T value) : block_(new Block{1, std::move(value)}) {}  // NOLINT: implicit on purpose
  Shared(std::nullopt_t) {}                                    // NOLINT: implicit on purpose
  Shared(const Shared& other) : block_(other.block_) {
    if (block_ != nullptr) ++block_->holders;
  }
  Shared(Shared&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Shared() { reset(); }

  bool has_value() const { return block_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return block_->value; }
  const T* operator->() const { return &block_->value; }

  // The value for writing, created if there is none.
  T& Mutable() {
    if (block_ == nullptr) return emplace();
    if (block_->holders > 1) {
      --block_->holders;
      block_ = new Block{1, block_->value};
    }
    return block_->value;
  }
  // As Mutable, for a T that no other value shares: the caller needs no code to copy it.
  T& MutableUnshared() {
    if (block_ == nullptr) return emplace();
    CHECK(block_->holders == 1);
    return block_->value;
  }
  T& emplace() {
    reset();
    block_ = new Block{1, T()};
    return block_->value;
  }
  void reset() {
    Block* block = std::exchange(block_, nullptr);
    if (block != nullptr && --block->holders == 0) delete block;
  }

  // Whether both share one T, or have none; equal values may differ.
  bool IsSame(const Shared& other) const { return block_ == other.block_; }
  friend bool operator==(const Shared& a, const Shared& b) {
    if (a.IsSame(b)) return true;
    return a.has_value() && b.has_value() && *a == *b;
  }

 private:
  struct Block {
    uint32_t holders;
    T value;
  };

  Block* block_ = nullptr;
};

template <typename T>
class SharedList {
 public:
  using value_type = T;
  using const_iterator = const T*;

  SharedList() = default;
  SharedList(std::vector<T> items) {  // NOLINT: implicit on purpose
    if (!items.empty()) items_ = std::move(items);
  }
  SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}

  const T* begin() const { return items_ ? items_->data() : nullptr; }
  const T* end() const { return begin() + size(); }
  auto rbegin() const { return std::make_reverse_iterator(end()); }
  auto rend() const { return std::make_reverse_iterator(begin()); }
  size_t size() const { return items_ ? items_->size() : 0; }
  bool empty() const { return size() == 0; }
  const T& operator[](size_t index) const { return begin()[index]; }
  const T& at(size_t index) const { return items_->at(index); }
  const T& front() const { return *begin(); }
  const T& back() const { return end()[-1]; }

  // The items for writing.
  std::vector<T>& Mutable() { return items_.Mutable(); }
  void push_back(T item) { Mutable().push_back(std::move(item)); }
  T& emplace_back() { return Mutable().emplace_back(); }
  // As emplace_back, for a list that no other value shares.
  T& EmplaceBackUnshared() { return items_.MutableUnshared().emplace_back(); }
  void clear() { items_.reset(); }

  // Whether both share one list, or have none; equal lists may differ.
  bool IsSame(const SharedList& other) const { return items_.IsSame(other.items_); }
  friend bool operator==(const SharedList& a, const SharedList& b) {
    if (a.IsSame(b)) return true;
    if (a.size() != b.size()) return false;
    return a.empty() || *a.items_ == *b.items_;
  }

 private:
  Shared<std::vector<T>> items_;
};

}  // namespace stowage
