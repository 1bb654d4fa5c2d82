// NodeAffinity's code for the verdict cache.
#include "core/plugins/node_affinity.h"

namespace stowage {
namespace {

void AppendExpressions(const std::vector<SelectorExpression>& expressions,
                       PodSignature* signature) {
  signature->AddCount(expressions.size());
  for (const SelectorExpression& expression : expressions) {
    signature->Add(expression.key);
    signature->Add(expression.op);
    signature->AddCount(expression.values.size());
    for (const Symbol& value : expression.values) signature->Add(value);
  }
}

void AppendTerm(const NodeSelectorTerm& term, PodSignature* signature) {
  AppendExpressions(term.match_expressions, signature);
  AppendExpressions(term.match_fields, signature);
}

// Absent is 0 and empty is 1, because PreFilter and PreScore distinguish them.
template <typename List>
void AppendCount(const List* list, PodSignature* signature) {
  signature->AddCount(list == nullptr ? 0 : list->size() + 1);
}

}  // namespace

bool NodeAffinity::AppendFragment(const Pod& pod, PodSignature* signature) const {
  const LabelMap* labels = pod.spec.node_selector ? &*pod.spec.node_selector : nullptr;
  AppendCount(labels, signature);
  if (labels != nullptr) {
    for (const auto& [key, value] : *labels) {
      signature->Add(key);
      signature->Add(value);
    }
  }
  const NodeAffinitySpec* affinity = NodeAffinityOf(pod);
  const auto* required = affinity != nullptr && affinity->required
                             ? &affinity->required->node_selector_terms
                             : nullptr;
  AppendCount(required, signature);
  if (required != nullptr) {
    for (const NodeSelectorTerm& term : *required) AppendTerm(term, signature);
  }
  const auto* preferred =
      affinity != nullptr && affinity->preferred ? &*affinity->preferred : nullptr;
  AppendCount(preferred, signature);
  if (preferred != nullptr) {
    for (const PreferredSchedulingTerm& term : *preferred) {
      signature->Add(int64_t{term.weight});
      AppendTerm(term.preference, signature);
    }
  }
  return true;
}

}  // namespace stowage
