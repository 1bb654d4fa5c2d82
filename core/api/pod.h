// The fields of Pod that the scheduler reads (spec 01 §2). Field names follow v1.Pod.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/meta.h"
#include "core/api/raw_member.h"
#include "core/api/resource_list.h"
#include "core/api/shared.h"
#include "core/api/volume_source.h"

namespace stowage {

// A claim that a container uses: its name in the pod's spec.
struct ContainerResourceClaim {
  Symbol name;

  friend bool operator==(const ContainerResourceClaim&, const ContainerResourceClaim&) = default;
};

// Requests; limits are kept only for their names (extender interest).
struct ResourceRequirements {
  ResourceList requests;
  ResourceList limits;
  SharedList<ContainerResourceClaim> claims = {};

  friend bool operator==(const ResourceRequirements&, const ResourceRequirements&) = default;
};

struct ContainerPort {
  int32_t host_port = 0;
  int32_t container_port = 0;
  Symbol protocol;
  Symbol host_ip;

  friend bool operator==(const ContainerPort&, const ContainerPort&) = default;
};

struct ContainerRestartRule {
  Symbol action;

  friend bool operator==(const ContainerRestartRule&, const ContainerRestartRule&) = default;
};

struct Container {
  Symbol name;
  Symbol image;
  ResourceRequirements resources;
  std::vector<ContainerPort> ports;
  Symbol restart_policy;
  std::vector<ContainerRestartRule> restart_policy_rules;
};

struct Toleration {
  Symbol key;
  Symbol op;  // "operator": empty, Equal, Exists, Lt, Gt
  Symbol value;
  Symbol effect;
  std::optional<int64_t> toleration_seconds = {};

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

struct NodeSelectorTerm {
  std::vector<SelectorExpression> match_expressions;
  std::vector<SelectorExpression> match_fields;

  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

struct NodeSelector {
  std::vector<NodeSelectorTerm> node_selector_terms;

  friend bool operator==(const NodeSelector&, const NodeSelector&) = default;
};

struct PreferredSchedulingTerm {
  int32_t weight = 0;
  NodeSelectorTerm preference;

  friend bool operator==(const PreferredSchedulingTerm&, const PreferredSchedulingTerm&) = default;
};

struct NodeAffinitySpec {
  std::optional<NodeSelector> required;                           // requiredDuringScheduling…
  std::optional<std::vector<PreferredSchedulingTerm>> preferred;  // preferredDuringScheduling…

  friend bool operator==(const NodeAffinitySpec&, const NodeAffinitySpec&) = default;
};

struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;
  std::vector<Symbol> namespaces;
  std::optional<LabelSelector> namespace_selector;
  Symbol topology_key;

  friend bool operator==(const PodAffinityTerm&, const PodAffinityTerm&) = default;
};

struct WeightedPodAffinityTerm {
  int32_t weight = 0;
  PodAffinityTerm pod_affinity_term;

  friend bool operator==(const WeightedPodAffinityTerm&, const WeightedPodAffinityTerm&) = default;
};

// PodAffinity and PodAntiAffinity have the same shape.
struct PodAffinitySpec {
  std::vector<PodAffinityTerm> required;
  std::vector<WeightedPodAffinityTerm> preferred;

  friend bool operator==(const PodAffinitySpec&, const PodAffinitySpec&) = default;
};

struct Affinity {
  std::optional<NodeAffinitySpec> node_affinity;
  std::optional<PodAffinitySpec> pod_affinity;
  std::optional<PodAffinitySpec> pod_anti_affinity;

  friend bool operator==(const Affinity&, const Affinity&) = default;
};

struct TopologySpreadConstraint {
  int32_t max_skew = 0;
  Symbol topology_key;
  Symbol when_unsatisfiable;
  std::optional<LabelSelector> label_selector;
  std::optional<int32_t> min_domains;
  Symbol node_affinity_policy;
  Symbol node_taints_policy;
  std::vector<Symbol> match_label_keys;

  friend bool operator==(const TopologySpreadConstraint&,
                         const TopologySpreadConstraint&) = default;
};

struct PodSchedulingGate {
  Symbol name;
};

struct PersistentVolumeClaimVolumeSource {
  Symbol claim_name;
  bool read_only = false;

  friend bool operator==(const PersistentVolumeClaimVolumeSource&,
                         const PersistentVolumeClaimVolumeSource&) = default;
};

struct ImageVolumeSource {
  Symbol reference;
  Symbol pull_policy;

  friend bool operator==(const ImageVolumeSource&, const ImageVolumeSource&) = default;
};

struct Volume {
  Symbol name;
  std::optional<PersistentVolumeClaimVolumeSource> persistent_volume_claim;
  std::optional<ImageVolumeSource> image;
  // Any other source as given: its name ("emptyDir") and its JSON. configMap and secret are not
  // kept.
  RawMember other;
  // The decoded fields of `other`; null if none are read.
  VolumeSourceRef source;

