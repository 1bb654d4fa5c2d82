#include "core/api/pod_template.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace stowage {
namespace {

bool IsSame(const Shared<ResourceRequirements>& a, const Shared<ResourceRequirements>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->requests.IsSame(b->requests) && a->limits.IsSame(b->limits) &&
         a->claims.IsSame(b->claims);
}

bool IsSame(const std::optional<LabelMap>& a, const std::optional<LabelMap>& b) {
  return a && b ? a->IsSame(*b) : a.has_value() == b.has_value();
}

bool HaveSameMeta(const ObjectMeta& a, const ObjectMeta& b) {
  return a.labels.IsSame(b.labels) && a.owner_references.IsSame(b.owner_references) &&
         a.namespace_ == b.namespace_ && a.generation == b.generation &&
         a.deletion_timestamp == b.deletion_timestamp;
}

bool HaveSameParts(const PodSpec& a, const PodSpec& b) {
  return a.containers.IsSame(b.containers) && a.init_containers.IsSame(b.init_containers) &&
         IsSame(a.resources, b.resources) && a.overhead.IsSame(b.overhead) &&
         IsSame(a.node_selector, b.node_selector) && a.affinity.IsSame(b.affinity) &&
         a.tolerations.IsSame(b.tolerations) &&
         a.topology_spread_constraints.IsSame(b.topology_spread_constraints) &&
         a.scheduling_gates.IsSame(b.scheduling_gates) && a.volumes.IsSame(b.volumes) &&
         a.resource_claims.IsSame(b.resource_claims);
}

bool HaveSameFields(const PodSpec& a, const PodSpec& b) {
  return a.node_name == b.node_name && a.scheduler_name == b.scheduler_name &&
         a.priority == b.priority && a.priority_class_name == b.priority_class_name &&
         a.preemption_policy == b.preemption_policy && !a.scheduling_group && !b.scheduling_group &&
         !a.os && !b.os && a.host_network == b.host_network && a.host_users == b.host_users;
}

bool HaveSameStatus(const PodStatus& a, const PodStatus& b) {
  return a.phase == b.phase && a.nominated_node_name == b.nominated_node_name &&
         a.conditions.IsSame(b.conditions) && IsSame(a.resources, b.resources) &&
         a.allocated_resources.IsSame(b.allocated_resources) &&
         a.container_statuses.IsSame(b.container_statuses) &&
         a.init_container_statuses.IsSame(b.init_container_statuses) &&
         a.resource_claim_statuses.IsSame(b.resource_claim_statuses) &&
         !a.extended_resource_claim_status && !b.extended_resource_claim_status &&
         a.node_allocatable_resource_claim_statuses.IsSame(
             b.node_allocatable_resource_claim_statuses);
}

// The claim of an ephemeral volume is named after its pod, which must own it.
bool HaveSameClaims(const Pod& a, const Pod& b) {
  bool has_own = std::ranges::any_of(a.spec.volumes,
                                     [](const Volume& volume) { return volume.is_ephemeral(); });
  return !has_own || (a.metadata.name == b.metadata.name && a.metadata.uid == b.metadata.uid);
}

}  // namespace

bool AreOfOneTemplate(const Pod& a, const Pod& b) {
  return HaveSameMeta(a.metadata, b.metadata) && HaveSameParts(a.spec, b.spec) &&
         HaveSameFields(a.spec, b.spec) && HaveSameStatus(a.status, b.status) &&
         HaveSameClaims(a, b);
}

size_t HashOfTemplate(const Pod& pod) {
  const PodSpec& spec = pod.spec;
  const Affinity* affinity = spec.affinity ? &*spec.affinity : nullptr;
  size_t hash = SymbolHash()(pod.metadata.namespace_);
  for (const void* part : std::initializer_list<const void*>{
           spec.containers.begin(), pod.metadata.labels.begin(), affinity, spec.tolerations.begin(),
           spec.topology_spread_constraints.begin()}) {
    hash = hash * 31 + (reinterpret_cast<uintptr_t>(part) >> 4);
  }
  return hash ^ hash >> 11;
}

}  // namespace stowage
