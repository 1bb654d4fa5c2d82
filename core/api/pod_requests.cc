#include "core/api/pod_requests.h"

#include <algorithm>

#include "core/api/pod_helpers.h"
#include "core/api/resource_names.h"

namespace stowage {
namespace {

struct Accounted {
  Symbol cpu{"cpu"};
  Symbol memory{"memory"};
  Quantity default_cpu{kDefaultMilliCpuRequest, -3};
  Quantity default_memory{kDefaultMemoryRequest, 0, Quantity::Format::kBinarySI};

  static const Accounted& Get() {
    static const Accounted* accounted = new Accounted;
    return *accounted;
  }
};

void AddTo(ResourceList& sum, const ResourceList& list) {
  if (sum.empty()) {
    sum = list;
    return;
  }
  for (const auto& [name, quantity] : list) {
    if (sum.Find(name) == nullptr) {
      sum[name] = quantity;
    } else {
      sum[name].Add(quantity);
    }
  }
}

void RaiseTo(ResourceList& highest, const ResourceList& list) {
  for (const auto& [name, quantity] : list) {
    const Quantity* held = highest.Find(name);
    if (held == nullptr || quantity.Compare(*held) > 0) highest[name] = quantity;
  }
}

// The last status of that name counts, those of init containers after those of containers.
const ContainerStatus* FindStatus(const Pod& pod, const Symbol& name) {
  for (const auto* statuses :
       {&pod.status.init_container_statuses, &pod.status.container_statuses}) {
    for (auto status = statuses->rbegin(); status != statuses->rend(); ++status) {
      if (status->name == name) return &*status;
    }
  }
  return nullptr;
}

// The largest of what is asked for, in use and allocated; an infeasible resize asks in vain.
ResourceList EffectiveRequests(const Pod& pod, const ResourceList& spec, const ResourceList& actual,
                               const ResourceList& allocated) {
  ResourceList requests;
  if (!IsPodResizeInfeasible(pod)) requests = spec;
  RaiseTo(requests, actual);
  RaiseTo(requests, allocated);
  return requests;
}

ResourceList ContainerRequests(const Pod& pod, const Container& container, bool use_status,
                               const ResourceList* non_missing) {
  const ContainerStatus* status = use_status ? FindStatus(pod, container.name) : nullptr;
  ResourceList requests = container.resources.requests;
  if (status != nullptr && status->resources) {
    requests = EffectiveRequests(pod, container.resources.requests, status->resources->requests,
                                 status->allocated_resources);
  }
  if (non_missing == nullptr) return requests;
  for (const auto& [name, quantity] : *non_missing) {
    if (requests.Find(name) == nullptr) requests[name] = quantity;
  }
  return requests;
}

ResourceList AggregateContainerRequests(const Pod& pod, const PodResourcesOptions& options) {
  const ResourceList* non_missing = options.non_missing_container_requests;
  ResourceList total;
  for (const Container& container : pod.spec.containers) {
    AddTo(total, ContainerRequests(pod, container, options.use_status, non_missing));
  }
  ResourceList sidecar_sum;
  ResourceList init_max;
  for (const Container& container : pod.spec.init_containers) {
    bool is_sidecar = IsRestartableInitContainer(container);
    bool use_status = options.use_status && is_sidecar;
    ResourceList use = ContainerRequests(pod, container, use_status, non_missing);
    if (is_sidecar) {
      AddTo(total, use);
      AddTo(sidecar_sum, use);
      RaiseTo(init_max, sidecar_sum);
    } else {
      AddTo(use, sidecar_sum);
      RaiseTo(init_max, use);
    }
  }
  RaiseTo(total, init_max);
  return total;
}

// Replaces, other than everything before: pod-level requests may be smaller than the aggregate.
void ApplyPodLevelRequests(const Pod& pod, const PodResourcesOptions& options,
                           ResourceList& total) {
  const ResourceList& spec = pod.spec.resources->requests;
  bool is_in_place =
      options.in_place_pod_level && options.use_status && pod.status.resources.has_value();
  ResourceList effective;
  if (is_in_place) {
    effective = EffectiveRequests(pod, spec, pod.status.resources->requests,
                                  pod.status.allocated_resources);
  }
  for (const auto& [name, quantity] : spec) {
    if (!IsSupportedPodLevelResource(name.view())) continue;
    if (!is_in_place) {
      total[name] = quantity;
    } else {
      const Quantity* held = effective.Find(name);
      total[name] = held == nullptr ? Quantity() : *held;
    }
  }
}

// Whether defaults for cpu and memory would change nothing, however the pod is aggregated.
bool MentionsCpuAndMemory(const Pod& pod) {
  const Accounted& accounted = Accounted::Get();
  auto mentions_both = [&](const Container& container) {
    const ResourceList& requests = container.resources.requests;
    return requests.Find(accounted.cpu) != nullptr && requests.Find(accounted.memory) != nullptr;
  };
  return !IsPodResizeInfeasible(pod) &&
         std::all_of(pod.spec.containers.begin(), pod.spec.containers.end(), mentions_both) &&
         std::all_of(pod.spec.init_containers.begin(), pod.spec.init_containers.end(),
                     mentions_both);
}

ResourceList RequestsWithDefaults(const Pod& pod, PodResourcesOptions options,
                                  const ResourceList& requests) {
  const Accounted& accounted = Accounted::Get();
  bool is_pod_level = !options.skip_pod_level && IsPodLevelRequestsSet(pod);
  ResourceList defaults;
  if (!is_pod_level || requests.Find(accounted.cpu) == nullptr) {
    defaults[accounted.cpu] = accounted.default_cpu;
  }
  if (!is_pod_level || requests.Find(accounted.memory) == nullptr) {
    defaults[accounted.memory] = accounted.default_memory;
  }
  options.non_missing_container_requests = &defaults;
  return PodRequests(pod, options);
}

}  // namespace

ResourceList PodRequests(const Pod& pod, const PodResourcesOptions& options) {
  ResourceList total = AggregateContainerRequests(pod, options);
  if (!options.skip_pod_level && IsPodLevelRequestsSet(pod)) {
    ApplyPodLevelRequests(pod, options, total);
  }
  AddTo(total, pod.spec.overhead);
  return total;
}

NodeAccounting AccountPod(const Pod& pod, const PodResourcesOptions& options) {
  PodResourcesOptions without_defaults = options;
  without_defaults.non_missing_container_requests = nullptr;
  NodeAccounting accounting;
  accounting.requests = PodRequests(pod, without_defaults);
  ResourceList with_defaults;
  const ResourceList* non_zero = &accounting.requests;
  if (!MentionsCpuAndMemory(pod)) {
    with_defaults = RequestsWithDefaults(pod, without_defaults, accounting.requests);
    non_zero = &with_defaults;
  }
  const Quantity* cpu = non_zero->Find(Accounted::Get().cpu);
  const Quantity* memory = non_zero->Find(Accounted::Get().memory);
  if (cpu != nullptr) accounting.non_zero_milli_cpu = cpu->MilliValue();
  if (memory != nullptr) accounting.non_zero_memory = memory->Value();
  return accounting;
}

bool IsSupportedPodLevelResource(std::string_view name) {
  return name == "cpu" || name == "memory" || IsHugePageResourceName(name);
}

bool IsPodLevelRequestsSet(const Pod& pod) {
  if (!pod.spec.resources) return false;
  const ResourceList& requests = pod.spec.resources->requests;
  return std::any_of(requests.begin(), requests.end(), [](const ResourceList::Entry& entry) {
    return IsSupportedPodLevelResource(entry.first.view());
  });
}

bool IsPodResizeInfeasible(const Pod& pod) {
  for (const PodCondition& condition : pod.status.conditions) {
    if (condition.type == "PodResizePending") return condition.reason == "Infeasible";
  }
  return false;
}

}  // namespace stowage
