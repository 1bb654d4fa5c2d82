// What volumes, claims and pods are to each other.
// Counterparts: component-helpers/storage/volume and component-helpers/storage/ephemeral, v1.36;
// spec plugins/volume-binding.md, "Objects and annotations".
#pragma once

#include <optional>
#include <string>

#include "core/api/node_affinity.h"
#include "core/api/persistent_volume.h"
#include "core/api/pod.h"

namespace stowage {

// The names that the storage controllers and the scheduler tell each other things by.
struct VolumeAnnotations {
  Symbol bind_completed{"pv.kubernetes.io/bind-completed"};
  Symbol bound_by_controller{"pv.kubernetes.io/bound-by-controller"};
  Symbol selected_node{"volume.kubernetes.io/selected-node"};
  Symbol storage_class{"volume.beta.kubernetes.io/storage-class"};
  Symbol migrated_plugins{"storage.alpha.kubernetes.io/migrated-plugins"};
};
const VolumeAnnotations& Annotations();

// The storage class; empty where there is none. The old annotation wins over the field.
Symbol StorageClassOf(const PersistentVolume& volume);
Symbol StorageClassOf(const PersistentVolumeClaim& claim);

// The volume controller has finished with it.
bool IsFullyBound(const PersistentVolumeClaim& claim);
// The volume is set aside for the claim, by whomever.
bool IsBoundToClaim(const PersistentVolume& volume, const PersistentVolumeClaim& claim);

// The claim behind a pod's volume; nullopt where there is none.
std::optional<Symbol> ClaimNameOf(const Pod& pod, const Volume& volume);
// Whether one of the pod's volumes is that claim.
bool UsesClaim(const Pod& pod, const ObjectMeta& claim);
// Whether the claim was made for this pod.
bool IsControlledBy(const PersistentVolumeClaim& claim, const Pod& pod);
// What is wrong with the claim of an ephemeral volume that was not.
std::string NotOwnerMessage(const PersistentVolumeClaim& claim, const Pod& pod);

// The nodes that can reach the volume, by their labels; nullopt: all of them.
std::optional<NodeSelectorMatcher> NodeAffinityOf(
    const std::optional<VolumeNodeAffinity>& affinity);

// As listers say it: `persistentvolumeclaim "NAME" not found`.
std::string NotFoundMessage(std::string_view kind, const Symbol& name);

}  // namespace stowage
