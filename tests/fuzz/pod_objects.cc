#include "tests/fuzz/members.h"
#include "tests/fuzz/objects.h"

namespace stowage {
namespace {

Members PodMetadata(InputBytes* bytes) {
  std::string name = PodNameOf(bytes);
  size_t slash = name.find('/');
  // Another uid is another pod.
  std::string_view again = bytes->Pick<std::string_view>({"", "-again"});
  Members metadata;
  metadata.AddString("namespace", name.substr(0, slash));
  metadata.AddString("name", name.substr(slash + 1)).AddString("uid", name + std::string(again));
  metadata.Pick(bytes, {R"("labels":{"app":"web"})", "", R"("labels":{"app":"db","version":"v1"})",
                        R"("labels":{"app":"web","version":"v2"})"});
  metadata.Pick(
      bytes,
      {"", R"("deletionTimestamp":"2026-01-01T00:00:00Z")",
       R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"g0","uid":"g","controller":true}])",
       R"("creationTimestamp":"2025-12-31T00:00:00Z")"});
  return metadata;
}

std::string ContainerOf(InputBytes* bytes, std::string_view name) {
  Members container;
  container.AddString("name", name);
  container.Pick(bytes, {R"("image":"img:v1")", R"("image":"big")", "", R"("image":"img")"});
  container.Pick(
      bytes,
      {R"("resources":{"requests":{"cpu":"100m","memory":"200Mi"}})", "",
       R"("resources":{"requests":{"cpu":"1"}})",
       R"("resources":{"requests":{"example.com/gpu":"1"},"limits":{"example.com/gpu":"1"}})",
       R"("resources":{"requests":{"cpu":"9223372036854775807m","memory":"8Ei"}})",
       R"("resources":{"requests":{"hugepages-2Mi":"4Mi","ephemeral-storage":"1Gi"}})"});
  container.Pick(bytes, {"", R"("ports":[{"hostPort":80,"containerPort":80}])",
                         R"("ports":[{"hostPort":80,"hostIP":"127.0.0.1","protocol":"UDP"}])",
                         R"("restartPolicy":"Always")"});
  return container.Object();
}

Members AffinityOf(InputBytes* bytes) {
  Members affinity;
  affinity.Pick(
      bytes,
      {"",
       R"("nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]}]}]}})",
       R"("nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}]}})",
       R"("nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"preference":{"matchExpressions":[{"key":"level","operator":"Gt","values":["3"]}]}}]})",
       R"("nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{}]}})"});
  affinity.Pick(
      bytes,
      {"",
       R"("podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}]})",
       R"("podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":50,"podAffinityTerm":{"labelSelector":{},"topologyKey":"zone","namespaceSelector":{}}}]})",
       R"("podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchExpressions":[{"key":"app","operator":"Exists"}]},"topologyKey":"kubernetes.io/hostname","matchLabelKeys":["version"],"namespaceSelector":{"matchLabels":{"team":"a"}}}]})"});
  affinity.Pick(
      bytes,
      {"",
       R"("podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"kubernetes.io/hostname"}]})",
       R"("podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"db"}},"topologyKey":"zone","namespaces":["other"]},{"topologyKey":"disk"}]})",
       R"("podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"podAffinityTerm":{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}}]})"});
  return affinity;
}

void AddRules(InputBytes* bytes, Members* spec) {
  spec->Pick(bytes, {"", R"("nodeSelector":{"disk":"ssd"})", R"("nodeSelector":{"zone":"a"})"});
  spec->Pick(
      bytes,
      {"", R"("tolerations":[{"operator":"Exists"}])",
       R"("tolerations":[{"key":"dedicated","operator":"Gt","value":"3","effect":"NoSchedule"}])",
       R"("tolerations":[{"key":"level","operator":"Exists","tolerationSeconds":5},{"key":"dedicated","value":"db"}])"});
  spec->Pick(
      bytes,
      {"",
       R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"web"}}}])",
       R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"kubernetes.io/hostname","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app":"web"}}},{"maxSkew":2,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway"}])",
       R"("topologySpreadConstraints":[{"maxSkew":2147483647,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","minDomains":3,"nodeTaintsPolicy":"Honor","nodeAffinityPolicy":"Ignore","matchLabelKeys":["version"],"labelSelector":{}}])"});
}

Members SpecOf(InputBytes* bytes) {
  Members spec;
  spec.Pick(bytes, {R"("schedulerName":"default-scheduler")", R"("schedulerName":"second")"});
  spec.Pick(bytes, {"", R"("priority":100)", R"("priority":-5)", R"("priority":2147483647)",
                    R"("priority":100,"preemptionPolicy":"Never")"});
  Members containers;
  containers.Add(ContainerOf(bytes, "c"));
  spec.AddItems("containers", containers);
  spec.Add("affinity", AffinityOf(bytes));
  AddRules(bytes, &spec);
  spec.Pick(
      bytes,
      {"", R"("volumes":[{"name":"a","persistentVolumeClaim":{"claimName":"c0"}}])",
       R"("volumes":[{"name":"a","persistentVolumeClaim":{"claimName":"c1"}},{"name":"b","persistentVolumeClaim":{"claimName":"c2","readOnly":true}}])",
       R"("volumes":[{"name":"a","gcePersistentDisk":{"pdName":"x"}},{"name":"e","ephemeral":{"volumeClaimTemplate":{"spec":{"storageClassName":"late"}}}}])"});
  if (bytes->Below(3) == 1) spec.AddString("nodeName", NodeNameOf(bytes));
  spec.Pick(bytes, {"", R"("schedulingGates":[{"name":"wait"}])", R"("hostNetwork":true)",
                    R"("overhead":{"cpu":"50m"},"resources":{"requests":{"cpu":"150m"}})"});
  if (bytes->Below(3) == 1) {
    Members first;
    first.Add(ContainerOf(bytes, "i"));
    spec.AddItems("initContainers", first);
  }
  return spec;
}

}  // namespace

std::string PodOf(InputBytes* bytes) {
  Members pod;
  pod.Add(R"("apiVersion":"v1","kind":"Pod")").Add("metadata", PodMetadata(bytes));
  pod.Add("spec", SpecOf(bytes));
  Members status;
  status.Pick(bytes,
              {"", R"("phase":"Pending")", R"("phase":"Running")", R"("phase":"Succeeded")"});
  status.Pick(
      bytes,
      {"", R"("nominatedNodeName":"n0")", R"("nominatedNodeName":"n3")",
       R"("conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable"}])",
       R"("conditions":[{"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler"}])"});
  return pod.Add("status", status).Object();
}

}  // namespace stowage
