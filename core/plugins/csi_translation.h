// Translates volumes of former in-tree plugins to the CSI drivers that replaced them, as far as
// scheduling needs it: driver, handle, and the nodes that can reach the volume.
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

// A former in-tree plugin and the CSI driver that replaced it.
struct InTreePlugin {
  std::string_view name;          // "kubernetes.io/aws-ebs"
  std::string_view driver;        // "ebs.csi.aws.com"
  std::string_view topology_key;  // empty: node affinity is not translated
  bool is_migration_on;           // whether the scheduler migrates the plugin
};

// A volume in terms of its CSI driver.
struct CsiVolume {
  Symbol driver;
  Symbol handle;

  friend bool operator==(const CsiVolume&, const CsiVolume&) = default;
};

// The in-tree plugin that the source belongs to; null if none.
const InTreePlugin* InTreePluginOf(const VolumeSource& source);
// Whether a pod's volume is an inline disk of an in-tree plugin.
bool IsInlineMigratable(const Volume& volume);
// Finds a plugin by its name; null if there is none.
const InTreePlugin* FindInTreePlugin(std::string_view name);
// Whether the node's kubelet leaves the plugin's volumes to the driver. `csi_node` may be null.
bool IsMigratedOnNode(const InTreePlugin& plugin, const CsiNode* csi_node);

// Translates the source of a pod's inline volume, which must belong to an in-tree plugin. The fault
// is the error message.
Result<CsiVolume, std::string> TranslateInlineVolume(const VolumeSource& source);
// Translates a PersistentVolume, like TranslateInlineVolume.
Result<CsiVolume, std::string> TranslatePersistentVolume(const PersistentVolume& volume);
// The node affinity of that PersistentVolume after its translation, in the driver's own labels.
std::optional<VolumeNodeAffinity> TranslateNodeAffinity(const PersistentVolume& volume,
                                                        const InTreePlugin& plugin);

}  // namespace stowage
