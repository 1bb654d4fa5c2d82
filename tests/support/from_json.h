// FromJson reads a test's object as the decoder does: with its text, and without defaults.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/api/decode/objects.h"
#include "core/base/check.h"

namespace stowage {

// `json` is an object of kind `kind`; it need not contain the kind.
template <typename T>
T FromJson(ObjectKind kind, std::string_view json) {
  constexpr size_t kDepthMax = 64;
  ObjectDecoding decoding = DecodeObject(json, InfoOf(kind), kDepthMax);
  CHECK(decoding.object.has_value());
  const T* object = decoding.object->Get<T>();
  CHECK(object != nullptr);
  return *object;
}

// A pod's volume with this source: R"("emptyDir":{})".
inline Volume MakeVolume(std::string_view source, std::string_view name = "v") {
  std::string json = R"({"metadata":{"name":"p","namespace":"default","uid":"u"},)"
                     R"("spec":{"volumes":[{"name":")";
  json.append(name).append("\",").append(source).append("}]}}");
  return FromJson<Pod>(ObjectKind::kPod, json).spec.volumes.front();
}
inline PersistentVolume MakePersistentVolume(std::string_view json) {
  return FromJson<PersistentVolume>(ObjectKind::kPersistentVolume, json);
}
inline PersistentVolumeClaim MakePersistentVolumeClaim(std::string_view json) {
  return FromJson<PersistentVolumeClaim>(ObjectKind::kPersistentVolumeClaim, json);
}
inline StorageClass MakeStorageClass(std::string_view json) {
  return FromJson<StorageClass>(ObjectKind::kStorageClass, json);
}
inline CsiNode MakeCsiNode(std::string_view json) {
  return FromJson<CsiNode>(ObjectKind::kCsiNode, json);
}
inline CsiDriver MakeCsiDriver(std::string_view json) {
  return FromJson<CsiDriver>(ObjectKind::kCsiDriver, json);
}
inline CsiStorageCapacity MakeCsiStorageCapacity(std::string_view json) {
  return FromJson<CsiStorageCapacity>(ObjectKind::kCsiStorageCapacity, json);
}
inline VolumeAttachment MakeVolumeAttachment(std::string_view json) {
  return FromJson<VolumeAttachment>(ObjectKind::kVolumeAttachment, json);
}
inline ResourceClaim MakeResourceClaim(std::string_view json) {
  return FromJson<ResourceClaim>(ObjectKind::kResourceClaim, json);
}
inline ResourceSlice MakeResourceSlice(std::string_view json) {
  return FromJson<ResourceSlice>(ObjectKind::kResourceSlice, json);
}
inline DeviceClass MakeDeviceClass(std::string_view json) {
  return FromJson<DeviceClass>(ObjectKind::kDeviceClass, json);
}
inline DeviceTaintRule MakeDeviceTaintRule(std::string_view json) {
  return FromJson<DeviceTaintRule>(ObjectKind::kDeviceTaintRule, json);
}

}  // namespace stowage
