#include "core/api/storage.h"

#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/selector_schema.h"

namespace stowage {

template <>
struct Schema<TopologySelectorLabelRequirement> {
  static constexpr auto kFields =
      Fields(Field<&TopologySelectorLabelRequirement::key>("key"),
             Field<&TopologySelectorLabelRequirement::values>("values"));
};

template <>
struct Schema<TopologySelectorTerm> {
  static constexpr auto kFields =
      Fields(Field<&TopologySelectorTerm::match_label_expressions>("matchLabelExpressions"));
};

template <>
struct Schema<StorageClass> {
  static constexpr auto kFields = Fields(
      Field<&StorageClass::metadata>("metadata"), Field<&StorageClass::provisioner>("provisioner"),
      Field<&StorageClass::volume_binding_mode>("volumeBindingMode"),
      Field<&StorageClass::allowed_topologies>("allowedTopologies"));
};

template <>
struct Schema<VolumeNodeResources> {
  static constexpr auto kFields = Fields(Field<&VolumeNodeResources::count>("count"));
};

template <>
struct Schema<CsiNodeDriver> {
  static constexpr auto kFields = Fields(Field<&CsiNodeDriver::name>("name"),
                                         Field<&CsiNodeDriver::topology_keys>("topologyKeys"),
                                         Field<&CsiNodeDriver::allocatable>("allocatable"));
};

template <>
struct Schema<CsiNodeSpec> {
  static constexpr auto kFields = Fields(Field<&CsiNodeSpec::drivers>("drivers"));
};

template <>
struct Schema<CsiNode> {
  static constexpr auto kFields =
      Fields(Field<&CsiNode::metadata>("metadata"), Field<&CsiNode::spec>("spec"));
};

template <>
struct Schema<CsiDriverSpec> {
  static constexpr auto kFields = Fields(
      Field<&CsiDriverSpec::storage_capacity>("storageCapacity"),
      Field<&CsiDriverSpec::prevent_pod_scheduling_if_missing>("preventPodSchedulingIfMissing"));
};

template <>
struct Schema<CsiDriver> {
  static constexpr auto kFields =
      Fields(FieldAs<&CsiDriver::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&CsiDriver::spec>("spec"));
};

template <>
struct Schema<CsiStorageCapacity> {
  static constexpr auto kFields =
      Fields(FieldAs<&CsiStorageCapacity::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&CsiStorageCapacity::node_topology>("nodeTopology"),
             Field<&CsiStorageCapacity::storage_class_name>("storageClassName"),
             Field<&CsiStorageCapacity::capacity>("capacity"),
             Field<&CsiStorageCapacity::maximum_volume_size>("maximumVolumeSize"));
};

template <>
struct Schema<VolumeAttachmentSource> {
  static constexpr auto kFields =
      Fields(Field<&VolumeAttachmentSource::persistent_volume_name>("persistentVolumeName"));
};

template <>
struct Schema<VolumeAttachmentSpec> {
  static constexpr auto kFields = Fields(Field<&VolumeAttachmentSpec::attacher>("attacher"),
                                         Field<&VolumeAttachmentSpec::node_name>("nodeName"),
                                         Field<&VolumeAttachmentSpec::source>("source"));
};

template <>
struct Schema<VolumeAttachment> {
  static constexpr auto kFields =
      Fields(FieldAs<&VolumeAttachment::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&VolumeAttachment::spec>("spec"));
};

const TypeInfo& StorageClassType() { return kTypeInfo<StorageClass>; }
const TypeInfo& CsiNodeType() { return kTypeInfo<CsiNode>; }
const TypeInfo& CsiDriverType() { return kTypeInfo<CsiDriver>; }
const TypeInfo& CsiStorageCapacityType() { return kTypeInfo<CsiStorageCapacity>; }
const TypeInfo& VolumeAttachmentType() { return kTypeInfo<VolumeAttachment>; }

}  // namespace stowage
