#include "core/plugins/csi_translation.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/api/topology_labels.h"
#include "core/api/volume_helpers.h"
#include "core/base/format.h"
#include "core/base/split.h"

namespace stowage {
namespace {

using Translation = Result<CsiVolume, std::string>;

constexpr std::string_view kUnspecified = "UNSPECIFIED";

constexpr InTreePlugin kAwsEbs{"kubernetes.io/aws-ebs", "ebs.csi.aws.com",
                               "topology.ebs.csi.aws.com/zone", true};
constexpr InTreePlugin kGcePd{"kubernetes.io/gce-pd", "pd.csi.storage.gke.io",
                              "topology.gke.io/zone", true};
constexpr InTreePlugin kAzureDisk{"kubernetes.io/azure-disk", "disk.csi.azure.com", "", true};
constexpr InTreePlugin kAzureFile{"kubernetes.io/azure-file", "file.csi.azure.com", "", false};
constexpr InTreePlugin kCinder{"kubernetes.io/cinder", "cinder.csi.openstack.org",
                               "topology.cinder.csi.openstack.org/zone", true};
constexpr InTreePlugin kVsphere{"kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "",
                                false};
constexpr InTreePlugin kPortworx{"kubernetes.io/portworx-volume", "pxd.portworx.com", "", true};
constexpr const InTreePlugin* kPlugins[] = {&kAwsEbs, &kGcePd,   &kAzureDisk, &kAzureFile,
                                            &kCinder, &kVsphere, &kPortworx};

CsiVolume VolumeOf(const InTreePlugin& plugin, std::string_view handle) {
  return {Symbol(plugin.driver), Symbol(handle)};
}

// `aws://ZONE/vol-1` and `aws:///vol-1` both become vol-1.
Translation TranslateAwsEbs(std::string_view id) {
  constexpr std::string_view kScheme = "aws://";
  constexpr std::string_view kVolume = "vol-";
  if (!id.starts_with(kScheme)) return VolumeOf(kAwsEbs, id);
  std::string_view path = id.substr(kScheme.size());
  size_t slash = path.find('/');
  path = slash == std::string_view::npos ? std::string_view() : path.substr(slash);
  path = path.substr(0, path.find_first_of("?#"));
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (!path.starts_with(kVolume) || path.find('/') != std::string_view::npos) {
    return Format(
        "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume ({})",
        id);
  }
  return VolumeOf(kAwsEbs, path);
}

struct Region {
  std::string name;
  std::string fault = {};  // empty: none
};

// A zone has the form LOCALE-REGION-ZONE, and all zones must be of one region.
Region RegionOf(const std::vector<std::string_view>& zones) {
  std::set<std::string> regions;
  for (std::string_view zone : zones) {
    std::vector<std::string_view> parts = Split(zone, "-");
    if (parts.size() != 3) {
      constexpr std::string_view kFormat = "{locale}-{region}-{zone}";
      return {"", Format("zone in unexpected format, expected: {}, got: {}", kFormat, zone)};
    }
    regions.insert(Format("{}-{}", parts[0], parts[1]));
  }
  if (regions.size() == 1) return {*regions.begin()};
  // Formats the zones like Go prints a set.
  std::string text;
  for (const std::string& region : regions) {
    text += Format("{}{}:{{}}", text.empty() ? "" : " ", region);
  }
  return {"", Format("multiple or no regions gotten from zones, got: map[{}]", text)};
}

CsiVolume GceVolume(std::string_view kind, std::string_view place, const Symbol& disk) {
  return VolumeOf(kGcePd,
                  Format("projects/{}/{}/{}/disks/{}", kUnspecified, kind, place, disk.view()));
}

Translation TranslateGcePd(const GcePersistentDiskVolumeSource& disk, const LabelMap& labels) {
  const Symbol* zone = labels.Find(TopologyLabels::Get().beta_zone);
  if (zone == nullptr || zone->empty()) zone = labels.Find(TopologyLabels::Get().zone);
  if (zone == nullptr || zone->empty()) return GceVolume("zones", kUnspecified, disk.pd_name);
  std::vector<std::string_view> zones = Split(zone->view(), kLabelMultiZoneDelimiter);
  if (zones.size() == 1) return GceVolume("zones", zones.front(), disk.pd_name);
  Region region = RegionOf(zones);
  if (!region.fault.empty()) {
    return Format("failed to get region from zones: {}", region.fault);
  }
  return GceVolume("regions", region.name, disk.pd_name);
}

Translation TranslateAzureDisk(const AzureDiskVolumeSource& disk) {
  constexpr std::string_view kManaged = "managed";
  auto is_same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  if (disk.kind && !std::ranges::equal(disk.kind->view(), kManaged, is_same)) {
    return Format("kind({}) is not supported in csi migration", disk.kind->view());
  }
  return VolumeOf(kAzureDisk, disk.data_disk_uri.view());
}

// `labels` are the PersistentVolume's.
Translation Translate(const VolumeSource& source, const LabelMap& labels) {
  if (const auto& disk = source.aws_elastic_block_store) {
    return TranslateAwsEbs(disk->volume_id.view());
  }
  if (const auto& disk = source.gce_persistent_disk) return TranslateGcePd(*disk, labels);
  if (const auto& disk = source.azure_disk) return TranslateAzureDisk(*disk);
  if (const auto& disk = source.cinder) return VolumeOf(kCinder, disk->volume_id.view());
  if (const auto& disk = source.portworx_volume) return VolumeOf(kPortworx, disk->volume_id.view());
  return std::string("volume is not of an in-tree plugin whose migration is on");
}

class AffinityTranslation {
 public:
  explicit AffinityTranslation(const PersistentVolume& volume)
      : labels_(volume.metadata.labels), affinity_(volume.spec.node_affinity) {}

