#include "core/framework/signers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "core/api/pod_requests.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

using Texts = std::vector<Symbol>;

struct SortedTerm {
  int32_t weight = 0;  // for preferred terms only
  std::multiset<Texts> expressions;
  std::multiset<Texts> fields;

  friend bool operator<(const SortedTerm& a, const SortedTerm& b) {
    return std::tie(a.weight, a.expressions, a.fields) <
           std::tie(b.weight, b.expressions, b.fields);
  }
};

std::multiset<Texts> Sorted(const std::vector<SelectorExpression>& expressions) {
  std::multiset<Texts> sorted;
  for (const SelectorExpression& expression : expressions) {
    Texts values = expression.values;
    StableSort(&values);
    Texts texts{expression.key, expression.op};
    texts.insert(texts.end(), values.begin(), values.end());
    sorted.insert(std::move(texts));
  }
  return sorted;
}

SortedTerm Sorted(int32_t weight, const NodeSelectorTerm& term) {
  return {weight, Sorted(term.match_expressions), Sorted(term.match_fields)};
}

void SignTexts(const Texts& texts, PodSignature* signature) {
  signature->AddCount(texts.size());
  for (const Symbol& text : texts) signature->Add(text);
}

void SignTerms(const std::multiset<SortedTerm>& terms, PodSignature* signature) {
  signature->AddCount(terms.size());
  for (const SortedTerm& term : terms) {
    signature->Add(int64_t{term.weight});
    for (const std::multiset<Texts>* list : {&term.expressions, &term.fields}) {
      signature->AddCount(list->size());
      for (const Texts& texts : *list) SignTexts(texts, signature);
    }
  }
}

void SignExpressions(const std::vector<SelectorExpression>& expressions, PodSignature* signature) {
  signature->AddCount(expressions.size());
  for (const SelectorExpression& expression : expressions) {
    signature->Add(expression.key);
    signature->Add(expression.op);
    SignTexts(expression.values, signature);
  }
}

}  // namespace

void SignNodeSelectorTerm(const NodeSelectorTerm& term, PodSignature* signature) {
  SignExpressions(term.match_expressions, signature);
  SignExpressions(term.match_fields, signature);
}

void SignTolerations(const Pod& pod, PodSignature* signature) {
  std::vector<const Toleration*> sorted;
  for (const Toleration& toleration : pod.spec.tolerations) sorted.push_back(&toleration);
  StableSort(&sorted, [](const Toleration* a, const Toleration* b) {
    return std::tie(a->key, a->value) < std::tie(b->key, b->value);
  });
  signature->AddCount(sorted.size());
  for (const Toleration* toleration : sorted) {
    signature->Add(toleration->key);
    signature->Add(toleration->op);
    signature->Add(toleration->value);
    signature->Add(toleration->effect);
    signature->AddCount(toleration->toleration_seconds ? 1 : 0);
    signature->Add(toleration->toleration_seconds.value_or(0));
  }
}

void SignResource(const Resource& request, PodSignature* signature) {
  signature->Add(request.milli_cpu);
  signature->Add(request.memory);
  signature->Add(request.ephemeral_storage);
  signature->AddCount(request.scalars.size());
  for (const auto& [name, amount] : request.scalars) {
    signature->Add(name);
    signature->Add(amount);
  }
}

void SignRequests(const Pod& pod, const Features& features, PodSignature* signature) {
  PodResourcesOptions options;
  options.skip_pod_level = !features.pod_level_resources;
  Resource request;
  request.Add(PodRequests(pod, options));
  SignResource(request, signature);
}

