// Goal: all fields of volumes, claims and storage objects that the scheduler uses are decoded, and
// errors are reported with their paths (spec 01 §2, §4).
#include "core/api/decode/volume_schema.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/decode/objects.h"
#include "tests/support/from_json.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr size_t kDepthMax = 64;

// Goal: all decoded fields of a PersistentVolume. Method: an object with all of them.
TEST(VolumeSchema, ReadsPersistentVolumes) {
  PersistentVolume volume = MakePersistentVolume(R"({
      "metadata":{"name":"pv","uid":"u","resourceVersion":"7","labels":{"l":"1"},
        "annotations":{"a":"2"},"deletionTimestamp":"2026-03-01T12:00:00Z"},
      "spec":{"capacity":{"storage":"10Gi"},"accessModes":["ReadWriteOnce","ReadOnlyMany"],
        "storageClassName":"fast","volumeMode":"Block","volumeAttributesClassName":"gold",
        "claimRef":{"kind":"PersistentVolumeClaim","apiVersion":"v1","namespace":"ns","name":"c",
                    "uid":"cu","resourceVersion":"5"},
        "nodeAffinity":{"required":{"nodeSelectorTerms":[
          {"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]}]}]}},
        "csi":{"driver":"d","volumeHandle":"h","volumeAttributes":{"x":"y"}},
        "persistentVolumeReclaimPolicy":"Retain","mountOptions":["ro"]},
      "status":{"phase":"Bound","message":"m"}})");
  EXPECT_EQ(volume.metadata.name, "pv");
  EXPECT_EQ(volume.metadata.resource_version, "7");
  EXPECT_EQ(volume.metadata.labels, (LabelMap{{"l", "1"}}));
  EXPECT_EQ(volume.metadata.annotations, (LabelMap{{"a", "2"}}));
  EXPECT_EQ(volume.metadata.deletion_timestamp, Instant::Parse("2026-03-01T12:00:00Z"));
  EXPECT_EQ(volume.spec.capacity.Find(Symbol("storage"))->Value(), int64_t{10} << 30);
  EXPECT_EQ(volume.spec.access_modes, MakeSymbols({"ReadWriteOnce", "ReadOnlyMany"}));
  EXPECT_EQ(volume.spec.storage_class_name, "fast");
  EXPECT_EQ(volume.spec.volume_mode, Symbol("Block"));
  EXPECT_EQ(volume.spec.volume_attributes_class_name, Symbol("gold"));
  EXPECT_EQ(volume.spec.claim_ref->namespace_, "ns");
  EXPECT_EQ(volume.spec.claim_ref->name, "c");
  EXPECT_EQ(volume.spec.claim_ref->uid, "cu");
  EXPECT_EQ(volume.spec.node_affinity->required->node_selector_terms,
            std::vector<NodeSelectorTerm>{Term({Expression("zone", "In", {"a", "b"})})});
  EXPECT_EQ(volume.spec.source.csi->driver, "d");
  EXPECT_EQ(volume.spec.source.csi->volume_handle, "h");
  EXPECT_EQ(volume.status.phase, "Bound");
}

// Goal: absent fields are absent, and so are null fields.
TEST(VolumeSchema, DistinguishesAbsentFromEmpty) {
  for (std::string_view spec :
       {R"({})", R"({"volumeMode":null,"volumeAttributesClassName":null,"claimRef":null,
                     "nodeAffinity":null,"capacity":null,"accessModes":null,"csi":null,
                     "azureFile":null,"vsphereVolume":null,"gcePersistentDisk":null})"}) {
    PersistentVolume volume =
        MakePersistentVolume(R"({"metadata":{"name":"pv"},"spec":)" + std::string(spec) + "}");
    EXPECT_EQ(volume.spec.volume_mode, std::nullopt) << spec;
    EXPECT_EQ(volume.spec.volume_attributes_class_name, std::nullopt) << spec;
    EXPECT_FALSE(volume.spec.claim_ref.has_value()) << spec;
    EXPECT_FALSE(volume.spec.node_affinity.has_value()) << spec;
    EXPECT_TRUE(volume.spec.capacity.empty()) << spec;
    EXPECT_FALSE(volume.spec.source.csi.has_value()) << spec;
    EXPECT_FALSE(volume.spec.source.gce_persistent_disk.has_value()) << spec;
    EXPECT_FALSE(volume.spec.source.has_azure_file) << spec;
    EXPECT_FALSE(volume.spec.source.has_vsphere_volume) << spec;
  }
  PersistentVolume empty = MakePersistentVolume(
      R"({"metadata":{"name":"pv"},"spec":{"volumeMode":"","volumeAttributesClassName":"",
          "claimRef":{},"nodeAffinity":{}}})");
  EXPECT_EQ(empty.spec.volume_mode, Symbol());
  EXPECT_EQ(empty.spec.volume_attributes_class_name, Symbol());
  EXPECT_TRUE(empty.spec.claim_ref.has_value());
  EXPECT_FALSE(empty.spec.node_affinity->required.has_value());
}

