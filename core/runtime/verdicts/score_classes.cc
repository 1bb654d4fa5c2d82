#include "core/runtime/verdicts/score_classes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/lanes.h"
#include "core/base/simd.h"

namespace stowage {
namespace {

uint64_t HashOf(std::span<const int64_t> key) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (int64_t part : key) {
    hash = (hash ^ static_cast<uint64_t>(part)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

// Faster than memcmp, because keys are only a few numbers long.
bool AreEqual(std::span<const int64_t> a, std::span<const int64_t> b) {
  for (size_t at = 0; at < a.size(); ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

// The bases of four rows; kNoBase for those that are not in `rows`.
STOWAGE_SIMD FourInts BasesOf(uint64_t rows, const int32_t* bases, size_t offset) {
  FourInts is_in = LanesOf(rows, offset);
  return (LoadLanes<FourInts>(bases + offset) & is_in) | (Four(ScoreClasses::kNoBase) & ~is_in);
}

uint64_t BitOf(size_t row) { return uint64_t{1} << (row % Bitset::kWordBits); }

}  // namespace

void ScoreClasses::Reset(size_t rows, size_t key_size) {
  ++version_;
  key_size_ = key_size;
  num_words_ = (rows + Bitset::kWordBits - 1) / Bitset::kWordBits;
  // The first class is usually needed again.
  classes_.resize(std::min(classes_.size(), size_t{1}));
  for (OneClass& one : classes_) Empty(&one);
  hashes_.resize(classes_.size());
  class_of_.resize(rows);
  std::fill(class_of_.begin(), class_of_.end(), kNone);
  base_.resize(num_words_ * Bitset::kWordBits);
  placed_.assign(num_words_, 0);
}

// Reuses an empty class for a new key.
ScoreClasses::Class ScoreClasses::Find(std::span<const int64_t> key) {
  // Neighbouring rows often have the same key.
  if (last_ < classes_.size() && classes_[last_].population > 0 &&
      AreEqual(classes_[last_].key, key)) {
    return last_;
  }
  uint64_t hash = HashOf(key);
  Class unused = kNone;
  for (size_t at = 0; at < classes_.size(); ++at) {
    if (classes_[at].population == 0) {
      unused = static_cast<Class>(at);
    } else if (hashes_[at] == hash && AreEqual(classes_[at].key, key)) {
      return last_ = static_cast<Class>(at);
    }
  }
  if (unused == kNone) {
    if (classes_.size() == kMax) return kNone;
    unused = static_cast<Class>(classes_.size());
    Empty(&classes_.emplace_back());
    hashes_.push_back(0);
  }
  classes_[unused].key.assign(key.begin(), key.end());
  hashes_[unused] = hash;
  return last_ = unused;
}

bool ScoreClasses::Put(size_t row, std::span<const int64_t> key, int32_t base) {
  CHECK(key.size() == key_size_);
  Class before = class_of_[row];
  bool is_same = before != kNone && AreEqual(classes_[before].key, key);
  Class at = is_same ? before : kNone;
  if (!is_same) {
    Remove(row);
    at = Find(key);
    if (at == kNone) return false;
    Take(at, row);
  }
  SetBase(row, base);
  return true;
}

bool ScoreClasses::PutWord(size_t word, uint64_t rows, std::span<const int64_t> key,
                           std::span<const int32_t> bases) {
  CHECK(key.size() == key_size_);
  const size_t first = word * Bitset::kWordBits;
  // Usually all of them stay in the class of the first.
  Class at = class_of_[first + static_cast<size_t>(std::countr_zero(rows))];
  if (at == kNone || !AreEqual(classes_[at].key, key)) at = Find(key);
  if (at == kNone) return false;
  const uint64_t added = rows & ~classes_[at].rows[word];
  if (added != 0) TakeWord(at, word, added);
  if (rows == ~uint64_t{0}) {
    std::memcpy(&base_[first], bases.data(), Bitset::kWordBits * sizeof(int32_t));
  } else {
    ForEachBit(rows, [&](size_t offset) { base_[first + offset] = bases[offset]; });
  }
  OneClass& one = classes_[at];
  const int32_t before = one.best[word];
  FindBest(&one, word);
  if (one.best[word] >= one.best_of_all) {
    NoteBestWord(&one, word);
  } else if (before == one.best_of_all) {
    ForgetBestWord(&one, word);
  }
  return true;
}

// Like Take, for rows of one word.
void ScoreClasses::TakeWord(Class at, size_t word, uint64_t rows) {
  ++version_;
  const size_t first = word * Bitset::kWordBits;
  if ((rows & placed_[word]) != 0) {
    ForEachBit(rows & placed_[word], [&](size_t offset) { Remove(first + offset); });
  }
  OneClass& one = classes_[at];
  if (one.population == 0) {
    one.representative = static_cast<uint32_t>(first + static_cast<size_t>(std::countr_zero(rows)));
  }
  one.population += static_cast<size_t>(std::popcount(rows));
  one.rows[word] |= rows;
  placed_[word] |= rows;
  if (rows == ~uint64_t{0}) {
    std::memset(&class_of_[first], at, Bitset::kWordBits);
  } else {
    ForEachBit(rows, [&](size_t offset) { class_of_[first + offset] = at; });
  }
}

// Finds the best base of the class in one word.
STOWAGE_SIMD void ScoreClasses::FindBest(OneClass* one, size_t word) const {
  const uint64_t rows = one->rows[word];
  const int32_t* bases = &base_[word * Bitset::kWordBits];
  FourInts best = Four(kNoBase);
  for (size_t offset = 0; offset < Bitset::kWordBits; offset += 4) {
    FourInts four =
        rows == ~uint64_t{0} ? LoadLanes<FourInts>(bases + offset) : BasesOf(rows, bases, offset);
    best = four > best ? four : best;
  }
  one->best[word] = std::max({best[0], best[1], best[2], best[3]});
  one->best_rows[word] = 0;
}

// Finds the rows that have it.
STOWAGE_SIMD void ScoreClasses::FindBestRows(const OneClass& one, size_t word) const {
  const int32_t* bases = &base_[word * Bitset::kWordBits];
  LaneBits best_rows;
  for (size_t offset = 0; offset < Bitset::kWordBits; offset += 4) {
    best_rows.Add(offset, LoadLanes<FourInts>(bases + offset) == Four(one.best[word]));
  }
  one.best_rows[word] = best_rows.bits() & one.rows[word];
}

// Empties the class but keeps its key.
void ScoreClasses::Empty(OneClass* one) const {
  one->population = 0;
  one->rows.assign(num_words_, 0);
  one->best.assign(num_words_, kNoBase);
  one->best_rows.assign(num_words_, 0);
  one->best_of_all = kNoBase;
  one->best_words.Resize(num_words_);
  one->is_best_known = true;
}

// Many rows move to a place where a row of their class with their base was.
void ScoreClasses::Move(const Renumbering& moves) {
  struct Seat {
    Class at;
    int32_t base;
  };
  // A seat that moves backward would be overwritten before it is read.
  std::vector<Seat> backward;
  for (const Renumbering::Move& move : moves.moves()) {
    if (move.IsBackward()) backward.push_back({class_of_[move.previous], base_[move.previous]});
  }
  SetNumRows(std::max(moves.num_rows(), moves.num_rows_before()));
  auto next = backward.begin();
  for (const Renumbering::Move& move : moves.moves()) {
    Seat seat = {kNone, kNoBase};
    if (move.IsBackward()) {
      seat = *next++;
    } else if (!move.IsNew()) {
      seat = {class_of_[move.previous], base_[move.previous]};
    }
    const auto [at, base] = seat;
    if (class_of_[move.row] == at && (at == kNone || base_[move.row] == base)) continue;
    if (class_of_[move.row] != at) Remove(move.row);
    if (at == kNone) continue;
    if (class_of_[move.row] != at) Take(at, move.row);
    SetBase(move.row, base);
  }
  for (size_t row = moves.num_rows(); row < moves.num_rows_before(); ++row) Remove(row);
  SetNumRows(moves.num_rows());
}

// Rows beyond the number must be in no class.
STOWAGE_COLD void ScoreClasses::SetNumRows(size_t rows) {
  ++version_;
  class_of_.resize(rows, kNone);
  num_words_ = (rows + Bitset::kWordBits - 1) / Bitset::kWordBits;
  base_.resize(num_words_ * Bitset::kWordBits, kNoBase);
  placed_.resize(num_words_, 0);
  for (OneClass& one : classes_) {
    one.rows.resize(num_words_, 0);
    one.best.resize(num_words_, kNoBase);
    one.best_rows.resize(num_words_, 0);
    one.best_words.SetSize(num_words_);
  }
}

// The row has no base until SetBase.
void ScoreClasses::Take(Class at, size_t row) {
  ++version_;
  OneClass& one = classes_[at];
  one.rows[row / Bitset::kWordBits] |= BitOf(row);
  placed_[row / Bitset::kWordBits] |= BitOf(row);
  if (one.population++ == 0) one.representative = static_cast<uint32_t>(row);
  class_of_[row] = at;
  base_[row] = kNoBase;
}

void ScoreClasses::SetBase(size_t row, int32_t base) {
  OneClass& one = classes_[class_of_[row]];
  int32_t gone = base_[row];
  base_[row] = base;
  if (base > gone) Raise(&one, row / Bitset::kWordBits, BitOf(row), base);
  if (base < gone) Lower(&one, row, gone);
}

void ScoreClasses::Remove(size_t row) {
  Class at = class_of_[row];
  if (at == kNone) return;
  ++version_;
  OneClass& one = classes_[at];
  size_t word = row / Bitset::kWordBits;
  one.rows[word] &= ~BitOf(row);
  placed_[word] &= ~BitOf(row);
  --one.population;
  class_of_[row] = kNone;
  int32_t gone = base_[row];
  base_[row] = kNoBase;
  Lower(&one, row, gone);
}

// Updates the class after rows of a word got a better base.
void ScoreClasses::Raise(OneClass* one, size_t word, uint64_t rows, int32_t base) const {
  int32_t before = one->best[word];
  if (base < before) return;
  one->best[word] = base;
  if (base > before) {
    one->best_rows[word] = rows;
  } else if (one->best_rows[word] != 0) {
    one->best_rows[word] |= rows;
  }
  if (base >= one->best_of_all) NoteBestWord(one, word);
}

// Updates the class after the row lost the base `gone`, for a lower one or for none.
void ScoreClasses::Lower(OneClass* one, size_t row, int32_t gone) {
  size_t word = row / Bitset::kWordBits;
  if (gone < one->best[word]) return;
  one->best_rows[word] &= ~BitOf(row);
  if (one->best_rows[word] != 0) return;
  FindBest(one, word);
  if (one->best[word] < gone && gone >= one->best_of_all) ForgetBestWord(one, word);
}

// The best base of the word is at least as good as that of all others.
void ScoreClasses::NoteBestWord(OneClass* one, size_t word) const {
  if (one->best[word] > one->best_of_all) one->best_words.Resize(num_words_);
  one->best_of_all = one->best[word];
  one->best_words.Set(word, true);
  one->is_best_known = true;
}

// The word has lost the best base of all.
void ScoreClasses::ForgetBestWord(OneClass* one, size_t word) const {
  one->best_words.Set(word, false);
  if (one->best_words.NextSet(0) == num_words_) one->is_best_known = false;
}

void ScoreClasses::FindBestWords(const OneClass& one) {
  one.best_of_all = *std::max_element(one.best.begin(), one.best.end());
  one.best_words.Resize(one.best.size());
  for (size_t first = 0; first < one.best.size(); first += Bitset::kWordBits) {
    uint64_t words = 0;
    for (size_t word = first; word < std::min(first + Bitset::kWordBits, one.best.size()); ++word) {
      words |= uint64_t{one.best[word] == one.best_of_all} << (word - first);
    }
    one.best_words.SetWord(first / Bitset::kWordBits, words);
  }
  one.is_best_known = true;
}

int32_t ScoreClasses::best(Class at) const {
  const OneClass& one = classes_[at];
  if (!one.is_best_known) FindBestWords(one);
  return one.best_of_all;
}

const Bitset& ScoreClasses::best_words(Class at) const {
  const OneClass& one = classes_[at];
  if (!one.is_best_known) FindBestWords(one);
  return one.best_words;
}

uint32_t ScoreClasses::Representative(Class at) const {
  const OneClass& one = classes_[at];
  if (one.representative >= class_of_.size() || class_of_[one.representative] != at) {
    CHECK(one.population > 0);
    size_t word = 0;
    while (one.rows[word] == 0) ++word;
    auto offset = static_cast<size_t>(std::countr_zero(one.rows[word]));
    one.representative = static_cast<uint32_t>(word * Bitset::kWordBits + offset);
  }
  return one.representative;
}

size_t ScoreClasses::bytes() const {
  size_t per_class = sizeof(OneClass) + key_size_ * sizeof(int64_t) +
                     num_words_ * (2 * sizeof(uint64_t) + sizeof(int32_t));
  return classes_.capacity() * per_class + class_of_.size() * (sizeof(Class) + sizeof(int32_t)) +
         num_words_ * sizeof(uint64_t);
}

}  // namespace stowage
