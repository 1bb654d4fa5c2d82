// The operands of NodeAffinity's scores: each preferred term, and whether the node matches it.
#include <string>

#include "core/base/check.h"
#include "core/framework/score_notes.h"
#include "core/plugins/helper_normalize_score.h"
#include "core/plugins/node_affinity.h"

namespace stowage {
namespace {

void AppendExpressions(const std::vector<SelectorExpression>& expressions, std::string* text) {
  for (const SelectorExpression& expression : expressions) {
    if (!text->empty()) text->append(" and ");
    text->append(expression.key.view()).append(" ").append(expression.op.view());
    std::string_view before = " (";
    for (const Symbol& value : expression.values) {
      text->append(before).append(value.view());
      before = ", ";
    }
    if (!expression.values.empty()) text->append(")");
  }
}

std::string TextOf(const NodeSelectorTerm& term) {
  std::string text;
  AppendExpressions(term.match_expressions, &text);
  AppendExpressions(term.match_fields, &text);
  return text;
}

int64_t NoteTerms(std::string_view whose, const std::vector<PreferredSchedulingTerm>& terms,
                  const PreferredSchedulingTerms& preferred, const Node& node, ScoreNotes* notes) {
  int64_t score = 0;
  preferred.ForEachTerm(node, [&](size_t place, int64_t points) {
    score += points;
    notes->AddOperand("{}, {}: {}{}", {whose, TextOf(terms[place].preference),
                                       points == 0 ? "not met, " : "+", points});
  });
  return score;
}

}  // namespace

int64_t NodeAffinity::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  const Node& node = *scored.node().node();
  int64_t score = 0;
  if (added_preferred_) {
    score +=
        NoteTerms("of the configuration", *added_preferred_terms_, *added_preferred_, node, notes);
  }
  const Shared<Affinity>& affinity = scored.pod.spec.affinity;
  if (affinity && affinity->node_affinity && affinity->node_affinity->preferred) {
    const std::vector<PreferredSchedulingTerm>& terms = *affinity->node_affinity->preferred;
    auto preferred = PreferredSchedulingTerms::Make(terms);
    CHECK(preferred.ok());
    score += NoteTerms("of the pod", terms, *preferred, node, notes);
  }
  notes->AddResult("together {}", {score});
  return score;
}

int64_t NodeAffinity::NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const {
  return NoteDefaultNormalizedScore(false, scored, notes);
}

}  // namespace stowage
