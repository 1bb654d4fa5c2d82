// RandomCluster draws objects from small domains, so that pods meet nodes that fit, nodes that do
// not, and equal pods, and so that the selectors of one object match others.
//
// A seed gives the same objects with every compiler: no two draws are arguments of one call,
// because compilers evaluate these in different orders.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/workloads.h"
#include "core/base/rng.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

class RandomCluster {
 public:
  explicit RandomCluster(uint64_t seed) : rng_(seed) {}

  Rng& rng() { return rng_; }

  Node RandomNode(std::string_view name) {
    MakeNode node;
    node.Name(name).Unschedulable(Chance(6));
    node.Label("zone", Pick({"z0", "z1", "z2"})).Label("kubernetes.io/hostname", name);
    if (Chance(2)) node.Label("disk", Pick({"ssd", "hdd"}));
    if (Chance(2)) node.Label("level", Pick({"1", "5", "9", "x"}));
    for (size_t count = rng_.Below(3); count > 0; --count) {
      std::string_view key = TaintKey();
      std::string_view value = Level();
      node.Taint(key, value, Pick({"NoSchedule", "PreferNoSchedule", "NoExecute"}));
    }
    node.Allocatable({{"cpu", Pick({"1", "4", "7500m"})},
                      {"memory", Pick({"1Gi", "8Gi", "16Gi"})},
                      {"ephemeral-storage", Pick({"1Gi", "20Gi"})},
                      {"example.com/gpu", Pick({"0", "1", "4"})},
                      {"pods", Pick({"2", "5", "110"})}});
    for (size_t count = rng_.Below(4); count > 0; --count) {
      std::string_view image = Image();
      node.Image(image, static_cast<int64_t>(rng_.Below(2000)) * 1024 * 1024);
    }
    if (Chance(2)) node.DeclaredFeatures({"RestartAllContainersOnContainerExits"});
    if (Chance(3)) node.DeclaredFeatures({"UserNamespacesHostNetworkSupport"});
    return node;
  }

  // Names of nodes in its fields are "n0" … "n7".
  Pod RandomPod(std::string_view name) {
    MakePod pod;
    pod.Name(name).Label("app", App());
    if (Chance(2)) pod.Label("version", Pick({"v1", "v2"}));
    if (Chance(4)) pod.Namespace("other");
    if (Chance(4)) pod.OwnerReference("apps/v1", "ReplicaSet", Pick({"r0", "r1"}));
    if (Chance(3)) pod.Priority(static_cast<int32_t>(rng_.Below(3)) * 100);
    if (Chance(10)) pod.PreemptionPolicy("Never");
    if (Chance(10)) pod.Node(NodeName());
    AddContainers(&pod);
    AddPorts(&pod);
    AddNodeAffinity(&pod);
    for (size_t count = rng_.Below(3); count > 0; --count) {
      std::string_view key = Pick({"dedicated", "level", "", "node.kubernetes.io/unschedulable"});
      std::string_view op = Pick({"Equal", "Exists", "", "Gt", "Lt"});
      std::string_view value = Level();
      pod.Toleration(key, op, value, Pick({"", "NoSchedule", "PreferNoSchedule", "NoExecute"}));
    }
    AddSpreadConstraints(&pod);
    AddPodAffinity(&pod);
    if (Chance(6)) pod.ImageVolume(Image());
    if (Chance(6)) pod.RestartRule("RestartAllContainers");
    if (Chance(3)) pod.HostNetwork(true);
    if (Chance(3)) pod.HostUsers(Chance(2));
    if (Chance(8)) pod.Overhead({{"cpu", Pick({"100m", "1"})}, {"memory", "64Mi"}});
    if (Chance(8)) pod.PodLevelReq({{"cpu", Pick({"200m", "2"})}});
    // In milli units the amount wraps to a negative number, which fits, but gets no valid score.
    if (Chance(40)) pod.Req({{"cpu", "3Ei"}});
    return pod;
  }

  // A pod that most nodes accept as long as they have room; some refuse a second one.
  Pod UndemandingPod(std::string_view name) {
    MakePod pod;
    pod.Name(name).Label("app", App()).Toleration("", "Exists");
    pod.Priority(static_cast<int32_t>(rng_.Below(3)) * 100);
    pod.Req({{"cpu", Pick({"100m", "500m", "2"})}, {"memory", Pick({"100Mi", "1Gi"})}});
    if (Chance(3)) pod.HostPort(80);
    return pod;
  }

