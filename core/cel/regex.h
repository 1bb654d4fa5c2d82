// Regex is a regular expression of Go's regexp package (RE2's syntax), which finds matches in time
// linear in the text.
//
// Pattern and text are UTF-8; an invalid byte of the text is U+FFFD. Of several matches that begin
// at the leftmost place, the one is found that a backtracking engine would find first. Groups may
// have names, but what they match is not reported.
//
// DIVERGENCE(regex-scripts): of the scripts behind `\p`, only Latin, Greek, Cyrillic and Han are
// known; others are "invalid character class range", which names them.
// DIVERGENCE(regex-size): a program has at most kInstructionsMax instructions and kRangesMax ranges
// of classes, in Go more than ten times as many; a larger one is "expression too large", as in Go.
// Source: the documentation of Go's regexp/syntax, with the flags of regexp.Compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/cel/rune_ranges.h"
#include "core/cel/runes.h"

namespace stowage::cel {

// "error parsing regexp: missing closing ]: `[a`".
struct RegexError {
  std::string message;
};

struct RegexInstruction {
  enum class Op : uint8_t {
    kMatch,
    kRune,   // the code point `count`
    kClass,  // `count` ranges from `argument` on
    kAny,
    kAnyNotNewline,
    kJump,       // to the place that is `argument` away
    kSplit,      // goes on behind it, or else `argument` away
    kSplitAway,  // goes on `argument` away, or else behind it
    kBeginText,
    kEndText,
    kBeginLine,
    kEndLine,
    kWordBoundary,
    kNoWordBoundary,
  };

  Op op;
  uint32_t count : 24;
  int32_t argument;
};

class Regex {
 public:
  static constexpr size_t kInstructionsMax = 1 << 18;
  static constexpr size_t kRangesMax = 1 << 18;

  static Result<Regex, RegexError> Compile(std::string_view pattern);

  const std::vector<RegexInstruction>& program() const { return program_; }
  const RuneRanges& ranges() const { return ranges_; }

 private:
  friend class RegexCompiler;

  std::vector<RegexInstruction> program_;
  RuneRanges ranges_;
};

// RegexMatcher searches one text. Its work is counted in visited instructions; when none of its
// steps are left, every search ends without a match.
class RegexMatcher {
 public:
  static constexpr uint64_t kStepsMax = 10'000'000;

  // Both outlive the matcher.
  RegexMatcher(const Regex& regex, std::string_view text, uint64_t steps_max = kStepsMax);

  // Whether there is a match anywhere.
  bool Matches() { return Search(0, true); }
  // Finds the first match that begins at `from` or later; what is before `from` counts for
  // anchors and boundaries only.
  bool Find(size_t from) { return Search(from, false); }
  // Finds the next match like Go's FindAll: an empty match directly behind the last match does not
  // count.
  bool FindNext();

  // Of the match that was found last.
  size_t begin() const { return begin_; }
  size_t end() const { return end_; }
  std::string_view match() const { return text_.substr(begin_, end_ - begin_); }

  bool is_exhausted() const { return steps_left_ == 0; }
  uint64_t steps() const { return steps_max_ - steps_left_; }

 private:
  struct Thread {
    uint32_t place;
    size_t begin;
  };

  bool Search(size_t from, bool is_any_enough);
  void Follow(uint32_t place, size_t begin, size_t at, std::vector<Thread>* threads);
  void Advance(Rune rune, size_t at, bool* is_found);
  bool Holds(RegexInstruction::Op op, size_t at) const;
  bool IsWord(size_t at) const;

  const Regex& regex_;
  std::string_view text_;
  uint64_t steps_max_;
  uint64_t steps_left_;
  std::vector<Thread> threads_;  // in the order of their priority
  std::vector<Thread> next_threads_;
  std::vector<uint32_t> stack_;
  std::vector<uint32_t> visits_;  // per instruction: the round in which it was visited last
  uint32_t round_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
  size_t next_from_ = 0;        // of FindNext
  size_t last_end_ = SIZE_MAX;  // of the last match of FindNext
};

}  // namespace stowage::cel
