#include "core/plugins/attachable_volumes.h"

#include <utility>

#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/plugins/csi_translation.h"

namespace stowage {
namespace {

bool IsMigrationOn(const InTreePlugin& plugin, const CsiNode* csi_node) {
  return csi_node != nullptr && plugin.is_migration_on;
}

AttachableVolume DriverInfoOfClass(const Listers& listers, const PersistentVolumeClaim& claim,
                                   const CsiNode* csi_node) {
  Symbol name = StorageClassOf(claim);
  StorageClassRef storage_class = name.empty() ? nullptr : listers.GetStorageClass(name);
  if (storage_class == nullptr) return {};
  Symbol driver = storage_class->provisioner;
  if (const InTreePlugin* plugin = FindInTreePlugin(driver.view())) {
    if (!IsMigrationOn(*plugin, csi_node)) return {};
    driver = Symbol(plugin->driver);
  }
  return {std::move(driver), claim.metadata.name, claim.metadata.namespace_};
}

AttachableVolume DriverInfoOf(const Listers& listers, const PersistentVolumeClaim& claim,
                              const CsiNode* csi_node) {
  PersistentVolumeRef volume;
  if (!claim.spec.volume_name.empty()) {
    volume = listers.GetPersistentVolume(claim.spec.volume_name);
  }
  if (volume == nullptr) return DriverInfoOfClass(listers, claim, csi_node);
  const VolumeSource& source = volume->spec.source;
  if (source.csi) return {source.csi->driver, source.csi->volume_handle};
  const InTreePlugin* plugin = InTreePluginOf(source);
  if (plugin == nullptr || !IsMigrationOn(*plugin, csi_node)) return {};
  Result<CsiVolume, std::string> translated = TranslatePersistentVolume(*volume);
  if (!translated.ok()) return {};
  return {translated->driver, translated->handle};
}

// Reads the volumes of one pod.
struct PodVolumesReader {
  const Listers& listers;
  const Pod& pod;
  const CsiNode* csi_node;
  bool is_new_pod;
  std::vector<ObjectKey>* sources;

  Status AddInline(const Volume& volume, AttachableVolumes* volumes) const {
    const InTreePlugin* plugin = volume.source ? InTreePluginOf(*volume.source) : nullptr;
    if (plugin == nullptr || !IsMigrationOn(*plugin, csi_node)) return Status::Success();
    Result<CsiVolume, std::string> translated = TranslateInlineVolume(*volume.source);
    if (!translated.ok()) {
      return Status::Error(Format("converting volume({}) from inline to csi: {}",
                                  volume.name.view(), translated.fault()));
    }
    volumes->Add({translated->driver, translated->handle});
    return Status::Success();
  }

  Status AddClaim(const Volume& volume, AttachableVolumes* volumes) const {
    Symbol name = *ClaimNameOf(pod, volume);
    if (name.empty()) return Status::Error("PersistentVolumeClaim had no name");
    const Symbol& namespace_ = pod.metadata.namespace_;
    if (sources != nullptr) sources->push_back({namespace_, name});
    PersistentVolumeClaimRef claim = listers.GetPersistentVolumeClaim(namespace_, name);
    if (claim == nullptr && !is_new_pod) return Status::Success();
    if (claim == nullptr) {
      return Status::UnschedulableAndUnresolvable(
          Format("looking up PVC {}/{}: {}", namespace_.view(), name.view(),
                 NotFoundMessage("persistentvolumeclaim", name)));
    }
    if (volume.is_ephemeral() && !IsControlledBy(*claim, pod)) {
      return Status::Error(NotOwnerMessage(*claim, pod));
    }
    if (sources != nullptr) sources->push_back({Symbol(), claim->spec.volume_name});
    AttachableVolume attachable = DriverInfoOf(listers, *claim, csi_node);
    if (!attachable.driver.empty() && !attachable.handle.empty()) {
      volumes->Add(std::move(attachable));
    }
    return Status::Success();
  }
};

}  // namespace

size_t AttachableVolumes::Hash::operator()(const AttachableVolume& volume) const {
  SymbolHash hash;
  return (hash(volume.driver) * 31 + hash(volume.handle)) * 31 + hash(volume.claim_namespace);
}

void AttachableVolumes::Add(AttachableVolume volume) {
  if (known_.insert(volume).second) list_.push_back(std::move(volume));
}

bool IsClaim(const Volume& volume) {
  return volume.persistent_volume_claim.has_value() || volume.is_ephemeral();
}

Status CollectAttachable(const Listers& listers, const Pod& pod, const CsiNode* csi_node,
                         bool is_new_pod, AttachableVolumes* volumes,
                         std::vector<ObjectKey>* sources) {
  PodVolumesReader reader{listers, pod, csi_node, is_new_pod, sources};
  for (const Volume& volume : pod.spec.volumes) {
    Status status =
        IsClaim(volume) ? reader.AddClaim(volume, volumes) : reader.AddInline(volume, volumes);
    if (!status.IsSuccess()) return status;
  }
  return Status::Success();
}

}  // namespace stowage
