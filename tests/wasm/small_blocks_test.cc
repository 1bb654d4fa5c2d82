// Goal: blocks in use never share memory, in any order of allocations and frees. Method: seeded
// allocations, each filled with a byte of its own, which is checked when the block is freed.
#include "wasm/small_blocks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <set>
#include <vector>

#include "core/base/rng.h"

namespace stowage {
namespace {

struct Held {
  char* block;
  size_t size;
  char filling;
};

void ExpectFilled(const Held& held) {
  for (size_t at = 0; at < held.size; ++at) ASSERT_EQ(held.block[at], held.filling);
}

TEST(SmallBlocks, NeverOverlapWhileInUse) {
  SmallBlocks blocks;
  Rng rng(20260301);
  std::vector<Held> held;
  for (size_t step = 0; step < 200'000 && !HasFailure(); ++step) {
    if (held.empty() || (held.size() < 5000 && rng.Below(2) == 0)) {
      size_t size = rng.Below(SmallBlocks::kMaxSize + 1);
      auto* block = static_cast<char*>(blocks.Allocate(size));
      ASSERT_NE(block, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0u);
      ASSERT_TRUE(blocks.Has(block));
      auto filling = static_cast<char>(step);
      std::memset(block, filling, size);
      held.push_back({block, size, filling});
      continue;
    }
    std::swap(held[rng.Below(held.size())], held.back());
    ExpectFilled(held.back());
    blocks.Free(held.back().block);
    held.pop_back();
  }
}

TEST(SmallBlocks, ReuseFreedBlocks) {
  SmallBlocks blocks;
  void* first = blocks.Allocate(100);
  void* second = blocks.Allocate(100);
  EXPECT_NE(second, first);
  blocks.Free(first);
  EXPECT_EQ(blocks.Allocate(112), first);
  blocks.Free(second);
  EXPECT_EQ(blocks.Allocate(97), second);
}

// Goal: free memory of one size is reused for other sizes, so that memory does not grow without
// bound.
TEST(SmallBlocks, ReuseFreeRunsForOtherSizes) {
  SmallBlocks blocks;
  std::set<uintptr_t> chunks;
  for (size_t size = 16; size <= SmallBlocks::kMaxSize; size += 16) {
    std::vector<void*> held;
    for (size_t bytes = 0; bytes < (size_t{1} << 20); bytes += size) {
      held.push_back(blocks.Allocate(size));
      chunks.insert(reinterpret_cast<uintptr_t>(held.back()) >> 16);
    }
    for (void* block : held) blocks.Free(block);
  }
  EXPECT_LE(chunks.size(), 40u) << "1 MiB at a time, with a run kept for each size";
}

TEST(SmallBlocks, ServeOperatorNew) {
  for (size_t size :
       {size_t{1}, SmallBlocks::kMaxSize, SmallBlocks::kMaxSize + 1, size_t{1} << 20}) {
    void* sized = ::operator new(size);
    void* plain = ::operator new(size);
    EXPECT_NE(sized, plain);
    std::memset(sized, 1, size);
    std::memset(plain, 2, size);
    ::operator delete(sized, size);
    ::operator delete(plain);
  }
  ::operator delete(nullptr);
}

}  // namespace
}  // namespace stowage
