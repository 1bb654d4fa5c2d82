// SmallBlocks is the allocator behind operator new for small objects in the WebAssembly module.
//
// A decision allocates and frees about forty of them, and Emscripten's malloc, which searches for
// the best fit and joins neighbours, took a tenth of its time. Here sizes are rounded up to sixteen
// bytes, and blocks of one size are cut from runs of 8 KiB, so that allocating and freeing take a
// few instructions. A run whose blocks are all free can serve any size again, so objects that are
// allocated together stay close together in memory. Runs come from malloc, eight at a time, and are
// kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

namespace stowage {

class SmallBlocks {
 public:
  static constexpr size_t kMaxSize = 1024;

  // A block of `size` bytes, at most kMaxSize, aligned to sixteen; null when memory is exhausted.
  void* Allocate(size_t size) {
    size_t size_class = ClassOf(size);
    Run* run = with_room_[size_class];
    if (run == nullptr || run->free == nullptr) return AllocateFresh(size_class);
    ++run->used;
    FreeBlock* block = run->free;
    run->free = block->next;
    return block;
  }

  // Whether Allocate returned it.
  bool Has(const void* block) const {
    size_t chunk = reinterpret_cast<uintptr_t>(block) / kChunkSize;
    return (is_ours_[chunk / 32] >> (chunk % 32) & 1) != 0;
  }

  // Frees a block that Allocate returned.
  void Free(void* block) {
    Run* run = RunOf(block);
    run->free = new (block) FreeBlock{run->free};
    if (--run->used == 0 || !run->is_listed) NoteRoom(run);
  }

 private:
  struct FreeBlock {
    FreeBlock* next;
  };
  // The header of a run.
  struct alignas(16) Run {
    FreeBlock* free = nullptr;
    char* fresh = nullptr;  // blocks from here on were never allocated
    Run* next = nullptr;    // in the list of its size, or of unused runs
    Run* previous = nullptr;
    uint16_t used = 0;  // blocks
    uint8_t size_class = 0;
    bool is_listed = false;  // whether it is in the list of runs with room
  };

  static constexpr size_t kGranule = 16;
  static constexpr size_t kRunSize = 8192;
  static constexpr size_t kChunkSize = 65536;
  static_assert(sizeof(void*) == 4, "is_ours_ covers addresses of 32 bits");

  static size_t ClassOf(size_t size) { return size == 0 ? 1 : (size + kGranule - 1) / kGranule; }
  static Run* RunOf(void* block) {
    return reinterpret_cast<Run*>(reinterpret_cast<uintptr_t>(block) & ~(kRunSize - 1));
  }

  void* AllocateFresh(size_t size_class);
  void NoteRoom(Run* run);
  void List(Run* run);
  void Unlist(Run* run);
  Run* TakeUnused();

  // By size in units of kGranule: runs that may have room. Allocation begins with the first.
  std::array<Run*, kMaxSize / kGranule + 1> with_room_ = {};
  Run* unused_ = nullptr;
  std::array<uint32_t, (size_t{1} << 16) / 32> is_ours_ = {};
};

}  // namespace stowage