// The decoded fields of a source, as one text.
std::string Text(const VolumeSource& source) {
  std::string text;
  auto add = [&text](std::string_view name, std::initializer_list<Symbol> fields, bool read_only) {
    text += name;
    for (const Symbol& field : fields) text += " " + field.str();
    if (read_only) text += " read-only";
    text += ";";
  };
  if (const auto& disk = source.gce_persistent_disk) add("gce", {disk->pd_name}, disk->read_only);
  if (const auto& disk = source.aws_elastic_block_store) {
    add("ebs", {disk->volume_id}, disk->read_only);
  }
  if (const auto& disk = source.iscsi) add("iscsi", {disk->iqn}, disk->read_only);
  if (const auto& disk = source.rbd) {
    add("rbd", {disk->pool, disk->image}, disk->read_only);
    for (const Symbol& monitor : disk->monitors) add("monitor", {monitor}, false);
  }
  if (const auto& disk = source.azure_disk) {
    add("azure", {disk->data_disk_uri, disk->kind.value_or(Symbol("unset"))}, false);
  }
  if (const auto& disk = source.cinder) add("cinder", {disk->volume_id}, false);
  if (const auto& disk = source.portworx_volume) add("portworx", {disk->volume_id}, false);
  if (const auto& disk = source.csi) add("csi", {disk->driver, disk->volume_handle}, false);
  if (source.has_azure_file) add("azure-file", {}, false);
  if (source.has_vsphere_volume) add("vsphere", {}, false);
  return text;
}

struct SourceCase {
  std::string_view source;
  std::string_view want;
};

constexpr SourceCase kSources[] = {
    {R"("gcePersistentDisk":{"pdName":"a","fsType":"ext4","partition":1})", "gce a;"},
    {R"("gcePersistentDisk":{"pdName":"a","readOnly":true})", "gce a read-only;"},
    {R"("awsElasticBlockStore":{"volumeID":"a","readOnly":false})", "ebs a;"},
    {R"("awsElasticBlockStore":{"volumeID":"a","readOnly":true})", "ebs a read-only;"},
    {R"("azureDisk":{"diskName":"n","diskURI":"a"})", "azure a unset;"},
    {R"("azureDisk":{"diskURI":"a","kind":"Managed"})", "azure a Managed;"},
    {R"("cinder":{"volumeID":"a"})", "cinder a;"},
    {R"("portworxVolume":{"volumeID":"a"})", "portworx a;"},
    {R"("csi":{"driver":"a","volumeHandle":"b"})", "csi a b;"},
    {R"("azureFile":{"secretName":"a"})", "azure-file;"},
    {R"("vsphereVolume":{"volumePath":"a"})", "vsphere;"},
    {R"("gcePersistentDisk":{})", "gce ;"},
};
// These are not decoded in PersistentVolumes.
constexpr SourceCase kSourcesOfPods[] = {
    {R"("iscsi":{"targetPortal":"p","iqn":"a","lun":0})", "iscsi a;"},
    {R"("iscsi":{"iqn":"a","readOnly":true})", "iscsi a read-only;"},
    {R"("rbd":{"monitors":["m","n"],"pool":"a","image":"b"})", "rbd a b;monitor m;monitor n;"},
    {R"("rbd":{"image":"b","readOnly":true})", "rbd  b read-only;"},
};

