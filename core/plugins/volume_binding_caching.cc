// VolumeBinding's code for the verdict cache and the classes of rows.
#include "core/api/volume_helpers.h"
#include "core/framework/signers.h"
#include "core/plugins/csi_translation.h"
#include "core/plugins/volume_binding.h"
#include "core/table/row_key.h"

namespace stowage {
namespace {

// On a node that has migrated to it, the CSI driver of a volume of an in-tree plugin decides.
bool IsInTree(const PersistentVolume& volume) {
  const InTreePlugin* plugin = InTreePluginOf(volume.spec.source);
  return plugin != nullptr && plugin->is_migration_on;
}

void SignAffinity(const PersistentVolume& volume, PodSignature* signature) {
  const auto& affinity = volume.spec.node_affinity;
  const auto* selector = affinity && affinity->required ? &*affinity->required : nullptr;
  signature->AddCount(selector == nullptr ? 0 : selector->node_selector_terms.size() + 1);
  if (selector == nullptr) return;
  for (const NodeSelectorTerm& term : selector->node_selector_terms) {
    SignNodeSelectorTerm(term, signature);
  }
}

// The labels that decide where a volume can be provisioned or found for a claim that has none.
void AppendLabelsFor(const PersistentVolumeClaim& claim, const Listers& listers,
                     std::vector<Symbol>* keys) {
  Symbol name = StorageClassOf(claim);
  for (const Symbol& key : listers.VolumesOfClass(name).node_labels()) AppendNodeLabel(key, keys);
  StorageClassRef storage_class = name.empty() ? nullptr : listers.GetStorageClass(name);
  if (storage_class == nullptr) return;
  for (const TopologySelectorTerm& term : storage_class->allowed_topologies) {
    for (const auto& one : term.match_label_expressions) AppendNodeLabel(one.key, keys);
  }
  for (const CsiStorageCapacityRef& capacity : listers.CsiStorageCapacities()) {
    if (capacity->storage_class_name != name || !capacity->node_topology) continue;
    for (const auto& [key, value] : capacity->node_topology->match_labels) {
      AppendNodeLabel(key, keys);
    }
    for (const SelectorExpression& one : capacity->node_topology->match_expressions) {
      AppendNodeLabel(one.key, keys);
    }
  }
}

}  // namespace

// A bound volume is its affinity. Claims that wait for a volume have classes.
bool VolumeBinding::AppendFragment(const Pod& pod, PodSignature* signature) const {
  bool has_claims = false;
  if (!CheckClaims(pod, &has_claims).IsSuccess()) return false;
  for (const Volume& volume : pod.spec.volumes) {
    std::optional<Symbol> name = ClaimNameOf(pod, volume);
    if (!name) continue;
    PersistentVolumeClaimRef claim = binder_.claims().Get({pod.metadata.namespace_, *name});
    if (claim == nullptr || !IsFullyBound(*claim)) return false;
    PersistentVolumeRef bound = binder_.volumes().Get({Symbol(), claim->spec.volume_name});
    if (bound == nullptr || IsInTree(*bound)) return false;
    SignAffinity(*bound, signature);
  }
  return true;
}

bool VolumeBinding::AppendClassFragment(const Pod& pod, PodSignature* signature) const {
  std::optional<std::vector<Symbol>> keys = NodeLabelsFor(pod);
  if (!keys) return false;
  signature->AddCount(keys->size());
  for (const Symbol& key : *keys) signature->Add(key);
  return true;
}

bool VolumeBinding::Derive(const Pod& pod, CycleState&, RowKey* key) const {
  std::optional<std::vector<Symbol>> keys = NodeLabelsFor(pod);
  if (!keys) return false;
  for (const Symbol& one : *keys) key->AddLabel(handle_.topology_index().Column(one));
  return true;
}

Status VolumeBinding::PreScoreGroups(CycleState& state, const Pod& pod,
                                     std::span<const NodeGroup>) const {
  return PreScore(state, pod, {});
}

// The labels by which VolumeBinding tells nodes apart; nullopt: it reads more of them.
std::optional<std::vector<Symbol>> VolumeBinding::NodeLabelsFor(const Pod& pod) const {
  std::vector<Symbol> keys;
  for (const Volume& volume : pod.spec.volumes) {
    std::optional<Symbol> name = ClaimNameOf(pod, volume);
    if (!name) continue;
    PersistentVolumeClaimRef claim = binder_.claims().Get({pod.metadata.namespace_, *name});
    if (claim == nullptr) return std::nullopt;
    if (!IsFullyBound(*claim)) {
      if (claim->metadata.annotations.Has(Annotations().selected_node)) return std::nullopt;
      AppendLabelsFor(*claim, handle_.listers(), &keys);
      continue;
    }
    PersistentVolumeRef bound = binder_.volumes().Get({Symbol(), claim->spec.volume_name});
    if (bound == nullptr) continue;
    if (IsInTree(*bound)) return std::nullopt;
    AppendNodeLabels(*bound, &keys);
  }
  return keys;
}

}  // namespace stowage