  std::optional<VolumeNodeAffinity> Run(const Symbol& topology_key) {
    const auto& names = TopologyLabels::Get();
    bool is_beta = UsesBetaLabels();
    const Symbol& zone = is_beta ? names.beta_zone : names.zone;
    if (HasValues(zone)) {
      Rename(zone, topology_key);
    } else if (const Symbol* zones = labels_.Find(zone)) {
      AddToEveryTerm(topology_key, zones->view());
    }
    // A node may have only the new labels.
    if (is_beta && HasValues(names.beta_region)) {
      Rename(names.beta_region, names.region);
    }
    return std::move(affinity_);
  }

 private:
  // Node affinity takes precedence over labels, and new names over beta names.
  bool UsesBetaLabels() const {
    const auto& names = TopologyLabels::Get();
    if (HasKey(names.zone)) return false;
    if (HasKey(names.beta_zone)) return true;
    return !labels_.Has(names.zone) && labels_.Has(names.beta_zone);
  }

  template <typename Visit>
  bool AnyExpression(const Visit& visit) const {
    if (!affinity_ || !affinity_->required) return false;
    for (const NodeSelectorTerm& term : affinity_->required->node_selector_terms) {
      for (const SelectorExpression& expression : term.match_expressions) {
        if (visit(expression)) return true;
      }
    }
    return false;
  }
  bool HasKey(const Symbol& key) const {
    return AnyExpression([&key](const auto& expression) { return expression.key == key; });
  }
  bool HasValues(const Symbol& key) const {
    return AnyExpression([&key](const SelectorExpression& expression) {
      return expression.key == key && !expression.values.empty();
    });
  }

  void Rename(const Symbol& key, const Symbol& new_key) {
    for (NodeSelectorTerm& term : affinity_->required->node_selector_terms) {
      for (SelectorExpression& expression : term.match_expressions) {
        if (expression.key == key) expression.key = new_key;
      }
    }
  }

  void AddToEveryTerm(const Symbol& key, std::string_view zones) {
    std::set<Symbol> names;
    for (std::string_view zone : Split(zones, kLabelMultiZoneDelimiter)) {
      std::string_view trimmed = TrimSpace(zone);
      if (!trimmed.empty()) names.insert(Symbol(trimmed));
    }
    if (names.empty()) return;
    if (!affinity_) affinity_.emplace();
    if (!affinity_->required) affinity_->required.emplace();
    auto& terms = affinity_->required->node_selector_terms;
    if (terms.empty()) terms.emplace_back();
    SelectorExpression expression{key, Symbol("In"), {names.begin(), names.end()}};
    for (NodeSelectorTerm& term : terms) term.match_expressions.push_back(expression);
  }

  const LabelMap& labels_;
  std::optional<VolumeNodeAffinity> affinity_;
};

}  // namespace

const InTreePlugin* InTreePluginOf(const VolumeSource& source) {
  if (source.aws_elastic_block_store) return &kAwsEbs;
  if (source.gce_persistent_disk) return &kGcePd;
  if (source.azure_disk) return &kAzureDisk;
  if (source.has_azure_file) return &kAzureFile;
  if (source.cinder) return &kCinder;
  if (source.has_vsphere_volume) return &kVsphere;
  if (source.portworx_volume) return &kPortworx;
  return nullptr;
}

bool IsInlineMigratable(const Volume& volume) {
  return volume.source != nullptr && InTreePluginOf(*volume.source) != nullptr;
}

const InTreePlugin* FindInTreePlugin(std::string_view name) {
  for (const InTreePlugin* plugin : kPlugins) {
    if (plugin->name == name) return plugin;
  }
  return nullptr;
}

bool IsMigratedOnNode(const InTreePlugin& plugin, const CsiNode* csi_node) {
  if (csi_node == nullptr) return false;
  const Symbol* names = csi_node->metadata.annotations.Find(Annotations().migrated_plugins);
  if (names == nullptr || names->empty()) return false;
  std::vector<std::string_view> list = Split(names->view(), ",");
  return std::find(list.begin(), list.end(), plugin.name) != list.end();
}

Translation TranslateInlineVolume(const VolumeSource& source) {
  return Translate(source, LabelMap());
}

Translation TranslatePersistentVolume(const PersistentVolume& volume) {
  return Translate(volume.spec.source, volume.metadata.labels);
}

std::optional<VolumeNodeAffinity> TranslateNodeAffinity(const PersistentVolume& volume,
                                                        const InTreePlugin& plugin) {
  if (plugin.topology_key.empty()) return volume.spec.node_affinity;
  return AffinityTranslation(volume).Run(Symbol(plugin.topology_key));
}

}  // namespace stowage