// Goal: a disk is decoded equally in a pod and in a PersistentVolume.
TEST(VolumeSchema, ReadsSources) {
  for (const SourceCase& c : kSources) {
    PersistentVolume volume = MakePersistentVolume(R"({"metadata":{"name":"pv"},"spec":{)" +
                                                   std::string(c.source) + "}}");
    EXPECT_EQ(Text(volume.spec.source), c.want) << c.source;
    EXPECT_EQ(Text(*MakeVolume(c.source).source), c.want) << c.source << ", in a pod";
  }
  for (const SourceCase& c : kSourcesOfPods) {
    EXPECT_EQ(Text(*MakeVolume(c.source).source), c.want) << c.source;
  }
}

// Goal: all decoded fields of a claim.
TEST(VolumeSchema, ReadsPersistentVolumeClaims) {
  PersistentVolumeClaim claim = MakePersistentVolumeClaim(R"({
      "metadata":{"name":"c","namespace":"ns","uid":"u","resourceVersion":"7",
        "annotations":{"pv.kubernetes.io/bind-completed":"yes"},
        "deletionTimestamp":"2026-03-01T12:00:00Z",
        "ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"pu",
                            "controller":true}]},
      "spec":{"accessModes":["ReadWriteOncePod"],"volumeName":"pv","storageClassName":"fast",
        "selector":{"matchLabels":{"a":"b"},
                    "matchExpressions":[{"key":"k","operator":"Exists"}]},
        "resources":{"requests":{"storage":"5Gi"},"limits":{"storage":"6Gi"}},
        "volumeMode":"Filesystem","volumeAttributesClassName":"gold","dataSource":{"name":"x"}},
      "status":{"phase":"Lost","capacity":{"storage":"7Gi"}}})");
  EXPECT_EQ(claim.metadata.name, "c");
  EXPECT_EQ(claim.metadata.namespace_, "ns");
  EXPECT_EQ(claim.metadata.uid, "u");
  EXPECT_EQ(claim.metadata.resource_version, "7");
  EXPECT_EQ(claim.metadata.annotations, (LabelMap{{"pv.kubernetes.io/bind-completed", "yes"}}));
  EXPECT_EQ(claim.metadata.deletion_timestamp, Instant::Parse("2026-03-01T12:00:00Z"));
  EXPECT_EQ(claim.metadata.owner_references,
            (std::vector<OwnerReference>{
                {Symbol("v1"), Symbol("Pod"), Symbol("p"), Symbol("pu"), true}}));
  EXPECT_EQ(claim.spec.access_modes, MakeSymbols({"ReadWriteOncePod"}));
  EXPECT_EQ(claim.spec.volume_name, "pv");
  EXPECT_EQ(claim.spec.storage_class_name, Symbol("fast"));
  EXPECT_EQ(claim.spec.selector, MakeLabelSelector({{"a", "b"}}, {Expression("k", "Exists")}));
  EXPECT_EQ(claim.spec.resources.requests.Find(Symbol("storage"))->Value(), int64_t{5} << 30);
  EXPECT_EQ(claim.spec.volume_mode, Symbol("Filesystem"));
  EXPECT_EQ(claim.spec.volume_attributes_class_name, Symbol("gold"));
  EXPECT_EQ(claim.status.phase, "Lost");

  PersistentVolumeClaim bare =
      MakePersistentVolumeClaim(R"({"metadata":{"name":"c","namespace":"ns"},
          "spec":{"storageClassName":null,"selector":null}})");
  EXPECT_EQ(bare.spec.storage_class_name, std::nullopt);
  EXPECT_EQ(bare.spec.selector, std::nullopt);
  EXPECT_EQ(bare.spec.volume_mode, std::nullopt);
  PersistentVolumeClaim empty =
      MakePersistentVolumeClaim(R"({"metadata":{"name":"c","namespace":"ns"},
          "spec":{"storageClassName":"","selector":{}}})");
  EXPECT_EQ(empty.spec.storage_class_name, Symbol());
  EXPECT_EQ(empty.spec.selector, LabelSelector());
}

