// ScoreNotes records how a score is computed: the operands and the formula, in lines that a reader
// can recalculate. Score plugins fill it on request (ScoreNotesPlugin); cycles never do.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

// A number or a text in a line of notes. It refers to the text, which must outlive it.
struct NoteArgument {
  NoteArgument(std::integral auto value)  // NOLINT: implicit on purpose
      : number(static_cast<int64_t>(value)), is_number(true) {}
  NoteArgument(std::string_view value) : text(value) {}    // NOLINT: implicit on purpose
  NoteArgument(const std::string& value) : text(value) {}  // NOLINT: implicit on purpose
  NoteArgument(const char* value) : text(value) {}         // NOLINT: implicit on purpose

  std::string_view text;
  int64_t number = 0;
  bool is_number = false;
};

// Each "{}" in a text is replaced by the next argument. This is not a template, because one
// instance for each list of types would be most of the code.
class ScoreNotes {
 public:
  using Arguments = std::initializer_list<NoteArgument>;

  // Further operands are counted in one line ("and 3 more").
  static constexpr size_t kMaxOperands = 50;

  // Adds one operand as a line of its own.
  void AddOperand(std::string_view text, Arguments arguments);
  // Adds the line of the result.
  void AddResult(std::string_view text, Arguments arguments);

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void Add(std::string_view text, Arguments arguments);

  std::vector<std::string> lines_;
  size_t num_operands_ = 0;
};

// Formats a double of at least 0 with at most four decimals.
std::string DecimalText(double value);

}  // namespace stowage
