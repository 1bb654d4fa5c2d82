#include "tests/fuzz/objects.h"

#include "core/base/rng.h"
#include "tests/fuzz/members.h"

namespace stowage {
namespace {

constexpr size_t kNodes = 6;
constexpr size_t kPods = 12;
constexpr size_t kVolumes = 4;
constexpr size_t kGroups = 3;

std::string NumberedName(std::string_view prefix, size_t count, InputBytes* bytes) {
  return fmt::format("{}{}", prefix, bytes->Below(count));
}

std::string_view SpaceOf(InputBytes* bytes) {
  return bytes->Pick<std::string_view>({"default", "other"});
}

Members NamedMetadata(std::string_view name) {
  Members metadata;
  metadata.AddString("name", name).AddString("uid", name);
  return metadata;
}

Members MetadataIn(InputBytes* bytes, std::string_view prefix, size_t count) {
  std::string_view space = SpaceOf(bytes);
  std::string name = NumberedName(prefix, count, bytes);
  Members metadata;
  metadata.AddString("name", name).AddString("namespace", space);
  metadata.AddString("uid", fmt::format("{}-{}", space, name));
  return metadata;
}

std::string ObjectOf(std::string_view head, const Members& metadata, Members rest) {
  return rest.Add(head).Add("metadata", metadata).Object();
}

}  // namespace

std::string NodeNameOf(InputBytes* bytes) { return NumberedName("n", kNodes, bytes); }

std::string PodNameOf(InputBytes* bytes) {
  std::string_view space = SpaceOf(bytes);
  return fmt::format("{}/p{}", space, bytes->Below(kPods));
}

std::string NodeOf(InputBytes* bytes) {
  std::string name = NodeNameOf(bytes);
  Members labels;
  labels.AddString("kubernetes.io/hostname", name);
  labels.Pick(bytes, {"", R"("zone":"a")", R"("zone":"b")", R"("zone":"c")"});
  labels.Pick(bytes, {"", R"("topology.kubernetes.io/zone":"a")", R"("disk":"ssd","level":"5")"});
  Members metadata = NamedMetadata(name);
  metadata.Add("labels", labels);
  Members spec;
  spec.Pick(bytes, {"", R"("unschedulable":true)"});
  spec.Pick(
      bytes,
      {"", R"("taints":[{"key":"dedicated","value":"5","effect":"NoSchedule"}])",
       R"("taints":[{"key":"dedicated","value":"db","effect":"PreferNoSchedule"},{"key":"level","effect":"NoExecute"}])",
       R"("taints":[{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"}])"});
  Members allocatable;
  allocatable.Pick(
      bytes, {R"("cpu":"2","memory":"4Gi")", R"("cpu":"300m","memory":"1Gi")", "",
              R"("cpu":"9223372036854775807","memory":"9e18")", R"("cpu":"-1","memory":"0")"});
  allocatable.Pick(bytes, {R"("pods":"110")", R"("pods":"1")", "", R"("pods":"3")"});
  allocatable.Pick(bytes, {"", R"("example.com/gpu":"2")", R"("hugepages-2Mi":"1Gi")",
                           R"("ephemeral-storage":"10Gi")"});
  Members status;
  status.Add("allocatable", allocatable);
  status.Pick(
      bytes,
      {"", R"("images":[{"names":["img:v1","img"],"sizeBytes":500000000}])",
       R"("images":[{"names":["big"],"sizeBytes":9223372036854775807},{"names":["big"],"sizeBytes":-5}])"});
  status.Pick(bytes, {"", R"("declaredFeatures":["UserNamespacesHostNetworkSupport"])"});
  Members node;
  node.Add("spec", spec).Add("status", status);
  return ObjectOf(R"("apiVersion":"v1","kind":"Node")", metadata, std::move(node));
}

