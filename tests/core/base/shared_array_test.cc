// Goal: copies of a SharedArray are independent, share what neither has written, and release what
// they hold.
#include "core/base/shared_array.h"

#include <gtest/gtest.h>

#include <memory>

namespace stowage {
namespace {

using Array = SharedArray<std::shared_ptr<int>>;

constexpr size_t kSize = 3 * Array::kBlockItems + 5;

Array Filled(const std::shared_ptr<int>& value) {
  Array array(kSize);
  for (size_t index = 0; index < kSize; ++index) array.Mutable(index) = value;
  return array;
}

TEST(SharedArray, StartsWithDefaults) {
  EXPECT_TRUE(SharedArray<int>().empty());
  SharedArray<int> array(kSize);
  EXPECT_EQ(array.size(), kSize);
  for (size_t index = 0; index < kSize; ++index) EXPECT_EQ(array[index], 0);
}

TEST(SharedArray, CopyTakesNoItems) {
  auto value = std::make_shared<int>(1);
  Array array = Filled(value);
  Array copy = array;
  EXPECT_EQ(copy.size(), kSize);
  EXPECT_EQ(value.use_count(), static_cast<long>(kSize) + 1);
  EXPECT_EQ(&copy[kSize - 1], &array[kSize - 1]);
}

TEST(SharedArray, WriteCopiesOneBlock) {
  auto value = std::make_shared<int>(1);
  Array array = Filled(value);
  Array copy = array;
  copy.Mutable(Array::kBlockItems) = nullptr;
  EXPECT_EQ(array[Array::kBlockItems], value);
  EXPECT_EQ(copy[Array::kBlockItems], nullptr);
  EXPECT_EQ(copy[Array::kBlockItems + 1], value);
  EXPECT_EQ(value.use_count(), static_cast<long>(kSize + Array::kBlockItems));
  // The other copy is the only holder of its block again, so its items stay where they are.
  const std::shared_ptr<int>* item = &array[Array::kBlockItems];
  EXPECT_EQ(&array.Mutable(Array::kBlockItems), item);
}

TEST(SharedArray, ReleasesItems) {
  auto value = std::make_shared<int>(1);
  Array array = Filled(value);
  {
    Array copy = array;
    Array moved = std::move(copy);
    moved.Mutable(0) = nullptr;
  }
  EXPECT_EQ(value.use_count(), static_cast<long>(kSize) + 1);
  array = Array();
  EXPECT_EQ(value.use_count(), 1);
}

}  // namespace
}  // namespace stowage
