// MakePod builds a Pod for a test, field by field, with the names of upstream's testing/wrappers.
//
// A pod starts in namespace "default" under the default scheduler's name; its uid follows its name
// unless it is set. `MakePod().Name("p").Req({{"cpu", "1"}})` converts to Pod; Ref() shares it.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/pod.h"
#include "core/base/check.h"

namespace stowage {

using Texts = std::initializer_list<std::string_view>;
using TextPairs = std::initializer_list<std::pair<std::string_view, std::string_view>>;

inline std::vector<Symbol> MakeSymbols(Texts texts) {
  std::vector<Symbol> symbols;
  for (std::string_view text : texts) symbols.emplace_back(text);
  return symbols;
}

// {{"cpu", "100m"}, {"memory", "1Gi"}}
inline ResourceList MakeResourceList(TextPairs amounts) {
  ResourceList list;
  for (const auto& [name, text] : amounts) {
    Result<Quantity, QuantityError> quantity = Quantity::Parse(text);
    CHECK(quantity.ok());
    list[Symbol(name)] = *quantity;
  }
  return list;
}

// Expression("zone", "In", {"a", "b"}), for all kinds of selectors.
inline SelectorExpression Expression(std::string_view key, std::string_view op, Texts values = {}) {
  return {Symbol(key), Symbol(op), MakeSymbols(values)};
}

inline NodeSelectorTerm Term(std::vector<SelectorExpression> expressions,
                             std::vector<SelectorExpression> fields = {}) {
  return {std::move(expressions), std::move(fields)};
}

inline LabelSelector MakeLabelSelector(TextPairs match_labels,
                                       std::vector<SelectorExpression> match_expressions = {}) {
  return {LabelMap(match_labels), std::move(match_expressions)};
}

// A term over the pods that `selector` matches in the pod's own namespace.
inline PodAffinityTerm MakeAffinityTerm(std::string_view topology_key,
                                        std::optional<LabelSelector> selector) {
  PodAffinityTerm term;
  term.topology_key = Symbol(topology_key);
  term.label_selector = std::move(selector);
  return term;
}

class MakePod {
 public:
  MakePod() {
    pod_.metadata.namespace_ = Symbol("default");
    pod_.spec.scheduler_name = Symbol("default-scheduler");
  }

  operator Pod() const { return Obj(); }  // NOLINT: implicit on purpose
  Pod Obj() const {
    Pod pod = pod_;
    if (pod.metadata.uid.empty()) pod.metadata.uid = pod.metadata.name;
    return pod;
  }
  PodRef Ref() const { return std::make_shared<const Pod>(Obj()); }

  MakePod& Name(std::string_view name) { return Set(pod_.metadata.name, Symbol(name)); }
  MakePod& Namespace(std::string_view name) { return Set(pod_.metadata.namespace_, Symbol(name)); }
  MakePod& Uid(std::string_view uid) { return Set(pod_.metadata.uid, Symbol(uid)); }
  MakePod& Generation(int64_t generation) { return Set(pod_.metadata.generation, generation); }
  MakePod& ResourceVersion(std::string_view version) {
    return Set(pod_.metadata.resource_version, std::string(version));
  }
  MakePod& Label(std::string_view key, std::string_view value) {
    pod_.metadata.labels.Set(Symbol(key), Symbol(value));
    return *this;
  }
  MakePod& Labels(TextPairs labels) { return Set(pod_.metadata.labels, LabelMap(labels)); }
  MakePod& Annotation(std::string_view key, std::string_view value) {
    pod_.metadata.annotations.Set(Symbol(key), Symbol(value));
    return *this;
  }
  // The controlling owner.
  MakePod& OwnerReference(std::string_view api_version, std::string_view kind,
                          std::string_view name) {
    pod_.metadata.owner_references.push_back(
        {Symbol(api_version), Symbol(kind), Symbol(name), Symbol(name), true});
    return *this;
  }
  MakePod& CreationTimestamp(int64_t seconds) {
    return Set(pod_.metadata.creation_timestamp, std::optional(Instant{seconds, 0}));
  }
  // Sets the deletion timestamp.
  MakePod& Terminating(int64_t seconds = 1) {
    return Set(pod_.metadata.deletion_timestamp, std::optional(Instant{seconds, 0}));
  }

  MakePod& Node(std::string_view name) { return Set(pod_.spec.node_name, Symbol(name)); }
  MakePod& SchedulerName(std::string_view name) {
    return Set(pod_.spec.scheduler_name, Symbol(name));
  }
  MakePod& Priority(int32_t priority) { return Set(pod_.spec.priority, std::optional(priority)); }
  MakePod& PreemptionPolicy(std::string_view policy) {
    return Set(pod_.spec.preemption_policy, Symbol(policy));
  }
  MakePod& SchedulingGates(Texts names) {
    for (std::string_view name : names) pod_.spec.scheduling_gates.push_back({Symbol(name)});
    return *this;
  }

