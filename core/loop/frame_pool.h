// FramePool keeps the memory of coroutine frames that have ended for those to come: every pod makes
// the same few, which would otherwise be large allocations.
//
// One per program, as the engine is single-threaded; it keeps at most kKeptMax blocks of each size.
#pragma once

#include <cstddef>
#include <new>

namespace stowage {

class FramePool {
 public:
  static void* New(size_t size) {
    size_t index = IndexOf(size);
    if (index >= kSizes) return ::operator new(size);
    SizeClass& blocks = sizes_[index];
    if (blocks.first == nullptr) return ::operator new((index + 1) * kStep);
    --blocks.kept;
    Block* block = blocks.first;
    blocks.first = block->next;
    return block;
  }

  // `size` as it was asked for.
  static void Delete(void* frame, size_t size) {
    size_t index = IndexOf(size);
    if (index >= kSizes || sizes_[index].kept == kKeptMax) return ::operator delete(frame);
    SizeClass& blocks = sizes_[index];
    ++blocks.kept;
    blocks.first = new (frame) Block{blocks.first};
  }

 private:
  static constexpr size_t kStep = 64;
  static constexpr size_t kSizes = 48;
// The address sanitizer is to see every frame come and go.
#if defined(__SANITIZE_ADDRESS__)
  static constexpr size_t kKeptMax = 0;
#else
  static constexpr size_t kKeptMax = 8;
#endif

  struct Block {
    Block* next;
  };
  struct SizeClass {
    Block* first;
    size_t kept;
  };

  static size_t IndexOf(size_t size) { return (size - 1) / kStep; }

  inline static SizeClass sizes_[kSizes] = {};
};

}  // namespace stowage