namespace {

std::string ClaimOf(InputBytes* bytes) {
  Members metadata = MetadataIn(bytes, "c", kVolumes);
  metadata.Pick(bytes, {"",
                        R"("annotations":{"pv.kubernetes.io/bind-completed":"yes",)"
                        R"("pv.kubernetes.io/bound-by-controller":"yes"})",
                        R"("annotations":{"volume.kubernetes.io/selected-node":"n1"})",
                        R"("deletionTimestamp":"2026-01-01T00:00:00Z")"});
  Members spec;
  spec.Pick(bytes, {R"("storageClassName":"late")", R"("storageClassName":"now")", "",
                    R"("storageClassName":"")"});
  spec.Pick(bytes, {"", R"("volumeName":"v0")", R"("volumeName":"v1")"});
  spec.Pick(bytes, {R"("accessModes":["ReadWriteOnce"])", R"("accessModes":["ReadWriteOncePod"])",
                    "", R"("accessModes":["ReadOnlyMany","ReadWriteMany"])"});
  spec.Pick(bytes, {R"("resources":{"requests":{"storage":"1Gi"}})", "",
                    R"("resources":{"requests":{"storage":"9E"}})"});
  spec.Pick(bytes, {"", R"("selector":{"matchLabels":{"disk":"ssd"}})", R"("volumeMode":"Block")"});
  Members claim;
  claim.Add("spec", spec)
      .Pick(bytes, {"", R"("status":{"phase":"Bound"})", R"("status":{"phase":"Lost"})"});
  return ObjectOf(R"("apiVersion":"v1","kind":"PersistentVolumeClaim")", metadata,
                  std::move(claim));
}

std::string VolumeOf(InputBytes* bytes) {
  Members metadata = NamedMetadata(NumberedName("v", kVolumes, bytes));
  metadata.Pick(bytes, {"", R"("labels":{"disk":"ssd","topology.kubernetes.io/zone":"a"})",
                        R"("labels":{"topology.kubernetes.io/zone":"a__b"})"});
  Members spec;
  spec.Pick(bytes, {R"("storageClassName":"late")", "", R"("storageClassName":"now")"});
  spec.Pick(bytes, {R"("capacity":{"storage":"5Gi"})", "", R"("capacity":{"storage":"1"})"});
  spec.Pick(bytes, {R"("accessModes":["ReadWriteOnce"])",
                    R"("accessModes":["ReadWriteOncePod","ReadWriteMany"])", ""});
  spec.Pick(bytes, {"", R"("claimRef":{"namespace":"default","name":"c0","uid":"default-c0"})",
                    R"("claimRef":{"namespace":"default","name":"c1"})"});
  spec.Pick(bytes, {R"("csi":{"driver":"csi.example.com","volumeHandle":"h"})",
                    R"("awsElasticBlockStore":{"volumeID":"aws://a/vol-1"})",
                    R"("gcePersistentDisk":{"pdName":"x"})",
                    R"("csi":{"driver":"ebs.csi.aws.com","volumeHandle":""})"});
  spec.Pick(
      bytes,
      {"",
       R"("nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a"]}]}]}})",
       R"("nodeAffinity":{"required":{"nodeSelectorTerms":[]}})"});
  Members volume;
  volume.Add("spec", spec)
      .Pick(bytes, {"", R"("status":{"phase":"Available"})", R"("status":{"phase":"Bound"})"});
  return ObjectOf(R"("apiVersion":"v1","kind":"PersistentVolume")", metadata, std::move(volume));
}

std::string ClassOf(InputBytes* bytes) {
  Members metadata = NamedMetadata(bytes->Pick<std::string_view>({"late", "now"}));
  Members rest;
  rest.Pick(bytes, {R"("provisioner":"csi.example.com")",
                    R"("provisioner":"kubernetes.io/no-provisioner")", ""});
  rest.Pick(bytes, {R"("volumeBindingMode":"WaitForFirstConsumer")",
                    R"("volumeBindingMode":"Immediate")", ""});
  rest.Pick(
      bytes,
      {"",
       R"("allowedTopologies":[{"matchLabelExpressions":[{"key":"zone","values":["a","b"]}]}])"});
  return ObjectOf(R"("apiVersion":"storage.k8s.io/v1","kind":"StorageClass")", metadata,
                  std::move(rest));
}

std::string DriverOf(InputBytes* bytes) {
  switch (bytes->Below(4)) {
    case 0: {
      Members metadata = NamedMetadata(NodeNameOf(bytes));
      Members rest;
      rest.Pick(
          bytes,
          {R"("spec":{"drivers":[{"name":"csi.example.com","nodeID":"x","topologyKeys":["zone"],"allocatable":{"count":1}}]})",
           R"("spec":{"drivers":[]})",
           R"("spec":{"drivers":[{"name":"csi.example.com","nodeID":"x","allocatable":{"count":-1}}]})"});
      return ObjectOf(R"("apiVersion":"storage.k8s.io/v1","kind":"CSINode")", metadata,
                      std::move(rest));
    }
    case 1: {
      Members rest;
      rest.Pick(bytes,
                {R"("spec":{"storageCapacity":true})", R"("spec":{"storageCapacity":false})", ""});
      return ObjectOf(R"("apiVersion":"storage.k8s.io/v1","kind":"CSIDriver")",
                      NamedMetadata("csi.example.com"), std::move(rest));
    }
    case 2: {
      Members metadata = MetadataIn(bytes, "k", kGroups);
      Members rest;
      rest.Pick(bytes, {R"("storageClassName":"late")", R"("storageClassName":"now")"});
      rest.Pick(bytes,
                {R"("nodeTopology":{})", "", R"("nodeTopology":{"matchLabels":{"zone":"a"}})"});
      rest.Pick(bytes, {R"("capacity":"1Ti")", "", R"("capacity":"0","maximumVolumeSize":"1")"});
      return ObjectOf(R"("apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity")", metadata,
                      std::move(rest));
    }
    default: {
      Members metadata = NamedMetadata(NumberedName("a", kVolumes, bytes));
      Members spec;
      spec.AddString("attacher", "csi.example.com").AddString("nodeName", NodeNameOf(bytes));
      spec.Pick(bytes, {R"("source":{"persistentVolumeName":"v0"})", R"("source":{})"});
      Members rest;
      rest.Add("spec", spec);
      return ObjectOf(R"("apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment")", metadata,
                      std::move(rest));
    }
  }
}

}  // namespace

