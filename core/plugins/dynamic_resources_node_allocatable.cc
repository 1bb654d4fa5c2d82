#include "core/plugins/dynamic_resources_node_allocatable.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/api/pod_requests.h"
#include "core/api/resource_names.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/plugins/insufficient_resources.h"

namespace stowage {
namespace {

using ByName = ResourceSlices::ByName;

// As the reference, this compares pool and device only; the first slice by name counts.
const Device* FindDeviceIn(const ByName& slices, const DeviceRequestAllocationResult& result) {
  for (const auto& [name, slice] : slices) {
    if (slice->spec.pool.name != result.pool) continue;
    for (const Device& device : slice->spec.devices) {
      if (device.name == result.device) return &device;
    }
  }
  return nullptr;
}

// Null if no slice that the node may use has the device.
const Device* FindDeviceOn(const Symbol& node, const DeviceRequestAllocationResult& result,
                           const ResourceSlices& slices, StepBudget* steps) {
  if (const ByName* of_node = slices.OfNode(node)) {
    steps->Spend(of_node->size());
    if (const Device* device = FindDeviceIn(*of_node, result)) return device;
  }
  steps->Spend(slices.WithoutNode().size());
  return FindDeviceIn(slices.WithoutNode(), result);
}

// Adds what the device takes. Returns whether the result says how much.
bool AddDevice(const Device& device, const DeviceRequestAllocationResult& result,
               ResourceList* taken) {
  for (const auto& [resource, mapping] : device.node_allocatable_resource_mappings) {
    Quantity amount;
    if (!mapping.capacity_key) {
      amount = mapping.allocation_multiplier.value_or(amount);
    } else {
      if (result.consumed_capacity.empty()) return false;
      const Quantity* consumed = result.consumed_capacity.Find(*mapping.capacity_key);
      if (consumed == nullptr) continue;
      amount = *consumed;
      if (mapping.allocation_multiplier) amount.Multiply(*mapping.allocation_multiplier);
    }
    (*taken)[resource].Add(amount);
  }
  return true;
}

bool IsEntryOf(const Pod& pod, const PodResourceClaim& entry, const Symbol& claim) {
  if (!entry.resource_claim_name.empty()) return entry.resource_claim_name == claim;
  return std::ranges::any_of(pod.status.resource_claim_statuses, [&](const auto& status) {
    return status.name == entry.name && status.resource_claim_name == claim;
  });
}

// The containers that use the claim, in the order of the spec, init containers first.
SharedList<Symbol> ContainersWith(const Pod& pod, const Symbol& claim) {
  std::set<Symbol> entries;
  for (const PodResourceClaim& entry : pod.spec.resource_claims) {
    if (IsEntryOf(pod, entry, claim)) entries.insert(entry.name);
  }
  SharedList<Symbol> names;
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const Container& container : *containers) {
      bool uses = std::ranges::any_of(container.resources.claims, [&](const auto& used) {
        return entries.contains(used.name);
      });
      if (uses) names.push_back(container.name);
    }
  }
  return names;
}

std::string_view NameOf(const InsufficientResource& one, const Resource& request) {
  const ResourceNames& names = ResourceNames::Get();
  if (one.kind == InsufficientResource::Kind::kCpu) return names.cpu.view();
  if (one.kind == InsufficientResource::Kind::kMemory) return names.memory.view();
  if (one.kind == InsufficientResource::Kind::kScalar) {
    return request.scalars[one.scalar].first.view();
  }
  return names.ephemeral_storage.view();
}

// Whether the pod-level requests cover its containers and claims.
Status CheckPodLevel(const Pod& pod, PodResourcesOptions options, const ResourceList& total) {
  options.skip_pod_level = true;
  const ResourceList sum = PodRequests(pod, options);
  for (const auto& [name, amount] : total) {
    const Quantity* needed = sum.Find(name);
    if (needed == nullptr || needed->Compare(amount) <= 0) continue;
    return Status::UnschedulableAndUnresolvable(
        Format("pod level request for {} is insufficient to cover the aggregated container "
               "and node-allocatable DRA requests",
               name.view()));
  }
  return Status::Success();
}

}  // namespace

