#include "core/base/heap_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/go_heap.h"
#include "core/base/rng.h"

namespace stowage {
namespace {

struct Item {
  int value;
  uint32_t position;
};

struct HigherValue {
  bool operator()(const Item& a, const Item& b) const { return a.value > b.value; }
};

uint32_t FirstPop(const std::vector<int>& values) {
  std::vector<Item> items;
  for (int value : values) items.push_back({value, static_cast<uint32_t>(items.size())});
  GoHeap<Item, HigherValue> heap{HigherValue()};
  heap.Init(std::move(items));
  return heap.Pop().position;
}

uint32_t FirstMaximum(const std::vector<int>& values) {
  uint32_t best = 0;
  for (uint32_t position = 1; position < values.size(); ++position) {
    bool is_tie = values[position] == values[best];
    if (values[position] > values[best] || (is_tie && HeapOrderBefore(position, best))) {
      best = position;
    }
  }
  return best;
}

uint32_t SearchedMaximum(const std::vector<int>& values) {
  int best = *std::max_element(values.begin(), values.end());
  HeapTieSearch search;
  uint32_t winner = 0;
  for (uint32_t position = 0; position < values.size(); ++position) {
    bool is_skipped = position % 3 != 0;
    bool can_win = is_skipped || position >= search.AdvanceTo(position);
    if (values[position] != best || !search.Offer(position)) continue;
    EXPECT_TRUE(can_win);
    winner = position;
  }
  return winner;
}

void AppendPreOrder(uint32_t position, uint32_t size, std::vector<uint32_t>& order) {
  if (position >= size) return;
  order.push_back(position);
  AppendPreOrder(2 * position + 1, size, order);
  AppendPreOrder(2 * position + 2, size, order);
}

// Goal: the order is the pre-order of the implicit tree. Method: sort positions, and compare with a
// walk.
TEST(HeapOrder, IsPreOrderOfTheImplicitTree) {
  for (uint32_t size : {1u, 2u, 3u, 7u, 8u, 100u, 1000u}) {
    std::vector<uint32_t> want;
    AppendPreOrder(0, size, want);
    std::vector<uint32_t> got(size);
    std::iota(got.begin(), got.end(), 0u);
    std::sort(got.begin(), got.end(), HeapOrderBefore);
    EXPECT_EQ(got, want) << size;
  }
}

// Goal: the first pop is the maximum that comes first in that order. Method: every list of up to 11
// entries over three values.
TEST(HeapOrder, AgreesWithTheHeapOnAllShortLists) {
  int lists = 0;
  for (size_t length = 1; length <= 11; ++length) {
    std::vector<int> values(length, 0);
    for (bool is_done = false; !is_done; ++lists) {
      ASSERT_EQ(FirstMaximum(values), FirstPop(values));
      ASSERT_EQ(SearchedMaximum(values), FirstPop(values));
      size_t digit = 0;
      while (digit < length && values[digit] == 2) values[digit++] = 0;
      is_done = digit == length;
      if (!is_done) ++values[digit];
    }
  }
  EXPECT_EQ(lists, 265'719);
}

TEST(HeapOrder, AgreesWithTheHeapOnLongLists) {
  Rng rng(7);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<int> values(12 + rng.Below(500));
    uint64_t spread = 1 + rng.Below(6);
    for (int& value : values) value = static_cast<int>(rng.Below(spread));
    ASSERT_EQ(FirstMaximum(values), FirstPop(values)) << "round " << round;
    ASSERT_EQ(SearchedMaximum(values), FirstPop(values)) << "round " << round;
  }
}

}  // namespace
}  // namespace stowage
