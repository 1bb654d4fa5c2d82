// The operands of PodTopologySpread's scores: for each constraint, the matching pods in the node's
// domain and their weight.
#include "core/base/check.h"
#include "core/base/go_math.h"
#include "core/framework/score_notes.h"
#include "core/plugins/pod_topology_spread_state.h"

namespace stowage {

int64_t PodTopologySpread::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  const auto* stored = scored.state.Read<SpreadPreScoreState>();
  CHECK(stored != nullptr);
  const NodeInfo& node = scored.node();
  if (stored->soft->LeavesOut(node.row())) {
    notes->AddResult("the node lacks a label that the pod spreads over: {}", {0});
    return 0;
  }
  const LabelMap& labels = node.node()->metadata.labels;
  double sum = stored->SumOfTerms(
      node.row(), NodeOutsideSnapshot(node), [&](size_t constraint, int64_t pods) {
        const SpreadConstraint& one = stored->soft->list[constraint].constraint;
        const SpreadWeight& weight = stored->weights[constraint];
        const Symbol* value = labels.Find(one.topology_key);
        notes->AddOperand("{}={}: {} matching pods × ln({} + 2) = {}, + maxSkew {} − 1",
                          {one.topology_key.view(), value == nullptr ? "" : value->view(), pods,
                           weight.domains, DecimalText(weight.log), one.max_skew});
      });
  int64_t score = GoRoundToInt64(sum);
  notes->AddResult("{}, rounded {}", {DecimalText(sum), score});
  return score;
}

int64_t PodTopologySpread::NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const {
  const auto* stored = scored.state.Read<SpreadPreScoreState>();
  CHECK(stored != nullptr);
  if (stored->soft->LeavesOut(scored.node().row())) {
    notes->AddResult("a node without the label gets {}", {0});
    return 0;
  }
  SpreadNormalization rule(*stored->soft, scored.raw);
  int64_t value = rule(scored.score());
  if (rule.max == 0) {
    notes->AddResult("the highest raw score is 0: {}", {value});
  } else {
    notes->AddResult("{} × ({} + {} − {}) / {} = {}",
                     {kMaxNodeScore, rule.max, rule.min, scored.score(), rule.max, value});
  }
  return value;
}

}  // namespace stowage
