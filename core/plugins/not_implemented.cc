#include "core/plugins/not_implemented.h"

#include <algorithm>

#include "core/api/selector.h"

namespace stowage {
namespace {

bool HasClaim(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [](const Volume& volume) {
    return volume.persistent_volume_claim.has_value();
  });
}

bool HasEphemeralVolume(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [](const Volume& volume) { return volume.ephemeral.has_value(); });
}

bool HasInTreeDisk(const Pod& pod) {
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [](const Volume& volume) { return volume.has_in_tree_disk; });
}

// Terms of existing pods. They are looked at for every decision, so a term is compared as it stands
// in the object; only one that matches is compiled, since a list with an invalid selector counts
// for nothing.

bool MatchesExpression(const SelectorExpression& expression, const LabelMap& labels) {
  const Symbol* value = labels.Find(expression.key);
  bool is_listed = value != nullptr && std::find(expression.values.begin(), expression.values.end(),
                                                 *value) != expression.values.end();
  if (expression.op == "In") return is_listed;
  if (expression.op == "NotIn") return !is_listed;
  if (expression.op == "Exists") return value != nullptr;
  return value == nullptr;
}

bool MatchesUnchecked(const std::optional<LabelSelector>& selector, const LabelMap& labels) {
  if (!selector) return false;
  for (const auto& [key, wanted] : selector->match_labels) {
    const Symbol* value = labels.Find(key);
    if (value == nullptr || *value != wanted) return false;
  }
  return std::all_of(selector->match_expressions.begin(), selector->match_expressions.end(),
                     [&labels](const SelectorExpression& expression) {
                       return MatchesExpression(expression, labels);
                     });
}

bool SelectsNamespace(const PodAffinityTerm& term, const Pod& owner, const Pod& pod,
                      const Listers& listers) {
  const Symbol& namespace_ = pod.metadata.namespace_;
  if (term.namespaces.empty() && !term.namespace_selector) {
    return owner.metadata.namespace_ == namespace_;
  }
  for (const Symbol& listed : term.namespaces) {
    if (listed == namespace_) return true;
  }
  if (!term.namespace_selector) return false;
  static const LabelMap kNoLabels;
  NamespaceRef object = listers.GetNamespace(namespace_);
  return MatchesUnchecked(term.namespace_selector,
                          object == nullptr ? kNoLabels : object->metadata.labels);
}

const PodAffinityTerm& TermOf(const PodAffinityTerm& term) { return term; }
const PodAffinityTerm& TermOf(const WeightedPodAffinityTerm& term) {
  return term.pod_affinity_term;
}

template <typename Term>
bool AllParse(const std::vector<Term>& terms) {
  return std::all_of(terms.begin(), terms.end(), [](const Term& term) {
    return Selector::Make(TermOf(term).label_selector).ok() &&
           Selector::Make(TermOf(term).namespace_selector).ok();
  });
}

// An existing pod with its node, as a pending pod meets it.
struct ExistingPod {
  const Pod& pod;
  const LabelMap& node_labels;
};

template <typename Term>
bool AnyMatches(const std::vector<Term>& terms, const ExistingPod& existing, const Pod& pod,
                const Listers& listers) {
  bool matches = std::any_of(terms.begin(), terms.end(), [&](const Term& weighted) {
    const PodAffinityTerm& term = TermOf(weighted);
    return SelectsNamespace(term, existing.pod, pod, listers) &&
           MatchesUnchecked(term.label_selector, pod.metadata.labels) &&
           existing.node_labels.Has(term.topology_key);
  });
  return matches && AllParse(terms);
}

bool HasTerms(const std::optional<PodAffinitySpec>& spec) {
  return spec && (!spec->required.empty() || !spec->preferred.empty());
}

}  // namespace

bool VolumeRestrictions::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasInTreeDisk(pod);
}

bool NodeVolumeLimits::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasEphemeralVolume(pod) || HasInTreeDisk(pod);
}

bool VolumeBinding::Matters(const Pod& pod) const {
  return HasClaim(pod) || HasEphemeralVolume(pod);
}

bool VolumeZone::Matters(const Pod& pod) const { return HasClaim(pod); }

InterPodAffinity::InterPodAffinity(const PluginContext& context)
    : handle_(context.handle),
      scores_preferred_(
          !context.Args<InterPodAffinityArgs>().ignore_preferred_terms_of_existing_pods),
      scores_required_(scores_preferred_ &&
                       context.Args<InterPodAffinityArgs>().hard_pod_affinity_weight > 0) {}

bool InterPodAffinity::Matters(const Pod& pod) const {
  const std::optional<Affinity>& own = pod.spec.affinity;
  if (own && (HasTerms(own->pod_affinity) || HasTerms(own->pod_anti_affinity))) return true;
  for (const NodeInfo* node : handle_.snapshot().have_pods_with_affinity()) {
    for (const PodInfoRef& existing : node->pods_with_affinity()) {
      if (MattersTo(pod, *existing->pod, *node->node())) return true;
    }
  }
  return false;
}

bool InterPodAffinity::MattersTo(const Pod& pod, const Pod& existing, const Node& node) const {
  const Listers& listers = handle_.listers();
  const Affinity& affinity = *existing.spec.affinity;
  const ExistingPod on_node{existing, node.metadata.labels};
  if (affinity.pod_anti_affinity) {
    const PodAffinitySpec& terms = *affinity.pod_anti_affinity;
    if (AnyMatches(terms.required, on_node, pod, listers)) return true;
    if (scores_preferred_ && AnyMatches(terms.preferred, on_node, pod, listers)) return true;
  }
  if (affinity.pod_affinity) {
    const PodAffinitySpec& terms = *affinity.pod_affinity;
    if (scores_required_ && AnyMatches(terms.required, on_node, pod, listers)) return true;
    if (scores_preferred_ && AnyMatches(terms.preferred, on_node, pod, listers)) return true;
  }
  return false;
}

}  // namespace stowage
