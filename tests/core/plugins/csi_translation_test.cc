#include "core/plugins/csi_translation.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/well_known_labels.h"
#include "tests/support/from_json.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr std::string_view kZone = kLabelTopologyZone;
constexpr std::string_view kRegion = kLabelTopologyRegion;
constexpr std::string_view kBetaZone = kLabelFailureDomainBetaZone;
constexpr std::string_view kBetaRegion = kLabelFailureDomainBetaRegion;

VolumeSource Source(std::string_view json) { return *MakeVolume(json).source; }

PersistentVolume VolumeWith(std::string_view json, LabelMap labels) {
  PersistentVolume volume =
      MakePersistentVolume(R"({"metadata":{"name":"pv"},"spec":{)" + std::string(json) + "}}");
  volume.metadata.labels = std::move(labels);
  return volume;
}

// "driver handle", or "fault".
std::string Text(const Result<CsiVolume, std::string>& translation) {
  if (!translation.ok()) return translation.fault().empty() ? "a fault without a text" : "fault";
  return translation->driver.str() + " " + translation->handle.str();
}

// Goal: each of the seven sources has its plugin and driver; five of them are migrated.
TEST(CsiTranslation, KnowsTheInTreePlugins) {
  struct {
    std::string_view source;
    std::string_view name;
    std::string_view driver;
    bool is_migration_on;
  } cases[] = {
      {R"("awsElasticBlockStore":{})", "kubernetes.io/aws-ebs", "ebs.csi.aws.com", true},
      {R"("gcePersistentDisk":{})", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", true},
      {R"("azureDisk":{})", "kubernetes.io/azure-disk", "disk.csi.azure.com", true},
      {R"("azureFile":{})", "kubernetes.io/azure-file", "file.csi.azure.com", false},
      {R"("cinder":{})", "kubernetes.io/cinder", "cinder.csi.openstack.org", true},
      {R"("vsphereVolume":{})", "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", false},
      {R"("portworxVolume":{})", "kubernetes.io/portworx-volume", "pxd.portworx.com", true},
  };
  for (const auto& c : cases) {
    const InTreePlugin* plugin = InTreePluginOf(Source(c.source));
    ASSERT_NE(plugin, nullptr) << c.source;
    EXPECT_EQ(plugin->name, c.name);
    EXPECT_EQ(plugin->driver, c.driver);
    EXPECT_EQ(plugin->is_migration_on, c.is_migration_on) << c.name;
    EXPECT_EQ(FindInTreePlugin(c.name), plugin);
    EXPECT_EQ(InTreePluginOf(VolumeWith(c.source, {}).spec.source), plugin) << c.name;
  }
  for (std::string_view source :
       {R"("csi":{"driver":"ebs.csi.aws.com"})", R"("iscsi":{})", R"("rbd":{})"}) {
    EXPECT_EQ(InTreePluginOf(Source(source)), nullptr) << source;
  }
  EXPECT_EQ(InTreePluginOf(VolumeSource()), nullptr);
  for (std::string_view name : {"", "aws-ebs", "ebs.csi.aws.com", "kubernetes.io/no-provisioner"}) {
    EXPECT_EQ(FindInTreePlugin(name), nullptr) << name;
  }
}

// Goal: VolumeBinding follows what the node's kubelet has migrated. Method: the CSINode's
// annotation.
TEST(CsiTranslation, ReadsTheMigratedPluginsOfANode) {
  const InTreePlugin& ebs = *FindInTreePlugin("kubernetes.io/aws-ebs");
  struct {
    std::string_view plugins;
    bool want;
  } cases[] = {
      {"", false},
      {"kubernetes.io/aws-ebs", true},
      {"kubernetes.io/cinder,kubernetes.io/aws-ebs,kubernetes.io/gce-pd", true},
      {"kubernetes.io/cinder, kubernetes.io/aws-ebs", false},
      {"kubernetes.io/aws-ebs-2", false},
      {"kubernetes.io/gce-pd", false},
  };
  for (const auto& c : cases) {
    CsiNode node;
    node.metadata.annotations =
        LabelMap{{"storage.alpha.kubernetes.io/migrated-plugins", c.plugins}};
    EXPECT_EQ(IsMigratedOnNode(ebs, &node), c.want) << c.plugins;
  }
  CsiNode silent;
  EXPECT_FALSE(IsMigratedOnNode(ebs, &silent));
  EXPECT_FALSE(IsMigratedOnNode(ebs, nullptr));
}

// Goal: handles differ from the in-tree names of disks. Method: the same source inline and in a
// volume without labels.
TEST(CsiTranslation, BuildsHandles) {
  struct {
    std::string_view source;
    std::string_view want;
  } cases[] = {
      {R"("awsElasticBlockStore":{"volumeID":"vol-1"})", "ebs.csi.aws.com vol-1"},
      {R"("awsElasticBlockStore":{"volumeID":"x/y"})", "ebs.csi.aws.com x/y"},
      {R"("awsElasticBlockStore":{"volumeID":"aws://zone/vol-1"})", "ebs.csi.aws.com vol-1"},
      {R"("awsElasticBlockStore":{"volumeID":"aws:///vol-1"})", "ebs.csi.aws.com vol-1"},
      {R"("awsElasticBlockStore":{"volumeID":"aws://zone//vol-1//"})", "ebs.csi.aws.com vol-1"},
      {R"("awsElasticBlockStore":{"volumeID":"aws://zone/vol-"})", "ebs.csi.aws.com vol-"},
      {R"("awsElasticBlockStore":{"volumeID":"aws://zone/x/vol-1"})", "fault"},
      {R"("awsElasticBlockStore":{"volumeID":"aws://zone/vol-1/x"})", "fault"},
      {R"("awsElasticBlockStore":{"volumeID":"aws://zone/disk-1"})", "fault"},
      {R"("awsElasticBlockStore":{"volumeID":"aws://vol-1"})", "fault"},
      {R"("gcePersistentDisk":{"pdName":"d"})",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"},
      {R"("azureDisk":{"diskName":"n","diskURI":"/a/b"})", "disk.csi.azure.com /a/b"},
      {R"("azureDisk":{"diskURI":"d","kind":"Managed"})", "disk.csi.azure.com d"},
      {R"("azureDisk":{"diskURI":"d","kind":"mAnAgEd"})", "disk.csi.azure.com d"},
      {R"("azureDisk":{"diskURI":"d","kind":"Dedicated"})", "fault"},
      {R"("azureDisk":{"diskURI":"d","kind":"Shared"})", "fault"},
      {R"("azureDisk":{"diskURI":"d","kind":"Manage"})", "fault"},
      {R"("azureDisk":{"diskURI":"d","kind":""})", "fault"},
      {R"("azureDisk":{"diskURI":"d","kind":null})", "disk.csi.azure.com d"},
      {R"("cinder":{"volumeID":"c"})", "cinder.csi.openstack.org c"},
      {R"("portworxVolume":{"volumeID":"w"})", "pxd.portworx.com w"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Text(TranslateInlineVolume(Source(c.source))), c.want) << c.source;
    EXPECT_EQ(Text(TranslatePersistentVolume(VolumeWith(c.source, {}))), c.want) << c.source;
  }
}

// Goal: a GCE disk's handle contains its location, from the labels of its volume.
TEST(CsiTranslation, PlacesGceDisksByLabels) {
  const std::string driver = "pd.csi.storage.gke.io projects/UNSPECIFIED/";
  struct {
    std::string_view name;
    LabelMap labels;
    std::string want;
  } cases[] = {
      {"no labels", {}, driver + "zones/UNSPECIFIED/disks/d"},
      {"zone", {{kZone, "us-east1-a"}}, driver + "zones/us-east1-a/disks/d"},
      {"beta zone", {{kBetaZone, "us-east1-a"}}, driver + "zones/us-east1-a/disks/d"},
      {"the old label comes first",
       {{kBetaZone, "old"}, {kZone, "new"}},
       driver + "zones/old/disks/d"},
      {"an empty one does not", {{kBetaZone, ""}, {kZone, "new"}}, driver + "zones/new/disks/d"},
      {"both empty", {{kBetaZone, ""}, {kZone, ""}}, driver + "zones/UNSPECIFIED/disks/d"},
      {"a zone of any form", {{kZone, "here"}}, driver + "zones/here/disks/d"},
      {"region label", {{kRegion, "us-east1"}}, driver + "zones/UNSPECIFIED/disks/d"},
      {"two zones", {{kZone, "us-east1-a__us-east1-b"}}, driver + "regions/us-east1/disks/d"},
      {"three zones",
       {{kBetaZone, "us-east1-c__us-east1-a__us-east1-b"}},
       driver + "regions/us-east1/disks/d"},
      {"one zone twice", {{kZone, "us-east1-a__us-east1-a"}}, driver + "regions/us-east1/disks/d"},
      {"zones of two regions", {{kZone, "us-east1-a__us-west1-a"}}, "fault"},
      {"a part too few", {{kZone, "us-east1__us-east1"}}, "fault"},
      {"a part too many", {{kZone, "us-east1-a-x__us-east1-b-x"}}, "fault"},
      {"an empty zone", {{kZone, "us-east1-a__"}}, "fault"},
      {"zones are not trimmed", {{kZone, "us-east1-a__ us-east1-b"}}, "fault"},
  };
  for (const auto& c : cases) {
    PersistentVolume volume = VolumeWith(R"("gcePersistentDisk":{"pdName":"d"})", c.labels);
    EXPECT_EQ(Text(TranslatePersistentVolume(volume)), c.want) << c.name;
  }
}

using Terms = std::vector<NodeSelectorTerm>;

struct AffinityCase {
  std::string_view name;
  LabelMap labels;
  std::optional<Terms> terms;
  std::optional<Terms> want;
};

PersistentVolume VolumeWith(const AffinityCase& c) {
  PersistentVolume volume;
  volume.metadata.labels = c.labels;
  if (c.terms) volume.spec.node_affinity.emplace().required.emplace(NodeSelector{*c.terms});
  return volume;
}

std::optional<Terms> Translated(const PersistentVolume& volume, std::string_view plugin) {
  std::optional<VolumeNodeAffinity> affinity =
      TranslateNodeAffinity(volume, *FindInTreePlugin(plugin));
  if (!affinity || !affinity->required) return std::nullopt;
  return affinity->required->node_selector_terms;
}

void ExpectAffinities(std::span<const AffinityCase> cases) {
  for (const AffinityCase& c : cases) {
    PersistentVolume volume = VolumeWith(c);
    EXPECT_EQ(Translated(volume, "kubernetes.io/gce-pd"), c.want) << c.name;
    EXPECT_EQ(volume.spec.node_affinity.has_value(), c.terms.has_value()) << c.name;
  }
}

constexpr std::string_view kKey = "topology.gke.io/zone";

NodeSelectorTerm In(std::string_view key, Texts values) {
  return Term({Expression(key, "In", values)});
}

// Goal: if the affinity names zones, their key becomes the driver's.
TEST(CsiTranslation, RenamesTheZoneKey) {
  const AffinityCase cases[] = {
      {"zone", {}, Terms{In(kZone, {"a", "b"})}, Terms{In(kKey, {"a", "b"})}},
      {"beta zone", {}, Terms{In(kBetaZone, {"a"})}, Terms{In(kKey, {"a"})}},
      {"any operator",
       {},
       Terms{Term({Expression(kZone, "NotIn", {"a"})})},
       Terms{Term({Expression(kKey, "NotIn", {"a"})})}},
      {"in all terms, beside others",
       {},
       Terms{Term({Expression("x", "Exists"), Expression(kZone, "In", {"a"})}),
             Term({Expression(kZone, "In", {"b"}), Expression(kZone, "NotIn", {"c"})}),
             In("y", {"z"})},
       Terms{Term({Expression("x", "Exists"), Expression(kKey, "In", {"a"})}),
             Term({Expression(kKey, "In", {"b"}), Expression(kKey, "NotIn", {"c"})}),
             In("y", {"z"})}},
      {"with values in one term",
       {},
       Terms{Term({Expression(kZone, "Exists")}), In(kZone, {"a"})},
       Terms{Term({Expression(kKey, "Exists")}), In(kKey, {"a"})}},
      {"without values it stays",
       {},
       Terms{Term({Expression(kZone, "Exists")})},
       Terms{Term({Expression(kZone, "Exists")})}},
      {"the new key decides",
       {},
       Terms{In(kZone, {"a"}), In(kBetaZone, {"b"})},
       Terms{In(kKey, {"a"}), In(kBetaZone, {"b"})}},
      {"the affinity decides before labels",
       {{kZone, "c"}},
       Terms{In(kBetaZone, {"a"})},
       Terms{In(kKey, {"a"})}},
      {"labels add nothing to it", {{kZone, "c"}}, Terms{In(kZone, {"a"})}, Terms{In(kKey, {"a"})}},
      {"other keys stay", {}, Terms{In("x", {"a"})}, Terms{In("x", {"a"})}},
      {"fields stay",
       {},
       Terms{Term({}, {Expression(kZone, "In", {"a"})})},
       Terms{Term({}, {Expression(kZone, "In", {"a"})})}},
  };
  ExpectAffinities(cases);
}

// Goal: if the affinity names no zones, those of the labels are required.
TEST(CsiTranslation, AddsTheZonesOfLabels) {
  const AffinityCase cases[] = {
      {"nothing to add", {}, std::nullopt, std::nullopt},
      {"no affinity", {{kZone, "a"}}, std::nullopt, Terms{In(kKey, {"a"})}},
      {"beta label", {{kBetaZone, "a"}}, std::nullopt, Terms{In(kKey, {"a"})}},
      {"the new label wins",
       {{kBetaZone, "b"}, {kZone, "a"}},
       std::nullopt,
       Terms{In(kKey, {"a"})}},
      {"the new label wins when it is empty",
       {{kBetaZone, "b"}, {kZone, ""}},
       std::nullopt,
       std::nullopt},
      {"no terms", {{kZone, "a"}}, Terms{}, Terms{In(kKey, {"a"})}},
      {"every term",
       {{kZone, "a"}},
       Terms{In("x", {"1"}), Term({})},
       Terms{Term({Expression("x", "In", {"1"}), Expression(kKey, "In", {"a"})}), In(kKey, {"a"})}},
      {"several zones, in order and once",
       {{kZone, "b__ c __a____b__"}},
       std::nullopt,
       Terms{In(kKey, {"a", "b", "c"})}},
      {"no zone remains", {{kZone, " __ "}}, Terms{In("x", {"1"})}, Terms{In("x", {"1"})}},
      {"a key without values counts as none",
       {{kZone, "a"}},
       Terms{Term({Expression(kZone, "Exists")})},
       Terms{Term({Expression(kZone, "Exists"), Expression(kKey, "In", {"a"})})}},
      {"the old key in the affinity keeps out the new label",
       {{kZone, "a"}},
       Terms{Term({Expression(kBetaZone, "Exists")})},
       Terms{Term({Expression(kBetaZone, "Exists")})}},
      {"the new key in the affinity keeps out the old label",
       {{kBetaZone, "a"}},
       Terms{Term({Expression(kZone, "Exists")})},
       Terms{Term({Expression(kZone, "Exists")})}},
      {"regions alone add nothing",
       {{kRegion, "r"}, {kBetaRegion, "r"}},
       std::nullopt,
       std::nullopt},
  };
  ExpectAffinities(cases);
}

// Goal: an old region key becomes the new one, which all nodes have, but only together with old
// zone keys.
TEST(CsiTranslation, RenamesOldRegionKeys) {
  const AffinityCase cases[] = {
      {"with the old zone in the affinity",
       {},
       Terms{Term({Expression(kBetaZone, "In", {"a"}), Expression(kBetaRegion, "In", {"r"})})},
       Terms{Term({Expression(kKey, "In", {"a"}), Expression(kRegion, "In", {"r"})})}},
      {"with the old zone in the labels",
       {{kBetaZone, "a"}},
       Terms{In(kBetaRegion, {"r"})},
       Terms{Term({Expression(kRegion, "In", {"r"}), Expression(kKey, "In", {"a"})})}},
      {"without values",
       {{kBetaZone, ""}},
       Terms{Term({Expression(kBetaRegion, "Exists")})},
       Terms{Term({Expression(kBetaRegion, "Exists")})}},
      {"with the new zone",
       {},
       Terms{Term({Expression(kZone, "In", {"a"}), Expression(kBetaRegion, "In", {"r"})})},
       Terms{Term({Expression(kKey, "In", {"a"}), Expression(kBetaRegion, "In", {"r"})})}},
      {"without a zone", {}, Terms{In(kBetaRegion, {"r"})}, Terms{In(kBetaRegion, {"r"})}},
      {"the new region stays",
       {},
       Terms{Term({Expression(kZone, "In", {"a"}), Expression(kRegion, "In", {"r"})})},
       Terms{Term({Expression(kKey, "In", {"a"}), Expression(kRegion, "In", {"r"})})}},
  };
  ExpectAffinities(cases);
}

// Goal: three plugins have a key of their own; the affinity of the others stays unchanged.
TEST(CsiTranslation, UsesTheDriversTopologyKeys) {
  struct {
    std::string_view plugin;
    std::string_view key;
  } cases[] = {
      {"kubernetes.io/aws-ebs", "topology.ebs.csi.aws.com/zone"},
      {"kubernetes.io/gce-pd", "topology.gke.io/zone"},
      {"kubernetes.io/cinder", "topology.cinder.csi.openstack.org/zone"},
      {"kubernetes.io/azure-disk", kBetaZone},
      {"kubernetes.io/azure-file", kBetaZone},
      {"kubernetes.io/portworx-volume", kBetaZone},
  };
  for (const auto& c : cases) {
    const AffinityCase old = {"", {{kBetaZone, "b"}}, Terms{In(kBetaZone, {"a"})}, {}};
    EXPECT_EQ(Translated(VolumeWith(old), c.plugin), Terms{In(c.key, {"a"})}) << c.plugin;
  }
  const AffinityCase labels = {"", {{kZone, "a"}}, std::nullopt, {}};
  EXPECT_EQ(Translated(VolumeWith(labels), "kubernetes.io/azure-disk"), std::nullopt);
}

}  // namespace
}  // namespace stowage