  // Whether it is a generic ephemeral volume, whose claim is named after pod and volume.
  bool is_ephemeral() const { return other.name == "ephemeral"; }
};

struct PodResourceClaim {
  Symbol name;
  Symbol resource_claim_name;
  Symbol resource_claim_template_name;

  friend bool operator==(const PodResourceClaim&, const PodResourceClaim&) = default;
};

struct PodSchedulingGroup {
  Symbol pod_group_name;
};

struct PodOs {
  Symbol name;
};

struct PodSpec {
  Symbol node_name;
  Symbol scheduler_name;
  std::optional<int32_t> priority;
  Symbol priority_class_name;
  Symbol preemption_policy;
  std::optional<LabelMap> node_selector;
  Shared<Affinity> affinity;
  SharedList<Toleration> tolerations;
  SharedList<TopologySpreadConstraint> topology_spread_constraints;
  SharedList<PodSchedulingGate> scheduling_gates;
  SharedList<Container> containers;
  SharedList<Container> init_containers;
  Shared<ResourceRequirements> resources;  // pod level
  ResourceList overhead;
  SharedList<Volume> volumes;
  SharedList<PodResourceClaim> resource_claims;
  std::optional<PodSchedulingGroup> scheduling_group;
  std::optional<PodOs> os;
  bool host_network = false;
  std::optional<bool> host_users;

  // Defined in the .cc file: inlined everywhere, they take long to compile.
  PodSpec();
  PodSpec(const PodSpec&);
  PodSpec(PodSpec&&) noexcept;
  PodSpec& operator=(const PodSpec&);
  PodSpec& operator=(PodSpec&&) noexcept;
  ~PodSpec();
};

struct PodCondition {
  Symbol type;
  Symbol status;
  Symbol reason;
  std::string message = {};
  std::optional<Instant> last_probe_time = {};
  std::optional<Instant> last_transition_time = {};
  int64_t observed_generation = 0;

  friend bool operator==(const PodCondition&, const PodCondition&) = default;
};

// A claim that was created for the pod: its name in the pod's spec, and the claim's own name.
struct PodResourceClaimStatus {
  Symbol name;
  Symbol resource_claim_name;

  friend bool operator==(const PodResourceClaimStatus&, const PodResourceClaimStatus&) = default;
};

// Which request of a generated claim serves an extended resource of a container.
struct PodExtendedResourceRequestMapping {
  Symbol container_name;
  Symbol resource_name;
  Symbol request_name;

  friend bool operator==(const PodExtendedResourceRequestMapping&,
                         const PodExtendedResourceRequestMapping&) = default;
};

struct PodExtendedResourceClaimStatus {
  SharedList<PodExtendedResourceRequestMapping> request_mappings;
  Symbol resource_claim_name;

  friend bool operator==(const PodExtendedResourceClaimStatus&,
                         const PodExtendedResourceClaimStatus&) = default;
};

// What the devices of a claim take of the node's own resources (gate DRANodeAllocatableResources).
struct NodeAllocatableResourceClaimStatus {
  Symbol resource_claim_name;
  SharedList<Symbol> containers;  // that use the claim
  ResourceList resources;

  friend bool operator==(const NodeAllocatableResourceClaimStatus&,
                         const NodeAllocatableResourceClaimStatus&) = default;
};

using NodeAllocatableResourceClaimStatuses = SharedList<NodeAllocatableResourceClaimStatus>;

struct ContainerStatus {
  Symbol name;
  std::optional<ResourceRequirements> resources;
  ResourceList allocated_resources;
};

struct PodStatus {
  Symbol phase;
  Symbol nominated_node_name;
  std::optional<Instant> start_time;
  SharedList<PodCondition> conditions;
  Shared<ResourceRequirements> resources;  // pod level
  ResourceList allocated_resources;        // pod level
  SharedList<ContainerStatus> container_statuses;
  SharedList<ContainerStatus> init_container_statuses;
  SharedList<PodResourceClaimStatus> resource_claim_statuses;
  Shared<PodExtendedResourceClaimStatus> extended_resource_claim_status;
  NodeAllocatableResourceClaimStatuses node_allocatable_resource_claim_statuses;

  PodStatus();
  PodStatus(const PodStatus&);
  PodStatus(PodStatus&&) noexcept;
  PodStatus& operator=(const PodStatus&);
  PodStatus& operator=(PodStatus&&) noexcept;
  ~PodStatus();
};

struct Pod {
  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;
};

// Pods are immutable once decoded, and shared.
using PodRef = std::shared_ptr<const Pod>;

}  // namespace stowage
