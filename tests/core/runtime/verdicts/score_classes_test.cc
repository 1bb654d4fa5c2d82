// Goal: the classes' totals equal a recount after any sequence of changes. Method: seeded moves of
// rows among a few keys and bases, with a recount after each.
#include "core/runtime/verdicts/score_classes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/table/node_table.h"

namespace stowage {
namespace {

using Class = ScoreClasses::Class;

constexpr size_t kRows = 200;  // three words and part of a fourth
constexpr size_t kMoves = 4000;

struct PlainRow {
  std::vector<int64_t> key;
  int32_t base;
};

// The rows as they were added, without classes.
class PlainRows {
 public:
  void Put(size_t row, std::vector<int64_t> key, int32_t base) { rows_[row] = {key, base}; }
  void Remove(size_t row) { rows_[row].reset(); }
  const std::optional<PlainRow>& at(size_t row) const { return rows_[row]; }
  size_t size() const { return rows_.size(); }
  void Move(const std::vector<uint32_t>& previous) {
    std::vector<std::optional<PlainRow>> moved(previous.size());
    for (size_t row = 0; row < previous.size(); ++row) {
      if (previous[row] != kNoRow) moved[row] = rows_[previous[row]];
    }
    rows_ = std::move(moved);
  }

  std::map<std::vector<int64_t>, std::vector<size_t>> ByKey() const {
    std::map<std::vector<int64_t>, std::vector<size_t>> by_key;
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (rows_[row]) by_key[rows_[row]->key].push_back(row);
    }
    return by_key;
  }

  int32_t BestOf(const std::vector<size_t>& rows) const {
    int32_t best = ScoreClasses::kNoBase;
    for (size_t row : rows) best = std::max(best, rows_[row]->base);
    return best;
  }

