// Goal: every frame has memory of its own, whatever earlier frames left in the pool.
#include "core/loop/frame_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace stowage {
namespace {

TEST(FramePool, GivesEveryFrameItsOwnMemory) {
  const size_t sizes[] = {1, 8, 63, 64, 65, 200, 3071, 3072, 3073, 100'000};
  for (int round = 0; round < 3; ++round) {
    for (size_t size : sizes) {
      std::vector<unsigned char*> frames;
      for (int count = 0; count < 20; ++count) {
        frames.push_back(static_cast<unsigned char*>(FramePool::New(size)));
        std::memset(frames.back(), count, size);
      }
      for (int count = 0; count < 20; ++count) {
        unsigned char* frame = frames[static_cast<size_t>(count)];
        EXPECT_EQ(frame[0], count) << size;
        EXPECT_EQ(frame[size - 1], count) << size;
        FramePool::Delete(frame, size);
      }
    }
  }
}

}  // namespace
}  // namespace stowage
