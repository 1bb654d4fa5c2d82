#include "core/dra/allocator.h"

#include <algorithm>
#include <utility>

#include "core/dra/allocation_result.h"
#include "core/dra/allocation_search.h"
#include "core/dra/device_selection.h"
#include "core/dra/device_survey.h"
#include "core/dra/resource_pools.h"
#include "core/dra/tentative_allocation.h"

namespace stowage {
namespace {

using Fault = AllocationFault;

class IncubatingAllocator final : public Allocator {
 public:
  explicit IncubatingAllocator(const AllocatorInputs& inputs)
      : inputs_(inputs), own_pools_(inputs.slices, inputs.features.partitionable_devices) {}

  Result<Allocations, Fault> Allocate(const Node& node, std::span<const ResourceClaimRef> claims,
                                      StepBudget* steps) override {
    auto pools = pools_.Gather(node);
    if (!pools.ok()) return Fault{Fault::Kind::kError, "gather pool information: " + pools.fault()};
    const NodePools& of_node = **pools;
    if (!steps->Spend(of_node.pools.size())) return Fault{Fault::Kind::kExhausted, ""};
    for (Pool* pool : of_node.pools) pool->Refresh(inputs_.allocated, inputs_.reader);
    SetClaims(claims);
    selection_.SetNode(node);
    chosen_.Begin(of_node, pools_.epoch());
    if (inputs_.refusals != nullptr) {
      inputs_.refusals->Begin(claims_, of_node);
      SurveyDevices(inputs_, &selection_, &chosen_, steps);
    }
    auto allocations = AllocateIn(of_node, steps);
    chosen_.End();
    return allocations;
  }

 private:
  void SetClaims(std::span<const ResourceClaimRef> claims);
  Result<Allocations, Fault> AllocateIn(const NodePools& pools, StepBudget* steps);
  std::optional<Fault> PrepareClaims(const NodePools& pools, StepBudget* steps);
  std::optional<Fault> PrepareEntry(const ClaimRequests& claim, const DeviceRequestData& entry,
                                    const NodePools& pools);
  std::optional<Fault> AddAllDevices(const ClaimRequests& claim, const DeviceRequestData& entry,
                                     const DevicePlace& first);
  Result<Allocations, Fault> ResultOfSearch(const NodePools& pools);

