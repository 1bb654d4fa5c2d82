// StableSort orders as std::stable_sort does, which is the reference here.
#include "core/base/stable_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "core/base/rng.h"

namespace stowage {
namespace {

TEST(StableSort, OrdersAsStdStableSortDoes) {
  Rng rng(1);
  auto is_less = [](const auto& a, const auto& b) { return a.first < b.first; };
  for (size_t count = 0; count < 200; ++count) {
    std::vector<std::pair<uint64_t, size_t>> items;
    for (size_t at = 0; at < count; ++at) items.emplace_back(rng.Below(1 + count / 3), at);
    auto expected = items;
    std::stable_sort(expected.begin(), expected.end(), is_less);
    StableSort(&items, is_less);
    EXPECT_EQ(items, expected) << count;
  }
}

TEST(StableSort, SortsByLessThanByDefault) {
  std::vector<std::string> names{"b", "", "c", "a", "b"};
  StableSort(&names);
  EXPECT_EQ(names, (std::vector<std::string>{"", "a", "b", "b", "c"}));
}

TEST(StableSort, MovesItemsThatCannotBeCopied) {
  std::vector<std::unique_ptr<int>> items;
  for (int number : {3, 1, 2}) items.push_back(std::make_unique<int>(number));
  StableSort(&items, [](const auto& a, const auto& b) { return *a < *b; });
  EXPECT_EQ(*items[0], 1);
  EXPECT_EQ(*items[1], 2);
  EXPECT_EQ(*items[2], 3);
}

// A merge sort compares at most n · ⌈log2 n⌉ times, in any order of the items.
TEST(StableSort, ComparesAsOftenAsAMergeSort) {
  constexpr size_t kCount = 1024;
  for (bool is_sorted : {false, true}) {
    std::vector<size_t> items;
    for (size_t at = 0; at < kCount; ++at) items.push_back(is_sorted ? at : kCount - at);
    size_t num_compared = 0;
    StableSort(&items, [&](size_t a, size_t b) { return ++num_compared, a < b; });
    EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
    EXPECT_LE(num_compared, kCount * 10);
  }
}

}  // namespace
}  // namespace stowage
