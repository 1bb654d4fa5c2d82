// Explains a refusal of InterPodAffinity: the terms, the node's domain, and the pods that they
// match.
#include <string>
#include <string_view>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/base/format.h"
#include "core/plugins/inter_pod_affinity.h"
#include "core/table/topology_index.h"

namespace stowage {
namespace {

constexpr std::string_view kAffinity = "podAffinity";
constexpr std::string_view kAntiAffinity = "podAntiAffinity";

std::string FieldOf(std::string_view list, size_t index) {
  return Format("spec.affinity.{}.requiredDuringSchedulingIgnoredDuringExecution[{}]", list, index);
}

// Calls `found` with each pod in the node's domain of `key`, until it returns false. For the node
// itself it reads `node`, to which nominated pods may have been added.
template <typename Found>
void ForEachPodInDomain(const Handle& handle, const NodeInfo& node, const Symbol& key,
                        const Found& found) {
  const Symbol* domain = node.node()->metadata.labels.Find(key);
  if (domain == nullptr) return;
  for (const NodeInfo* other : handle.snapshot().nodes()) {
    const Symbol* value = other->node()->metadata.labels.Find(key);
    if (value == nullptr || *value != *domain) continue;
    const NodeInfo& counted = other->name() == node.name() ? node : *other;
    if (!handle.steps().Spend(counted.pods().size())) return;
    for (const PodInfoRef& pod : counted.pods()) {
      if (!found(*pod)) return;
    }
  }
}

// Writes the members that name the node's domain, into the term's object.
void WriteDomain(std::string field, const NodeInfo& node, const Symbol& key, JsonWriter* json) {
  json->StringMember("term", field).StringMember("topologyKey", key.view()).Key("domain");
  const Symbol* domain = node.node()->metadata.labels.Find(key);
  domain == nullptr ? json->Null() : json->String(domain->view());
}

void WriteName(const Pod& pod, JsonWriter* json) {
  json->NamespacedName(pod.metadata.namespace_.view(), pod.metadata.name.view());
}

}  // namespace

void InterPodAffinity::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  FieldErrors errors;
  AffinityTerms own = ParseRequiredAffinityTerms(refusal.pod, &errors);
  MergeNamespaces(&own.required_affinity);
  MergeNamespaces(&own.required_anti_affinity);
  const std::vector<Symbol>& reasons = refusal.status.reasons();
  if (reasons.empty()) return;
  if (reasons.front() == kReasonAffinity) {
    WriteUnmetAffinity(own.required_affinity, refusal, json);
  } else if (reasons.front() == kReasonAntiAffinity) {
    WriteAntiAffinity(own.required_anti_affinity, refusal, json);
  } else {
    WriteExistingAntiAffinity(refusal, json);
  }
}

// Writes the terms whose domain has no pod that all terms match.
void InterPodAffinity::WriteUnmetAffinity(const std::vector<AffinityTerm>& terms,
                                          const Refusal& refusal, JsonWriter* json) const {
  json->Key("affinity").BeginArray();
  for (size_t index = 0; index < terms.size(); ++index) {
    const Symbol& key = terms[index].topology_key;
    bool is_met = false;
    ForEachPodInDomain(handle_, refusal.node, key, [&](const PodInfo& existing) {
      is_met = MatchesAll(terms, *existing.pod);
      return !is_met;
    });
    if (is_met) continue;
    json->BeginObject();
    WriteDomain(FieldOf(kAffinity, index), refusal.node, key, json);
    json->EndObject();
  }
  json->EndArray();
}

void InterPodAffinity::WriteAntiAffinity(const std::vector<AffinityTerm>& terms,
                                         const Refusal& refusal, JsonWriter* json) const {
  json->Key("antiAffinity").BeginArray();
  for (size_t index = 0; index < terms.size(); ++index) {
    const Symbol& key = terms[index].topology_key;
    PodMatcher matcher = MatcherOf(terms[index]);
    std::vector<const Pod*> pods;
    ForEachPodInDomain(handle_, refusal.node, key, [&](const PodInfo& existing) {
      if (matcher.Matches(*existing.pod)) pods.push_back(existing.pod.get());
      return pods.size() < kMaxPods;
    });
    if (pods.empty()) continue;
    json->BeginObject();
    WriteDomain(FieldOf(kAntiAffinity, index), refusal.node, key, json);
    json->Key("pods").BeginArray();
    for (const Pod* pod : pods) WriteName(*pod, json);
    json->EndArray().EndObject();
  }
  json->EndArray();
}

// Writes the pods whose own anti-affinity refuses this pod, each with its first such term.
void InterPodAffinity::WriteExistingAntiAffinity(const Refusal& refusal, JsonWriter* json) const {
  const LabelMap& namespace_labels = NamespaceLabels(refusal.pod);
  size_t num_written = 0;
  Symbol own_key;  // of the last term: most have the same
  const Symbol* own = nullptr;
  auto write = [&](const PodInfo& existing, const NodeInfo& node) {
    const auto& terms = existing.affinity_terms->required_anti_affinity;
    for (size_t index = 0; index < terms.size(); ++index) {
      const Symbol& key = terms[index].topology_key;
      if (key != own_key) own = refusal.node.node()->metadata.labels.Find(own_key = key);
      const Symbol* other = own == nullptr ? nullptr : node.node()->metadata.labels.Find(key);
      bool is_one_domain = other != nullptr && *own == *other;
      if (!is_one_domain || !terms[index].Matches(refusal.pod, namespace_labels)) continue;
      json->BeginObject();
      WriteDomain(FieldOf(kAntiAffinity, index), refusal.node, key, json);
      WriteName(*existing.pod, &json->Key("pod"));
      json->EndObject();
      ++num_written;
      return;
    }
  };
  json->Key("existingAntiAffinity").BeginArray();
  for (const NodeInfo* other : handle_.snapshot().nodes()) {
    const NodeInfo& node = other->name() == refusal.node.name() ? refusal.node : *other;
    if (!handle_.steps().Spend(node.pods().size())) break;
    for (const PodInfoRef& existing : node.pods()) {
      if (num_written == kMaxPods) break;
      if (existing->affinity_terms != nullptr) write(*existing, node);
    }
  }
  json->EndArray();
}

}  // namespace stowage
