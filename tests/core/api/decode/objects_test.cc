#include "core/api/decode/objects.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tests/core/api/decode/recorded_objects.h"

namespace stowage {
namespace {

constexpr size_t kDepthMax = 64;

template <typename T>
T Decoded(std::string_view text, ObjectKind kind) {
  ObjectDecoding decoding = DecodeObject(text, InfoOf(kind), kDepthMax);
  EXPECT_FALSE(decoding.syntax_error.has_value()) << text;
  for (const FieldError& error : decoding.field_errors) ADD_FAILURE() << error.message;
  if (!decoding.object.has_value()) return T();
  return *decoding.object->template Get<T>();
}

std::vector<Symbol> Symbols(std::initializer_list<std::string_view> texts) {
  std::vector<Symbol> symbols;
  for (std::string_view text : texts) symbols.emplace_back(text);
  return symbols;
}

TEST(Objects, ReadsARecordedPod) {
  Pod pod = Decoded<Pod>(kRecordedPod, ObjectKind::kPod);
  EXPECT_EQ(pod.metadata.name, "big-0");
  EXPECT_EQ(pod.metadata.namespace_, "default");
  EXPECT_EQ(pod.metadata.uid, "330dcaf2-6363-409f-b7d7-b0ea6c93ef19");
  EXPECT_EQ(pod.metadata.resource_version, "991");
  EXPECT_EQ(pod.metadata.generation, 1);
  EXPECT_EQ(pod.metadata.labels, (LabelMap{{"app", "big"}}));
  EXPECT_EQ(pod.metadata.creation_timestamp, Instant::Parse("2026-11-21T03:28:30Z"));
  EXPECT_EQ(pod.spec.scheduler_name, "default-scheduler");
  EXPECT_EQ(pod.spec.priority, 0);
  EXPECT_EQ(pod.spec.preemption_policy, "PreemptLowerPriority");
  ASSERT_EQ(pod.spec.containers.size(), 1u);
  EXPECT_EQ(pod.spec.containers[0].image, "registry.k8s.io/pause:3.10");
  EXPECT_EQ(pod.spec.containers[0].resources.requests.Find(Symbol("cpu"))->MilliValue(), 64000);
  ASSERT_EQ(pod.spec.tolerations.size(), 2u);
  EXPECT_EQ(pod.spec.tolerations[1].key, "node.kubernetes.io/unreachable");
  EXPECT_EQ(pod.spec.tolerations[1].op, "Exists");
  EXPECT_EQ(pod.spec.tolerations[1].effect, "NoExecute");
  EXPECT_EQ(pod.status.phase, "Pending");
  EXPECT_EQ(pod.status.nominated_node_name, "node-0");
  ASSERT_EQ(pod.status.conditions.size(), 1u);
  EXPECT_EQ(pod.status.conditions[0].reason, "Unschedulable");
}

TEST(Objects, ReadsARecordedNode) {
  Node node = Decoded<Node>(kRecordedNode, ObjectKind::kNode);
  EXPECT_EQ(node.metadata.name, "node-0");
  EXPECT_EQ(*node.metadata.labels.Find(Symbol("topology.kubernetes.io/zone")), "zone-0");
  EXPECT_EQ(node.status.allocatable.Find(Symbol("memory"))->Value(), int64_t{15} << 30);
  EXPECT_EQ(node.status.allocatable.size(), 3u);
  ASSERT_EQ(node.status.conditions.size(), 1u);
  EXPECT_EQ(node.status.conditions[0].type, "Ready");
  EXPECT_EQ(node.status.conditions[0].status, "True");
}

TEST(Objects, ReadsPodMetadata) {
  Pod pod = Decoded<Pod>(R"({"metadata":{"name":"a","namespace":"b","uid":"c",
      "deletionTimestamp":"2026-03-01T12:00:00Z","creationTimestamp":null,
      "annotations":{"not":"read"},
      "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u",
                          "controller":true,"blockOwnerDeletion":true},{"kind":"X"}]}})",
                         ObjectKind::kPod);
  EXPECT_EQ(pod.metadata.deletion_timestamp, Instant::Parse("2026-03-01T12:00:00Z"));
  EXPECT_EQ(pod.metadata.creation_timestamp, std::nullopt);
  EXPECT_TRUE(pod.metadata.annotations.empty());
  ASSERT_EQ(pod.metadata.owner_references.size(), 2u);
  EXPECT_EQ(
      pod.metadata.owner_references[0],
      (OwnerReference{Symbol("apps/v1"), Symbol("ReplicaSet"), Symbol("rs"), Symbol("u"), true}));
  EXPECT_FALSE(pod.metadata.owner_references[1].controller);
}

