#include "core/base/bitset.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/base/rng.h"

namespace stowage {
namespace {

TEST(Bitset, StartsEmptyAtAnySize) {
  for (size_t size : {0u, 1u, 63u, 64u, 65u, 1000u}) {
    Bitset rows(size);
    EXPECT_EQ(rows.size(), size);
    EXPECT_EQ(rows.word_count(), (size + 63) / 64);
    EXPECT_EQ(rows.Count(), 0u);
    EXPECT_EQ(rows.Rank(size), 0u);
    EXPECT_EQ(rows.Select(0), size);
  }
}

TEST(Bitset, ResizeClears) {
  Bitset rows(70);
  rows.Set(69, true);
  rows.Resize(130);
  EXPECT_EQ(rows.Count(), 0u);
  EXPECT_EQ(rows.size(), 130u);
}

TEST(Bitset, WordsHoldTheLowRowsInTheLowBits) {
  Bitset rows(128);
  rows.Set(0, true);
  rows.Set(65, true);
  EXPECT_EQ(rows.word(0), 1u);
  EXPECT_EQ(rows.word(1), 2u);
  EXPECT_EQ(rows.word_count(), 2u);
}

TEST(Bitset, RemovesTheRowsOfAnotherSet) {
  Bitset rows(130);
  for (size_t row : {0, 1, 63, 64, 100, 129}) rows.Set(row, true);
  EXPECT_EQ(rows.Rank(130), 6u);
  const std::vector<uint64_t> gone = {0b11, ~uint64_t{0} << 20, 0};
  rows.Remove(gone);
  std::vector<size_t> left;
  rows.ForEach([&left](size_t row) { left.push_back(row); });
  EXPECT_EQ(left, (std::vector<size_t>{63, 64, 129}));
  EXPECT_EQ(rows.Rank(129), 2u);
  EXPECT_EQ(rows.Select(2), 129u);
}

// Goal: Count, Rank and Select equal counting by hand. Method: random sets of random sizes.
TEST(Bitset, RanksAndSelectsLikeAList) {
  Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    size_t size = 1 + rng.Below(300);
    uint64_t density = 1 + rng.Below(10);
    Bitset rows(size);
    std::vector<size_t> set;
    for (size_t row = 0; row < size; ++row) {
      bool value = rng.Below(10) < density;
      rows.Set(row, !value);
      rows.Set(row, value);
      EXPECT_EQ(rows.Rank(row), set.size());
      if (value) set.push_back(row);
      EXPECT_EQ(rows.Test(row), value);
    }
    EXPECT_EQ(rows.Count(), set.size());
    EXPECT_EQ(rows.Rank(size), set.size());
    for (size_t rank = 0; rank < set.size(); ++rank) EXPECT_EQ(rows.Select(rank), set[rank]);
    EXPECT_EQ(rows.Select(set.size()), size);
  }
}

// Goal: Select finds rows also where the set ones are spread unevenly. Method: random sets with
// empty and full stretches, and sets without the rows of another.
TEST(Bitset, SelectsInUnevenSets) {
  Rng rng(13);
  for (int round = 0; round < 100; ++round) {
    Bitset rows(1 + rng.Below(3000));
    for (size_t first = 0; first < rows.size();) {
      size_t end =
          std::min<uint64_t>(rows.size(), first + 1 + rng.Below(rng.Below(2) == 0 ? 70 : 900));
      uint64_t density = rng.Below(4);
      for (; first < end; ++first) rows.Set(first, rng.Below(3) < density);
    }
    std::vector<uint64_t> gone(rows.word_count());
    for (uint64_t& word : gone) word = rng.Below(3) == 0 ? rng.Next() : 0;
    Bitset rest(rng.Below(200));
    rest.AssignWithout(rows, gone);
    ASSERT_EQ(rest.size(), rows.size());
    size_t count = 0;
    for (size_t row = 0; row < rows.size(); ++row) {
      bool is_gone = (gone[row / Bitset::kWordBits] >> row % Bitset::kWordBits & 1) != 0;
      ASSERT_EQ(rest.Test(row), rows.Test(row) && !is_gone);
      if (!rest.Test(row)) continue;
      ASSERT_EQ(rest.Select(count), row);
      ASSERT_EQ(rest.Rank(row), count++);
    }
    EXPECT_EQ(rest.Select(count), rest.size());
    EXPECT_EQ(rest.Count(), count);
  }
}

// Goal: ranks follow changes also among the first rows, while those are all set. Method: random
// rows of a full set are removed and added again, and its size changes.
TEST(Bitset, RanksAfterChangesOfAFullSet) {
  Rng rng(12);
  Bitset rows(300);
  for (size_t row = 0; row < rows.size(); ++row) rows.Set(row, true);
  for (int round = 0; round < 500; ++round) {
    size_t changed = rng.Below(rows.size());
    if (rng.Below(3) > 0) rows.Set(changed, rng.Below(2) == 0);
    if (rng.Below(10) == 0) rows.SetSize(150 + rng.Below(200));
    for (size_t row = 0; row < rows.size(); ++row) {
      if (rng.Below(4) == 0) rows.Set(row, true);
    }
    size_t count = 0;
    for (size_t row = 0; row < rows.size(); ++row) {
      EXPECT_EQ(rows.Rank(row), count);
      if (!rows.Test(row)) continue;
      EXPECT_EQ(rows.Select(count), row);
      ++count;
    }
    EXPECT_EQ(rows.Rank(rows.size()), count);
    EXPECT_EQ(rows.Select(count), rows.size());
  }
}

}  // namespace
}  // namespace stowage
