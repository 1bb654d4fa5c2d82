// How disks of plugins that Kubernetes once had in-tree look to the CSI drivers that replaced them,
// as far as a scheduler needs it: driver, handle, and the nodes from which a volume can be reached.
// Counterpart: csi-translation-lib, v1.36; spec plugins/csi-translation.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/api/persistent_volume.h"
#include "core/api/pod.h"
#include "core/api/storage.h"
#include "core/base/result.h"

namespace stowage {

// A plugin that was in-tree, and the driver in its place.
struct InTreePlugin {
  std::string_view name;          // "kubernetes.io/aws-ebs"
  std::string_view driver;        // "ebs.csi.aws.com"
  std::string_view topology_key;  // empty: node affinity stays as it is
  bool is_migration_on;           // in the scheduler
};

// A volume as its CSI driver knows it.
struct CsiVolume {
  Symbol driver;
  Symbol handle;

  friend bool operator==(const CsiVolume&, const CsiVolume&) = default;
};

// The in-tree plugin that the source belongs to; null if none.
const InTreePlugin* InTreePluginOf(const VolumeSource& source);
// Whether a pod's volume is an inline disk of an in-tree plugin.
bool IsInlineMigratable(const Volume& volume);
// By its own name; null when there is none.
const InTreePlugin* FindInTreePlugin(std::string_view name);
// The node's kubelet leaves the plugin's volumes to the driver. `csi_node` may be null.
bool IsMigratedOnNode(const InTreePlugin& plugin, const CsiNode* csi_node);

// The source of a pod's volume, which is an in-tree plugin's.
Result<CsiVolume, std::string> TranslateInlineVolume(const VolumeSource& source);
// The same of a PersistentVolume.
Result<CsiVolume, std::string> TranslatePersistentVolume(const PersistentVolume& volume);
// The node affinity of that PersistentVolume after its translation, in the driver's own labels.
std::optional<VolumeNodeAffinity> TranslateNodeAffinity(const PersistentVolume& volume,
                                                        const InTreePlugin& plugin);

}  // namespace stowage