PodSpec DecodedSpec(std::string_view spec) {
  return Decoded<Pod>(R"({"metadata":{"name":"a","namespace":"b","uid":"c"},"spec":)" +
                          std::string(spec) + "}",
                      ObjectKind::kPod)
      .spec;
}

TEST(Objects, ReadsContainers) {
  PodSpec spec = DecodedSpec(R"({
    "containers":[{"name":"c","image":"i","restartPolicy":"Never",
      "restartPolicyRules":[{"action":"RestartAllContainers","exitCodes":{}}],
      "resources":{"requests":{"cpu":"1"},"limits":{"memory":"2"},
                   "claims":[{"name":"gpu","request":"r"}]},
      "ports":[{"hostPort":80,"containerPort":8080,"protocol":"UDP","hostIP":"1.2.3.4",
                "name":"x"}]}],
    "initContainers":[{"name":"s","restartPolicy":"Always"}],
    "resources":{"requests":{"cpu":"3"}}, "overhead":{"cpu":"250m"}, "hostNetwork":true,
    "hostUsers":false, "os":{"name":"linux"}})");
  const Container& container = spec.containers.at(0);
  EXPECT_EQ(container.restart_policy, "Never");
  EXPECT_EQ(container.restart_policy_rules.at(0).action, "RestartAllContainers");
  EXPECT_EQ(container.resources.limits.Find(Symbol("memory"))->Value(), 2);
  EXPECT_EQ(container.resources.claims.at(0).name, "gpu");
  EXPECT_EQ(container.ports.at(0), (ContainerPort{80, 8080, Symbol("UDP"), Symbol("1.2.3.4")}));
  EXPECT_EQ(spec.init_containers.at(0).restart_policy, "Always");
  EXPECT_EQ(spec.resources->requests.Find(Symbol("cpu"))->Value(), 3);
  EXPECT_EQ(spec.overhead.Find(Symbol("cpu"))->MilliValue(), 250);
  EXPECT_TRUE(spec.host_network);
  EXPECT_EQ(spec.host_users, false);
  EXPECT_EQ(spec.os->name, "linux");
}

TEST(Objects, ReadsNodeResourcesOfClaims) {
  Pod pod = Decoded<Pod>(R"({"metadata":{"name":"a","namespace":"b","uid":"c"},"status":{
    "nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"c","containers":["d","e"],
      "resources":{"cpu":"2","memory":"1Gi"}}]}})",
                         ObjectKind::kPod);
  const auto& status = pod.status.node_allocatable_resource_claim_statuses.at(0);
  EXPECT_EQ(status.resource_claim_name, "c");
  EXPECT_EQ(status.containers, SharedList<Symbol>(Symbols({"d", "e"})));
  EXPECT_EQ(status.resources.Find(Symbol("memory"))->Value(), 1 << 30);
}

