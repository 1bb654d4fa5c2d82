#include "core/api/pod_size.h"

namespace stowage {
namespace {

uint64_t SizeOf(const std::vector<SelectorExpression>& expressions) {
  uint64_t size = expressions.size();
  for (const SelectorExpression& expression : expressions) size += expression.values.size();
  return size;
}

uint64_t SizeOf(const std::optional<LabelSelector>& selector) {
  return selector ? selector->match_labels.size() + SizeOf(selector->match_expressions) : 0;
}

uint64_t SizeOf(const NodeSelectorTerm& term) {
  return 1 + SizeOf(term.match_expressions) + SizeOf(term.match_fields);
}

uint64_t SizeOf(const PodAffinityTerm& term) {
  return 1 + term.namespaces.size() + SizeOf(term.label_selector) + SizeOf(term.namespace_selector);
}

uint64_t SizeOf(const std::optional<PodAffinitySpec>& spec) {
  if (!spec) return 0;
  uint64_t size = 0;
  for (const PodAffinityTerm& term : spec->required) size += SizeOf(term);
  for (const WeightedPodAffinityTerm& term : spec->preferred) {
    size += SizeOf(term.pod_affinity_term);
  }
  return size;
}

uint64_t SizeOf(const std::optional<NodeAffinitySpec>& spec) {
  if (!spec) return 0;
  uint64_t size = 0;
  if (spec->required) {
    for (const NodeSelectorTerm& term : spec->required->node_selector_terms) size += SizeOf(term);
  }
  if (spec->preferred) {
    for (const PreferredSchedulingTerm& term : *spec->preferred) size += SizeOf(term.preference);
  }
  return size;
}

uint64_t SizeOf(const SharedList<Container>& containers) {
  uint64_t size = containers.size();
  for (const Container& container : containers) {
    size += container.resources.requests.size() + container.ports.size();
  }
  return size;
}

}  // namespace

uint64_t PodSize(const Pod& pod) {
  const PodSpec& spec = pod.spec;
  uint64_t size = 1 + pod.metadata.labels.size() + pod.metadata.owner_references.size();
  size += SizeOf(spec.containers) + SizeOf(spec.init_containers) + spec.overhead.size();
  size += spec.tolerations.size() + spec.volumes.size() + spec.resource_claims.size();
  if (spec.node_selector) size += spec.node_selector->size();
  for (const TopologySpreadConstraint& constraint : spec.topology_spread_constraints) {
    size += 1 + SizeOf(constraint.label_selector) + constraint.match_label_keys.size();
  }
  if (!spec.affinity) return size;
  return size + SizeOf(spec.affinity->node_affinity) + SizeOf(spec.affinity->pod_affinity) +
         SizeOf(spec.affinity->pod_anti_affinity);
}

}  // namespace stowage
