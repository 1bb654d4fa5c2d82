#include "core/framework/score_notes.h"

#include <utility>

#include "core/base/go_math.h"
#include "core/framework/interface.h"

namespace stowage {

void ScoreNotes::NoteOmitted() {
  size_t omitted = num_operands_ > kMaxOperands ? num_operands_ - kMaxOperands : 0;
  num_operands_ = 0;
  if (omitted > 0) lines_.push_back(fmt::format("and {} more", omitted));
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