TEST(Objects, ReadsAffinity) {
  PodSpec spec = DecodedSpec(R"({"nodeSelector":{"disk":"ssd"},"affinity":{
    "nodeAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
        {"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]}],
         "matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]},{}]},
      "preferredDuringSchedulingIgnoredDuringExecution":[
        {"weight":5,"preference":{"matchExpressions":[{"key":"x","operator":"Exists"}]}}]},
    "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
      {"topologyKey":"zone","namespaces":["n1"],"namespaceSelector":{},
       "labelSelector":{"matchLabels":{"a":"b"}}}]},
    "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
      {"weight":7,"podAffinityTerm":{"topologyKey":"host","labelSelector":{"matchExpressions":[
        {"key":"k","operator":"NotIn","values":["v"]}]}}}]}}})");
  EXPECT_EQ(spec.node_selector, (LabelMap{{"disk", "ssd"}}));
  const NodeAffinitySpec& node_affinity = spec.affinity->node_affinity.value();
  ASSERT_EQ(node_affinity.required->node_selector_terms.size(), 2u);
  const NodeSelectorTerm& term = node_affinity.required->node_selector_terms[0];
  EXPECT_EQ(term.match_expressions.at(0),
            (SelectorExpression{Symbol("zone"), Symbol("In"), Symbols({"a", "b"})}));
  EXPECT_EQ(term.match_fields.at(0).key, "metadata.name");
  EXPECT_EQ(node_affinity.required->node_selector_terms[1], NodeSelectorTerm());
  EXPECT_EQ(node_affinity.preferred->at(0).weight, 5);
  EXPECT_EQ(node_affinity.preferred->at(0).preference.match_expressions.at(0).op, "Exists");
  const PodAffinityTerm& required = spec.affinity->pod_affinity->required.at(0);
  EXPECT_EQ(required.topology_key, "zone");
  EXPECT_EQ(required.namespaces, Symbols({"n1"}));
  EXPECT_EQ(required.namespace_selector, LabelSelector());
  EXPECT_EQ(required.label_selector->match_labels, (LabelMap{{"a", "b"}}));
  const WeightedPodAffinityTerm& weighted = spec.affinity->pod_anti_affinity->preferred.at(0);
  EXPECT_EQ(weighted.weight, 7);
  EXPECT_EQ(weighted.pod_affinity_term.label_selector->match_expressions.at(0).op, "NotIn");
  EXPECT_EQ(weighted.pod_affinity_term.namespace_selector, std::nullopt);
}

TEST(Objects, ReadsTheRestOfAPodSpec) {
  PodSpec spec = DecodedSpec(R"({"nodeName":"n","priorityClassName":"high",
    "schedulingGates":[{"name":"g"}],
    "tolerations":[{"key":"k","operator":"Equal","value":"v","effect":"NoSchedule",
                    "tolerationSeconds":300}],
    "topologySpreadConstraints":[{"maxSkew":2,"topologyKey":"zone","minDomains":3,
      "whenUnsatisfiable":"DoNotSchedule","labelSelector":{},"nodeAffinityPolicy":"Honor",
      "nodeTaintsPolicy":"Ignore","matchLabelKeys":["app"]}],
    "resourceClaims":[{"name":"c","resourceClaimName":"rc","resourceClaimTemplateName":"t"}],
    "schedulingGroup":{"podGroupName":"pg"}})");
  EXPECT_EQ(spec.node_name, "n");
  EXPECT_EQ(spec.priority, std::nullopt);
  EXPECT_EQ(spec.priority_class_name, "high");
  EXPECT_EQ(spec.scheduling_gates.at(0).name, "g");
  EXPECT_EQ(spec.tolerations.at(0),
            (Toleration{Symbol("k"), Symbol("Equal"), Symbol("v"), Symbol("NoSchedule"), 300}));
  EXPECT_EQ(spec.topology_spread_constraints.at(0),
            (TopologySpreadConstraint{2, Symbol("zone"), Symbol("DoNotSchedule"), LabelSelector(),
                                      3, Symbol("Honor"), Symbol("Ignore"), Symbols({"app"})}));
  EXPECT_EQ(spec.resource_claims.at(0).resource_claim_name, "rc");
  EXPECT_EQ(spec.resource_claims.at(0).resource_claim_template_name, "t");
  EXPECT_EQ(spec.scheduling_group->pod_group_name, "pg");
  EXPECT_EQ(spec.node_selector, std::nullopt);
  EXPECT_FALSE(spec.affinity.has_value());
}

