// SharedArray is an array of fixed size whose copies share its items until one of them writes.
//
// Items are in blocks. A copy of the array adds a holder to each block, and the first write to a
// block that has other holders copies that block alone. So a copy of a large array costs little
// time, and memory in proportion to what is written later. Counts are not atomic, because the
// engine is single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace stowage {

// Items have a default. Those of an array that is never copied need no copy constructor.
template <typename T>
class SharedArray {
 public:
  static constexpr size_t kBlockItems = 64;

  SharedArray() = default;
  explicit SharedArray(size_t size) : size_(size) {
    blocks_.reserve((size + kBlockItems - 1) / kBlockItems);
    for (size_t first = 0; first < size; first += kBlockItems) {
      blocks_.push_back(NewBlock(size - first < kBlockItems ? size - first : kBlockItems));
    }
  }
  SharedArray(const SharedArray& other) : blocks_(other.blocks_), size_(other.size_) {
    for (Block* block : blocks_) ++block->holders;
  }
  SharedArray(SharedArray&& other) noexcept
      : blocks_(std::move(other.blocks_)), size_(std::exchange(other.size_, 0)) {
    other.blocks_.clear();
  }
  SharedArray& operator=(SharedArray other) noexcept {
    swap(other);
    return *this;
  }
  ~SharedArray() {
    for (Block* block : blocks_) Release(block);
  }

  void swap(SharedArray& other) noexcept {
    blocks_.swap(other.blocks_);
    std::swap(size_, other.size_);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t index) const {
    return Items(blocks_[index / kBlockItems])[index % kBlockItems];
  }
  // The item for writing. It may move: references to items of its block become invalid.
  T& Mutable(size_t index) {
    Block*& block = blocks_[index / kBlockItems];
    if (block->holders > 1) block = CopyOf(block);
    return Items(block)[index % kBlockItems];
  }

 private:
  // Its items follow it in memory.
  struct alignas(T) alignas(uint64_t) Block {
    uint32_t holders;
    uint32_t size;
  };

  static T* Items(Block* block) { return std::launder(reinterpret_cast<T*>(block + 1)); }
  static Block* NewRawBlock(size_t size) {
    void* memory = ::operator new(sizeof(Block) + size * sizeof(T));
    return new (memory) Block{1, static_cast<uint32_t>(size)};
  }
  static Block* NewBlock(size_t size) {
    Block* block = NewRawBlock(size);
    std::uninitialized_value_construct_n(reinterpret_cast<T*>(block + 1), size);
    return block;
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
  static void Release(Block* block) {
    if (--block->holders > 0) return;
    std::destroy_n(Items(block), block->size);
    ::operator delete(block);
  }

  std::vector<Block*> blocks_;
  size_t size_ = 0;
};

}  // namespace stowage
