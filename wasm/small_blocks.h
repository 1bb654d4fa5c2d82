// SmallBlocks is where operator new takes small objects from in the WebAssembly module.
//
// A decision makes and frees some forty of them, and Emscripten's malloc, which looks for the best
// fit and joins neighbours, took a tenth of its time. Here sizes are rounded up to sixteen bytes
// and each has a list of free blocks, so that both ways are a few instructions. Blocks are cut from
// runs of 4 KiB, sixteen of which come from malloc at a time; a run keeps its size for good.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stowage {

class SmallBlocks {
 public:
  static constexpr size_t kMaxSize = 1024;

  // A block of `size` bytes, at most kMaxSize, aligned to sixteen; null when memory is exhausted.
  void* Allocate(size_t size) {
    size_t of = ClassOf(size);
    FreeBlock* block = free_[of];
    if (block == nullptr) return AllocateFromRun(of);
    free_[of] = block->next;
    return block;
  }

  // Whether Allocate gave it.
  bool Has(const void* block) const {
    size_t chunk = reinterpret_cast<uintptr_t>(block) / kChunkSize;
    return (is_ours_[chunk / 32] >> (chunk % 32) & 1) != 0;
  }

  // A block that Allocate gave; `size` is what it was asked for.
  void Free(void* block, size_t size) { Put(block, ClassOf(size)); }
  void Free(void* block);

 private:
  struct FreeBlock {
    FreeBlock* next;
  };
  // At the beginning of every chunk: which sizes its runs are cut into.
  struct ChunkHeader {
    uint8_t size_class[16];
  };

  static constexpr size_t kGranule = 16;
  static constexpr size_t kRunSize = 4096;
  static constexpr size_t kChunkSize = 65536;
  static_assert(sizeof(ChunkHeader) == kChunkSize / kRunSize);
  static_assert(sizeof(void*) == 4, "is_ours_ covers addresses of 32 bits");

  static size_t ClassOf(size_t size) { return size == 0 ? 1 : (size + kGranule - 1) / kGranule; }

  void* AllocateFromRun(size_t size_class);
  bool BeginRun(size_t size_class);
  void Put(void* block, size_t size_class) {
    free_[size_class] = new (block) FreeBlock{free_[size_class]};
  }

  std::array<FreeBlock*, kMaxSize / kGranule + 1> free_ = {};
  // What is left of the run that was begun last, by size.
  struct Rest {
    char* begin;
    char* end;
  };
  std::array<Rest, kMaxSize / kGranule + 1> rest_ = {};
  ChunkHeader* chunk_ = nullptr;
  size_t runs_taken_ = kChunkSize / kRunSize;  // of chunk_
  std::array<uint32_t, (size_t{1} << 16) / 32> is_ours_ = {};
};

}  // namespace stowage
