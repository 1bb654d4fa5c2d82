// ScoreClasses groups rows that no comparing or normalizing plugin can tell apart. A row's total is
// its own base score plus its class's bonus. So a decision looks at the classes, which are few, and
// at rows only to find the winner.
//
// Each class has its rows, 64 a word, the best base in each word with the rows that have it, and
// the words with the best base of all. They are updated row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/base/bitset.h"
#include "core/table/renumbering.h"

namespace stowage {

class ScoreClasses {
 public:
  using Class = uint8_t;
  // More classes do not pay: calling plugins for each class would take as long as for each node.
  static constexpr size_t kMax = 255;
  static constexpr Class kNone = 0xff;
  static constexpr int32_t kNoBase = std::numeric_limits<int32_t>::min();

  // Removes all rows from their classes. Keys have `key_size` numbers.
  void Reset(size_t rows, size_t key_size);

  // Adds a row to the class of a key. Returns false and adds it to no class if there are too many
  // classes.
  bool Put(size_t row, std::span<const int64_t> key, int32_t base);
  // Does the same for rows of one word: a non-empty set of bits, and 64 bases, one for each row of
  // the word from its first row on.
  bool PutWord(size_t word, uint64_t rows, std::span<const int64_t> key,
               std::span<const int32_t> bases);
  // Changes the base of a row that is in a class.
  void SetBase(size_t row, int32_t base);
  // Removes a row from its class, if it has one.
  void Remove(size_t row);

  // Moves rows to their new numbers. New rows are in no class.
  void Move(const Renumbering& moves);

  // An upper bound of class numbers; some classes below it may be empty.
  size_t end() const { return classes_.size(); }
  size_t population(Class at) const { return classes_[at].population; }
  std::span<const int64_t> key(Class at) const { return classes_[at].key; }
  // Any row of the class, which must have one.
  uint32_t Representative(Class at) const;
  // The class's rows: all, 64 per word; and those of one word.
  std::span<const uint64_t> rows(Class at) const { return classes_[at].rows; }
  uint64_t rows(Class at, size_t word) const { return classes_[at].rows[word]; }
  // The best base in one word.
  int32_t best(Class at, size_t word) const { return classes_[at].best[word]; }
  // The best base by word.
  const int32_t* best_by_word(Class at) const { return classes_[at].best.data(); }
  // The rows of the word that have its best base.
  uint64_t best_rows(Class at, size_t word) const {
    const OneClass& one = classes_[at];
    if (one.best_rows[word] == 0) FindBestRows(one, word);
    return one.best_rows[word];
  }
  // The best base in the class; kNoBase if it has no rows.
  int32_t best(Class at) const;
  // The words that contain the best base of the class, which must have rows.
  const Bitset& best_words(Class at) const;

  Class class_of(size_t row) const { return class_of_[row]; }
  // Of a row that has a class.
  int32_t base(size_t row) const { return base_[row]; }
  // Changes whenever rows join or leave a class; never 0 once there are rows.
  uint64_t version() const { return version_; }
  size_t bytes() const;

 private:
  // Leaves new numbers of a vector as they are in memory, because clearing them takes long.
  struct Unset : std::allocator<int32_t> {
    template <typename T>
    struct rebind {
      using other = Unset;
    };
    void construct(int32_t*) {}
    void construct(int32_t* at, int32_t value) { *at = value; }
  };
  struct OneClass {
    std::vector<int64_t> key;
    size_t population = 0;
    std::vector<uint64_t> rows;
    std::vector<int32_t> best;                // by word
    mutable std::vector<uint64_t> best_rows;  // 0: not known, because few words are asked for
    mutable int32_t best_of_all = kNoBase;
    mutable Bitset best_words;  // words that contain best_of_all
    // Whether best_of_all and best_words are up to date. If not, no word reaches best_of_all.
    mutable bool is_best_known = true;
    mutable uint32_t representative = 0;
  };

  Class Find(std::span<const int64_t> key);
  void Empty(OneClass* one) const;
  void SetNumRows(size_t rows);
  void Take(Class at, size_t row);
  void TakeWord(Class at, size_t word, uint64_t rows);
  void Raise(OneClass* one, size_t word, uint64_t rows, int32_t base) const;
  void Lower(OneClass* one, size_t row, int32_t gone);
  void FindBest(OneClass* one, size_t word) const;
  void FindBestRows(const OneClass& one, size_t word) const;
  void NoteBestWord(OneClass* one, size_t word) const;
  void ForgetBestWord(OneClass* one, size_t word) const;
  static void FindBestWords(const OneClass& one);

  uint64_t version_ = 0;
  size_t key_size_ = 0;
  size_t num_words_ = 0;
  std::vector<OneClass> classes_;
  std::vector<uint64_t> hashes_;  // of the keys, by class
  Class last_ = 0;                // the class found last
  std::vector<Class> class_of_;   // by row
  std::vector<uint64_t> placed_;  // the rows that are in a class, by word
  // By row, up to whole words; void for a row without a class.
  std::vector<int32_t, Unset> base_;
};

}  // namespace stowage