  // Each of these adds a container.
  MakePod& Req(TextPairs requests) { return AddContainer(pod_.spec.containers, requests, ""); }
  MakePod& InitReq(TextPairs requests) {
    return AddContainer(pod_.spec.init_containers, requests, "");
  }
  MakePod& SidecarReq(TextPairs requests) {
    return AddContainer(pod_.spec.init_containers, requests, "Always");
  }
  MakePod& Container(std::string_view image) {
    Req({});
    pod_.spec.containers.Mutable().back().image = Symbol(image);
    return *this;
  }
  MakePod& InitContainer(std::string_view image) {
    InitReq({});
    pod_.spec.init_containers.Mutable().back().image = Symbol(image);
    return *this;
  }
  MakePod& HostPort(int32_t port, std::string_view protocol = "TCP", std::string_view ip = "") {
    Req({});
    return AddPort(pod_.spec.containers.Mutable().back(), port, protocol, ip);
  }
  MakePod& InitHostPort(int32_t port, std::string_view protocol = "TCP", std::string_view ip = "") {
    InitReq({});
    return AddPort(pod_.spec.init_containers.Mutable().back(), port, protocol, ip);
  }
  MakePod& SidecarHostPort(int32_t port, std::string_view protocol = "TCP",
                           std::string_view ip = "") {
    SidecarReq({});
    return AddPort(pod_.spec.init_containers.Mutable().back(), port, protocol, ip);
  }
  // A container with one restart rule.
  MakePod& RestartRule(std::string_view action) {
    Req({});
    pod_.spec.containers.Mutable().back().restart_policy_rules.push_back({Symbol(action)});
    return *this;
  }
  MakePod& InitRestartRule(std::string_view action) {
    InitReq({});
    pod_.spec.init_containers.Mutable().back().restart_policy_rules.push_back({Symbol(action)});
    return *this;
  }
  MakePod& PodLevelReq(TextPairs requests) {
    pod_.spec.resources.emplace().requests = MakeResourceList(requests);
    return *this;
  }
  MakePod& Overhead(TextPairs amounts) {
    return Set(pod_.spec.overhead, MakeResourceList(amounts));
  }
  MakePod& HostNetwork(bool value) { return Set(pod_.spec.host_network, value); }
  MakePod& HostUsers(bool value) { return Set(pod_.spec.host_users, std::optional(value)); }

  MakePod& NodeSelector(TextPairs labels) {
    return Set(pod_.spec.node_selector, std::optional(LabelMap(labels)));
  }
  // Required node affinity; the terms are ORed.
  MakePod& RequiredTerms(std::vector<NodeSelectorTerm> terms) {
    NodeAffinity().required.emplace().node_selector_terms = std::move(terms);
    return *this;
  }
  MakePod& NodeAffinityIn(std::string_view key, Texts values) {
    return RequiredTerms({Term({Expression(key, "In", values)})});
  }
  MakePod& NodeAffinityNotIn(std::string_view key, Texts values) {
    return RequiredTerms({Term({Expression(key, "NotIn", values)})});
  }
  MakePod& PreferredTerms(std::vector<PreferredSchedulingTerm> terms) {
    return Set(NodeAffinity().preferred, std::optional(std::move(terms)));
  }
  MakePod& PreferredTerm(int32_t weight, NodeSelectorTerm term) {
    auto& preferred = NodeAffinity().preferred;
    if (!preferred) preferred.emplace();
    preferred->push_back({weight, std::move(term)});
    return *this;
  }

  MakePod& PodAffinity(PodAffinityTerm term) {
    return AddRequired(Affinity().pod_affinity, std::move(term));
  }
  MakePod& PodAntiAffinity(PodAffinityTerm term) {
    return AddRequired(Affinity().pod_anti_affinity, std::move(term));
  }
  MakePod& PreferredPodAffinity(int32_t weight, PodAffinityTerm term) {
    return AddPreferred(Affinity().pod_affinity, weight, std::move(term));
  }
  MakePod& PreferredPodAntiAffinity(int32_t weight, PodAffinityTerm term) {
    return AddPreferred(Affinity().pod_anti_affinity, weight, std::move(term));
  }