TEST(Objects, ReadsPodStatus) {
  PodStatus status = Decoded<Pod>(R"({"metadata":{"name":"a","namespace":"b","uid":"c"},"status":{
      "startTime":"2026-03-01T12:00:00Z","resources":{"requests":{"cpu":"1"}},
      "allocatedResources":{"cpu":"2"},
      "containerStatuses":[{"name":"c","resources":{"requests":{"cpu":"3"}},
                            "allocatedResources":{"cpu":"4"}}],
      "initContainerStatuses":[{"name":"i"}],
      "conditions":[{"type":"PodResizePending","status":"True","reason":"Infeasible"}]}})",
                                  ObjectKind::kPod)
                         .status;
  Symbol cpu("cpu");
  EXPECT_EQ(status.start_time, Instant::Parse("2026-03-01T12:00:00Z"));
  EXPECT_EQ(status.resources->requests.Find(cpu)->Value(), 1);
  EXPECT_EQ(status.allocated_resources.Find(cpu)->Value(), 2);
  EXPECT_EQ(status.container_statuses.at(0).resources->requests.Find(cpu)->Value(), 3);
  EXPECT_EQ(status.container_statuses.at(0).allocated_resources.Find(cpu)->Value(), 4);
  EXPECT_FALSE(status.init_container_statuses.at(0).resources.has_value());
  EXPECT_EQ(status.conditions.at(0).reason, "Infeasible");
}

TEST(Objects, ReadsNodes) {
  Node node = Decoded<Node>(R"({"metadata":{"name":"n","uid":"u","annotations":{"a":"b"}},
      "spec":{"unschedulable":true,"taints":[{"key":"k","value":"v","effect":"NoSchedule",
                                              "timeAdded":"x"}]},
      "status":{"images":[{"names":["a:1","a@sha256:0"],"sizeBytes":12345678901}],
                "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":7,
                               "reason":["not read"]},{"type":"DiskPressure","status":"Unknown"}],
                "declaredFeatures":["F"],"capacity":{"cpu":"not read"}}})",
                            ObjectKind::kNode);
  EXPECT_EQ(node.metadata.annotations, (LabelMap{{"a", "b"}}));
  EXPECT_TRUE(node.spec.unschedulable);
  EXPECT_EQ(node.spec.taints.at(0), (Taint{Symbol("k"), Symbol("v"), Symbol("NoSchedule")}));
  EXPECT_EQ(node.status.images.at(0),
            (ContainerImage{Symbols({"a:1", "a@sha256:0"}), 12345678901}));
  EXPECT_EQ(node.status.conditions,
            (std::vector<NodeCondition>{{Symbol("Ready"), Symbol("True")},
                                        {Symbol("DiskPressure"), Symbol("Unknown")}}));
  EXPECT_EQ(node.status.declared_features, Symbols({"F"}));
  EXPECT_TRUE(node.status.allocatable.empty());
}

