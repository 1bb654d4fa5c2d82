// SharedArray is an array of fixed size whose copies share its items until one of them writes
// (SharedPages).
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "core/base/check.h"
#include "core/base/shared_pages.h"

namespace stowage {

// Items have a default. Those of an array that is never copied need no copy constructor.
template <typename T>
class SharedArray {
 public:
  static constexpr size_t kBlockItems = SharedPages::kBlockItems;

  SharedArray() : pages_(kItemType) {}
  explicit SharedArray(size_t size) : pages_(kItemType, size) {}

  void swap(SharedArray& other) noexcept { pages_.swap(other.pages_); }

  // Adds items with their default, up to that size.
  void Enlarge(size_t size) {
    if (size <= pages_.size()) return;
    SharedArray larger(size);
    for (size_t index = 0; index < pages_.size(); ++index) larger.Mutable(index) = (*this)[index];
    *this = std::move(larger);
  }

  size_t size() const { return pages_.size(); }
  bool empty() const { return pages_.size() == 0; }
  [[gnu::always_inline]] const T& operator[](size_t index) const {
    return Items(pages_.BlockOf(index))[index % kBlockItems];
  }
  // The items from `index` on that are next to each other in memory.
  std::span<const T> RunFrom(size_t index) const {
    SharedPages::Block* block = pages_.BlockOf(index);
    return std::span(Items(block), block->size).subspan(index % kBlockItems);
  }
  // The item for writing. It may move: references to items of its block become invalid.
  T& Mutable(size_t index) { return Items(pages_.MutableBlockOf(index))[index % kBlockItems]; }

 private:
  static T* Items(SharedPages::Block* block) { return At(block + 1); }
  static T* At(void* items) { return std::launder(static_cast<T*>(items)); }

  static void Construct(void* items, size_t count) {
    std::uninitialized_value_construct_n(static_cast<T*>(items), count);
  }
  static void Copy(const void* from, size_t count, void* to) {
    if constexpr (std::is_copy_constructible_v<T>) {
      std::uninitialized_copy_n(static_cast<const T*>(from), count, static_cast<T*>(to));
    } else {
      CHECK(false);
    }
  }
  static void Destroy(void* items, size_t count) { std::destroy_n(At(items), count); }

  static_assert(alignof(T) <= alignof(SharedPages::Block));
  static constexpr SharedPages::ItemType kItemType = {sizeof(T), Construct, Copy, Destroy};

  SharedPages pages_;
};

}  // namespace stowage
