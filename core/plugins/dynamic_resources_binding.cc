// What DynamicResources writes for a pod whose node is chosen, and how it waits for devices.

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/format.h"
#include "core/dra/claim_text.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/dynamic_resources_binding_conditions.h"
#include "core/plugins/dynamic_resources_claims.h"
#include "core/plugins/dynamic_resources_writes.h"

namespace stowage {
namespace {

// How often claims are read while binding conditions are pending, in polls of a PreBind plugin.
constexpr int64_t kConditionPollFactor = 5;
// How long a created claim may take to arrive, in polls of a PreBind plugin.
constexpr int kArrivalPollsMax = 120;

std::string WithCause(std::string_view what, const ResourceClaim& claim, std::string_view cause) {
  return Format("{} claim {}: {}", what, NamespacedNameOf(claim.metadata), cause);
}

}  // namespace

Status DynamicResources::PreBindPreFlight(CycleState& state, const Pod&, const Symbol&) {
  return DataIn(state) == nullptr ? Status::Skip() : Status::Success();
}

Task<Status> DynamicResources::PreBind(CycleState& state, const Pod& pod, const Symbol& node) {
  DynamicResourcesData* data = DataIn(state);
  if (data == nullptr) co_return Status::Success();
  for (size_t index = 0; index < data->claims.size(); ++index) {
    if (IsReserved(*data->claims[index].claim, pod)) continue;
    std::string error = co_await BindClaim(data, index, pod, node);
    if (!error.empty()) co_return Status::Error(error);
  }
  std::string error = co_await PatchNodeAllocatable(*data, pod, node);
  if (!error.empty()) co_return Status::Error(error);
  if (binding_timeout_us_ == 0) co_return Status::Success();
  std::set<Symbol> drivers;
  for (const ClaimInCycle& info : data->claims) {
    AddDriversWithBindingConditions(*info.claim, &drivers);
  }
  if (drivers.empty()) co_return Status::Success();
  co_return co_await WaitForBindingConditions(data, drivers, pod, node);
}

Task<std::string> DynamicResources::BindClaim(DynamicResourcesData* data, size_t index,
                                              const Pod& pod, const Symbol& node) {
  ClaimInCycle& info = data->claims[index];
  bool is_extended = data->IsExtended(index);
  bool needs_nothing = is_extended && !info.allocation && info.claim->spec.devices.requests.empty();
  if (needs_nothing) co_return std::string();
  const Symbol in_flight_uid = is_extended ? data->extended_uid : info.claim->metadata.uid;
  std::string error;
  if (is_extended && IsInMemory(*info.claim)) {
    error = co_await CreateExtendedClaim(data, pod, node);
  }
  if (error.empty()) error = co_await WriteClaim(data, &info, pod);
  if (error.empty() && is_extended) error = co_await FinishExtendedClaim(data, pod, node);
  DraManager& dra = handle_.dra();
  bool is_assumed = error.empty() && !dra.claims().Assume(info.claim).has_value();
  if (is_assumed || info.allocation) dra.in_flight().MaybeRemove(in_flight_uid, is_assumed);
  co_return error;
}

Task<std::string> DynamicResources::CreateExtendedClaim(DynamicResourcesData* data, const Pod& pod,
                                                        const Symbol& node) {
  Background* background = handle_.background();
  ClaimWriter writer(background->api, background->calls, pod);
  ClaimAnswer created = co_await writer.Create(data->nodes.at(node).extended->claim);
  handle_.metrics().Add(Metric::kResourceClaimCreates, {created.ok() ? "success" : "failure"});
  if (!created.ok()) {
    co_return Format("create claim for extended resources {}/: {}", pod.metadata.namespace_.view(),
                     created.error);
  }
  data->claims.back().claim = std::move(created.claim);
  co_return std::string();
}

// Writes allocation and reservation, and replaces the claim in `info` by the written one.
Task<std::string> DynamicResources::WriteClaim(DynamicResourcesData* data, ClaimInCycle* info,
                                               const Pod& pod) {
  Background* background = handle_.background();
  ClaimWriter writer(background->api, background->calls, pod);
  const ObjectKey key = ObjectKey::Of(info->claim->metadata);
  const std::string name = NamespacedNameOf(info->claim->metadata);
  std::string error;
  for (int tries = 1; tries <= kConflictTriesMax; ++tries) {
    // A pod that is being preempted must not write any more.
    if (background->pods_in_pre_bind.CauseOf(pod.metadata.uid) != nullptr) {
      co_return std::string("context canceled");
    }
    if (tries > 1) {
      co_await background->calls.Sleep(kConflictDelayUs);
      ClaimAnswer read = co_await writer.Get(key);
      if (!read.ok()) co_return read.error;
      info->claim = std::move(read.claim);
    }
    const bool is_allocated = info->claim->status.allocation.has_value();
    if (info->claim->metadata.deletion_timestamp) {
      co_return Format("claim {} got deleted in the meantime", name);
    }
    if (info->allocation && is_allocated) {
      co_return Format("claim {} got allocated elsewhere in the meantime", name);
    }
    if (binding_timeout_us_ != 0 && !info->allocation && !is_allocated) {
      co_return Format("claim {} got deallocated elsewhere in the meantime", name);
    }
    if (info->allocation && !HasFinalizer(*info->claim)) {
      auto changed = std::make_shared<ResourceClaim>(*info->claim);
      SetFinalizer(true, changed.get());
      ClaimAnswer updated = co_await writer.Update(std::move(changed));
      if (!updated.ok()) {
        error = WithCause("add finalizer to", *info->claim, updated.error);
        if (updated.is_conflict) continue;
        co_return error;
      }
      info->claim = std::move(updated.claim);
    }
    ClaimAnswer written = co_await writer.UpdateStatus(ReservedClaim(*data, *info, pod));
    if (written.ok()) {
      info->claim = std::move(written.claim);
      co_return std::string();
    }
    error = WithCause(info->allocation ? "add allocation and reservation to" : "add reservation to",
                      *info->claim, written.error);
    if (!written.is_conflict) co_return error;
  }
  co_return error;
}

ResourceClaimRef DynamicResources::ReservedClaim(const DynamicResourcesData& data,
                                                 const ClaimInCycle& info, const Pod& pod) const {
  auto changed = std::make_shared<ResourceClaim>(*info.claim);
  Shared<AllocationResult> allocation =
      info.allocation ? info.allocation : changed->status.allocation;
  bool has_timestamp = binding_timeout_us_ != 0 && allocation;
  if (has_timestamp) {
    allocation.Mutable().allocation_timestamp = Instant{handle_.now().seconds, 0};
  }
  if (info.allocation || has_timestamp) SetAllocation(std::move(allocation), changed.get());
  const ClaimWords& words = ClaimWords::Get();
  ResourceClaimConsumerReference consumer{{}, words.pods, pod.metadata.name, pod.metadata.uid};
  if (info.is_of_group) {
    const ObjectMeta& group = data.group->metadata;
    consumer = {words.scheduling_group, words.pod_groups, group.name, group.uid};
  }
  AddReservation(consumer, changed.get());
  return changed;
}

// Tells the kubelet which claim the pod got, and waits until the watch has delivered the claim.
Task<std::string> DynamicResources::FinishExtendedClaim(DynamicResourcesData* data, const Pod& pod,
                                                        const Symbol& node) {
  Background* background = handle_.background();
  const ObjectMeta& metadata = data->claims.back().claim->metadata;
  const auto& mappings = data->nodes.at(node).extended->mappings;
  if (mappings.empty()) {
    co_return Format(
        "nil or empty request mappings, no update of pod {} ExtendedResourceClaimStatus",
        NamespacedNameOf(pod.metadata));
  }
  PodStatusPatch patch;
  patch.extended_resource_claim_status = PodExtendedResourceClaimStatus{mappings, metadata.name};
  ApiResponse response = co_await background->api.PatchPodStatus(background->calls, pod, patch);
  if (!response.ok()) co_return response.message.empty() ? "no answer" : response.message;
  const ObjectKey key = ObjectKey::Of(metadata);
  for (int polls = 0; handle_.dra().claims().Get(key) == nullptr; ++polls) {
    bool is_over = polls == kArrivalPollsMax ||
                   background->pods_in_pre_bind.CauseOf(pod.metadata.uid) != nullptr;
    if (is_over) break;
    co_await background->calls.Sleep(background->pre_bind_poll_interval_us);
  }
  co_return std::string();
}

// Tells the kubelet what the devices take of the node.
Task<std::string> DynamicResources::PatchNodeAllocatable(const DynamicResourcesData& data,
                                                         const Pod& pod, const Symbol& node) {
  auto on_node = data.nodes.find(node);
  if (on_node == data.nodes.end()) co_return std::string();
  PodStatusPatch patch;
  patch.node_allocatable_resource_claim_statuses = on_node->second.node_allocatable;
  if (patch.node_allocatable_resource_claim_statuses.empty()) co_return std::string();
  // The assumed pod has them already; the pod on the server has not.
  Pod before = pod;
  auto assumed = std::move(before.status.node_allocatable_resource_claim_statuses);
  if (assumed != patch.node_allocatable_resource_claim_statuses) {
    co_return "assumed pod status does not match calculated status to be patched";
  }
  before.status.node_allocatable_resource_claim_statuses.clear();
  Background* background = handle_.background();
  ApiResponse response = co_await background->api.PatchPodStatus(background->calls, before, patch);
  if (response.ok()) co_return std::string();
  co_return response.message.empty() ? "no answer" : response.message;
}

Result<bool, Status> DynamicResources::CheckBindingConditions(DynamicResourcesData* data,
                                                              std::string_view* outcome) const {
  for (ClaimInCycle& info : data->claims) {
    if (IsInMemory(*info.claim)) continue;
    ObjectKey key = ObjectKey::Of(info.claim->metadata);
    ResourceClaimRef latest = handle_.dra().claims().Get(key);
    *outcome = "error";
    if (latest == nullptr) return Status::Error(ClaimCache::NotFoundMessage(key));
    info.claim = latest;
    Result<bool, std::string> is_ready = IsClaimReadyForBinding(*latest);
    *outcome = "failure";
    if (!is_ready.ok()) return Status::Error(is_ready.fault());
    if (*is_ready) continue;
    *outcome = "timeout";
    if (IsClaimTimedOut(*latest, binding_timeout_us_, handle_.now())) {
      return Status::Error(Format("device binding timeout: claim={}", key.name.view()));
    }
    return false;
  }
  *outcome = "success";
  return true;
}

Task<Status> DynamicResources::WaitForBindingConditions(DynamicResourcesData* data,
                                                        std::set<Symbol> drivers, const Pod& pod,
                                                        const Symbol& node) {
  Background* background = handle_.background();
  PodEvent event;
  event.reason = "BindingConditionsPending";
  event.action = "Scheduling";
  event.note = Format("waiting for binding conditions for device on node {}", node.view());
  background->api.RecordEvent(pod, handle_.profile_name(), std::move(event));
  const int64_t begin_us = handle_.now().ToMicros();
  const int64_t interval_us = kConditionPollFactor * background->pre_bind_poll_interval_us;
  std::string_view outcome;
  Status status;
  while (true) {
    if (background->pods_in_pre_bind.CauseOf(pod.metadata.uid) != nullptr) {
      outcome = "error";
      status = Status::Error("context canceled");
      break;
    }
    Result<bool, Status> is_ready = CheckBindingConditions(data, &outcome);
    if (!is_ready.ok()) status = is_ready.fault();
    if (!is_ready.ok() || *is_ready) break;
    int64_t left_us = begin_us + binding_timeout_us_ - handle_.now().ToMicros();
    if (left_us <= 0) {
      status = Status::Error("device binding timeout: context deadline exceeded");
      break;
    }
    co_await background->calls.Sleep(std::min(left_us, interval_us));
  }
  Metrics& metrics = handle_.metrics();
  for (const Symbol& driver : drivers) {
    std::string_view profile = handle_.profile_name().view();
    metrics.Add(Metric::kDraBindingConditionsAllocations, {profile, driver.view(), outcome});
    metrics.Observe(Metric::kDraBindingConditionsWaitDuration, {profile, driver.view(), outcome},
                    handle_.now().ToMicros() - begin_us);
  }
  co_return status;
}

}  // namespace stowage
