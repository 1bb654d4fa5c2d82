// SharedArray is an array of fixed size whose copies share its items until one of them writes.
//
// Items are in blocks, and blocks in pages. A copy of the array adds a holder to each page, and the
// first write to a page or block that has other holders copies that page or block alone. So a copy
// of a large array costs little time, and memory in proportion to what is written later. Counts are
// not atomic, because the engine is single-threaded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/cold.h"

namespace stowage {

// Items have a default. Those of an array that is never copied need no copy constructor.
template <typename T>
class SharedArray {
 public:
  // Smaller blocks copy less when written, but large maps leave gaps in memory as they grow.
  static constexpr size_t kBlockItems = 64;
  static constexpr size_t kPageBlocks = 16;

  SharedArray() = default;
  explicit SharedArray(size_t size) : size_(size) {
    pages_.reserve((size + kPageItems - 1) / kPageItems);
    for (size_t first = 0; first < size; first += kPageItems) {
      pages_.push_back(NewPage(std::min(size - first, kPageItems)));
    }
  }
  SharedArray(const SharedArray& other) : pages_(other.pages_), size_(other.size_) {
    for (Page* page : pages_) ++page->holders;
  }
  SharedArray(SharedArray&& other) noexcept
      : pages_(std::move(other.pages_)), size_(std::exchange(other.size_, 0)) {
    other.pages_.clear();
  }
  SharedArray& operator=(SharedArray other) noexcept {
    swap(other);
    return *this;
  }
  ~SharedArray() {
    for (Page* page : pages_) Release(page);
  }

  void swap(SharedArray& other) noexcept {
    pages_.swap(other.pages_);
    std::swap(size_, other.size_);
  }

  // Adds items with their default, up to that size.
  void Enlarge(size_t size) {
    if (size <= size_) return;
    SharedArray larger(size);
    for (size_t index = 0; index < size_; ++index) larger.Mutable(index) = (*this)[index];
    *this = std::move(larger);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  [[gnu::always_inline]] const T& operator[](size_t index) const {
    const Page* page = pages_[index / kPageItems];
    return Items(page->blocks()[index / kBlockItems % kPageBlocks])[index % kBlockItems];
  }
  // The items from `index` on that are next to each other in memory.
  std::span<const T> RunFrom(size_t index) const {
    Block* block = pages_[index / kPageItems]->blocks()[index / kBlockItems % kPageBlocks];
    return std::span(Items(block), block->size).subspan(index % kBlockItems);
  }
  // The item for writing. It may move: references to items of its block become invalid.
  T& Mutable(size_t index) {
    Page* page = pages_[index / kPageItems];
    Block* block = page->blocks()[index / kBlockItems % kPageBlocks];
    if (page->holders > 1 || block->holders > 1) [[unlikely]]
      block = Unshare(index);
    return Items(block)[index % kBlockItems];
  }

 private:
  static constexpr size_t kPageItems = kBlockItems * kPageBlocks;

  // Its items follow it in memory.
  struct alignas(T) alignas(uint64_t) Block {
    uint32_t holders;
    uint32_t size;
  };
  // Its blocks follow it in memory.
  struct alignas(uint64_t) Page {
    uint32_t holders;
    uint32_t size;

    Block** blocks() { return reinterpret_cast<Block**>(this + 1); }
    Block* const* blocks() const { return reinterpret_cast<Block* const*>(this + 1); }
    std::span<Block*> all() { return {blocks(), size}; }
  };

  static T* Items(Block* block) { return std::launder(reinterpret_cast<T*>(block + 1)); }
  static Page* NewRawPage(size_t blocks) {
    void* memory = ::operator new(sizeof(Page) + blocks * sizeof(Block*));
    return new (memory) Page{1, static_cast<uint32_t>(blocks)};
  }
  STOWAGE_COLD static Page* NewPage(size_t items) {
    Page* page = NewRawPage((items + kBlockItems - 1) / kBlockItems);
    for (Block*& block : page->all()) {
      block = NewBlock(std::min(items, kBlockItems));
      items -= block->size;
    }
    return page;
  }
  static Block* NewRawBlock(size_t size) {
    void* memory = ::operator new(sizeof(Block) + size * sizeof(T));
    return new (memory) Block{1, static_cast<uint32_t>(size)};
  }
  static Block* NewBlock(size_t size) {
    Block* block = NewRawBlock(size);
    std::uninitialized_value_construct_n(reinterpret_cast<T*>(block + 1), size);
    return block;
  }
  // Copies the item's page and block if they have other holders. Returns the block.
  STOWAGE_COLD Block* Unshare(size_t index) {
    Page*& page = pages_[index / kPageItems];
    if (page->holders > 1) page = CopyOf(page);
    Block*& block = page->blocks()[index / kBlockItems % kPageBlocks];
    if (block->holders > 1) block = CopyOf(block);
    return block;
  }
  // Leaves `page` to its other holders.
  static Page* CopyOf(Page* page) {
    Page* copy = NewRawPage(page->size);
    std::ranges::copy(page->all(), copy->blocks());
    for (Block* block : copy->all()) ++block->holders;
    --page->holders;
    return copy;
  }
  // Leaves `block` to its other holders.
  static Block* CopyOf(Block* block) {
    if constexpr (std::is_copy_constructible_v<T>) {
      Block* copy = NewRawBlock(block->size);
      std::uninitialized_copy_n(Items(block), block->size, reinterpret_cast<T*>(copy + 1));
      --block->holders;
      return copy;
    } else {
      CHECK(false);
    }
  }
  static void Release(Page* page) {
    if (--page->holders > 0) return;
    for (Block* block : page->all()) Release(block);
    ::operator delete(page);
  }
  static void Release(Block* block) {
    if (--block->holders > 0) return;
    std::destroy_n(Items(block), block->size);
    ::operator delete(block);
  }

  std::vector<Page*> pages_;
  size_t size_ = 0;
};

}  // namespace stowage
