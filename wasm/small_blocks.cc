#include "wasm/small_blocks.h"

#include <cstdlib>

#include "core/base/check.h"

namespace stowage {

// Takes a fresh block from the first run with room, and unlists the full runs before it.
void* SmallBlocks::AllocateFresh(size_t size_class) {
  size_t size = size_class * kGranule;
  while (Run* run = with_room_[size_class]) {
    if (run->free != nullptr) return Allocate(size);
    char* end = reinterpret_cast<char*>(run) + kRunSize;
    if (static_cast<size_t>(end - run->fresh) >= size) {
      ++run->used;
      char* block = run->fresh;
      run->fresh += size;
      return block;
    }
    Unlist(run);
  }
  Run* run = TakeUnused();
  if (run == nullptr) return nullptr;
  *run = Run();
  run->size_class = static_cast<uint8_t>(size_class);
  run->fresh = reinterpret_cast<char*>(run + 1);
  List(run);
  return AllocateFresh(size_class);
}

// Lists a run after one of its blocks was freed. An empty run is returned for any size, unless it
// is the only one of its size.
void SmallBlocks::NoteRoom(Run* run) {
  if (!run->is_listed) List(run);
  if (run->used > 0 || (run->next == nullptr && run->previous == nullptr)) return;
  Unlist(run);
  run->next = unused_;
  unused_ = run;
}

void SmallBlocks::List(Run* run) {
  Run*& first = with_room_[run->size_class];
  run->next = first;
  run->previous = nullptr;
  if (first != nullptr) first->previous = run;
  first = run;
  run->is_listed = true;
}

void SmallBlocks::Unlist(Run* run) {
  (run->previous == nullptr ? with_room_[run->size_class] : run->previous->next) = run->next;
  if (run->next != nullptr) run->next->previous = run->previous;
  run->is_listed = false;
}

SmallBlocks::Run* SmallBlocks::TakeUnused() {
  if (unused_ == nullptr) {
    auto* chunk = static_cast<char*>(std::aligned_alloc(kChunkSize, kChunkSize));
    if (chunk == nullptr) return nullptr;
    size_t number = reinterpret_cast<uintptr_t>(chunk) / kChunkSize;
    is_ours_[number / 32] |= uint32_t{1} << (number % 32);
    for (size_t offset = kChunkSize; offset > 0; offset -= kRunSize) {
      Run* run = new (chunk + offset - kRunSize) Run;
      run->next = unused_;
      unused_ = run;
    }
  }
  Run* run = unused_;
  unused_ = run->next;
  return run;
}

namespace {

constinit SmallBlocks blocks;

}  // namespace
}  // namespace stowage

using stowage::SmallBlocks;

void* operator new(size_t size) {
  bool is_small = size <= SmallBlocks::kMaxSize;
  void* memory = is_small ? stowage::blocks.Allocate(size) : std::malloc(size);
  CHECK(memory != nullptr);
  return memory;
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  if (stowage::blocks.Has(memory)) return stowage::blocks.Free(memory);
  std::free(memory);
}

void operator delete(void* memory, size_t size) noexcept {
  if (size > SmallBlocks::kMaxSize) return std::free(memory);
  if (memory != nullptr) stowage::blocks.Free(memory);
}
