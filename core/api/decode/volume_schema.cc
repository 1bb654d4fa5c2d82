#include "core/api/decode/volume_schema.h"

#include <memory>
#include <string>
#include <utility>

#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/selector_schema.h"
#include "core/api/persistent_volume.h"
#include "core/base/format.h"

namespace stowage {

template <>
struct Schema<GcePersistentDiskVolumeSource> {
  static constexpr auto kFields =
      Fields(Field<&GcePersistentDiskVolumeSource::pd_name>("pdName"),
             Field<&GcePersistentDiskVolumeSource::read_only>("readOnly"));
};

template <>
struct Schema<AwsElasticBlockStoreVolumeSource> {
  static constexpr auto kFields =
      Fields(Field<&AwsElasticBlockStoreVolumeSource::volume_id>("volumeID"),
             Field<&AwsElasticBlockStoreVolumeSource::read_only>("readOnly"));
};

template <>
struct Schema<IscsiVolumeSource> {
  static constexpr auto kFields = Fields(Field<&IscsiVolumeSource::iqn>("iqn"),
                                         Field<&IscsiVolumeSource::read_only>("readOnly"));
};

template <>
struct Schema<RbdVolumeSource> {
  static constexpr auto kFields = Fields(
      Field<&RbdVolumeSource::monitors>("monitors"), Field<&RbdVolumeSource::pool>("pool"),
      Field<&RbdVolumeSource::image>("image"), Field<&RbdVolumeSource::read_only>("readOnly"));
};

template <>
struct Schema<AzureDiskVolumeSource> {
  static constexpr auto kFields = Fields(Field<&AzureDiskVolumeSource::data_disk_uri>("diskURI"),
                                         Field<&AzureDiskVolumeSource::kind>("kind"));
};

template <>
struct Schema<CinderVolumeSource> {
  static constexpr auto kFields = Fields(Field<&CinderVolumeSource::volume_id>("volumeID"));
};

template <>
struct Schema<PortworxVolumeSource> {
  static constexpr auto kFields = Fields(Field<&PortworxVolumeSource::volume_id>("volumeID"));
};

template <>
struct Schema<CsiVolumeSource> {
  static constexpr auto kFields = Fields(Field<&CsiVolumeSource::driver>("driver"),
                                         Field<&CsiVolumeSource::volume_handle>("volumeHandle"));
};

template <>
struct Schema<VolumeSource> {
  static constexpr auto kFields =
      Fields(Field<&VolumeSource::gce_persistent_disk>("gcePersistentDisk"),
             Field<&VolumeSource::aws_elastic_block_store>("awsElasticBlockStore"),
             Field<&VolumeSource::iscsi>("iscsi"), Field<&VolumeSource::rbd>("rbd"),
             Field<&VolumeSource::azure_disk>("azureDisk"), Field<&VolumeSource::cinder>("cinder"),
             Field<&VolumeSource::portworx_volume>("portworxVolume"),
             Field<&VolumeSource::csi>("csi"), Presence<&VolumeSource::has_azure_file>("azureFile"),
             Presence<&VolumeSource::has_vsphere_volume>("vsphereVolume"));
};

template <>
struct Schema<ClaimReference> {
  static constexpr auto kFields =
      Fields(Field<&ClaimReference::namespace_>("namespace"), Field<&ClaimReference::name>("name"),
             Field<&ClaimReference::uid>("uid"));
};

template <>
struct Schema<VolumeNodeAffinity> {
  static constexpr auto kFields = Fields(Field<&VolumeNodeAffinity::required>("required"));
};

template <>
struct Schema<PersistentVolumeSpec> {
  using Spec = PersistentVolumeSpec;
  using Source = VolumeSource;
  static constexpr auto kFields = Fields(
      Field<&Spec::capacity>("capacity"), Field<&Spec::access_modes>("accessModes"),
      Field<&Spec::claim_ref>("claimRef"), Field<&Spec::storage_class_name>("storageClassName"),
      Field<&Spec::volume_mode>("volumeMode"),
      Field<&Spec::volume_attributes_class_name>("volumeAttributesClassName"),
      Field<&Spec::node_affinity>("nodeAffinity"),
      Within<&Spec::source, &Source::gce_persistent_disk>("gcePersistentDisk"),
      Within<&Spec::source, &Source::aws_elastic_block_store>("awsElasticBlockStore"),
      Within<&Spec::source, &Source::azure_disk>("azureDisk"),
      Within<&Spec::source, &Source::cinder>("cinder"),
      Within<&Spec::source, &Source::portworx_volume>("portworxVolume"),
      Within<&Spec::source, &Source::csi>("csi"),
      Within<&Spec::source, &Source::has_azure_file>("azureFile", kPresence),
      Within<&Spec::source, &Source::has_vsphere_volume>("vsphereVolume", kPresence));
};

template <>
struct Schema<PersistentVolumeStatus> {
  static constexpr auto kFields = Fields(Field<&PersistentVolumeStatus::phase>("phase"));
};

template <>
struct Schema<PersistentVolume> {
  static constexpr auto kFields =
      Fields(Field<&PersistentVolume::metadata>("metadata"), Field<&PersistentVolume::spec>("spec"),
             Field<&PersistentVolume::status>("status"));
};

template <>
struct Schema<VolumeResourceRequirements> {
  static constexpr auto kFields = Fields(Field<&VolumeResourceRequirements::requests>("requests"));
};

template <>
struct Schema<PersistentVolumeClaimSpec> {
  using Spec = PersistentVolumeClaimSpec;
  static constexpr auto kFields = Fields(
      Field<&Spec::access_modes>("accessModes"), Field<&Spec::selector>("selector"),
      Field<&Spec::resources>("resources"), Field<&Spec::volume_name>("volumeName"),
      Field<&Spec::storage_class_name>("storageClassName"), Field<&Spec::volume_mode>("volumeMode"),
      Field<&Spec::volume_attributes_class_name>("volumeAttributesClassName"));
};

template <>
struct Schema<PersistentVolumeClaimStatus> {
  static constexpr auto kFields = Fields(Field<&PersistentVolumeClaimStatus::phase>("phase"));
};

template <>
struct Schema<PersistentVolumeClaim> {
  static constexpr auto kFields = Fields(Field<&PersistentVolumeClaim::metadata>("metadata"),
                                         Field<&PersistentVolumeClaim::spec>("spec"),
                                         Field<&PersistentVolumeClaim::status>("status"));
};

const TypeInfo& PersistentVolumeType() { return kTypeInfo<PersistentVolume>; }
const TypeInfo& PersistentVolumeClaimType() { return kTypeInfo<PersistentVolumeClaim>; }

namespace {

// Converts the error of a part of the text into one of the whole.
FieldError WithPathPrefix(std::string path, FieldError error) {
  std::string_view detail = error.message;
  if (!error.field.empty()) {
    detail.remove_prefix(error.field.size() + 2);  // "field: "
    path += '.' + error.field;
  }
  error.message = Format("{}: {}", path, detail);
  error.field = std::move(path);
  return error;
}

}  // namespace

void ReadVolumeSources(Pod* pod, std::vector<FieldError>* errors) {
  SharedList<Volume>& volumes = pod->spec.volumes;
  for (size_t index = 0; index < volumes.size(); ++index) {
    RawMember other = volumes[index].other;
    const FieldInfo* field = kTypeInfo<VolumeSource>.Find(other.name.view());
    if (field == nullptr) continue;
    auto source = std::make_shared<VolumeSource>();
    DecodeOptions options;
    options.depth_max = other.json.view().size();  // its depth has been checked before
    DecodeReport report =
        DecodeJson(other.json.view(), options, *field->type, field->member(source.get()));
    for (FieldError& error : report.field_errors) {
      std::string path = Format("spec.volumes[{}].{}", index, field->key);
      errors->push_back(WithPathPrefix(std::move(path), std::move(error)));
    }
    volumes.Mutable()[index].source = std::move(source);
  }
}

}  // namespace stowage
