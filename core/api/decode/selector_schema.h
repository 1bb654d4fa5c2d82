// Schemas of selectors, affinities and spread constraints: parts of pods that also occur in the
// configuration.
#pragma once

#include "core/api/decode/schema.h"
#include "core/api/meta.h"
#include "core/api/pod.h"

namespace stowage {

template <>
struct Schema<SelectorExpression> {
  static constexpr auto kFields =
      Fields(Field<&SelectorExpression::key>("key"), Field<&SelectorExpression::op>("operator"),
             Field<&SelectorExpression::values>("values"));
};

template <>
struct Schema<LabelSelector> {
  static constexpr auto kFields =
      Fields(Field<&LabelSelector::match_labels>("matchLabels"),
             Field<&LabelSelector::match_expressions>("matchExpressions"));
};

template <>
struct Schema<NodeSelectorTerm> {
  static constexpr auto kFields =
      Fields(Field<&NodeSelectorTerm::match_expressions>("matchExpressions"),
             Field<&NodeSelectorTerm::match_fields>("matchFields"));
};

template <>
struct Schema<NodeSelector> {
  static constexpr auto kFields =
      Fields(Field<&NodeSelector::node_selector_terms>("nodeSelectorTerms"));
};

template <>
struct Schema<PreferredSchedulingTerm> {
  static constexpr auto kFields = Fields(Field<&PreferredSchedulingTerm::weight>("weight"),
                                         Field<&PreferredSchedulingTerm::preference>("preference"));
};

template <>
struct Schema<NodeAffinitySpec> {
  static constexpr auto kFields = Fields(
      Field<&NodeAffinitySpec::required>("requiredDuringSchedulingIgnoredDuringExecution"),
      Field<&NodeAffinitySpec::preferred>("preferredDuringSchedulingIgnoredDuringExecution"));
};

template <>
struct Schema<PodAffinityTerm> {
  static constexpr auto kFields =
      Fields(Field<&PodAffinityTerm::label_selector>("labelSelector"),
             Field<&PodAffinityTerm::namespaces>("namespaces"),
             Field<&PodAffinityTerm::namespace_selector>("namespaceSelector"),
             Field<&PodAffinityTerm::topology_key>("topologyKey"));
};

template <>
struct Schema<WeightedPodAffinityTerm> {
  static constexpr auto kFields =
      Fields(Field<&WeightedPodAffinityTerm::weight>("weight"),
             Field<&WeightedPodAffinityTerm::pod_affinity_term>("podAffinityTerm"));
};

template <>
struct Schema<PodAffinitySpec> {
  static constexpr auto kFields =
      Fields(Field<&PodAffinitySpec::required>("requiredDuringSchedulingIgnoredDuringExecution"),
             Field<&PodAffinitySpec::preferred>("preferredDuringSchedulingIgnoredDuringExecution"));
};

template <>
struct Schema<Affinity> {
  static constexpr auto kFields = Fields(Field<&Affinity::node_affinity>("nodeAffinity"),
                                         Field<&Affinity::pod_affinity>("podAffinity"),
                                         Field<&Affinity::pod_anti_affinity>("podAntiAffinity"));
};

template <>
struct Schema<TopologySpreadConstraint> {
  static constexpr auto kFields =
      Fields(Field<&TopologySpreadConstraint::max_skew>("maxSkew"),
             Field<&TopologySpreadConstraint::topology_key>("topologyKey"),
             Field<&TopologySpreadConstraint::when_unsatisfiable>("whenUnsatisfiable"),
             Field<&TopologySpreadConstraint::label_selector>("labelSelector"),
             Field<&TopologySpreadConstraint::min_domains>("minDomains"),
             Field<&TopologySpreadConstraint::node_affinity_policy>("nodeAffinityPolicy"),
             Field<&TopologySpreadConstraint::node_taints_policy>("nodeTaintsPolicy"),
             Field<&TopologySpreadConstraint::match_label_keys>("matchLabelKeys"));
};

}  // namespace stowage
