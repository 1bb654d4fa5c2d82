// TextOf writes all decoded fields of a pod or a node, so that tests can compare them.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "core/api/any_object.h"

namespace stowage {

class ObjectText {
 public:
  // Writes values one after the other; lists, optionals and maps are distinguishable from their
  // contents.
  template <typename... T>
  ObjectText& operator()(const T&... values) {
    (Add(values), ...);
    return *this;
  }

  std::string text;

 private:
  void Add(const Symbol& value) { Add(value.str()); }
  void Add(const std::string& value) { text += '"' + value + "\" "; }
  void Add(const Instant& value) { Add(value.ToMicros()); }
  void Add(const Quantity& value) { Add(value.ToString()); }
  void Add(const RawMember& value) { (*this)(value.name, value.json); }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void Add(T value) { text += std::to_string(value) + " "; }
  template <typename T>
  requires requires(const T& value) { value.has_value(); }
  void Add(const T& value) {
    text += value.has_value() ? "some " : "none ";
    if (value.has_value()) Add(*value);
  }
  template <typename T>
  requires requires(const T& value) { value.begin() != value.end(); }
  void Add(const T& values) {
    text += '[';
    for (const auto& value : values) Add(value);
    text += "] ";
  }
  template <typename A, typename B>
  void Add(const std::pair<A, B>& value) {
    (*this)(value.first, value.second);
  }

  void Add(const OwnerReference& o) { (*this)(o.api_version, o.kind, o.name, o.uid, o.controller); }
  void Add(const ObjectMeta& m) {
    (*this)(m.name, m.namespace_, m.uid, m.resource_version, m.generation, m.labels, m.annotations,
            m.owner_references, m.creation_timestamp, m.deletion_timestamp);
    if (m.source != nullptr) Add(*m.source);
  }
  void Add(const ContainerResourceClaim& c) { Add(c.name); }
  void Add(const ResourceRequirements& r) { (*this)(r.requests, r.limits, r.claims); }
  void Add(const ContainerPort& p) {
    (*this)(p.host_port, p.container_port, p.protocol, p.host_ip);
  }
  void Add(const ContainerRestartRule& r) { Add(r.action); }
  void Add(const Container& c) {
    (*this)(c.name, c.image, c.resources, c.ports, c.restart_policy, c.restart_policy_rules);
  }
  void Add(const Toleration& t) { (*this)(t.key, t.op, t.value, t.effect, t.toleration_seconds); }
  void Add(const SelectorExpression& e) { (*this)(e.key, e.op, e.values); }
  void Add(const LabelSelector& s) { (*this)(s.match_labels, s.match_expressions); }
  void Add(const NodeSelectorTerm& t) { (*this)(t.match_expressions, t.match_fields); }
  void Add(const NodeSelector& s) { Add(s.node_selector_terms); }
  void Add(const PreferredSchedulingTerm& t) { (*this)(t.weight, t.preference); }
  void Add(const NodeAffinitySpec& a) { (*this)(a.required, a.preferred); }
  void Add(const PodAffinityTerm& t) {
    (*this)(t.label_selector, t.namespaces, t.namespace_selector, t.topology_key);
  }
  void Add(const WeightedPodAffinityTerm& t) { (*this)(t.weight, t.pod_affinity_term); }
  void Add(const PodAffinitySpec& a) { (*this)(a.required, a.preferred); }
  void Add(const Affinity& a) { (*this)(a.node_affinity, a.pod_affinity, a.pod_anti_affinity); }
  void Add(const TopologySpreadConstraint& c) {
    (*this)(c.max_skew, c.topology_key, c.when_unsatisfiable, c.label_selector, c.min_domains,
            c.node_affinity_policy, c.node_taints_policy, c.match_label_keys);
  }
  void Add(const PodSchedulingGate& g) { Add(g.name); }
  void Add(const PersistentVolumeClaimVolumeSource& s) { (*this)(s.claim_name, s.read_only); }
  void Add(const ImageVolumeSource& s) { (*this)(s.reference, s.pull_policy); }
  void Add(const Volume& v) { (*this)(v.name, v.persistent_volume_claim, v.image, v.other); }
  void Add(const PodResourceClaim& c) {
    (*this)(c.name, c.resource_claim_name, c.resource_claim_template_name);
  }
  void Add(const PodSchedulingGroup& g) { Add(g.pod_group_name); }
  void Add(const PodOs& os) { Add(os.name); }
  void Add(const PodSpec& s) {
    (*this)(s.node_name, s.scheduler_name, s.priority, s.priority_class_name, s.preemption_policy,
            s.node_selector, s.affinity, s.tolerations, s.topology_spread_constraints,
            s.scheduling_gates, s.containers, s.init_containers, s.resources, s.overhead, s.volumes,
            s.resource_claims, s.scheduling_group, s.os, s.host_network, s.host_users);
  }
  void Add(const PodCondition& c) {
    (*this)(c.type, c.status, c.reason, c.message, c.last_probe_time, c.last_transition_time,
            c.observed_generation);
  }
  void Add(const PodResourceClaimStatus& s) { (*this)(s.name, s.resource_claim_name); }
  void Add(const PodExtendedResourceClaimStatus& s) { Add(s.resource_claim_name); }
  void Add(const NodeAllocatableResourceClaimStatus& s) {
    (*this)(s.resource_claim_name, s.containers, s.resources);
  }
  void Add(const ContainerStatus& s) { (*this)(s.name, s.resources, s.allocated_resources); }
  void Add(const PodStatus& s) {
    (*this)(s.phase, s.nominated_node_name, s.start_time, s.conditions, s.resources,
            s.allocated_resources, s.container_statuses, s.init_container_statuses,
            s.resource_claim_statuses, s.extended_resource_claim_status,
            s.node_allocatable_resource_claim_statuses);
  }
  void Add(const Taint& t) { (*this)(t.key, t.value, t.effect); }
  void Add(const ContainerImage& i) { (*this)(i.names, i.size_bytes); }
  void Add(const NodeCondition& c) { (*this)(c.type, c.status); }
  void Add(const NodeSpec& s) { (*this)(s.unschedulable, s.taints); }
  void Add(const NodeStatus& s) {
    (*this)(s.allocatable, s.conditions, s.images, s.declared_features);
  }
};

// For other kinds, only the metadata.
inline std::string TextOf(const AnyObject& object) {
  ObjectText out;
  out(object.metadata());
  if (const Pod* pod = object.Get<Pod>()) out(pod->spec, pod->status);
  if (const Node* node = object.Get<Node>()) out(node->spec, node->status);
  return out.text;
}

}  // namespace stowage