TEST(Objects, ReadsTheOtherKinds) {
  constexpr std::string_view kMeta = R"({"metadata":{"name":"a","namespace":"b","uid":"c"})";
  std::string with_map = std::string(kMeta) + R"(,"spec":{"selector":{"app":"x"}}})";
  std::string with_selector =
      std::string(kMeta) + R"(,"spec":{"selector":{"matchLabels":{"app":"x"}}}})";
  std::string without = std::string(kMeta) + R"(,"spec":{"selector":null}})";
  LabelMap want{{"app", "x"}};
  EXPECT_EQ(Decoded<Service>(with_map, ObjectKind::kService).spec.selector, want);
  EXPECT_EQ(Decoded<Service>(without, ObjectKind::kService).spec.selector, std::nullopt);
  EXPECT_EQ(
      Decoded<ReplicationController>(with_map, ObjectKind::kReplicationController).spec.selector,
      want);
  EXPECT_EQ(Decoded<ReplicaSet>(with_selector, ObjectKind::kReplicaSet).spec.selector->match_labels,
            want);
  EXPECT_EQ(
      Decoded<StatefulSet>(with_selector, ObjectKind::kStatefulSet).spec.selector->match_labels,
      want);
  EXPECT_EQ(Decoded<StatefulSet>(without, ObjectKind::kStatefulSet).spec.selector, std::nullopt);
  Namespace team = Decoded<Namespace>(R"({"metadata":{"name":"a","uid":"c","labels":{"app":"x"}}})",
                                      ObjectKind::kNamespace);
  EXPECT_EQ(team.metadata.labels, want);
  PodDisruptionBudget budget = Decoded<PodDisruptionBudget>(
      std::string(kMeta) + R"(,"spec":{"selector":{},"minAvailable":"50%"},
          "status":{"disruptionsAllowed":2,"disruptedPods":{"q":"2026-03-01T12:00:00Z","p":"x"}}})",
      ObjectKind::kPodDisruptionBudget);
  EXPECT_EQ(budget.spec.selector, LabelSelector());
  EXPECT_EQ(budget.status.disruptions_allowed, 2);
  EXPECT_EQ(budget.status.disrupted_pods, Symbols({"p", "q"}));
}

// Objects other than pods are identified by their names.
TEST(Objects, RequiresNameNamespaceAndAPodsUid) {
  struct {
    std::string_view text;
    ObjectKind kind;
    std::vector<std::string> want;
  } cases[] = {
      {"{}", ObjectKind::kPod, {"metadata.name", "metadata.namespace", "metadata.uid"}},
      {R"({"metadata":null})", ObjectKind::kNode, {"metadata.name"}},
      {R"({"metadata":{"name":"a"}})", ObjectKind::kNode, {}},
      {R"({"metadata":{"name":"a","uid":"u"}})", ObjectKind::kNode, {}},
      {R"({"metadata":{"name":"a","uid":"u"}})", ObjectKind::kNamespace, {}},
      {R"({"metadata":{"name":"a","uid":"u"}})", ObjectKind::kService, {"metadata.namespace"}},
      {R"({"metadata":{"name":"a","uid":"u"}})", ObjectKind::kReplicaSet, {"metadata.namespace"}},
      {R"({"metadata":{"name":"a","namespace":"b"}})", ObjectKind::kPod, {"metadata.uid"}},
      {R"({"metadata":{"name":"","namespace":"b","uid":"u"}})",
       ObjectKind::kPod,
       {"metadata.name"}},
      {R"({"metadata":{"name":1,"namespace":"b"}})", ObjectKind::kPod, {"metadata.name"}},
      {R"({"metadata":{"name":"a","uid":"u","namespace":""}})", ObjectKind::kNode, {}},
      {R"({"metadata":{"name":"a","uid":"u","namespace":"b"}})",
       ObjectKind::kNode,
       {"metadata.namespace"}},
      {R"({"metadata":{"name":"a","uid":"u","namespace":"b"}})",
       ObjectKind::kNamespace,
       {"metadata.namespace"}},
      {"{}", ObjectKind::kStorageClass, {"metadata.name"}},
      {R"({"metadata":{"name":"a","uid":"u"}})",
       ObjectKind::kPersistentVolumeClaim,
       {"metadata.namespace"}},
      {R"({"metadata":{"name":"a","uid":"u","namespace":"b"}})",
       ObjectKind::kPersistentVolume,
       {"metadata.namespace"}},
      {R"({"metadata":{"name":"a","uid":"u","labels":5,"deletionTimestamp":"x"}})",
       ObjectKind::kDeviceClass,
       {"metadata.labels", "metadata.deletionTimestamp"}},
  };
  for (const auto& c : cases) {
    ObjectDecoding decoding = DecodeObject(c.text, InfoOf(c.kind), kDepthMax);
    std::vector<std::string> fields;
    for (const FieldError& error : decoding.field_errors) fields.push_back(error.field);
    EXPECT_EQ(fields, c.want) << c.text;
    EXPECT_EQ(decoding.object.has_value(), c.want.empty()) << c.text;
  }
  ObjectDecoding decoding = DecodeObject("{}", InfoOf(ObjectKind::kNode), kDepthMax);
  EXPECT_EQ(decoding.field_errors.at(0).code, InputErrorCode::kFieldValueRequired);
  EXPECT_EQ(decoding.field_errors.at(0).message, "metadata.name: Required value");
  decoding = DecodeObject(R"({"metadata":{"name":"a","uid":"u","namespace":"b"}})",
                          InfoOf(ObjectKind::kNode), kDepthMax);
  EXPECT_EQ(decoding.field_errors.at(0).code, InputErrorCode::kFieldValueInvalid);
  EXPECT_EQ(decoding.field_errors.at(0).value, "b");
  EXPECT_EQ(decoding.field_errors.at(0).message,
            "metadata.namespace: Invalid value: \"b\": not allowed on this kind");
}

