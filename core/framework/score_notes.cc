#include "core/framework/score_notes.h"

#include "core/base/go_math.h"
#include "core/framework/interface.h"

namespace stowage {

void ScoreNotes::Add(bool is_operand, fmt::string_view text, fmt::format_args args) {
  if (is_operand && ++num_operands_ > kMaxOperands) return;
  if (!is_operand) {
    if (num_operands_ > kMaxOperands) {
      lines_.push_back(fmt::format("and {} more", num_operands_ - kMaxOperands));
    }
    num_operands_ = 0;
  }
  lines_.push_back(fmt::vformat(text, args));
}

std::string DecimalText(double value) {
  constexpr int64_t kUnit = 10'000;
  int64_t scaled = GoRoundToInt64(value * kUnit);
  std::string text = fmt::format("{}.{:04}", scaled / kUnit, scaled % kUnit);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

int64_t ScoreNotesPlugin::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  notes->AddResult("answered {}", scored.score());
  return scored.score();
}

int64_t ScoreNotesPlugin::NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const {
  notes->AddResult("the plugin normalizes {} to {}", scored.score(), scored.normalized);
  return scored.normalized;
}

}  // namespace stowage
