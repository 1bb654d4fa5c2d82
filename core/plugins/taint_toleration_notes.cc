// The operands of TaintToleration's score: the taints that are not tolerated.
#include "core/base/check.h"
#include "core/framework/score_notes.h"
#include "core/plugins/helper_normalize_score.h"
#include "core/plugins/taint_toleration.h"

namespace stowage {

int64_t TaintToleration::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  const auto* s = scored.state.Read<PreScoreState>();
  CHECK(s != nullptr);
  int64_t intolerable = 0;
  ForEachScoredTaint(*s, scored.node(), [&](const Taint& taint) {
    ++intolerable;
    notes->AddOperand("{}{}{}",
                      {taint.key.view(), taint.value.empty() ? "" : "=", taint.value.view()});
  });
  notes->AddResult("PreferNoSchedule taints that the pod does not tolerate: {}", {intolerable});
  return intolerable;
}

int64_t TaintToleration::NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const {
  return NoteDefaultNormalizedScore(true, scored, notes);
}

}  // namespace stowage
