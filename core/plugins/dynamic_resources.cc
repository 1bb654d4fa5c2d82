#include "core/plugins/dynamic_resources.h"

#include <algorithm>
#include <utility>

#include "core/api/encode/json_writer.h"
#include "core/api/pod_requests.h"
#include "core/api/resource_names.h"
#include "core/base/format.h"
#include "core/dra/claim_text.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/dynamic_resources_claims.h"
#include "core/table/resource.h"

namespace stowage {
namespace {

constexpr int64_t kNanosPerMicro = 1000;

int64_t MicrosOf(const std::optional<Duration>& duration) {
  return duration ? duration->nanos / kNanosPerMicro : 0;
}

// The pod's scalar resources, if a DeviceClass serves one of them; else none.
std::vector<std::pair<Symbol, int64_t>> ScalarsOf(const Pod& pod,
                                                  const ExtendedResourceCache& classes) {
  Resource request;
  request.Add(PodRequests(pod, PodResourcesOptions()));
  bool is_served = std::ranges::any_of(request.scalars, [&classes](const auto& scalar) {
    return scalar.second != 0 && IsDraExtendedResourceName(scalar.first.view()) &&
           classes.GetDeviceClass(scalar.first) != nullptr;
  });
  return is_served ? std::move(request.scalars) : Resource::Scalars();
}

// A cancelled binding of the pod may still be under way, with a claim of its own.
ResourceClaimRef NewClaimOfAttempt(const Pod& pod, const InFlightAllocations& in_flight) {
  ResourceClaimRef claim = NewExtendedResourceClaim(pod);
  for (uint32_t number = 1; in_flight.Find(claim->metadata.uid) != nullptr; ++number) {
    claim = NewExtendedResourceClaim(pod, number);
  }
  return claim;
}

}  // namespace

DynamicResources::DynamicResources(const PluginContext& context)
    : handle_(context.handle), features_(context.features) {
  const auto& args = context.Args<DynamicResourcesArgs>();
  filter_timeout_us_ = MicrosOf(args.filter_timeout);
  binding_timeout_us_ = MicrosOf(args.binding_timeout);
}

DynamicResourcesData* DynamicResources::DataIn(const CycleState& state) {
  const auto* stored = state.ReadData<DynamicResourcesState>();
  return stored == nullptr ? nullptr : stored->data.get();
}

Status DynamicResources::PreEnqueue(const Pod& pod) const {
  if (pod.spec.resource_claims.empty()) return Status::Success();
  auto claims =
      PodResourceClaims(pod, handle_.dra().claims(), features_.dra_workload_resource_claims);
  return claims.ok() ? Status::Success() : Status::UnschedulableAndUnresolvable(claims.fault());
}

bool DynamicResources::IsReserved(const ResourceClaim& claim, const Pod& pod) const {
  return IsReservedForPod(claim, pod, features_.dra_workload_resource_claims);
}

Status DynamicResources::FindClaims(const Pod& pod, DynamicResourcesData* data) const {
  const bool accepts_groups = features_.dra_workload_resource_claims;
  std::vector<const PodResourceClaim*> entries;
  auto claims = PodResourceClaims(pod, handle_.dra().claims(), accepts_groups, &entries);
  if (!claims.ok()) return Status::UnschedulableAndUnresolvable(claims.fault());
  bool has_group = accepts_groups && pod.spec.scheduling_group && !pod.spec.resource_claims.empty();
  if (has_group) {
    data->group = handle_.listers().GetPodGroup(pod.metadata.namespace_, PodGroupNameOf(pod));
    if (data->group == nullptr) {
      return Status::UnschedulableAndUnresolvable(
          Format("podgroup.scheduling.k8s.io \"{}\" not found", PodGroupNameOf(pod).view()));
    }
  }
  for (size_t index = 0; index < claims->size(); ++index) {
    ClaimInCycle& info =
        data->claims.emplace_back(ClaimInCycle{std::move((*claims)[index]), {}, {}});
    info.is_of_group = has_group && HasClaim(*data->group, *entries[index]);
  }
  return Status::Success();
}

Status DynamicResources::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                   PreFilterResult*) const {
  DraManager& dra = handle_.dra();
  state.WriteData(std::make_unique<DynamicResourcesState>(nullptr));
  auto data = std::make_shared<DynamicResourcesData>();
  Status found = FindClaims(pod, data.get());
  if (!found.IsSuccess()) return found;
  if (features_.dra_extended_resource) {
    data->scalars = ScalarsOf(pod, dra.extended_resources());
    data->has_extended_claim = !data->scalars.empty();
  }
  if (data->has_extended_claim) {
    const ObjectMeta& metadata = pod.metadata;
    ResourceClaimRef claim = dra.claims().FindExtendedResourceClaim(metadata.name, metadata.uid);
    if (claim == nullptr) claim = NewClaimOfAttempt(pod, dra.in_flight());
    data->extended_uid = claim->metadata.uid;
    data->claims.push_back({std::move(claim), {}, {}});
  }
  if (data->claims.empty()) return Status::Skip();
  bool needs_allocation = false;
  for (size_t index = 0; index < data->claims.size(); ++index) {
    ClaimInCycle& info = data->claims[index];
    Status status = CheckClaim(&info);
    if (status.IsSuccess() && info.needs_devices() && !data->IsExtended(index)) {
      status = CheckRequests(*info.claim);
    }
    if (!status.IsSuccess()) {
      state.WriteData(std::make_unique<DynamicResourcesState>(nullptr));
      return status;
    }
    needs_allocation |= !info.is_allocated();
  }
  if (needs_allocation) data->allocator = dra.NewAllocator();
  state.WriteData(std::make_unique<DynamicResourcesState>(std::move(data)));
  return Status::Success();
}

