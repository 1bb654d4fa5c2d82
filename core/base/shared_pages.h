// SharedPages is the memory of a SharedArray: what does not depend on the type of its items, so
// that it is compiled once for all types.
//
// Items are in blocks, and blocks in pages. A copy adds a holder to each page, and the first write
// to a page or block that has other holders copies that page or block alone. So a copy of a large
// array costs little time, and memory in proportion to what is written later. Counts are not
// atomic, because the engine is single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

class SharedPages {
 public:
  // Smaller blocks copy less when written, but large maps leave gaps in memory as they grow.
  static constexpr size_t kBlockItems = 64;

  // What an item's type does with `count` items that are next to each other.
  struct ItemType {
    size_t size;
    void (*construct)(void* items, size_t count);  // with their default
    void (*copy)(const void* from, size_t count, void* to);
    void (*destroy)(void* items, size_t count);
  };
  // Its items follow it in memory.
  struct alignas(uint64_t) Block {
    uint32_t holders;
    uint32_t size;
  };

  explicit SharedPages(const ItemType& type) : type_(&type) {}
  SharedPages(const ItemType& type, size_t size);
  SharedPages(const SharedPages& other);
  SharedPages(SharedPages&& other) noexcept : type_(other.type_) { swap(other); }
  SharedPages& operator=(SharedPages other) noexcept {
    swap(other);
    return *this;
  }
  ~SharedPages() {
    if (!pages_.empty()) ReleaseAll();
  }

  void swap(SharedPages& other) noexcept {
    std::swap(type_, other.type_);
    pages_.swap(other.pages_);
    std::swap(size_, other.size_);
  }

  size_t size() const { return size_; }
  // The block of the item with that index, in which it is the one at `index % kBlockItems`.
  [[gnu::always_inline]] Block* BlockOf(size_t index) const {
    return pages_[index / kPageItems]->blocks()[index / kBlockItems % kPageBlocks];
  }
  // As BlockOf, for writing: it has no other holders.
  [[gnu::always_inline]] Block* MutableBlockOf(size_t index) {
    Block* block = BlockOf(index);
    bool is_shared = pages_[index / kPageItems]->holders > 1 || block->holders > 1;
    if (is_shared) [[unlikely]]
      return Unshare(index);
    return block;
  }

 private:
  static constexpr size_t kPageBlocks = 16;
  static constexpr size_t kPageItems = kBlockItems * kPageBlocks;

  // Its blocks follow it in memory.
  struct alignas(uint64_t) Page {
    uint32_t holders;
    uint32_t size;

    Block** blocks() { return reinterpret_cast<Block**>(this + 1); }
    std::span<Block*> all() { return {blocks(), size}; }
  };

  static Page* NewPage(size_t blocks);
  Block* NewBlock(size_t items) const;
  // Copies the item's page and block if they have other holders. Returns the block.
  Block* Unshare(size_t index);
  void Release(Page* page) const;
  void ReleaseAll();

  const ItemType* type_;
  std::vector<Page*> pages_;
  size_t size_ = 0;
};

}  // namespace stowage