  // Pods are in "default" and "other".
  Namespace RandomNamespace(std::string_view name) {
    Namespace namespace_;
    namespace_.metadata.name = Symbol(name);
    if (Chance(2)) namespace_.metadata.labels.Set(Symbol("team"), Symbol(Pick({"a", "b"})));
    return namespace_;
  }

  // Services, ReplicaSets ("r0", "r1" own pods) and budgets, in the pods' namespaces.
  Service RandomService(std::string_view name) {
    Service service;
    service.metadata = RandomMeta(name);
    if (!Chance(8)) service.spec.selector = LabelMap({{"app", App()}});
    return service;
  }
  ReplicaSet RandomReplicaSet(std::string_view name) {
    ReplicaSet set;
    set.metadata = RandomMeta(name);
    if (!Chance(8)) set.spec.selector = RandomSelector();
    return set;
  }
  PodDisruptionBudget RandomBudget(std::string_view name) {
    PodDisruptionBudget budget;
    budget.metadata = RandomMeta(name);
    budget.spec.selector = RandomSelector();
    budget.status.disruptions_allowed = static_cast<int32_t>(rng_.Below(3));
    return budget;
  }

  bool Chance(size_t one_in) { return rng_.Below(one_in) == 0; }

 private:
  std::string_view Pick(std::vector<std::string_view> texts) {
    return texts[rng_.Below(texts.size())];
  }

  std::string_view TaintKey() { return Pick({"dedicated", "level"}); }
  std::string_view Level() { return Pick({"1", "5", "9"}); }
  std::string_view Image() { return Pick({"gcr.io/a", "gcr.io/b:v1", "c", "gcr.io/a:latest"}); }
  std::string NodeName() { return "n" + std::to_string(rng_.Below(8)); }

  void AddContainers(MakePod* pod) {
    pod->Container(Image());
    if (Chance(2)) {
      pod->Req({{"cpu", Pick({"0", "100m", "2"})}, {"memory", Pick({"100Mi", "3Gi"})}});
    }
    if (Chance(4)) pod->Req({{"ephemeral-storage", Pick({"1Gi", "2Gi"})}});
    if (Chance(4)) pod->Req({{"example.com/gpu", Pick({"0", "1", "2"})}});
    if (Chance(4)) pod->InitReq({{"cpu", Pick({"500m", "3"})}});
    if (Chance(4)) pod->SidecarReq({{"memory", Pick({"500Mi", "1Gi"})}});
    if (Chance(4)) pod->InitContainer(Image());
  }

  void AddPorts(MakePod* pod) {
    for (size_t count = rng_.Below(3); count > 0; --count) {
      auto port = static_cast<int32_t>(80 + rng_.Below(3));
      std::string_view protocol = Pick({"TCP", "UDP", ""});
      std::string_view ip = Pick({"", "0.0.0.0", "127.0.0.1", "127.0.0.2"});
      switch (rng_.Below(3)) {
        case 0:
          pod->InitHostPort(port, protocol, ip);
          break;
        case 1:
          pod->SidecarHostPort(port, protocol, ip);
          break;
        default:
          pod->HostPort(port, protocol, ip);
      }
    }
  }

  NodeSelectorTerm RandomTerm() {
    NodeSelectorTerm term;
    if (Chance(2)) {
      std::string_view op = Pick({"In", "NotIn"});
      term.match_expressions.push_back(
          Expression("zone", op, {Pick({"z0", "z1"}), Pick({"z1", "z2"})}));
    }
    if (Chance(3)) {
      term.match_expressions.push_back(Expression("disk", Pick({"Exists", "DoesNotExist"})));
    }
    if (Chance(3)) {
      std::string_view op = Pick({"Gt", "Lt"});
      term.match_expressions.push_back(Expression("level", op, {Level()}));
    }
    if (Chance(8)) term.match_expressions.push_back(Expression("level", "In", {"{{.bad-value.}}"}));
    if (Chance(8)) term.match_fields.push_back(Expression("metadata.name", "In", {NodeName()}));
    return term;
  }