Status DynamicResources::CheckClaim(ClaimInCycle* info) const {
  const ResourceClaim& claim = *info->claim;
  const InFlightAllocations& in_flight = handle_.dra().in_flight();
  if (!info->is_allocated()) {
    bool is_in_trial = handle_.pod_groups().is_in_trial();
    ResourceClaimRef shared = is_in_trial ? in_flight.FindInTrial(claim.metadata.uid) : nullptr;
    if (shared != nullptr) {
      info->pending = shared->status.allocation;
    } else if (in_flight.Find(claim.metadata.uid) != nullptr) {
      return Status::UnschedulableAndUnresolvable(
          Format("resource claim {} is in the process of being allocated",
                 NamespacedNameOf(claim.metadata)));
    }
  }
  const auto& allocation = info->pending ? info->pending : claim.status.allocation;
  if (!allocation || !allocation->node_selector) return Status::Success();
  auto matcher = NodeSelectorMatcher::Strict(*allocation->node_selector);
  if (!matcher.ok()) return Status::Error(matcher.fault().Text());
  info->available_on = matcher.Take();
  return Status::Success();
}

Status DynamicResources::CheckRequests(const ResourceClaim& claim) const {
  auto refuse = [&claim](const DeviceRequest& request, std::string_view reason) {
    return Status::UnschedulableAndUnresolvable(Format("resource claim {}, request {}: {}",
                                                       NamespacedNameOf(claim.metadata),
                                                       request.name.view(), reason));
  };
  for (const DeviceRequest& request : claim.spec.devices.requests) {
    if (request.exactly) {
      Status status = CheckDeviceClass(request.exactly->device_class_name, request.name.str());
      if (!status.IsSuccess()) return status;
    } else if (request.first_available.empty()) {
      return refuse(request, "unknown request type");
    } else if (!features_.dra_prioritized_list) {
      return refuse(request, "has subrequests, but the DRAPrioritizedList feature is disabled");
    }
    for (const DeviceSubRequest& sub : request.first_available) {
      Status status = CheckDeviceClass(sub.request.device_class_name,
                                       Format("{}/{}", request.name.view(), sub.name.view()));
      if (!status.IsSuccess()) return status;
    }
  }
  return Status::Success();
}

Status DynamicResources::CheckDeviceClass(const Symbol& device_class,
                                          const std::string& request) const {
  if (device_class.empty()) {
    return Status::Error(Format("request {}: unsupported request type", request));
  }
  if (handle_.dra().GetDeviceClass(device_class) != nullptr) return Status::Success();
  return Status::UnschedulableAndUnresolvable(
      Format("request {}: device class {} does not exist", request, device_class.view()));
}

const NodeAllocation* DynamicResources::AllocationOn(const CycleState& state, const Pod& pod,
                                                     const NodeInfo& node) const {
  const auto& nodes = DataIn(state)->nodes;
  auto found = nodes.find(node.name());
  if (found == nodes.end() && Filter(state, pod, node).IsSuccess()) found = nodes.find(node.name());
  return found == nodes.end() ? nullptr : &found->second;
}

bool DynamicResources::ChangeAssumedPod(const CycleState& state, const Symbol& node,
                                        Pod* pod) const {
  DynamicResourcesData* data = DataIn(state);
  bool has_none =
      !features_.dra_node_allocatable_resources || data == nullptr || data->allocator == nullptr;
  const NodeInfo* info = has_none ? nullptr : handle_.snapshot().Get(node);
  const NodeAllocation* on_node = info == nullptr ? nullptr : AllocationOn(state, *pod, *info);
  if (on_node == nullptr || on_node->node_allocatable.empty()) return false;
  pod->status.node_allocatable_resource_claim_statuses = on_node->node_allocatable;
  return true;
}

