// What a pod requests of its node, and what is counted on the node for it (spec 01 §7).
// Counterpart: component-helpers/resource/helpers.go and framework.PodInfo, v1.36.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/api/pod.h"
#include "core/api/resource_list.h"

namespace stowage {

struct PodResourcesOptions {
  // Includes container statuses: a running pod counts with the maximum of its requested, allocated
  // and used resources (in-place resize).
  bool use_status = false;
  // Does so for pod-level requests too (gate InPlacePodLevelResourcesVerticalScaling).
  bool in_place_pod_level = false;
  // Ignores pod-level requests (gate PodLevelResources off).
  bool skip_pod_level = false;
  // Includes what devices take for the pod's claims (gate DRANodeAllocatableResources).
  bool use_dra_node_allocatable = false;
  // Default requests for containers that do not name a resource; an explicit 0 stays. Not owned.
  const ResourceList* non_missing_container_requests = nullptr;
};

// Aggregates containers, sidecars and init containers, lets pod-level requests replace the
// aggregate, and adds the overhead. Exact.
ResourceList PodRequests(const Pod& pod, const PodResourcesOptions& options);

// The default request for scoring of a container that does not name the resource, in milli units.
inline constexpr int64_t kDefaultMilliCpuRequest = 100;
inline constexpr int64_t kDefaultMemoryRequest = 200 * 1024 * 1024;  // bytes

struct NodeAccounting {
  ResourceList requests;
  // The requests with these defaults per container. With pod-level requests, a default only applies
  // to cpu or memory if `requests` lacks it.
  int64_t non_zero_milli_cpu = 0;
  int64_t non_zero_memory = 0;  // bytes
};

// Does not read `options.non_missing_container_requests`.
NodeAccounting AccountPod(const Pod& pod, const PodResourcesOptions& options);

// cpu, memory and names that start with "hugepages-".
bool IsSupportedPodLevelResource(std::string_view name);
// spec.resources.requests holds a supported name.
bool IsPodLevelRequestsSet(const Pod& pod);

// The first condition of type PodResizePending has reason Infeasible.
bool IsPodResizeInfeasible(const Pod& pod);

}  // namespace stowage
