#include "core/plugins/inter_pod_affinity.h"

#include <algorithm>

#include "core/framework/signers.h"
#include "core/table/row_key.h"

namespace stowage {
namespace {

const LabelMap& NoLabels() {
  static const LabelMap kNone;
  return kNone;
}

void SignTerm(const PodAffinityTerm& term, int32_t weight, const LabelMap& labels,
              PodSignature* signature) {
  signature->Add(int64_t{weight});
  signature->Add(term.topology_key);
  signature->AddCount(term.namespaces.size());
  for (const Symbol& name : term.namespaces) signature->Add(name);
  SignLabelSelector(term.label_selector, labels, signature);
  SignLabelSelector(term.namespace_selector, NoLabels(), signature);
}

void SignTerms(const std::optional<PodAffinitySpec>& spec, const LabelMap& labels,
               PodSignature* signature) {
  signature->AddCount(spec ? 1 : 0);
  if (!spec) return;
  signature->AddCount(spec->required.size());
  for (const PodAffinityTerm& term : spec->required) SignTerm(term, 0, labels, signature);
  signature->AddCount(spec->preferred.size());
  for (const WeightedPodAffinityTerm& term : spec->preferred) {
    SignTerm(term.pod_affinity_term, term.weight, labels, signature);
  }
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
    if (!handle_.steps().Spend(handle_.listers().Namespaces().size())) return;
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
  return handle_.topology_index().Terms().num_terms() == 0;
}

// Which of the placed pods' terms are about the pod follows from its namespace and some labels.
bool InterPodAffinity::AppendClassFragment(const Pod& pod, PodSignature* signature) const {
  const LabelMap& labels = pod.metadata.labels;
  signature->Add(pod.metadata.namespace_);
  SignLabels(labels, handle_.topology_index().TermKeys(), signature);
  const Shared<Affinity>& affinity = pod.spec.affinity;
  signature->AddCount(affinity ? 1 : 0);
  if (affinity) {
    SignTerms(affinity->pod_affinity, labels, signature);
    SignTerms(affinity->pod_anti_affinity, labels, signature);
  }
  return true;
}

bool InterPodAffinity::Derive(const Pod& pod, CycleState& derived, RowKey* key) const {
  Result<RequiredTermsRef, Status> required = DeriveRequired(pod);
  Result<ScoredTermsRef, Status> scored = DeriveScored(pod);
  if (!required.ok() || !scored.ok()) return false;
  AddRequiredTo(*required, derived, key);
  AddScoredTo(*scored, derived, key);
  return true;
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