  void AddNodeAffinity(MakePod* pod) {
    if (Chance(6)) pod->NodeSelector({});
    if (Chance(6)) pod->NodeSelector({{"disk", Pick({"ssd", "hdd"})}});
    if (Chance(3)) {
      std::vector<NodeSelectorTerm> terms;
      for (size_t count = rng_.Below(3); count > 0; --count) terms.push_back(RandomTerm());
      pod->RequiredTerms(std::move(terms));
    }
    if (Chance(8)) pod->PreferredTerms({});
    if (Chance(3)) AddPreferredTerm(pod, 100);
    if (Chance(6)) AddPreferredTerm(pod, 3);
  }

  void AddPreferredTerm(MakePod* pod, uint64_t weight_bound) {
    auto weight = static_cast<int32_t>(rng_.Below(weight_bound));
    pod->PreferredTerm(weight, RandomTerm());
  }

  std::string_view TopologyKey() { return Pick({"zone", "kubernetes.io/hostname", "disk"}); }
  std::string_view App() { return Pick({"web", "db", "job"}); }

  ObjectMeta RandomMeta(std::string_view name) {
    ObjectMeta metadata;
    metadata.name = Symbol(name);
    metadata.namespace_ = Symbol(Chance(4) ? "other" : "default");
    return metadata;
  }

  LabelSelector RandomSelector() {
    if (!Chance(4)) return MakeLabelSelector({{"app", App()}});
    switch (rng_.Below(4)) {
      case 0:
        return {};  // every pod
      case 1: {
        std::string_view op = Pick({"In", "NotIn"});
        return MakeLabelSelector({}, {Expression("app", op, {App(), App()})});
      }
      case 2:
        return MakeLabelSelector({}, {Expression("version", Pick({"Exists", "DoesNotExist"}))});
      default:
        return MakeLabelSelector({{"version", "v1"}}, {Expression("app", "In", {App()})});
    }
  }

  PodAffinityTerm RandomAffinityTerm() {
    std::string_view key = TopologyKey();
    PodAffinityTerm term = MakeAffinityTerm(key, RandomSelector());
    if (Chance(12)) term.label_selector.reset();
    if (Chance(4)) term.namespaces = MakeSymbols({Pick({"default", "other", "absent"})});
    if (Chance(4)) {
      term.namespace_selector =
          Chance(3) ? LabelSelector() : MakeLabelSelector({{"team", Pick({"a", "b"})}});
    }
    return term;
  }

  void AddSpreadConstraints(MakePod* pod) {
    if (!Chance(5)) return;
    for (size_t count = 1 + rng_.Below(2); count > 0; --count) {
      std::optional<LabelSelector> selector;
      if (!Chance(12)) selector = RandomSelector();
      bool is_hard = Chance(2);
      TopologySpreadConstraint& added = pod->AddSpreadConstraint();
      added.max_skew = static_cast<int32_t>(1 + rng_.Below(3));
      added.topology_key = Symbol(TopologyKey());
      added.when_unsatisfiable = Symbol(is_hard ? "DoNotSchedule" : "ScheduleAnyway");
      added.label_selector = std::move(selector);
      if (is_hard && Chance(3)) added.min_domains = static_cast<int32_t>(1 + rng_.Below(5));
      if (Chance(3)) added.match_label_keys = MakeSymbols({Pick({"version", "absent"})});
      if (Chance(3)) added.node_affinity_policy = Symbol(Pick({"Honor", "Ignore"}));
      if (Chance(3)) added.node_taints_policy = Symbol(Pick({"Honor", "Ignore"}));
    }
  }

  void AddPodAffinity(MakePod* pod) {
    if (Chance(12)) pod->PodAffinity(RandomAffinityTerm());
    if (Chance(12)) pod->PodAntiAffinity(RandomAffinityTerm());
    auto weight = static_cast<int32_t>(1 + rng_.Below(100));
    if (Chance(12)) pod->PreferredPodAffinity(weight, RandomAffinityTerm());
    if (Chance(12)) pod->PreferredPodAntiAffinity(weight, RandomAffinityTerm());
  }

  Rng rng_;
};

}  // namespace stowage
