#include "core/framework/score_notes.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/format.h"
#include "core/base/go_math.h"
#include "core/framework/interface.h"

namespace stowage {

void ScoreNotes::AddOperand(std::string_view text, Arguments arguments) {
  if (++num_operands_ <= kMaxOperands) Add(text, arguments);
}

void ScoreNotes::AddResult(std::string_view text, Arguments arguments) {
  if (num_operands_ > kMaxOperands) Add("and {} more", {num_operands_ - kMaxOperands});
  num_operands_ = 0;
  Add(text, arguments);
}

void ScoreNotes::Add(std::string_view text, Arguments arguments) {
  std::string line;
  const NoteArgument* next = arguments.begin();
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') {
      line.push_back(text[at]);
      continue;
    }
    ++at;  // skips the closing brace
    CHECK(next != arguments.end());
    line.append(next->is_number ? std::to_string(next->number) : std::string(next->text));
    ++next;
  }
  CHECK(next == arguments.end());
  lines_.push_back(std::move(line));
}

std::string DecimalText(double value) {
  constexpr int64_t kUnit = 10'000;
  int64_t scaled = GoRoundToInt64(value * kUnit);
  std::string text = Format("{}.{:04}", scaled / kUnit, scaled % kUnit);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

int64_t ScoreNotesPlugin::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  notes->AddResult("answered {}", {scored.score()});
  return scored.score();
}

int64_t ScoreNotesPlugin::NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const {
  notes->AddResult("the plugin normalizes {} to {}", {scored.score(), scored.normalized});
  return scored.normalized;
}

}  // namespace stowage
