// ScoreNotes records how a score comes about: the operands and the formula, in lines that can be
// followed by hand. Score plugins fill it on request (ScoreNotesPlugin); cycles never do.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace stowage {

class ScoreNotes {
 public:
  // Of more operands than this, only the number is noted.
  static constexpr size_t kMaxOperands = 50;

  // One operand. It has a line of its own.
  template <typename... Args>
  void AddOperand(fmt::format_string<const Args&...> text, const Args&... args) {
    Add(true, text, fmt::make_format_args(args...));
  }
  // What the operands add up to.
  template <typename... Args>
  void AddResult(fmt::format_string<const Args&...> text, const Args&... args) {
    Add(false, text, fmt::make_format_args(args...));
  }

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void Add(bool is_operand, fmt::string_view text, fmt::format_args args);

  std::vector<std::string> lines_;
  size_t num_operands_ = 0;
};

// A double of at least 0, with at most four decimals.
std::string DecimalText(double value);

}  // namespace stowage