Status CheckNodeAllocatableSharing(const Pod& pod, const Symbol& claim, const NodeInfo& node) {
  size_t num_pods = 0;
  bool is_own = false;
  for (const PodInfoRef& info : node.pods()) {
    if (info->pod->metadata.namespace_ != pod.metadata.namespace_) continue;
    bool takes = std::ranges::any_of(
        info->pod->status.node_allocatable_resource_claim_statuses,
        [&claim](const auto& status) { return status.resource_claim_name == claim; });
    if (!takes) continue;
    ++num_pods;
    is_own = info->uid() == pod.metadata.uid;
  }
  if (num_pods == 0 || (num_pods == 1 && is_own)) return Status::Success();
  return Status::UnschedulableAndUnresolvable(
      Format("node allocatable resource claim {} {}", claim.view(),
             num_pods > 1 ? "shared by multiple pods" : "is already used by another pod"));
}

Result<NodeAllocatableResourceClaimStatuses, Status> NodeAllocatableStatusesOf(
    const Pod& pod, const std::vector<AllocatedClaim>& claims, const Symbol& node,
    const ResourceSlices& slices, StepBudget* steps) {
  std::vector<NodeAllocatableResourceClaimStatus> statuses;
  for (const AllocatedClaim& claim : claims) {
    ResourceList taken;
    bool has_mappings = false;
    for (const DeviceRequestAllocationResult& result : claim.allocation->devices.results) {
      const Device* device = FindDeviceOn(node, result, slices, steps);
      if (!steps->Spend(0)) return Status::Error(StepBudget::kExhausted);
      if (device == nullptr || device->node_allocatable_resource_mappings.empty()) continue;
      has_mappings = true;
      if (!AddDevice(*device, result, &taken)) {
        return Status::Error(Format("claim {}: device {}/{}/{} has no consumed capacity",
                                    claim.name.view(), result.driver.view(), result.pool.view(),
                                    result.device.view()));
      }
    }
    if (!has_mappings) continue;
    SharedList<Symbol> containers = ContainersWith(pod, claim.name);
    if (containers.empty()) {
      return Status::UnschedulableAndUnresolvable(
          Format("claim {}: node-allocatable resource claim not referenced by any container "
                 "within the pod",
                 claim.name.view()));
    }
    statuses.push_back({claim.name, std::move(containers), std::move(taken)});
  }
  if (statuses.empty()) return NodeAllocatableResourceClaimStatuses();
  StableSort(&statuses, [](const auto& a, const auto& b) {
    return a.resource_claim_name < b.resource_claim_name;
  });
  return NodeAllocatableResourceClaimStatuses(std::move(statuses));
}

Status CheckNodeAllocatableFit(const Pod& pod, const NodeAllocatableResourceClaimStatuses& taken,
                               const NodeInfo& node, const Features& features) {
  Pod with_taken = pod;
  with_taken.status.node_allocatable_resource_claim_statuses = taken;
  PodResourcesOptions options;
  options.skip_pod_level = !features.pod_level_resources;
  options.use_dra_node_allocatable = true;
  const ResourceList total = PodRequests(with_taken, options);
  if (!options.skip_pod_level && IsPodLevelRequestsSet(pod)) {
    Status status = CheckPodLevel(with_taken, options, total);
    if (!status.IsSuccess()) return status;
  }
  Resource request;
  request.Add(total);
  std::erase_if(request.scalars,
                [](const auto& scalar) { return !IsHugePageResourceName(scalar.first.view()); });
  std::vector<Symbol> reasons;
  bool is_unresolvable = false;
  ForEachInsufficientResource(
      request, {}, {node.allocatable(), node.requested(), node.pods().size()},
      [&](const InsufficientResource& one) {
        if (one.kind == InsufficientResource::Kind::kPods) return;
        reasons.emplace_back(Format("Insufficient {}", NameOf(one, request)));
        is_unresolvable |= one.is_unresolvable;
      });
  if (reasons.empty()) return Status::Success();
  return Status::WithReasons(
      is_unresolvable ? Code::kUnschedulableAndUnresolvable : Code::kUnschedulable,
      std::move(reasons));
}

}  // namespace stowage