// Goal: all decoded fields of storage.k8s.io/v1.
TEST(VolumeSchema, ReadsClassesAndDrivers) {
  StorageClass storage_class = MakeStorageClass(R"({"metadata":{"name":"fast"},
      "provisioner":"d","volumeBindingMode":"WaitForFirstConsumer","reclaimPolicy":"Delete",
      "parameters":{"type":"ssd"},"allowedTopologies":[
        {"matchLabelExpressions":[{"key":"zone","values":["a","b"]},{"key":"rack","values":[]}]},
        {}]})");
  EXPECT_EQ(storage_class.metadata.name, "fast");
  EXPECT_EQ(storage_class.provisioner, "d");
  EXPECT_EQ(storage_class.volume_binding_mode, Symbol("WaitForFirstConsumer"));
  const std::vector<TopologySelectorTerm> want = {
      {{{Symbol("zone"), MakeSymbols({"a", "b"})}, {Symbol("rack"), {}}}}, {}};
  EXPECT_EQ(storage_class.allowed_topologies, want);
  storage_class = MakeStorageClass(R"({"metadata":{"name":"x"},"volumeBindingMode":null})");
  EXPECT_EQ(storage_class.volume_binding_mode, std::nullopt);
  EXPECT_TRUE(storage_class.provisioner.empty());

  CsiDriver driver = MakeCsiDriver(R"({"metadata":{"name":"d"},"spec":{"attachRequired":true,
      "storageCapacity":true,"preventPodSchedulingIfMissing":false}})");
  EXPECT_EQ(driver.metadata.name, "d");
  EXPECT_EQ(driver.spec.storage_capacity, true);
  EXPECT_EQ(driver.spec.prevent_pod_scheduling_if_missing, false);
  driver = MakeCsiDriver(R"({"metadata":{"name":"d"},"spec":{"storageCapacity":null}})");
  EXPECT_EQ(driver.spec.storage_capacity, std::nullopt);
  EXPECT_EQ(driver.spec.prevent_pod_scheduling_if_missing, std::nullopt);
}

// Goal: no limit, no number, and 0 are distinguished.
TEST(VolumeSchema, ReadsCsiNodes) {
  CsiNode node = MakeCsiNode(R"({"metadata":{"name":"n",
      "annotations":{"storage.alpha.kubernetes.io/migrated-plugins":"kubernetes.io/cinder"}},
      "spec":{"drivers":[
        {"name":"a","nodeID":"i","topologyKeys":["zone"],"allocatable":{"count":39}},
        {"name":"b","allocatable":{}},{"name":"c","allocatable":null},
        {"name":"d","allocatable":{"count":0}}]}})");
  EXPECT_EQ(*node.metadata.annotations.Find(Symbol("storage.alpha.kubernetes.io/migrated-plugins")),
            "kubernetes.io/cinder");
  ASSERT_EQ(node.spec.drivers.size(), 4u);
  EXPECT_EQ(node.spec.drivers[0].name, "a");
  EXPECT_EQ(node.spec.drivers[0].topology_keys, MakeSymbols({"zone"}));
  EXPECT_TRUE(node.spec.drivers[1].topology_keys.empty());
  EXPECT_EQ(node.spec.drivers[0].allocatable->count, 39);
  EXPECT_EQ(node.spec.drivers[1].allocatable->count, std::nullopt);
  EXPECT_FALSE(node.spec.drivers[2].allocatable.has_value());
  EXPECT_EQ(node.spec.drivers[3].allocatable->count, 0);
}

