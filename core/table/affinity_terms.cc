#include "core/table/affinity_terms.h"

#include <algorithm>
#include <string>

#include "core/base/stable_sort.h"

namespace stowage {
namespace {

const PodAffinityTerm& TermOf(const PodAffinityTerm& term) { return term; }
const PodAffinityTerm& TermOf(const WeightedPodAffinityTerm& term) {
  return term.pod_affinity_term;
}
int32_t WeightOf(const PodAffinityTerm&) { return 0; }
int32_t WeightOf(const WeightedPodAffinityTerm& term) { return term.weight; }

Symbol IdentityOf(const AffinityTerm& term) {
  std::vector<Symbol> namespaces = term.namespaces;
  StableSort(&namespaces);
  std::string text = std::to_string(term.weight);
  for (const Symbol& name : namespaces) text.append(",").append(name.view());
  text.append("\n").append(term.topology_key.view());
  text.append("\n").append(term.namespace_selector.CanonicalKey());
  text.append("\n").append(term.selector.CanonicalKey());
  return Symbol(text);
}

// A term that neither names nor selects namespaces applies to the pod's own.
std::vector<Symbol> NamespacesOf(const PodAffinityTerm& term, const Pod& pod) {
  if (term.namespaces.empty() && !term.namespace_selector) return {pod.metadata.namespace_};
  return term.namespaces;
}

template <typename ApiTerm>
std::vector<AffinityTerm> Parse(const std::vector<ApiTerm>& given, const Pod& pod,
                                std::string_view list, FieldErrors* errors) {
  std::vector<AffinityTerm> terms;
  for (const ApiTerm& weighted : given) {
    const PodAffinityTerm& from = TermOf(weighted);
    Result<Selector, FieldErrors> selector = Selector::Make(from.label_selector);
    Result<Selector, FieldErrors> namespaces = Selector::Make(from.namespace_selector);
    if (!selector.ok() || !namespaces.ok()) {
      const FieldErrors& fault = selector.ok() ? namespaces.fault() : selector.fault();
      errors->Add(std::string(list) + ": " + fault.Text());
      return {};
    }
    terms.push_back({NamespacesOf(from, pod),
                     selector.Take(),
                     namespaces.Take(),
                     from.topology_key,
                     WeightOf(weighted),
                     {}});
  }
  return terms;
}

}  // namespace

bool AffinityTerm::Matches(const Pod& pod, const LabelMap& namespace_labels) const {
  const Symbol& namespace_ = pod.metadata.namespace_;
  bool is_of_namespace =
      std::find(namespaces.begin(), namespaces.end(), namespace_) != namespaces.end() ||
      namespace_selector.Matches(namespace_labels);
  return is_of_namespace && selector.Matches(pod.metadata.labels);
}

AffinityTerms ParseRequiredAffinityTerms(const Pod& pod, FieldErrors* errors) {
  AffinityTerms terms;
  if (!pod.spec.affinity) return terms;
  const std::optional<PodAffinitySpec>& affinity = pod.spec.affinity->pod_affinity;
  const std::optional<PodAffinitySpec>& anti = pod.spec.affinity->pod_anti_affinity;
  if (affinity) {
    terms.required_affinity = Parse(affinity->required, pod, "requiredAffinityTerms", errors);
  }
  if (anti) {
    terms.required_anti_affinity = Parse(anti->required, pod, "requiredAntiAffinityTerms", errors);
  }
  return terms;
}

AffinityTerms ParseAffinityTerms(const Pod& pod, FieldErrors* errors) {
  AffinityTerms terms = ParseRequiredAffinityTerms(pod, errors);
  if (!pod.spec.affinity) return terms;
  const std::optional<PodAffinitySpec>& affinity = pod.spec.affinity->pod_affinity;
  const std::optional<PodAffinitySpec>& anti = pod.spec.affinity->pod_anti_affinity;
  if (affinity) {
    terms.preferred_affinity = Parse(affinity->preferred, pod, "preferredAffinityTerms", errors);
  }
  if (anti) {
    terms.preferred_anti_affinity =
        Parse(anti->preferred, pod, "preferredAntiAffinityTerms", errors);
  }
  for (auto* list : {&terms.required_affinity, &terms.required_anti_affinity,
                     &terms.preferred_affinity, &terms.preferred_anti_affinity}) {
    for (AffinityTerm& term : *list) term.identity = IdentityOf(term);
  }
  return terms;
}

}  // namespace stowage
