// ScoreNotes records how a score comes about: the operands and the formula, in lines that can be
// followed by hand. Score plugins fill it on request (ScoreNotesPlugin); cycles never do.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

// A number or a text in a line of notes. It refers to the text.
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

// Each "{}" of a text stands for one of the arguments, in their order. There is no template here:
// one for each list of types would be most of the code.
class ScoreNotes {
 public:
  using Arguments = std::initializer_list<NoteArgument>;

  // Of more operands than this, only the number is noted.
  static constexpr size_t kMaxOperands = 50;

  // One operand. It has a line of its own.
  void AddOperand(std::string_view text, Arguments arguments);
  // What the operands add up to.
  void AddResult(std::string_view text, Arguments arguments);

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void Add(std::string_view text, Arguments arguments);

  std::vector<std::string> lines_;
  size_t num_operands_ = 0;
};

// A double of at least 0, with at most four decimals.
std::string DecimalText(double value);

}  // namespace stowage