TEST(Objects, KnowsItsKinds) {
  for (size_t index = 0; index < static_cast<size_t>(ObjectKind::kOther); ++index) {
    const KindInfo& info = InfoOf(static_cast<ObjectKind>(index));
    EXPECT_EQ(FindKind(info.api_version, info.name), &info);
    EXPECT_EQ(FindKindByResource(info.resource), &info);
  }
  EXPECT_EQ(FindKind("apps/v1", "Pod"), nullptr);
  EXPECT_EQ(FindKind("apps/v1beta1", "ReplicaSet"), nullptr);
  EXPECT_EQ(FindKind("resource.k8s.io/v1beta1", "DeviceClass"), nullptr);
  EXPECT_EQ(FindKind("scheduling.k8s.io/v1alpha1", "PodGroup"), nullptr);
  EXPECT_EQ(FindKind("v1", "pod"), nullptr);
  EXPECT_EQ(FindKindByResource("pod"), nullptr);
}

// The kinds that upstream watches: their resources, scopes and namespaces.
TEST(Objects, KnowsTheScopesOfKinds) {
  std::string cluster;
  std::string namespaced;
  for (size_t index = 0; index < static_cast<size_t>(ObjectKind::kOther); ++index) {
    const KindInfo& info = InfoOf(static_cast<ObjectKind>(index));
    std::string& resources = info.scope == KindScope::kNamespaced ? namespaced : cluster;
    resources += std::string(info.api_version) + "/" + std::string(info.resource) + " ";
  }
  EXPECT_EQ(cluster,
            "v1/nodes v1/namespaces v1/persistentvolumes storage.k8s.io/v1/storageclasses "
            "storage.k8s.io/v1/csinodes storage.k8s.io/v1/csidrivers "
            "storage.k8s.io/v1/volumeattachments resource.k8s.io/v1/resourceslices "
            "resource.k8s.io/v1/deviceclasses resource.k8s.io/v1beta2/devicetaintrules ");
  EXPECT_EQ(namespaced,
            "v1/pods v1/services v1/replicationcontrollers apps/v1/replicasets "
            "apps/v1/statefulsets policy/v1/poddisruptionbudgets v1/persistentvolumeclaims "
            "storage.k8s.io/v1/csistoragecapacities resource.k8s.io/v1/resourceclaims "
            "scheduling.k8s.io/v1alpha2/podgroups resource.k8s.io/v1/resourceclaimtemplates ");
}

