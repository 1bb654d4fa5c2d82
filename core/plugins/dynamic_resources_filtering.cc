// The search for devices on a node.

#include <utility>

#include "core/api/resource_names.h"
#include "core/base/format.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/dynamic_resources_binding_conditions.h"
#include "core/plugins/dynamic_resources_node_allocatable.h"

namespace stowage {
namespace {

// The resources of the pod that devices must serve on the node, sorted by name. The fault is why
// the node cannot serve the pod.
Result<std::vector<ServedResource>, Status> ServedResourcesOn(
    const NodeInfo& node, const DynamicResourcesData& data, const ExtendedResourceCache& classes) {
  std::vector<ServedResource> served;
  for (const auto& [name, amount] : data.scalars) {
    if (amount == 0 || !IsDraExtendedResourceName(name.view())) continue;
    DeviceClassRef device_class = classes.GetDeviceClass(name);
    if (device_class != nullptr && node.allocatable().Scalar(name) == 0) {
      served.push_back({name, std::move(device_class)});
    } else if (node.node()->status.allocatable.Find(name) == nullptr) {
      return Status::UnschedulableAndUnresolvable(DynamicResources::kReasonCannotFit);
    }
  }
  return served;
}

}  // namespace

bool DynamicResources::IsAvailableOn(const Node& node, const ClaimInCycle& info) const {
  if (info.available_on && !info.available_on->Match(node).matches) return false;
  if (!info.is_allocated() || binding_timeout_us_ == 0) return true;
  const ResourceClaim& claim = *info.claim;
  Result<bool, std::string> is_ready = IsClaimReadyForBinding(claim);
  if (!is_ready.ok()) return false;
  return *is_ready || !IsClaimTimedOut(claim, binding_timeout_us_, handle_.now());
}

Status DynamicResources::CheckSharing(const Pod& pod, const NodeInfo& node,
                                      const DynamicResourcesData& data) const {
  for (const ClaimInCycle& info : data.claims) {
    if (!info.is_allocated()) continue;
    if (info.available_on && !info.available_on->Match(*node.node()).matches) continue;
    if (!handle_.steps().Spend(node.pods().size())) return Status::Error(StepBudget::kExhausted);
    Status status = CheckNodeAllocatableSharing(pod, info.claim->metadata.name, node);
    if (!status.IsSuccess()) return status;
  }
  return Status::Success();
}

Status DynamicResources::CheckNodeAllocatable(const Pod& pod, const NodeInfo& node,
                                              const DynamicResourcesData& data,
                                              NodeAllocation* on_node) const {
  std::vector<AllocatedClaim> allocated;
  size_t next = 0;
  for (const ClaimInCycle& info : data.claims) {
    if (info.is_allocated()) continue;
    const auto& allocation = info.pending ? info.pending : on_node->allocations[next++];
    allocated.push_back({info.claim->metadata.name, allocation});
  }
  auto taken = NodeAllocatableStatusesOf(pod, allocated, node.name(), handle_.dra().slices(),
                                         &handle_.steps());
  if (!taken.ok()) return taken.fault();
  if (taken->empty()) return Status::Success();
  on_node->node_allocatable = taken.Take();
  return CheckNodeAllocatableFit(pod, on_node->node_allocatable, node, features_);
}

Status DynamicResources::Filter(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const {
  DynamicResourcesData* data = DataIn(state);
  if (data == nullptr) return Status::Success();
  NodeAllocation on_node;
  if (ClaimInCycle* extended = data->extended_claim()) {
    if (!extended->claim->spec.devices.requests.empty()) {
      return Status::UnschedulableAndUnresolvable(kReasonExtendedClaim);
    }
    auto served = ServedResourcesOn(node, *data, handle_.dra().extended_resources());
    if (!served.ok()) return served.fault();
    if (served->empty() && data->num_user_claims() == 0) return Status::Success();
    if (data->last_extended == nullptr || data->last_extended->resources != *served) {
      data->last_extended = WithRequestsFor(served.Take(), pod, *extended->claim);
    }
    on_node.extended = data->last_extended;
  }
  const bool reads_node_resources = features_.dra_node_allocatable_resources;
  if (reads_node_resources) {
    Status status = CheckSharing(pod, node, *data);
    if (!status.IsSuccess()) return status;
  }
  std::vector<size_t> unavailable;
  for (size_t index = 0; index < data->claims.size(); ++index) {
    if (!IsAvailableOn(*node.node(), data->claims[index])) unavailable.push_back(index);
  }
  if (data->allocator != nullptr) {
    Status status = Allocate(node, on_node, data, &on_node.allocations);
    if (status.IsSuccess() && reads_node_resources) {
      status = CheckNodeAllocatable(pod, node, *data, &on_node);
    }
    if (!status.IsSuccess()) return status;
    for (const ClaimInCycle& info : data->claims) {
      if (info.pending) on_node.allocations.push_back(info.pending);
    }
  }
  if (!unavailable.empty()) {
    data->unavailable_claims.insert(unavailable.begin(), unavailable.end());
    return Status::UnschedulableAndUnresolvable(kReasonNotAvailable);
  }
  if (!on_node.allocations.empty()) data->nodes[node.node()->metadata.name] = std::move(on_node);
  return Status::Success();
}

Status DynamicResources::Allocate(const NodeInfo& node, const NodeAllocation& on_node,
                                  DynamicResourcesData* data, Allocations* allocations) const {
  std::vector<ResourceClaimRef> wanted;
  for (size_t index = 0; index < data->claims.size(); ++index) {
    const ClaimInCycle& info = data->claims[index];
    if (!info.needs_devices()) continue;
    wanted.push_back(data->IsExtended(index) ? on_node.extended->claim : info.claim);
  }
  if (wanted.empty()) return Status::Success();
  // DIVERGENCE(filter-timeout): the engine has no clock, so filterTimeout bounds the steps of the
  // search on a node, one for each microsecond. Equal inputs then give equal decisions on every
  // machine.
  StepBudget steps;
  if (filter_timeout_us_ > 0) steps.Begin(static_cast<uint64_t>(filter_timeout_us_), 1);
  auto made = data->allocator->Allocate(*node.node(), wanted, &steps);
  if (!handle_.steps().Spend(steps.spent())) return Status::Error(StepBudget::kExhausted);
  if (!made.ok()) {
    const AllocationFault& fault = made.fault();
    switch (fault.kind) {
      case AllocationFault::Kind::kExhausted:
        return Status::Error(Format("node {}: timed out trying to allocate devices",
                                    node.node()->metadata.name.view()));
      case AllocationFault::Kind::kNodeOnly:
        return Status::UnschedulableAndUnresolvable(fault.message);
      case AllocationFault::Kind::kError:
        return Status::Error(fault.message);
    }
  }
  if (made->size() != wanted.size()) {
    return Status::UnschedulableAndUnresolvable(kReasonCannotAllocate);
  }
  *allocations = made.Take();
  return Status::Success();
}

}  // namespace stowage