// Goal: unset fields of a capacity or an attachment stay unset.
TEST(VolumeSchema, ReadsCapacitiesAndAttachments) {
  CsiStorageCapacity capacity = MakeCsiStorageCapacity(R"({
      "metadata":{"name":"c","namespace":"ns"},"storageClassName":"fast",
      "nodeTopology":{"matchLabels":{"zone":"a"}},"capacity":"10Gi","maximumVolumeSize":"1Gi"})");
  EXPECT_EQ(capacity.metadata.namespace_, "ns");
  EXPECT_EQ(capacity.storage_class_name, "fast");
  EXPECT_EQ(capacity.node_topology, MakeLabelSelector({{"zone", "a"}}));
  EXPECT_EQ(capacity.capacity->Value(), int64_t{10} << 30);
  EXPECT_EQ(capacity.maximum_volume_size->Value(), int64_t{1} << 30);
  EXPECT_EQ(capacity.VolumeLimit()->Value(), int64_t{1} << 30);
  capacity = MakeCsiStorageCapacity(
      R"({"metadata":{"name":"c","namespace":"ns"},"nodeTopology":{},"capacity":5})");
  EXPECT_EQ(capacity.node_topology, LabelSelector());
  EXPECT_EQ(capacity.VolumeLimit()->Value(), 5);
  capacity = MakeCsiStorageCapacity(R"({"metadata":{"name":"c","namespace":"ns"},
      "nodeTopology":null,"capacity":null,"maximumVolumeSize":null})");
  EXPECT_EQ(capacity.node_topology, std::nullopt);
  EXPECT_EQ(capacity.VolumeLimit(), nullptr);

  VolumeAttachment attachment = MakeVolumeAttachment(R"({"metadata":{"name":"a"},
      "spec":{"attacher":"d","nodeName":"n","source":{"persistentVolumeName":"pv"}},
      "status":{"attached":true}})");
  EXPECT_EQ(attachment.spec.attacher, "d");
  EXPECT_EQ(attachment.spec.node_name, "n");
  EXPECT_EQ(attachment.spec.source.persistent_volume_name, Symbol("pv"));
  attachment = MakeVolumeAttachment(
      R"({"metadata":{"name":"a"},"spec":{"source":{"inlineVolumeSpec":{"csi":{}}}}})");
  EXPECT_EQ(attachment.spec.source.persistent_volume_name, std::nullopt);
}

struct ErrorCase {
  ObjectKind kind;
  std::string_view json;  // without metadata
  std::string_view want;  // of the first error
  InputErrorCode code = InputErrorCode::kFieldValueTypeInvalid;
};

