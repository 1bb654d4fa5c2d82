// The fields of the storage.k8s.io/v1 kinds that the scheduler reads (spec 01 §4).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/api/meta.h"
#include "core/api/quantity.h"

namespace stowage {

struct TopologySelectorLabelRequirement {
  Symbol key;
  std::vector<Symbol> values;

  friend bool operator==(const TopologySelectorLabelRequirement&,
                         const TopologySelectorLabelRequirement&) = default;
};

struct TopologySelectorTerm {
  std::vector<TopologySelectorLabelRequirement> match_label_expressions;

  friend bool operator==(const TopologySelectorTerm&, const TopologySelectorTerm&) = default;
};

struct StorageClass {
  ObjectMeta metadata;
  Symbol provisioner;
  std::optional<Symbol> volume_binding_mode;
  std::vector<TopologySelectorTerm> allowed_topologies;
};

struct VolumeNodeResources {
  std::optional<int32_t> count;
};

struct CsiNodeDriver {
  Symbol name;
  std::vector<Symbol> topology_keys;
  std::optional<VolumeNodeResources> allocatable;
};

struct CsiNodeSpec {
  std::vector<CsiNodeDriver> drivers;
};

struct CsiNode {
  ObjectMeta metadata;
  CsiNodeSpec spec;
};

struct CsiDriverSpec {
  std::optional<bool> storage_capacity;
  std::optional<bool> prevent_pod_scheduling_if_missing;
};

struct CsiDriver {
  ObjectMeta metadata;
  CsiDriverSpec spec;
};

struct CsiStorageCapacity {
  ObjectMeta metadata;
  std::optional<LabelSelector> node_topology;
  Symbol storage_class_name;
  std::optional<Quantity> capacity;
  std::optional<Quantity> maximum_volume_size;

  // The largest volume that fits; null if unknown.
  const Quantity* VolumeLimit() const {
    if (maximum_volume_size) return &*maximum_volume_size;
    return capacity ? &*capacity : nullptr;
  }
};

struct VolumeAttachmentSource {
  std::optional<Symbol> persistent_volume_name;
};

struct VolumeAttachmentSpec {
  Symbol attacher;
  Symbol node_name;
  VolumeAttachmentSource source;
};

struct VolumeAttachment {
  ObjectMeta metadata;
  VolumeAttachmentSpec spec;
};

using StorageClassRef = std::shared_ptr<const StorageClass>;
using CsiNodeRef = std::shared_ptr<const CsiNode>;
using CsiDriverRef = std::shared_ptr<const CsiDriver>;
using CsiStorageCapacityRef = std::shared_ptr<const CsiStorageCapacity>;
using VolumeAttachmentRef = std::shared_ptr<const VolumeAttachment>;

}  // namespace stowage
