// What a pod requests of its node, and what is booked on the node for it (spec 01 §7).
// Counterpart: component-helpers/resource/helpers.go and framework.PodInfo, v1.36.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/api/pod.h"
#include "core/api/resource_list.h"

namespace stowage {

struct PodResourcesOptions {
  // Container statuses take part: a running pod holds the largest of what is asked for, allocated
  // and in use (in-place resize).
  bool use_status = false;
  // The same for pod-level requests (gate InPlacePodLevelResourcesVerticalScaling).
  bool in_place_pod_level = false;
  // Pod-level requests are ignored (gate PodLevelResources off).
  bool skip_pod_level = false;
  // Requests of every container that does not mention the name; an explicit 0 stays. Not owned.
  const ResourceList* non_missing_container_requests = nullptr;
};

// Containers, sidecars and init containers aggregated, pod-level requests in place of the
// aggregate, overhead on top. Exact.
ResourceList PodRequests(const Pod& pod, const PodResourcesOptions& options);

// What a container that does not mention the name counts with when nodes are scored.
inline constexpr int64_t kDefaultMilliCpuRequest = 100;
inline constexpr int64_t kDefaultMemoryRequest = 200 * 1024 * 1024;  // bytes

struct NodeAccounting {
  ResourceList requests;
  // The same requests with the defaults above, per container. Pod-level requests leave a default
  // only to those of cpu and memory that `requests` lacks.
  int64_t non_zero_milli_cpu = 0;
  int64_t non_zero_memory = 0;  // bytes
};

// `options.non_missing_container_requests` is not read.
NodeAccounting AccountPod(const Pod& pod, const PodResourcesOptions& options);

// cpu, memory and names that start with "hugepages-".
bool IsSupportedPodLevelResource(std::string_view name);
// spec.resources.requests holds a supported name.
bool IsPodLevelRequestsSet(const Pod& pod);

// The first condition of type PodResizePending has reason Infeasible.
bool IsPodResizeInfeasible(const Pod& pod);

}  // namespace stowage