  AllocatorInputs inputs_;
  ResourcePools own_pools_;
  ResourcePools& pools_ = inputs_.pools != nullptr ? *inputs_.pools : own_pools_;
  DeviceSelection selection_{inputs_, pools_};
  TentativeAllocation chosen_{inputs_};
  AllocationSearch search_{inputs_, selection_, chosen_};
  std::vector<ClaimRequests> claims_;
  AllocationSearch::AllDevices all_devices_;
};

// The claims are usually those of the last call.
void IncubatingAllocator::SetClaims(std::span<const ResourceClaimRef> claims) {
  bool is_same =
      std::equal(claims.begin(), claims.end(), claims_.begin(), claims_.end(),
                 [](const ResourceClaimRef& a, const ClaimRequests& b) { return a == b.claim; });
  if (is_same && !claims.empty()) return;
  claims_.clear();
  size_t num_entries = 0;
  for (const ResourceClaimRef& claim : claims) {
    claims_.push_back(ValidateClaim(claim, inputs_.features, inputs_.classes));
    for (DeviceRequestData& entry : claims_.back().entries) entry.number = num_entries++;
  }
  selection_.SetNumEntries(num_entries);
  all_devices_.assign(num_entries, {});
  chosen_.SetClaims(claims_);
}

Result<Allocations, Fault> IncubatingAllocator::AllocateIn(const NodePools& pools,
                                                           StepBudget* steps) {
  if (auto fault = PrepareClaims(pools, steps)) return *std::move(fault);
  switch (search_.Run(claims_, pools, all_devices_, steps)) {
    case AllocationSearch::Outcome::kFound:
      return ResultOfSearch(pools);
    case AllocationSearch::Outcome::kNotFound:
      break;
    case AllocationSearch::Outcome::kTooMany:
      return Fault{Fault::Kind::kError, "allocation max size exceeded"};
    case AllocationSearch::Outcome::kFault:
      return Fault{Fault::Kind::kError, search_.fault()};
    case AllocationSearch::Outcome::kExhausted:
      return Fault{Fault::Kind::kExhausted, ""};
  }
  if (!pools.has_invalid) return Allocations();
  return Fault{Fault::Kind::kNodeOnly, "invalid resource pools were encountered"};
}

// Validates the claims in order, where that of requests for all devices depends on the node.
std::optional<Fault> IncubatingAllocator::PrepareClaims(const NodePools& pools, StepBudget* steps) {
  for (size_t index = 0; index < claims_.size(); ++index) {
    const ClaimRequests& claim = claims_[index];
    uint64_t num_devices = 0;  // that the claim needs at least; wraps around as the reference does
    for (const DeviceRequestRange& request : claim.requests) {
      int64_t least = INT64_MAX;
      for (size_t number = 0; number < request.num; ++number) {
        if (request.first + number == claim.entries.size()) break;  // after one with an error
        const DeviceRequestData& entry = claim.entries[request.first + number];
        if (entry.is_all && !steps->Spend(pools.num_devices)) {
          return Fault{Fault::Kind::kExhausted, ""};
        }
        if (auto fault = PrepareEntry(claim, entry, pools)) return fault;
        auto all = static_cast<int64_t>(all_devices_[entry.number].size());
        least = std::min(least, entry.is_all ? all : entry.count);
      }
      num_devices += static_cast<uint64_t>(least);
    }
    auto num = static_cast<int64_t>(num_devices);
    if (num > kDevicesPerClaimMax) {
      return Fault{Fault::Kind::kError, "claim " + ClaimName(*claim.claim) +
                                            ": number of requested devices " + std::to_string(num) +
                                            " exceeds the claim limit of " +
                                            std::to_string(kDevicesPerClaimMax)};
    }
    if (!claim.constraint_error.empty()) {
      return Fault{Fault::Kind::kError, claim.constraint_error};
    }
  }
  return std::nullopt;
}

std::optional<Fault> IncubatingAllocator::PrepareEntry(const ClaimRequests& claim,
                                                       const DeviceRequestData& entry,
                                                       const NodePools& pools) {
  if (!entry.error.empty()) return Fault{Fault::Kind::kError, entry.error};
  if (!entry.is_all) return std::nullopt;
  all_devices_[entry.number].clear();
  for (size_t index = 0; index < pools.pools.size(); ++index) {
    const Pool& pool = *pools.pools[index];
    if (pool.is_incomplete || pool.is_invalid()) {
      return Fault{
          Fault::Kind::kError,
          "claim " + ClaimName(*claim.claim) + ", request " + entry.name.str() +
              ": asks for all devices, but resource pool " + pool.Name() +
              (pool.is_incomplete ? " is currently being updated" : " is currently invalid")};
    }
    if (auto fault = AddAllDevices(claim, entry, {index, 0})) return fault;
  }
  return std::nullopt;
}

// `place`: the first device of a pool.
std::optional<Fault> IncubatingAllocator::AddAllDevices(const ClaimRequests& claim,
                                                        const DeviceRequestData& entry,
                                                        const DevicePlace& first) {
  DevicePlace place = first;
  const Pool& pool = chosen_.PoolOf(place);
  for (; place.device < pool.devices.size(); ++place.device) {
    const PoolDevice& device = pool.devices[place.device];
    Selection selection = selection_.IsSelectable(entry, *claim.claim, device, nullptr);
    if (selection == Selection::kFault) return Fault{Fault::Kind::kError, selection_.fault()};
    bool tests_capacity = inputs_.features.consumable_capacity;
    if (selection == Selection::kYes && (!tests_capacity || chosen_.FitsCapacity(entry, place))) {
      all_devices_[entry.number].push_back(place);
    }
  }
  return std::nullopt;
}

Result<Allocations, Fault> IncubatingAllocator::ResultOfSearch(const NodePools& pools) {
  Allocations allocations;
  allocations.reserve(claims_.size());
  std::vector<size_t> alternatives;
  for (size_t index = 0; index < claims_.size(); ++index) {
    const ClaimRequests& claim = claims_[index];
    alternatives.clear();
    for (size_t request = 0; request < claim.requests.size(); ++request) {
      alternatives.push_back(search_.AlternativeOf(index, request));
    }
    AllocationResult& allocation = allocations.emplace_back().emplace();
    allocation.devices.results = AllocationResults(chosen_, index, claim.claim->metadata,
                                                   inputs_.features.binding_conditions);
    allocation.devices.config = AllocationConfig(claim, alternatives);
    auto selector = AllocationNodeSelector(chosen_, index, pools.only_this_node);
    if (!selector.ok()) {
      return Fault{Fault::Kind::kError, "create NodeSelector for claim " +
                                            claim.claim->metadata.name.str() + ": " +
                                            selector.fault()};
    }
    allocation.node_selector = selector.Take();
  }
  return allocations;
}

}  // namespace

std::unique_ptr<Allocator> MakeAllocator(const AllocatorInputs& inputs) {
  return std::make_unique<IncubatingAllocator>(inputs);
}

}  // namespace stowage
