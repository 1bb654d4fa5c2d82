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
          context.Args<InterPodAffinityArgs>().ignore_preferred_terms_of_existing_pods),
      behaviour_(context.features.behaviour) {}

void InterPodAffinity::MergeNamespaces(std::vector<AffinityTerm>* terms) const {
  for (AffinityTerm& term : *terms) {
    if (term.namespace_selector.Empty()) continue;
    if (!handle_.steps().Spend(handle_.listers().Namespaces().size())) return;
    for (const NamespaceRef& object : handle_.listers().Namespaces()) {
      if (!term.namespace_selector.Matches(object->metadata.labels)) continue;
      term.namespaces.push_back(object->metadata.name);
    }
    if (!behaviour_.own_terms_keep_namespace_selector)
      term.namespace_selector = Selector::Nothing();
  }
}

const LabelMap& InterPodAffinity::NamespaceLabels(const Pod& pod) const {
  NamespaceRef object = handle_.listers().GetNamespace(pod.metadata.namespace_);
  return object == nullptr ? NoLabels() : object->metadata.labels;
}

void TermsByKey::Add(const AffinityTerm& term, int64_t weight) {
  auto [place, is_new] = places_.try_emplace(term.topology_key, groups_.size());
  if (is_new) groups_.push_back({term.topology_key, {}, {}});
  Group& group = groups_[place->second];
  group.matchers.push_back(MatcherOf(term));
  group.weights.push_back(weight);
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
  const Shared<Affinity>& affinity = pod.spec.affinity;
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