 private:
  std::vector<std::optional<PlainRow>> rows_ = std::vector<std::optional<PlainRow>>(kRows);
};

void ExpectWords(const ScoreClasses& classes, Class at, const PlainRows& plain,
                 const std::vector<size_t>& rows) {
  constexpr size_t kBits = Bitset::kWordBits;
  for (size_t word = 0; word * kBits < plain.size(); ++word) {
    std::vector<size_t> own;
    for (size_t row : rows) {
      if (row / kBits == word) own.push_back(row);
    }
    int32_t best = plain.BestOf(own);
    uint64_t bits = 0;
    uint64_t best_bits = 0;
    for (size_t row : own) {
      bits |= uint64_t{1} << row % kBits;
      if (plain.at(row)->base == best) best_bits |= uint64_t{1} << row % kBits;
    }
    EXPECT_EQ(classes.rows(at, word), bits);
    EXPECT_EQ(classes.best(at, word), best);
    EXPECT_EQ(classes.best_rows(at, word), best_bits);
  }
}

void ExpectBestWords(const ScoreClasses& classes, Class at, size_t rows) {
  size_t num_words = (rows + Bitset::kWordBits - 1) / Bitset::kWordBits;
  for (size_t from = 0; from <= num_words; ++from) {
    size_t expected = from;
    while (expected < num_words && classes.best(at, expected) != classes.best(at)) ++expected;
    EXPECT_EQ(classes.best_words(at).NextSet(from), expected);
  }
}

void ExpectRecount(const ScoreClasses& classes, const PlainRows& plain) {
  size_t populated = 0;
  for (size_t at = 0; at < classes.end(); ++at) {
    if (classes.population(static_cast<Class>(at)) > 0) ++populated;
  }
  auto by_key = plain.ByKey();
  EXPECT_EQ(populated, by_key.size());
  for (const auto& [key, rows] : by_key) {
    Class at = classes.class_of(rows.front());
    ASSERT_NE(at, ScoreClasses::kNone);
    EXPECT_TRUE(std::ranges::equal(classes.key(at), key));
    EXPECT_EQ(classes.population(at), rows.size());
    EXPECT_EQ(classes.best(at), plain.BestOf(rows));
    EXPECT_TRUE(std::ranges::binary_search(rows, size_t{classes.Representative(at)}));
    for (size_t row : rows) {
      EXPECT_EQ(classes.class_of(row), at);
      EXPECT_EQ(classes.base(row), plain.at(row)->base);
    }
    ExpectWords(classes, at, plain, rows);
    ExpectBestWords(classes, at, plain.size());
  }
}

TEST(ScoreClasses, EqualARecount) {
  for (uint64_t seed = 1; seed <= 5 && !testing::Test::HasFailure(); ++seed) {
    Rng rng(seed);
    ScoreClasses classes;
    PlainRows plain;
    classes.Reset(kRows, 2);
    for (size_t move = 0; move < kMoves && !testing::Test::HasFailure(); ++move) {
      size_t row = rng.Below(kRows);
      if (rng.Below(4) == 0) {
        classes.Remove(row);
        plain.Remove(row);
      } else {
        std::vector<int64_t> key = {static_cast<int64_t>(rng.Below(2)),
                                    static_cast<int64_t>(rng.Below(3))};
        auto base = static_cast<int32_t>(rng.Below(6));
        ASSERT_TRUE(classes.Put(row, key, base));
        plain.Put(row, key, base);
      }
      if (move % 16 == 0) ExpectRecount(classes, plain);
    }
    ExpectRecount(classes, plain);
  }
}

// Goal: putting a word's rows at once equals putting them one by one, also after a Reset and for
// rows that have a class, and rows of these words can be put later.
TEST(ScoreClasses, PutsWordsLikeRows) {
  Rng rng(11);
  ScoreClasses classes;
  PlainRows plain;
  for (int round = 0; round < 400 && !testing::Test::HasFailure(); ++round) {
    if (round % 4 == 0) {
      plain = PlainRows();
      classes.Reset(kRows, 1);
    }
    for (size_t word = 0; word * Bitset::kWordBits < kRows; ++word) {
      size_t first = word * Bitset::kWordBits;
      size_t size = std::min(kRows - first, Bitset::kWordBits);
      uint64_t rest = size == Bitset::kWordBits ? ~uint64_t{0} : (uint64_t{1} << size) - 1;
      if (rng.Below(2) == 0) rest &= rng.Next();
      std::array<int32_t, Bitset::kWordBits> bases;
      for (int32_t& base : bases) base = static_cast<int32_t>(rng.Below(4));
      for (int64_t key = 0; rest != 0; ++key) {
        uint64_t rows = key == 2 || rng.Below(3) == 0 ? rest : rest & rng.Next();
        rest &= ~rows;
        if (rows == 0) continue;
        ASSERT_TRUE(classes.PutWord(word, rows, {&key, 1}, bases));
        for (; rows != 0; rows &= rows - 1) {
          auto offset = static_cast<size_t>(std::countr_zero(rows));
          plain.Put(first + offset, {key}, bases[offset]);
        }
      }
    }
    ExpectRecount(classes, plain);
    for (int put = 0; put < 20; ++put) {
      size_t row = rng.Below(kRows);
      auto key = static_cast<int64_t>(rng.Below(3));
      auto base = static_cast<int32_t>(rng.Below(4));
      ASSERT_TRUE(classes.Put(row, {&key, 1}, base));
      plain.Put(row, {key}, base);
    }
    ExpectRecount(classes, plain);
  }
}

// The earlier row of each of `after` rows: most are where they were, some are new.
std::vector<uint32_t> RandomMoves(size_t before, size_t after, Rng* rng) {
  std::vector<uint32_t> previous(std::max(before, after), kNoRow);
  for (uint32_t row = 0; row < before; ++row) previous[row] = row;
  for (size_t swaps = rng->Below(2 * before); swaps > 0; --swaps) {
    std::swap(previous[rng->Below(previous.size())], previous[rng->Below(previous.size())]);
  }
  previous.resize(after);
  return previous;
}

TEST(ScoreClasses, EqualARecountAfterRowsMoved) {
  Rng rng(7);
  ScoreClasses classes;
  PlainRows plain;
  classes.Reset(kRows, 1);
  for (size_t round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    for (size_t put = 0; put < 40; ++put) {
      size_t row = rng.Below(plain.size());
      std::vector<int64_t> key = {static_cast<int64_t>(rng.Below(4))};
      auto base = static_cast<int32_t>(rng.Below(6));
      ASSERT_TRUE(classes.Put(row, key, base));
      plain.Put(row, key, base);
    }
    size_t rows = 1 + rng.Below(kRows);
    std::vector<uint32_t> previous = RandomMoves(plain.size(), rows, &rng);
    classes.Move(Renumbering(previous, plain.size()));
    plain.Move(previous);
    ExpectRecount(classes, plain);
  }
}

TEST(ScoreClasses, RefuseARowThatNeedsAnotherClassAtTheLimit) {
  ScoreClasses classes;
  classes.Reset(ScoreClasses::kMax + 1, 1);
  for (size_t row = 0; row < ScoreClasses::kMax; ++row) {
    ASSERT_TRUE(classes.Put(row, std::vector{static_cast<int64_t>(row)}, 0));
  }
  EXPECT_FALSE(classes.Put(ScoreClasses::kMax, std::vector<int64_t>{-1}, 0));
  EXPECT_EQ(classes.class_of(ScoreClasses::kMax), ScoreClasses::kNone);
  // Another key can reuse the class without rows.
  classes.Remove(7);
  EXPECT_TRUE(classes.Put(ScoreClasses::kMax, std::vector<int64_t>{-1}, 3));
  EXPECT_EQ(classes.end(), ScoreClasses::kMax);
  EXPECT_EQ(classes.best(classes.class_of(ScoreClasses::kMax)), 3);
}

}  // namespace
}  // namespace stowage
