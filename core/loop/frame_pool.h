// FramePool reuses the memory of finished coroutine frames: every pod creates the same few frames,
// which would otherwise be large allocations.
//
// There is one pool per program, because the engine is single-threaded. It keeps at most kKeptMax
// blocks of each size.
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

  // `size` is the one passed to New, in bytes.
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
// Under the address sanitizer nothing is reused, so that it checks every frame.
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