std::string StorageOf(InputBytes* bytes) {
  switch (bytes->Below(4)) {
    case 0:
      return ClaimOf(bytes);
    case 1:
      return VolumeOf(bytes);
    case 2:
      return ClassOf(bytes);
    default:
      return DriverOf(bytes);
  }
}

std::string WorkloadOf(InputBytes* bytes) {
  switch (bytes->Below(3)) {
    case 0: {
      Members metadata = NamedMetadata(SpaceOf(bytes));
      metadata.Pick(bytes, {"", R"("labels":{"team":"a"})", R"("labels":{"team":"b"})"});
      return ObjectOf(R"("apiVersion":"v1","kind":"Namespace")", metadata, {});
    }
    case 1: {
      Members metadata = MetadataIn(bytes, "b", kGroups);
      Members rest;
      rest.Pick(bytes, {R"("spec":{"selector":{"matchLabels":{"app":"web"}}})",
                        R"("spec":{"selector":{}})", R"("spec":{})"});
      rest.Pick(
          bytes,
          {"", R"("status":{"disruptionsAllowed":1})",
           R"("status":{"disruptionsAllowed":-1,"disruptedPods":{"p1":"2026-01-01T00:00:00Z"}})"});
      return ObjectOf(R"("apiVersion":"policy/v1","kind":"PodDisruptionBudget")", metadata,
                      std::move(rest));
    }
    default: {
      std::string_view head = bytes->Pick<std::string_view>(
          {R"("apiVersion":"v1","kind":"Service","spec":{"selector":{"app":"web"}})",
           R"("apiVersion":"apps/v1","kind":"ReplicaSet","spec":{"selector":{"matchLabels":{"app":"web"}}})",
           R"("apiVersion":"apps/v1","kind":"StatefulSet","spec":{"selector":{"matchExpressions":[{"key":"app","operator":"Exists"}]}})",
           R"("apiVersion":"v1","kind":"ReplicationController","spec":{"selector":{"app":"db"}})"});
      return ObjectOf(head, MetadataIn(bytes, "g", kGroups), {});
    }
  }
}

std::string DeletedOf(InputBytes* bytes) {
  switch (bytes->Below(6)) {
    case 0: {
      std::string name = PodNameOf(bytes);
      size_t slash = name.find('/');
      Members metadata;
      metadata.AddString("namespace", name.substr(0, slash));
      metadata.AddString("name", name.substr(slash + 1));
      return ObjectOf(R"("apiVersion":"v1","kind":"Pod")", metadata, {});
    }
    case 1:
      return ObjectOf(R"("apiVersion":"v1","kind":"Node")", NamedMetadata(NodeNameOf(bytes)), {});
    case 2:
      return ObjectOf(R"("apiVersion":"v1","kind":"PersistentVolumeClaim")",
                      MetadataIn(bytes, "c", kVolumes), {});
    case 3:
      return ObjectOf(R"("apiVersion":"v1","kind":"PersistentVolume")",
                      NamedMetadata(NumberedName("v", kVolumes, bytes)), {});
    case 4:
      return StorageOf(bytes);
    default:
      return WorkloadOf(bytes);
  }
}

const std::string& SmallCluster() {
  static const std::string* const kCluster = [] {
    constexpr size_t kChoicesMax = 32;
    constexpr size_t kObjects = 8;
    Rng rng(1);
    auto* lines = new std::string;
    for (std::string (*form)(InputBytes*) : {NodeOf, PodOf, StorageOf, WorkloadOf}) {
      for (size_t count = 0; count < 2 * kObjects; ++count) {
        std::string choices;
        for (size_t at = 0; at < kChoicesMax; ++at)
          choices += static_cast<char>('0' + rng.Below(12));
        InputBytes bytes(choices);
        *lines += form(&bytes) + "\n";
      }
    }
    return lines;
  }();
  return *kCluster;
}

}  // namespace stowage
