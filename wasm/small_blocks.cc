#include "wasm/small_blocks.h"

#include <cstdlib>
#include <new>

#include "core/base/check.h"

namespace stowage {

void SmallBlocks::Free(void* block) {
  auto address = reinterpret_cast<uintptr_t>(block);
  const auto* chunk = reinterpret_cast<const ChunkHeader*>(address & ~(kChunkSize - 1));
  Put(block, chunk->size_class[address % kChunkSize / kRunSize]);
}

void* SmallBlocks::AllocateFromRun(size_t size_class) {
  Rest& rest = rest_[size_class];
  size_t size = size_class * kGranule;
  if (static_cast<size_t>(rest.end - rest.begin) < size && !BeginRun(size_class)) return nullptr;
  void* block = rest.begin;
  rest.begin += size;
  return block;
}

bool SmallBlocks::BeginRun(size_t size_class) {
  if (runs_taken_ == kChunkSize / kRunSize) {
    void* memory = std::aligned_alloc(kChunkSize, kChunkSize);
    if (memory == nullptr) return false;
    size_t chunk = reinterpret_cast<uintptr_t>(memory) / kChunkSize;
    is_ours_[chunk / 32] |= uint32_t{1} << (chunk % 32);
    chunk_ = new (memory) ChunkHeader;
    runs_taken_ = 0;
  }
  char* run = reinterpret_cast<char*>(chunk_) + runs_taken_ * kRunSize;
  size_t header = runs_taken_ == 0 ? sizeof(ChunkHeader) : 0;
  chunk_->size_class[runs_taken_++] = static_cast<uint8_t>(size_class);
  rest_[size_class] = {run + header, run + kRunSize};
  return true;
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
  if (memory != nullptr) stowage::blocks.Free(memory, size);
}