Status DynamicResources::Reserve(CycleState& state, const Pod& pod, const Symbol& node) {
  DynamicResourcesData* data = DataIn(state);
  if (data == nullptr || data->allocator == nullptr) return Status::Success();
  size_t num_wanted = std::ranges::count_if(
      data->claims, [](const ClaimInCycle& info) { return !info.is_allocated(); });
  const NodeInfo* info_of_node = handle_.snapshot().Get(node);
  const NodeAllocation* on_node =
      info_of_node == nullptr ? nullptr : AllocationOn(state, pod, *info_of_node);
  if (on_node == nullptr) {
    // Device plugins serve all of the pod's extended resources on the node.
    bool is_extended_only =
        num_wanted == 1 && data->has_extended_claim && !data->claims.back().is_allocated();
    return is_extended_only ? Status::Success()
                            : Status::Error("claim allocation not found for node");
  }
  if (on_node->allocations.size() != num_wanted) {
    return Status::Error(
        Format("internal error, have {} allocations, {} claims to allocate, want {} claims",
               on_node->allocations.size(), num_wanted, data->claims.size()));
  }
  size_t next = 0;
  for (size_t index = 0; index < data->claims.size(); ++index) {
    ClaimInCycle& info = data->claims[index];
    if (info.is_allocated()) continue;
    info.allocation = on_node->allocations[next++];
    bool is_extended = data->IsExtended(index) && on_node->extended != nullptr;
    auto claim =
        std::make_shared<ResourceClaim>(is_extended ? *on_node->extended->claim : *info.claim);
    claim->status.allocation = info.allocation;
    handle_.dra().in_flight().Signal(claim->metadata.uid, claim,
                                     handle_.pod_groups().is_in_trial());
  }
  return Status::Success();
}

void DynamicResources::Unreserve(CycleState& state, const Pod& pod, const Symbol&) {
  DynamicResourcesData* data = DataIn(state);
  if (data == nullptr) return;
  DraManager& dra = handle_.dra();
  for (size_t index = 0; index < data->num_user_claims(); ++index) {
    const ResourceClaimRef& claim = data->claims[index].claim;
    bool is_removed = dra.in_flight().MaybeRemove(claim->metadata.uid, false);
    if (is_removed) dra.claims().Restore(ObjectKey::Of(claim->metadata));
    bool is_reserved = claim->status.allocation && IsReservedFor(*claim, pod.metadata.uid);
    if (is_reserved) SpawnRemovalOfReservation(pod, claim);
  }
  ClaimInCycle* extended = data->extended_claim();
  if (extended == nullptr) return;
  ResourceClaimRef claim = extended->claim;
  dra.in_flight().MaybeRemove(data->extended_uid, false);
  if (IsInMemory(*claim)) return;
  dra.claims().Restore(ObjectKey::Of(claim->metadata));
  SpawnDeletion(pod, claim);
}

std::optional<DecisionNote> DynamicResources::NoteOn(const CycleState& state, const Pod& pod,
                                                     const NodeInfo& node) const {
  DynamicResourcesData* data = DataIn(state);
  if (data == nullptr) return std::nullopt;
  const NodeAllocation none;
  const NodeAllocation* found =
      data->allocator == nullptr ? nullptr : AllocationOn(state, pod, node);
  const NodeAllocation& on_node = found == nullptr ? none : *found;
  DecisionNote note{"claims", {}};
  JsonWriter json(&note.json);
  json.BeginObject();
  size_t next = 0;
  bool is_empty = true;
  for (size_t index = 0; index < data->claims.size(); ++index) {
    const ClaimInCycle& info = data->claims[index];
    const Allocations& made = on_node.allocations;
    if (!info.is_allocated() && next == made.size()) continue;
    const auto& allocation = info.is_allocated() ? info.claim->status.allocation : made[next++];
    if (IsReserved(*info.claim, pod)) continue;
    const ObjectMeta& metadata = info.claim->metadata;
    std::string name = IsInMemory(*info.claim)
                           ? Format("{}-extended-resources-", pod.metadata.name.view())
                           : metadata.name.str();
    WriteAllocation(*allocation, false, &json.Key(name));
    is_empty = false;
  }
  json.EndObject();
  if (is_empty) return std::nullopt;
  return note;
}

}  // namespace stowage
