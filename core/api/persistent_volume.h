// The fields of PersistentVolume and PersistentVolumeClaim that the scheduler reads (spec 01 §4).
//
// The scheduler writes both as whole objects, so they keep their text (ObjectMeta::source).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/api/meta.h"
#include "core/api/pod.h"
#include "core/api/resource_list.h"
#include "core/api/volume_source.h"

namespace stowage {

// The fields of v1.ObjectReference that name the claim of a volume.
struct ClaimReference {
  Symbol namespace_;
  Symbol name;
  Symbol uid;
};

struct VolumeNodeAffinity {
  std::optional<NodeSelector> required;
};

struct PersistentVolumeSpec {
  ResourceList capacity;
  std::vector<Symbol> access_modes;
  std::optional<ClaimReference> claim_ref;
  Symbol storage_class_name;
  std::optional<Symbol> volume_mode;
  std::optional<Symbol> volume_attributes_class_name;
  std::optional<VolumeNodeAffinity> node_affinity;
  VolumeSource source;
};

struct PersistentVolumeStatus {
  Symbol phase;
};

struct PersistentVolume {
  ObjectMeta metadata;
  PersistentVolumeSpec spec;
  PersistentVolumeStatus status;
};

struct VolumeResourceRequirements {
  ResourceList requests;
};

struct PersistentVolumeClaimSpec {
  std::vector<Symbol> access_modes;
  std::optional<LabelSelector> selector;
  VolumeResourceRequirements resources;
  Symbol volume_name;
  std::optional<Symbol> storage_class_name;
  std::optional<Symbol> volume_mode;
  std::optional<Symbol> volume_attributes_class_name;
};

struct PersistentVolumeClaimStatus {
  Symbol phase;
};

struct PersistentVolumeClaim {
  ObjectMeta metadata;
  PersistentVolumeClaimSpec spec;
  PersistentVolumeClaimStatus status;
};

using PersistentVolumeRef = std::shared_ptr<const PersistentVolume>;
using PersistentVolumeClaimRef = std::shared_ptr<const PersistentVolumeClaim>;

}  // namespace stowage
