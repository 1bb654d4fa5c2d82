#include "core/api/decode/shared_parts.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace stowage {
namespace {

// Compares letter by letter, because equal quantities may be written in different ways.
template <typename T>
bool IsIdentical(const T& a, const T& b) {
  return a == b;
}

bool IsIdentical(const ResourceList& a, const ResourceList& b) {
  return a.IsSame(b) || std::equal(a.begin(), a.end(), b.begin(), b.end(),
                                   [](const ResourceList::Entry& x, const ResourceList::Entry& y) {
                                     return x.first == y.first && x.second.IsIdentical(y.second);
                                   });
}

bool IsIdentical(const ResourceRequirements& a, const ResourceRequirements& b) {
  return IsIdentical(a.requests, b.requests) && IsIdentical(a.limits, b.limits) &&
         a.claims == b.claims;
}

bool IsIdentical(const std::optional<ResourceRequirements>& a,
                 const std::optional<ResourceRequirements>& b) {
  return a && b ? IsIdentical(*a, *b) : a.has_value() == b.has_value();
}

bool IsIdentical(const Container& a, const Container& b) {
  return a.name == b.name && a.image == b.image && a.restart_policy == b.restart_policy &&
         a.ports == b.ports && a.restart_policy_rules == b.restart_policy_rules &&
         IsIdentical(a.resources, b.resources);
}

// A volume's source is decoded from its other members, so it need not be compared.
bool IsIdentical(const Volume& a, const Volume& b) {
  return a.name == b.name && a.persistent_volume_claim == b.persistent_volume_claim &&
         a.image == b.image && a.other == b.other;
}

bool IsIdentical(const ContainerStatus& a, const ContainerStatus& b) {
  return a.name == b.name && IsIdentical(a.resources, b.resources) &&
         IsIdentical(a.allocated_resources, b.allocated_resources);
}

template <typename T>
bool IsIdentical(const SharedList<T>& a, const SharedList<T>& b) {
  return a.IsSame(b) || std::equal(a.begin(), a.end(), b.begin(), b.end(),
                                   [](const T& x, const T& y) { return IsIdentical(x, y); });
}

template <typename T>
void ShareIfEqual(const T& known, T* own) {
  if (IsIdentical(known, *own)) *own = known;
}

void ShareMeta(const ObjectMeta& known, ObjectMeta* own) {
  ShareIfEqual(known.labels, &own->labels);
  ShareIfEqual(known.annotations, &own->annotations);
  ShareIfEqual(known.owner_references, &own->owner_references);
}

void ShareSpec(const PodSpec& known, PodSpec* own) {
  ShareIfEqual(known.node_selector, &own->node_selector);
  ShareIfEqual(known.affinity, &own->affinity);
  ShareIfEqual(known.tolerations, &own->tolerations);
  ShareIfEqual(known.topology_spread_constraints, &own->topology_spread_constraints);
  ShareIfEqual(known.containers, &own->containers);
  ShareIfEqual(known.init_containers, &own->init_containers);
  ShareIfEqual(known.resources, &own->resources);
  ShareIfEqual(known.overhead, &own->overhead);
  ShareIfEqual(known.volumes, &own->volumes);
  ShareIfEqual(known.resource_claims, &own->resource_claims);
}

void ShareStatus(const PodStatus& known, PodStatus* own) {
  ShareIfEqual(known.conditions, &own->conditions);
  ShareIfEqual(known.container_statuses, &own->container_statuses);
  ShareIfEqual(known.init_container_statuses, &own->init_container_statuses);
  ShareIfEqual(known.resources, &own->resources);
  ShareIfEqual(known.allocated_resources, &own->allocated_resources);
}

// Pods of one owner usually have the same template. Pods without an owner are distinguished by the
// fields that usually differ between templates.
size_t HashOfOrigin(const Pod& pod) {
  const ObjectMeta& metadata = pod.metadata;
  if (!metadata.owner_references.empty()) {
    return SymbolHash()(metadata.owner_references.front().uid);
  }
  size_t hash = SymbolHash()(metadata.namespace_);
  for (const auto& [key, value] : metadata.labels) hash = hash * 31 + SymbolHash()(value);
  for (const Container& container : pod.spec.containers) {
    hash = hash * 31 + SymbolHash()(container.image);
  }
  return hash;
}

// One pod of each distinct template.
std::weak_ptr<const Pod>& KnownPodOfTemplate(const Pod& pod) {
  constexpr size_t kTemplatesMax = 2048;
  static auto* pods = new std::unordered_map<size_t, std::weak_ptr<const Pod>>;
  if (pods->size() >= kTemplatesMax) pods->clear();
  return (*pods)[HashOfOrigin(pod)];
}

}  // namespace

void ShareParts(const std::shared_ptr<Pod>& pod) {
  std::weak_ptr<const Pod>& place = KnownPodOfTemplate(*pod);
  PodRef known = place.lock();
  if (known != nullptr) {
    ShareMeta(known->metadata, &pod->metadata);
    ShareSpec(known->spec, &pod->spec);
    ShareStatus(known->status, &pod->status);
  }
  // A pod is freed when its next version arrives, so the remembered one is replaced by it.
  bool stays = known != nullptr && known->spec.containers.IsSame(pod->spec.containers) &&
               known->metadata.uid != pod->metadata.uid;
  if (!stays) place = pod;
}

}  // namespace stowage
