// RegexCompiler translates a pattern into instructions in one pass over its text.
//
// The instructions of a group's alternatives lie one after the other, and jumps are relative:
// what is repeated or becomes an alternative is moved or copied as it is. Nothing recurs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/cel/regex.h"
#include "core/cel/runes.h"

namespace stowage::cel {

class RegexCompiler {
 public:
  explicit RegexCompiler(std::string_view pattern) : pattern_(pattern), rest_(pattern) {}

  Result<Regex, RegexError> Compile();

 private:
  using Op = RegexInstruction::Op;

  struct Flags {
    bool fold_case = false;
    bool multi_line = false;
    bool dot_newline = false;
    bool non_greedy = false;
  };

  // The part of a branch that a repetition operator behind it would repeat.
  struct Atom {
    size_t begin = 0;
    bool is_present = false;
    bool is_nullable = true;  // may match the empty text
    uint32_t copies = 1;      // the product of the counts of nested repeats
  };

  // An open group, or the whole pattern.
  struct Group {
    Flags flags_outside;
    size_t branch_begin = 0;         // of the current alternative
    size_t exits_begin = 0;          // its jumps are the exits from here on
    Atom atom;                       // the last one of the current alternative
    bool is_branch_nullable = true;  // the alternative without its last atom
    bool is_nullable = false;        // an earlier alternative
    uint32_t copies = 1;             // the largest one of the atoms before the last
  };

  struct Repeat {
    int64_t min;
    int64_t max;  // -1: any number
  };

  bool Fail(std::string_view code, std::string_view expression);
  std::string_view Since(std::string_view before) const {
    return before.substr(0, before.size() - rest_.size());
  }

  bool ParseNext();
  bool ParseRune(uint32_t* rune);  // the next code point as it is
  bool ParseGroup();
  bool ParseGroupFlags();
  bool ParseGroupName(size_t name_begin);
  bool ParseBackslash();
  bool ParseQuoted();
  bool ParseEscape(uint32_t* rune);
  // Returns false for an invalid escape too; `is_utf8` is false if a fault was reported.
  bool ParseHexEscape(uint32_t* rune, bool* is_utf8);
  bool ParseRepeatOperator();
  bool ParseCounts(Repeat* repeat);
  static int64_t ParseCount(std::string_view* text);
  bool ParseClass();
  bool ParseClassItem(std::string_view whole, RuneRanges* ranges);
  bool ParseClassRune(std::string_view whole, uint32_t* rune);
  // A class such as \d, \pL or [:alpha:]; `is_class` is false, and nothing is read, if there is
  // none.
  bool ParseNamedClass(bool is_in_brackets, RuneRanges* ranges, bool* is_class);
  bool ParseUnicodeClass(RuneRanges* ranges);
  void AppendClass(RuneRanges members, bool is_negated, RuneRanges* ranges) const;

  void BeginAtom(bool is_nullable);
  void Emit(Op op, uint32_t count = 0, size_t argument = 0);
  void AddLiteral(uint32_t rune);
  void AddClass(RuneRanges ranges);
  void AddAssertion(Op op);
  void OpenGroup();
  bool CloseGroup();
  void EndAlternative();
  void EndAlternatives();
  bool CountCopies(Repeat repeat, bool is_counted);
  bool ApplyRepeat(Repeat repeat, bool is_greedy);

  std::string_view pattern_;
  std::string_view rest_;
  Flags flags_;
  std::vector<Group> groups_;
  std::vector<size_t> exits_;     // jumps to the end of open groups
  std::string_view last_repeat_;  // the pattern from the repetition operator before this place on
  Regex regex_;
  std::string error_;
};

}  // namespace stowage::cel
