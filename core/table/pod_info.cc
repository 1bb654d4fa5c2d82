#include "core/table/pod_info.h"

#include <utility>

#include "core/api/pod_requests.h"
#include "core/config/features.h"

namespace stowage {
namespace {

bool IsSame(const Shared<ResourceRequirements>& a, const Shared<ResourceRequirements>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->requests.IsSame(b->requests);
}

// Compares every field of a pod that MakePodInfo reads.
bool IsComputedFromSame(const Pod& a, const Pod& b) {
  return a.spec.containers.IsSame(b.spec.containers) &&
         a.spec.init_containers.IsSame(b.spec.init_containers) &&
         a.spec.overhead.IsSame(b.spec.overhead) && IsSame(a.spec.resources, b.spec.resources) &&
         a.spec.affinity.IsSame(b.spec.affinity) &&
         a.metadata.namespace_ == b.metadata.namespace_ &&
         a.status.container_statuses.IsSame(b.status.container_statuses) &&
         a.status.init_container_statuses.IsSame(b.status.init_container_statuses) &&
         a.status.allocated_resources.IsSame(b.status.allocated_resources) &&
         IsSame(a.status.resources, b.status.resources) &&
         a.status.node_allocatable_resource_claim_statuses.IsSame(
             b.status.node_allocatable_resource_claim_statuses) &&
         IsPodResizeInfeasible(a) == IsPodResizeInfeasible(b);
}

}  // namespace

PodInfoRef MakePodInfo(PodRef pod, const Features& features) {
  PodResourcesOptions options;
  options.use_status = features.in_place_pod_vertical_scaling;
  options.in_place_pod_level = features.in_place_pod_level_resources_vertical_scaling;
  options.skip_pod_level = !features.pod_level_resources;
  options.use_dra_node_allocatable = features.dra_node_allocatable_resources;
  NodeAccounting accounting = AccountPod(*pod, options);
  auto info = std::make_shared<PodInfo>();
  info->requests.Add(accounting.requests);
  info->non_zero_milli_cpu = accounting.non_zero_milli_cpu;
  info->non_zero_memory = accounting.non_zero_memory;
  info->host_ports = HostPorts(*pod);
  info->pod = std::move(pod);
  if (info->has_affinity()) {
    FieldErrors ignored;
    info->affinity_terms =
        std::make_shared<const AffinityTerms>(ParseAffinityTerms(*info->pod, &ignored));
  }
  return info;
}

PodInfoRef MakePodInfo(PodRef pod, const PodInfo& known, const Features& features) {
  if (IsComputedFromSame(*pod, *known.pod)) return WithPod(known, std::move(pod));
  return MakePodInfo(std::move(pod), features);
}

PodInfoRef WithPod(const PodInfo& info, PodRef pod) {
  auto copy = std::make_shared<PodInfo>(info);
  copy->pod = std::move(pod);
  return copy;
}

bool CountsAlike(const PodInfo& a, const PodInfo& b) {
  if (&a == &b) return !a.pod->metadata.shows_source;
  const ObjectMeta& a_meta = a.pod->metadata;
  const ObjectMeta& b_meta = b.pod->metadata;
  return a.requests == b.requests && a.non_zero_milli_cpu == b.non_zero_milli_cpu &&
         a.non_zero_memory == b.non_zero_memory && a.host_ports == b.host_ports &&
         a.affinity_terms == b.affinity_terms && a.pod->spec.affinity == b.pod->spec.affinity &&
         a.pod->status.node_allocatable_resource_claim_statuses ==
             b.pod->status.node_allocatable_resource_claim_statuses &&
         a.pod->spec.volumes.IsSame(b.pod->spec.volumes) && a_meta.labels == b_meta.labels &&
         a_meta.uid == b_meta.uid && a_meta.name == b_meta.name &&
         a_meta.namespace_ == b_meta.namespace_ &&
         a_meta.deletion_timestamp.has_value() == b_meta.deletion_timestamp.has_value() &&
         !a_meta.shows_source && !b_meta.shows_source;
}

}  // namespace stowage
