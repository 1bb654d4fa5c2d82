// The pod affinity and anti-affinity terms of a pod, parsed once (spec plugins/inter-pod-affinity).
// Counterpart: framework.AffinityTerm and framework.PodInfo, v1.36.
#pragma once

#include <cstdint>
#include <vector>

#include "core/api/field_error.h"
#include "core/api/pod.h"
#include "core/api/selector.h"

namespace stowage {

struct AffinityTerm {
  std::vector<Symbol> namespaces;
  Selector selector;
  Selector namespace_selector;
  Symbol topology_key;
  int32_t weight = 0;  // of preferred terms
  // Equal for terms that match the same pods with the same key and weight. Empty in the result of
  // ParseRequiredAffinityTerms.
  Symbol identity;

  // `namespace_labels` are those of the pod's namespace.
  bool Matches(const Pod& pod, const LabelMap& namespace_labels) const;
};

struct AffinityTerms {
  std::vector<AffinityTerm> required_affinity;
  std::vector<AffinityTerm> required_anti_affinity;
  std::vector<AffinityTerm> preferred_affinity;
  std::vector<AffinityTerm> preferred_anti_affinity;
};

// All four lists. A list with a selector that does not parse stays empty, and `errors` names it.
AffinityTerms ParseAffinityTerms(const Pod& pod, FieldErrors* errors);
// Only the two required lists, without identities.
AffinityTerms ParseRequiredAffinityTerms(const Pod& pod, FieldErrors* errors);

}  // namespace stowage
