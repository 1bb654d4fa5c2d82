// The volume sources that the scheduler reads: inline disks of pods, and the sources of
// PersistentVolumes (spec 01 §2, §4). Field names follow v1.VolumeSource.
//
// Where v1 has two types for the same source, in a pod and in a PersistentVolume, the same fields
// are read of both.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/symbol.h"

namespace stowage {

struct GcePersistentDiskVolumeSource {
  Symbol pd_name;
  bool read_only = false;
};

struct AwsElasticBlockStoreVolumeSource {
  Symbol volume_id;
  bool read_only = false;
};

struct IscsiVolumeSource {
  Symbol iqn;
  bool read_only = false;
};

struct RbdVolumeSource {
  std::vector<Symbol> monitors;
  Symbol pool;
  Symbol image;
  bool read_only = false;
};

struct AzureDiskVolumeSource {
  Symbol data_disk_uri;
  std::optional<Symbol> kind;
};

struct CinderVolumeSource {
  Symbol volume_id;
};

struct PortworxVolumeSource {
  Symbol volume_id;
};

struct CsiVolumeSource {
  Symbol driver;
  Symbol volume_handle;  // set for PersistentVolumes only
};

// In a valid object at most one of them is set.
struct VolumeSource {
  std::optional<GcePersistentDiskVolumeSource> gce_persistent_disk;
  std::optional<AwsElasticBlockStoreVolumeSource> aws_elastic_block_store;
  std::optional<IscsiVolumeSource> iscsi;
  std::optional<RbdVolumeSource> rbd;
  std::optional<AzureDiskVolumeSource> azure_disk;
  std::optional<CinderVolumeSource> cinder;
  std::optional<PortworxVolumeSource> portworx_volume;
  std::optional<CsiVolumeSource> csi;
  bool has_azure_file = false;
  bool has_vsphere_volume = false;
};

using VolumeSourceRef = std::shared_ptr<const VolumeSource>;

}  // namespace stowage
