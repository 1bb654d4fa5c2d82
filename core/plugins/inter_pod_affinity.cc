#include "core/plugins/inter_pod_affinity.h"

#include <algorithm>

namespace stowage {
namespace {

const LabelMap& NoLabels() {
  static const LabelMap kNone;
  return kNone;
}

}  // namespace

InterPodAffinity::InterPodAffinity(const PluginContext& context)
    : handle_(context.handle),
      hard_pod_affinity_weight_(context.Args<InterPodAffinityArgs>().hard_pod_affinity_weight),
      ignores_preferred_terms_of_existing_pods_(
          context.Args<InterPodAffinityArgs>().ignore_preferred_terms_of_existing_pods) {}

void InterPodAffinity::MergeNamespaces(std::vector<AffinityTerm>* terms) const {
  for (AffinityTerm& term : *terms) {
    if (term.namespace_selector.Empty()) continue;
    for (const NamespaceRef& object : handle_.listers().Namespaces()) {
      if (!term.namespace_selector.Matches(object->metadata.labels)) continue;
      term.namespaces.push_back(object->metadata.name);
    }
  }
}

const LabelMap& InterPodAffinity::NamespaceLabels(const Pod& pod) const {
  NamespaceRef object = handle_.listers().GetNamespace(pod.metadata.namespace_);
  return object == nullptr ? NoLabels() : object->metadata.labels;
}

bool InterPodAffinity::AppendFragment(const Pod& pod, PodSignature*) const {
  if (pod.spec.affinity &&
      (pod.spec.affinity->pod_affinity || pod.spec.affinity->pod_anti_affinity)) {
    return false;
  }
  const LabelMap& namespace_labels = NamespaceLabels(pod);
  const auto& entries = handle_.topology_index().Terms().entries();
  return std::none_of(entries.begin(), entries.end(), [&](const ExistingTerms::Entry& entry) {
    return entry.num_pods > 0 && entry.term.Matches(pod, namespace_labels);
  });
}

PodMatcher MatcherOf(const AffinityTerm& term) {
  return {term.namespaces, term.namespace_selector.Matches(NoLabels()), term.selector};
}

bool MatchesAll(const std::vector<AffinityTerm>& terms, const Pod& existing) {
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](const AffinityTerm& term) {
    return term.Matches(existing, NoLabels());
  });
}

bool InterPodAffinity::CanSign(const Pod& pod) const {
  const std::optional<Affinity>& affinity = pod.spec.affinity;
  return !affinity || (!affinity->pod_affinity && !affinity->pod_anti_affinity);
}

void InterPodAffinity::SignPod(const Pod& pod, PodSignature* signature) const {
  if (ignores_preferred_terms_of_existing_pods_) return;
  signature->AddCount(pod.metadata.labels.size());
  for (const auto& [key, value] : pod.metadata.labels) {
    signature->Add(key);
    signature->Add(value);
  }
}

}  // namespace stowage
