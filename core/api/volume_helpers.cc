#include "core/api/volume_helpers.h"

#include <algorithm>

#include "core/base/format.h"

namespace stowage {
namespace {

Symbol ClassOf(const ObjectMeta& metadata, const Symbol& field) {
  const Symbol* annotation = metadata.annotations.Find(Annotations().storage_class);
  return annotation != nullptr ? *annotation : field;
}

}  // namespace

const VolumeAnnotations& Annotations() {
  static const auto* annotations = new VolumeAnnotations;
  return *annotations;
}

Symbol StorageClassOf(const PersistentVolume& volume) {
  return ClassOf(volume.metadata, volume.spec.storage_class_name);
}

Symbol StorageClassOf(const PersistentVolumeClaim& claim) {
  return ClassOf(claim.metadata, claim.spec.storage_class_name.value_or(Symbol()));
}

const Symbol& StorageResource() {
  static const auto* name = new Symbol("storage");
  return *name;
}

const Quantity& StorageIn(const ResourceList& amounts) {
  static const auto* zero = new Quantity();
  const Quantity* amount = amounts.Find(StorageResource());
  return amount == nullptr ? *zero : *amount;
}

bool IsFullyBound(const PersistentVolumeClaim& claim) {
  return !claim.spec.volume_name.empty() &&
         claim.metadata.annotations.Has(Annotations().bind_completed);
}

bool IsBoundToClaim(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const std::optional<ClaimReference>& reference = volume.spec.claim_ref;
  return reference && reference->name == claim.metadata.name &&
         reference->namespace_ == claim.metadata.namespace_ &&
         (reference->uid.empty() || reference->uid == claim.metadata.uid);
}

std::optional<Symbol> ClaimNameOf(const Pod& pod, const Volume& volume) {
  if (volume.persistent_volume_claim) return volume.persistent_volume_claim->claim_name;
  if (!volume.is_ephemeral()) return std::nullopt;
  return Symbol(Format("{}-{}", pod.metadata.name.view(), volume.name.view()));
}

bool UsesClaim(const Pod& pod, const ObjectMeta& claim) {
  if (claim.namespace_ != pod.metadata.namespace_) return false;
  return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(),
                     [&](const Volume& volume) { return ClaimNameOf(pod, volume) == claim.name; });
}

bool IsControlledBy(const PersistentVolumeClaim& claim, const Pod& pod) {
  for (const OwnerReference& owner : claim.metadata.owner_references) {
    if (owner.controller) return owner.uid == pod.metadata.uid;
  }
  return false;
}

std::string NotOwnerMessage(const PersistentVolumeClaim& claim, const Pod& pod) {
  return Format("PVC {}/{} was not created for pod {}/{} (pod is not owner)",
                claim.metadata.namespace_.view(), claim.metadata.name.view(),
                pod.metadata.namespace_.view(), pod.metadata.name.view());
}

std::optional<NodeSelectorMatcher> NodeAffinityOf(
    const std::optional<VolumeNodeAffinity>& affinity) {
  if (!affinity || !affinity->required) return std::nullopt;
  return NodeSelectorMatcher::Lazy(*affinity->required);
}

void AppendNodeLabel(const Symbol& key, std::vector<Symbol>* keys) {
  if (keys->size() > kNodeLabelsMax) return;
  if (std::find(keys->begin(), keys->end(), key) == keys->end()) keys->push_back(key);
}

void AppendNodeLabels(const PersistentVolume& volume, std::vector<Symbol>* keys) {
  const auto& affinity = volume.spec.node_affinity;
  if (!affinity || !affinity->required) return;
  for (const NodeSelectorTerm& term : affinity->required->node_selector_terms) {
    for (const SelectorExpression& one : term.match_expressions) AppendNodeLabel(one.key, keys);
  }
}

std::string NotFoundMessage(std::string_view kind, const Symbol& name) {
  return Format("{} \"{}\" not found", kind, name.view());
}

}  // namespace stowage
