// Schemas of object metadata (core/api/meta.h).
#pragma once

#include "core/api/decode/schema.h"
#include "core/api/meta.h"

namespace stowage {

template <>
struct Schema<OwnerReference> {
  static constexpr auto kFields =
      Fields(Field<&OwnerReference::api_version>("apiVersion"),
             Field<&OwnerReference::kind>("kind"), Field<&OwnerReference::name>("name"),
             Field<&OwnerReference::uid>("uid"), Field<&OwnerReference::controller>("controller"));
};

template <>
struct Schema<ObjectMeta> {
  static constexpr auto kFields = Fields(
      Field<&ObjectMeta::name>("name"), Field<&ObjectMeta::namespace_>("namespace"),
      Field<&ObjectMeta::uid>("uid"), Field<&ObjectMeta::resource_version>("resourceVersion"),
      Field<&ObjectMeta::generation>("generation"), Field<&ObjectMeta::labels>("labels"),
      Field<&ObjectMeta::annotations>("annotations"),
      Field<&ObjectMeta::owner_references>("ownerReferences"),
      Field<&ObjectMeta::creation_timestamp>("creationTimestamp"),
      Field<&ObjectMeta::deletion_timestamp>("deletionTimestamp"));
};

// Annotations are read for few kinds only (spec 01 §2–§4), because a last-applied-configuration can
// be larger than the rest of a pod.
inline constexpr auto kFieldsWithoutAnnotations = Fields(
    Field<&ObjectMeta::name>("name"), Field<&ObjectMeta::namespace_>("namespace"),
    Field<&ObjectMeta::uid>("uid"), Field<&ObjectMeta::resource_version>("resourceVersion"),
    Field<&ObjectMeta::generation>("generation"), RepeatedField<&ObjectMeta::labels>("labels"),
    RepeatedField<&ObjectMeta::owner_references>("ownerReferences"),
    Field<&ObjectMeta::creation_timestamp>("creationTimestamp"),
    Field<&ObjectMeta::deletion_timestamp>("deletionTimestamp"));
inline constexpr TypeInfo kMetaWithoutAnnotations = ObjectTypeInfo(kFieldsWithoutAnnotations);

// The fields of a deleted object.
inline constexpr auto kIdentityFields =
    Fields(Field<&ObjectMeta::name>("name"), Field<&ObjectMeta::namespace_>("namespace"),
           Field<&ObjectMeta::uid>("uid"), Field<&ObjectMeta::resource_version>("resourceVersion"));
inline constexpr TypeInfo kMetaOfDeleted = ObjectTypeInfo(kIdentityFields);

}  // namespace stowage
