// Relations between volumes, claims and pods.
// Counterparts: component-helpers/storage/volume and component-helpers/storage/ephemeral, v1.36;
// spec plugins/volume-binding.md, "Objects and annotations".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/node_affinity.h"
#include "core/api/persistent_volume.h"
#include "core/api/pod.h"

namespace stowage {

// The annotations by which the storage controllers and the scheduler communicate.
struct VolumeAnnotations {
  Symbol bind_completed{"pv.kubernetes.io/bind-completed"};
  Symbol bound_by_controller{"pv.kubernetes.io/bound-by-controller"};
  Symbol selected_node{"volume.kubernetes.io/selected-node"};
  Symbol storage_class{"volume.beta.kubernetes.io/storage-class"};
  Symbol migrated_plugins{"storage.alpha.kubernetes.io/migrated-plugins"};
};
const VolumeAnnotations& Annotations();

// The storage class; empty if there is none. The old annotation takes precedence over the field.
Symbol StorageClassOf(const PersistentVolume& volume);
Symbol StorageClassOf(const PersistentVolumeClaim& claim);

// The resource name of the capacity of volumes and of the request of claims, and its amount; 0 if
// not specified.
const Symbol& StorageResource();
const Quantity& StorageIn(const ResourceList& amounts);

// Whether the volume controller has completed the binding.
bool IsFullyBound(const PersistentVolumeClaim& claim);
// Whether the volume is reserved for the claim, by the controller or by a user.
bool IsBoundToClaim(const PersistentVolume& volume, const PersistentVolumeClaim& claim);

// The claim of a pod's volume; nullopt if it has none.
std::optional<Symbol> ClaimNameOf(const Pod& pod, const Volume& volume);
// Whether one of the pod's volumes uses the claim.
bool UsesClaim(const Pod& pod, const ObjectMeta& claim);
// Whether the claim was created for this pod.
bool IsControlledBy(const PersistentVolumeClaim& claim, const Pod& pod);
// The message for an ephemeral volume whose claim was not created for the pod.
std::string NotOwnerMessage(const PersistentVolumeClaim& claim, const Pod& pod);

// The nodes that can reach the volume, by their labels; nullopt: all nodes.
std::optional<NodeSelectorMatcher> NodeAffinityOf(
    const std::optional<VolumeNodeAffinity>& affinity);

// Appends the key of a node's label, unless `keys` has it or already has more than kNodeLabelsMax.
inline constexpr size_t kNodeLabelsMax = 64;
void AppendNodeLabel(const Symbol& key, std::vector<Symbol>* keys);
// Does so for the labels that the volume's affinity reads.
void AppendNodeLabels(const PersistentVolume& volume, std::vector<Symbol>* keys);

// In the words of listers: `persistentvolumeclaim "NAME" not found`.
std::string NotFoundMessage(std::string_view kind, const Symbol& name);

}  // namespace stowage
