#include "core/framework/score_notes.h"
#include "core/plugins/helper_normalize_score.h"

namespace stowage {

int64_t NoteDefaultNormalizedScore(bool reverse, const NotedScore& scored, ScoreNotes* notes) {
  int64_t highest = HighestScore(scored.raw);
  if (highest == 0) {
    int64_t value = reverse ? kMaxNodeScore : scored.score();
    notes->AddResult("the highest raw score is 0: {} for this node", {value});
    return value;
  }
  int64_t value = StretchedScore(scored.score(), kMaxNodeScore, highest, reverse);
  notes->AddResult("{}{} × {} / {} = {}",
                   {reverse ? "100 − " : "", kMaxNodeScore, scored.score(), highest, value});
  return value;
}

}  // namespace stowage
