// The TypeInfo of each kind; the tables are in the *_schema.cc files.
#pragma once

#include "core/api/decode/type_info.h"

namespace stowage {

const TypeInfo& PodType();
// What is decoded of a deleted pod.
const TypeInfo& DeletedPodType();
const TypeInfo& NodeType();
const TypeInfo& NamespaceType();
const TypeInfo& ServiceType();
const TypeInfo& ReplicationControllerType();
const TypeInfo& ReplicaSetType();
const TypeInfo& StatefulSetType();
const TypeInfo& PodDisruptionBudgetType();
const TypeInfo& PersistentVolumeType();
const TypeInfo& PersistentVolumeClaimType();
const TypeInfo& StorageClassType();
const TypeInfo& CsiNodeType();
const TypeInfo& CsiDriverType();
const TypeInfo& CsiStorageCapacityType();
const TypeInfo& VolumeAttachmentType();
const TypeInfo& ResourceClaimType();
const TypeInfo& ResourceSliceType();
const TypeInfo& DeviceClassType();
const TypeInfo& DeviceTaintRuleType();
const TypeInfo& PodGroupType();
const TypeInfo& OtherObjectType();

}  // namespace stowage