  MakePod& Toleration(std::string_view key, std::string_view op, std::string_view value = "",
                      std::string_view effect = "") {
    pod_.spec.tolerations.push_back({Symbol(key), Symbol(op), Symbol(value), Symbol(effect)});
    return *this;
  }
  MakePod& SpreadConstraint(int32_t max_skew, std::string_view topology_key,
                            std::string_view when_unsatisfiable,
                            std::optional<LabelSelector> selector) {
    TopologySpreadConstraint& constraint = AddSpreadConstraint();
    constraint.max_skew = max_skew;
    constraint.topology_key = Symbol(topology_key);
    constraint.when_unsatisfiable = Symbol(when_unsatisfiable);
    constraint.label_selector = std::move(selector);
    return *this;
  }
  // An empty one, to be filled in.
  TopologySpreadConstraint& AddSpreadConstraint() {
    return pod_.spec.topology_spread_constraints.emplace_back();
  }

  MakePod& Pvc(std::string_view claim_name) {
    AddVolume().persistent_volume_claim.emplace().claim_name = Symbol(claim_name);
    return *this;
  }
  // A generic ephemeral volume; its claim is POD-NAME.
  MakePod& EphemeralVolume(std::string_view name = "scratch") {
    Volume& volume = AddVolume();
    volume.name = Symbol(name);
    volume.other = {Symbol("ephemeral"), Symbol("{}")};
    return *this;
  }
  MakePod& ImageVolume(std::string_view reference) {
    AddVolume().image.emplace().reference = Symbol(reference);
    return *this;
  }
  MakePod& Volumes(std::vector<Volume> volumes) {
    return Set(pod_.spec.volumes, SharedList(std::move(volumes)));
  }
  // A volume that names its disk itself.
  MakePod& InlineVolume(VolumeSource source) {
    AddVolume().source = std::make_shared<const VolumeSource>(std::move(source));
    return *this;
  }
  // A volume that no plugin reads (emptyDir, configMap, …).
  MakePod& EmptyDir() {
    AddVolume();
    return *this;
  }
  MakePod& ResourceClaim(std::string_view claim_name) {
    PodResourceClaim& claim = pod_.spec.resource_claims.emplace_back();
    claim.name = Symbol(claim_name);
    claim.resource_claim_name = Symbol(claim_name);
    return *this;
  }

  MakePod& Phase(std::string_view phase) { return Set(pod_.status.phase, Symbol(phase)); }
  MakePod& NominatedNodeName(std::string_view name) {
    return Set(pod_.status.nominated_node_name, Symbol(name));
  }
  MakePod& StartTime(int64_t seconds) {
    return Set(pod_.status.start_time, std::optional(Instant{seconds, 0}));
  }
  MakePod& Condition(std::string_view type, std::string_view status, std::string_view reason) {
    pod_.status.conditions.push_back({Symbol(type), Symbol(status), Symbol(reason)});
    return *this;
  }

 private:
  template <typename T>
  MakePod& Set(T& field, T value) {
    field = std::move(value);
    return *this;
  }

  stowage::Affinity& Affinity() { return pod_.spec.affinity.Mutable(); }
  NodeAffinitySpec& NodeAffinity() {
    auto& node_affinity = Affinity().node_affinity;
    if (!node_affinity) node_affinity.emplace();
    return *node_affinity;
  }

  MakePod& AddRequired(std::optional<PodAffinitySpec>& spec, PodAffinityTerm term) {
    if (!spec) spec.emplace();
    spec->required.push_back(std::move(term));
    return *this;
  }
  MakePod& AddPreferred(std::optional<PodAffinitySpec>& spec, int32_t weight,
                        PodAffinityTerm term) {
    if (!spec) spec.emplace();
    spec->preferred.push_back({weight, std::move(term)});
    return *this;
  }

  MakePod& AddContainer(SharedList<stowage::Container>& containers, TextPairs requests,
                        std::string_view restart_policy) {
    std::string prefix = &containers == &pod_.spec.containers ? "container-" : "init-";
    stowage::Container& container = containers.emplace_back();
    container.name = Symbol(prefix + std::to_string(containers.size() - 1));
    container.resources.requests = MakeResourceList(requests);
    container.restart_policy = Symbol(restart_policy);
    return *this;
  }

  MakePod& AddPort(stowage::Container& container, int32_t port, std::string_view protocol,
                   std::string_view ip) {
    ContainerPort& added = container.ports.emplace_back();
    added.host_port = port;
    added.container_port = port;
    added.protocol = Symbol(protocol);
    added.host_ip = Symbol(ip);
    return *this;
  }

  Volume& AddVolume() {
    Volume& volume = pod_.spec.volumes.emplace_back();
    volume.name = Symbol("volume-" + std::to_string(pod_.spec.volumes.size() - 1));
    return volume;
  }

  Pod pod_;
};

}  // namespace stowage