bool SignWrittenRequests(const Pod& pod, const std::function<bool(const Symbol&)>& is_read,
                         PodSignature* signature) {
  const PodStatus& status = pod.status;
  bool has_resize = !status.container_statuses.empty() || !status.init_container_statuses.empty() ||
                    status.resources;
  if (has_resize) return false;
  PodSignature written;
  bool are_whole = true;
  auto sign = [&](const ResourceList& requests) {
    for (const auto& [name, quantity] : requests) {
      if (is_read != nullptr && !is_read(name)) continue;
      std::optional<int64_t> milli = quantity.WholeMilliValue();
      are_whole = are_whole && milli.has_value();
      written.Add(name);
      written.Add(milli.value_or(0));
    }
    written.AddCount(0);  // ends the list: no name is empty
  };
  written.AddCount(pod.spec.containers.size());
  for (const Container& container : pod.spec.containers) sign(container.resources.requests);
  written.AddCount(pod.spec.init_containers.size());
  for (const Container& container : pod.spec.init_containers) {
    written.Add(container.restart_policy);
    sign(container.resources.requests);
  }
  sign(pod.spec.overhead);
  written.AddCount(pod.spec.resources ? 1 : 0);
  if (pod.spec.resources) sign(pod.spec.resources->requests);
  if (are_whole) signature->Append(written);
  return are_whole;
}

void SignNodeAffinity(const Pod& pod, PodSignature* signature) {
  const std::optional<LabelMap>& node_selector = pod.spec.node_selector;
  signature->AddCount(node_selector ? node_selector->size() + 1 : 0);
  if (node_selector) {
    for (const auto& [key, value] : *node_selector) {
      signature->Add(key);
      signature->Add(value);
    }
  }
  const Shared<Affinity>& affinity = pod.spec.affinity;
  bool has_node_affinity = affinity && affinity->node_affinity;
  signature->AddCount(has_node_affinity ? 1 : 0);
  if (!has_node_affinity) return;
  std::multiset<SortedTerm> required;
  if (affinity->node_affinity->required) {
    for (const NodeSelectorTerm& term : affinity->node_affinity->required->node_selector_terms) {
      required.insert(Sorted(0, term));
    }
  }
  std::multiset<SortedTerm> preferred;
  if (affinity->node_affinity->preferred) {
    for (const PreferredSchedulingTerm& term : *affinity->node_affinity->preferred) {
      preferred.insert(Sorted(term.weight, term.preference));
    }
  }
  SignTerms(required, signature);
  SignTerms(preferred, signature);
}

void SignVolumes(const Pod& pod, PodSignature* signature) {
  std::multiset<Texts> sources;
  for (const Volume& volume : pod.spec.volumes) {
    if (const auto& claim = volume.persistent_volume_claim) {
      sources.insert({Symbol("persistentVolumeClaim"), claim->claim_name,
                      Symbol(claim->read_only ? "readOnly" : "")});
    } else if (volume.image) {
      sources.insert({Symbol("image"), volume.image->reference, volume.image->pull_policy});
    } else if (!volume.other.name.empty()) {
      sources.insert({volume.other.name, volume.other.json});
    }
  }
  signature->AddCount(sources.size());
  for (const Texts& source : sources) SignTexts(source, signature);
}

void SignLabel(const LabelMap& labels, const Symbol& key, PodSignature* signature) {
  const Symbol* value = labels.Find(key);
  signature->AddCount(value == nullptr ? 0 : 1);
  if (value != nullptr) signature->Add(*value);
}

void SignLabels(const LabelMap& labels, const LabelKeys& keys, PodSignature* signature) {
  signature->Add(static_cast<int64_t>(keys.version()));
  for (const auto& [key, value] : labels) {
    if (!keys.Has(key)) continue;
    signature->Add(key);
    signature->Add(value);
  }
  signature->AddCount(0);  // ends the list: no key is empty
}

void SignLabelSelector(const std::optional<LabelSelector>& selector, const LabelMap& labels,
                       PodSignature* signature) {
  signature->AddCount(selector ? 1 : 0);
  if (!selector) return;
  signature->AddCount(selector->match_labels.size());
  for (const auto& [key, value] : selector->match_labels) {
    signature->Add(key);
    signature->Add(value);
    SignLabel(labels, key, signature);
  }
  signature->AddCount(selector->match_expressions.size());
  for (const SelectorExpression& expression : selector->match_expressions) {
    signature->Add(expression.key);
    signature->Add(expression.op);
    SignTexts(expression.values, signature);
    SignLabel(labels, expression.key, signature);
  }
}

void SignSet(std::vector<Symbol> texts, PodSignature* signature) {
  StableSort(&texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  SignTexts(texts, signature);
}

}  // namespace stowage