// Goal: a value of a wrong type is refused with its path.
TEST(VolumeSchema, RefusesWrongTypes) {
  constexpr ObjectKind kVolume = ObjectKind::kPersistentVolume;
  constexpr ObjectKind kClaim = ObjectKind::kPersistentVolumeClaim;
  const ErrorCase cases[] = {
      {kVolume, R"("spec":{"accessModes":[5]})",
       "spec.accessModes[0]: Invalid value: 5: must be a string, not a number"},
      {kVolume, R"("spec":{"accessModes":"x"})",
       R"(spec.accessModes: Invalid value: "x": must be a list, not a string)"},
      {kVolume, R"("spec":{"csi":"x"})",
       R"(spec.csi: Invalid value: "x": must be an object, not a string)"},
      {kVolume, R"("spec":{"csi":{"driver":1}})",
       "spec.csi.driver: Invalid value: 1: must be a string, not a number"},
      {kVolume, R"("spec":{"gcePersistentDisk":{"pdName":[]}})",
       "spec.gcePersistentDisk.pdName: Invalid value: must be a string, not a list"},
      {kVolume, R"("spec":{"azureFile":7})",
       "spec.azureFile: Invalid value: 7: must be an object, not a number"},
      {kVolume, R"("spec":{"claimRef":{"uid":{}}})",
       "spec.claimRef.uid: Invalid value: must be a string, not an object"},
      {kVolume, R"("spec":{"nodeAffinity":{"required":{"nodeSelectorTerms":{}}}})",
       "spec.nodeAffinity.required.nodeSelectorTerms: Invalid value: must be a list, not an "
       "object"},
      {kVolume, R"("status":{"phase":false})",
       "status.phase: Invalid value: false: must be a string, not a boolean"},
      {kClaim, R"("spec":{"volumeName":5})",
       "spec.volumeName: Invalid value: 5: must be a string, not a number"},
      {kClaim, R"("spec":{"resources":{"requests":{"storage":true}}})",
       "spec.resources.requests[storage]: Invalid value: true: must be a quantity, not a boolean"},
      {kClaim, R"("spec":{"selector":[]})",
       "spec.selector: Invalid value: must be an object, not a list"},
      {ObjectKind::kStorageClass, R"("volumeBindingMode":1)",
       "volumeBindingMode: Invalid value: 1: must be a string, not a number"},
      {ObjectKind::kStorageClass,
       R"("allowedTopologies":[{},{"matchLabelExpressions":[{"values":["a",2]}]}])",
       "allowedTopologies[1].matchLabelExpressions[0].values[1]: Invalid value: 2: must be a "
       "string, not a number"},
      {ObjectKind::kCsiNode, R"("spec":{"drivers":[{"allocatable":{"count":"9"}}]})",
       R"(spec.drivers[0].allocatable.count: Invalid value: "9": )"
       "must be an integer, not a string"},
      {ObjectKind::kCsiNode, R"("spec":{"drivers":[{"allocatable":{"count":3000000000}}]})",
       "spec.drivers[0].allocatable.count: Invalid value: 3000000000: must be a 32-bit integer",
       InputErrorCode::kFieldValueInvalid},
      {ObjectKind::kCsiNode, R"("spec":{"drivers":[{"topologyKeys":[null,1]}]})",
       "spec.drivers[0].topologyKeys[1]: Invalid value: 1: must be a string, not a number"},
      {ObjectKind::kCsiDriver, R"("spec":{"storageCapacity":"true"})",
       R"(spec.storageCapacity: Invalid value: "true": must be a boolean, not a string)"},
      {ObjectKind::kCsiDriver, R"("spec":{"preventPodSchedulingIfMissing":1})",
       "spec.preventPodSchedulingIfMissing: Invalid value: 1: must be a boolean, not a number"},
      {ObjectKind::kCsiStorageCapacity, R"("capacity":[])",
       "capacity: Invalid value: must be a quantity, not a list"},
      {ObjectKind::kCsiStorageCapacity, R"("nodeTopology":{"matchLabels":{"a":1}})",
       "nodeTopology.matchLabels[a]: Invalid value: 1: must be a string, not a number"},
      {ObjectKind::kVolumeAttachment, R"("spec":{"source":{"persistentVolumeName":1}})",
       "spec.source.persistentVolumeName: Invalid value: 1: must be a string, not a number"},
      {ObjectKind::kVolumeAttachment, R"("spec":{"attacher":null,"nodeName":{}})",
       "spec.nodeName: Invalid value: must be a string, not an object"},
  };
  for (const ErrorCase& c : cases) {
    std::string json = R"({"metadata":{"name":"a","namespace":"b"},)" + std::string(c.json) + "}";
    ObjectDecoding decoding = DecodeObject(json, InfoOf(c.kind), kDepthMax);
    EXPECT_FALSE(decoding.object.has_value()) << c.json;
    ASSERT_EQ(decoding.field_errors.size(), 1u) << c.json;
    const FieldError& error = decoding.field_errors.front();
    EXPECT_EQ(error.message, c.want) << c.json;
    EXPECT_EQ(error.code, c.code) << c.json;
    EXPECT_EQ(error.field, c.want.substr(0, c.want.find(':'))) << c.json;
  }
}

