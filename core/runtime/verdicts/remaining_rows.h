// RemainingRows keeps the feasible rows of a VerdictEntry without classes that decisions refused:
// pods of one signature are often refused by the same ones, such as those of a zone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/bitset.h"
#include "core/runtime/verdicts/score_classes.h"

namespace stowage {

class RemainingRows {
 public:
  using Class = ScoreClasses::Class;

  // The rows of `feasible`, which are those in `classes`, that are in none of the refused classes.
  // The result is valid until the next call.
  const Bitset& Without(std::span<const Class> refused, const Bitset& feasible,
                        const ScoreClasses& classes);
  size_t bytes() const;

 private:
  // Three zones, of which one or two are refused.
  static constexpr size_t kSets = 6;

  struct Set {
    std::vector<Class> refused;
    uint64_t version = 0;  // of the classes
    Bitset rows;
  };

  Set& SetFor(std::span<const Class> refused);

  std::vector<Set> sets_;
  size_t oldest_ = 0;
};

}  // namespace stowage