TEST(Objects, FindsKindsByTheirFullResource) {
  for (size_t index = 0; index < static_cast<size_t>(ObjectKind::kOther); ++index) {
    const KindInfo& info = InfoOf(static_cast<ObjectKind>(index));
    std::string_view group = info.api_version;
    std::string_view version = group.substr(group.find('/') + 1);
    group = group.substr(0, group.size() - version.size());
    if (!group.empty()) group.remove_suffix(1);
    std::string text = std::string(info.resource) + "." + std::string(version) + ".";
    EXPECT_EQ(FindKindByResource(text + std::string(group)), &info) << text << group;
  }
  EXPECT_EQ(FindKindByResource("services.v1"), nullptr);
  EXPECT_EQ(FindKindByResource("services.v1.apps"), nullptr);
  EXPECT_EQ(FindKindByResource("deviceclasses.v1beta1.resource.k8s.io"), nullptr);
}

TEST(Objects, FindsRegisteredKinds) {
  const std::vector<Symbol> registered =
      Symbols({"configmaps.v1.", "foos.v1.example.com", "services.v1.",
               "deviceclasses.v1beta1.resource.k8s.io"});
  struct {
    std::string_view api_version;
    std::string_view name;
    std::optional<ObjectKind> want;
    std::string_view want_resource;
  } cases[] = {
      {"v1", "ConfigMap", ObjectKind::kOther, "configmaps.v1."},
      {"example.com/v1", "Foo", ObjectKind::kOther, "foos.v1.example.com"},
      {"example.com/v2", "Foo", std::nullopt, ""},
      {"example.org/v1", "Foo", std::nullopt, ""},
      {"v1", "Foo", std::nullopt, ""},
      {"v1", "Secret", std::nullopt, ""},
      {"v1", "Service", ObjectKind::kService, "services"},
      {"resource.k8s.io/v1", "DeviceClass", ObjectKind::kDeviceClass, "deviceclasses"},
      {"resource.k8s.io/v1beta1", "DeviceClass", ObjectKind::kOther,
       "deviceclasses.v1beta1.resource.k8s.io"},
  };
  for (const auto& c : cases) {
    std::optional<KindInfo> info = FindKind(c.api_version, c.name, registered);
    ASSERT_EQ(info.has_value(), c.want.has_value()) << c.api_version << c.name;
    if (!info.has_value()) continue;
    EXPECT_EQ(info->kind, *c.want) << c.name;
    EXPECT_EQ(info->resource, c.want_resource) << c.name;
  }
  EXPECT_FALSE(FindKind("v1", "ConfigMap", {}).has_value());
  EXPECT_EQ(FindKindKey("foos.v1.example.com", registered), KindKey::Other(registered[1]));
  EXPECT_EQ(FindKindKey("services.v1.", registered), KindKey(ObjectKind::kService));
  EXPECT_EQ(FindKindKey("csinodes", registered), KindKey(ObjectKind::kCsiNode));
  EXPECT_EQ(FindKindKey("foos", registered), std::nullopt);
  EXPECT_EQ(FindKindKey("bars.v1.example.com", registered), std::nullopt);
}

// Goal: skipped fields leave no symbols behind. Method: live symbols before and after.
TEST(Objects, InternsOnlyDecodedFields) {
  size_t before = Symbol::LiveCount();
  {
    Pod pod = Decoded<Pod>(R"({"metadata":{"name":"only-name","namespace":"only-namespace",
        "uid":"only-uid","managedFields":[{"manager":"m","fieldsV1":{"f:x":{}}}],
        "annotations":{"q":"r"}},"spec":{"dnsPolicy":"p","imagePullSecrets":[{"name":"s"}]}})",
                           ObjectKind::kPod);
    EXPECT_EQ(Symbol::LiveCount(), before + 3);
    Node node = Decoded<Node>(R"({"metadata":{"name":"only-name","uid":"only-uid"},"status":{
        "conditions":[{"type":"only-type","status":"only-status","reason":"r","message":"m",
                       "lastHeartbeatTime":"t"}]}})",
                              ObjectKind::kNode);
    EXPECT_EQ(Symbol::LiveCount(), before + 5);
  }
  EXPECT_EQ(Symbol::LiveCount(), before);
}

}  // namespace
}  // namespace stowage