// Goal: a size that is not a quantity is refused.
TEST(VolumeSchema, RefusesInvalidSizes) {
  struct {
    ObjectKind kind;
    std::string_view json;
    std::string_view want;
  } cases[] = {
      {ObjectKind::kPersistentVolume, R"("spec":{"capacity":{"storage":"ten"}})",
       "spec.capacity[storage]"},
      {ObjectKind::kCsiStorageCapacity, R"("maximumVolumeSize":"x")", "maximumVolumeSize"},
  };
  for (const auto& c : cases) {
    std::string json = R"({"metadata":{"name":"a"},)" + std::string(c.json) + "}";
    ObjectDecoding decoding = DecodeObject(json, InfoOf(c.kind), kDepthMax);
    ASSERT_EQ(decoding.field_errors.size(), 1u) << c.json;
    EXPECT_EQ(decoding.field_errors[0].field, c.want);
    EXPECT_EQ(decoding.field_errors[0].code, InputErrorCode::kFieldValueInvalid);
  }
}

// Goal: volumes and claims are written back as whole objects, so only they keep their text.
TEST(VolumeSchema, KeepsTheTextOfVolumesAndClaims) {
  struct {
    ObjectKind kind;
    bool want;
  } cases[] = {
      {ObjectKind::kPersistentVolume, true},  {ObjectKind::kPersistentVolumeClaim, true},
      {ObjectKind::kStorageClass, false},     {ObjectKind::kCsiNode, false},
      {ObjectKind::kCsiDriver, false},        {ObjectKind::kCsiStorageCapacity, false},
      {ObjectKind::kVolumeAttachment, false},
  };
  for (const auto& c : cases) {
    const KindInfo& info = InfoOf(c.kind);
    std::string namespace_ = info.scope == KindScope::kNamespaced ? R"("namespace":"b",)" : "";
    std::string text = R"({"unread":[1, 2],"metadata":{"name":"a",)" + namespace_ +
                       R"("managedFields":[{"manager":"m"}],"uid":"u"}})";
    std::string want =
        R"({"unread":[1, 2],"metadata":{"name":"a",)" + namespace_ + R"("uid":"u"}})";
    for (KeptSources kept : {KeptSources::kVolumes, KeptSources::kShown, KeptSources::kAll}) {
      bool is_kept = c.want || kept == KeptSources::kAll;
      ObjectDecoding decoding = DecodeObject(text, info, kDepthMax, kept);
      ASSERT_TRUE(decoding.object.has_value()) << info.name;
      const auto& source = decoding.object->metadata().source;
      ASSERT_EQ(source != nullptr, is_kept) << info.name;
      if (is_kept) {
        EXPECT_EQ(*source, want) << info.name;
      }
    }
  }
}

// Goal: nothing in a deleted object can prevent its deletion.
TEST(VolumeSchema, DeletedObjectsHaveOnlyMetadata) {
  for (ObjectKind kind : {ObjectKind::kPersistentVolume, ObjectKind::kPersistentVolumeClaim,
                          ObjectKind::kStorageClass, ObjectKind::kCsiNode, ObjectKind::kCsiDriver,
                          ObjectKind::kCsiStorageCapacity, ObjectKind::kVolumeAttachment}) {
    const KindInfo& info = InfoOf(kind);
    std::string namespace_ = info.scope == KindScope::kNamespaced ? R"("namespace":"b",)" : "";
    std::string text = R"({"metadata":{"name":"a",)" + namespace_ +
                       R"("uid":"u","resourceVersion":"7","labels":5,"annotations":[]},
        "spec":[7],"status":"x","provisioner":{},"capacity":{},"volumeBindingMode":1})";
    EXPECT_FALSE(DecodeObject(text, info, kDepthMax).object.has_value()) << info.name;
    ObjectDecoding decoding = DecodeDeletedObject(text, info);
    ASSERT_TRUE(decoding.object.has_value()) << info.name;
    EXPECT_EQ(decoding.object->kind(), kind);
    const ObjectMeta& metadata = decoding.object->metadata();
    EXPECT_EQ(metadata.name, "a");
    EXPECT_EQ(metadata.namespace_, namespace_.empty() ? "" : "b");
    EXPECT_EQ(metadata.uid, "u");
    EXPECT_EQ(metadata.resource_version, "7");
    EXPECT_EQ(metadata.source, nullptr) << info.name;
  }
}

}  // namespace
}  // namespace stowage
