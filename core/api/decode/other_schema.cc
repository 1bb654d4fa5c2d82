#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/api/other_object.h"

namespace stowage {
namespace {

constexpr auto kMetaFields =
    Fields(Field<&ObjectMeta::name>("name"), Field<&ObjectMeta::namespace_>("namespace"),
           Field<&ObjectMeta::uid>("uid"), Field<&ObjectMeta::resource_version>("resourceVersion"),
           Field<&ObjectMeta::labels>("labels"),
           Field<&ObjectMeta::deletion_timestamp>("deletionTimestamp"));
constexpr TypeInfo kMetaOfOther = ObjectTypeInfo(kMetaFields);

}  // namespace

template <>
struct Schema<OtherObject> {
  static constexpr auto kFields =
      Fields(FieldAs<&OtherObject::metadata>("metadata", &kMetaOfOther));
};

const TypeInfo& OtherObjectType() { return kTypeInfo<OtherObject>; }

}  // namespace stowage
