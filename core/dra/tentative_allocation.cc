#include "core/dra/tentative_allocation.h"

#include <algorithm>

#include "core/dra/consumable_capacity.h"
#include "core/dra/device_taints.h"

namespace stowage {

void TentativeAllocation::SetClaims(const std::vector<ClaimRequests>& claims) {
  claims_ = &claims;
  constraints_.clear();
  chosen_.clear();
  chosen_.resize(claims.size());
  for (const ClaimRequests& claim : claims) {
    std::vector<AttributeConstraint>& constraints = constraints_.emplace_back();
    if (!claim.constraint_error.empty()) continue;
    for (const DeviceConstraint& constraint : claim.claim->spec.devices.constraints) {
      constraints.emplace_back(constraint);
    }
  }
}

void TentativeAllocation::Begin(const NodePools& pools, uint64_t epoch) {
  if (epoch != epoch_) pools_with_counters_.clear();
  epoch_ = epoch;
  pools_ = &pools;
  offsets_.clear();
  size_t offset = 0;
  for (const Pool* pool : pools.pools) {
    offsets_.push_back(offset);
    offset += pool->devices.size();
  }
  if (counts_.size() < offset) counts_.resize(offset);
}

void TentativeAllocation::End() {
  for (Chosen& chosen : chosen_) {
    for (const ChosenDevice& device : chosen) counts_[FlatIndex(device.place)] = Count();
    chosen.clear();
  }
  counter_log_.UndoTo(0);
  for (std::vector<AttributeConstraint>& constraints : constraints_) {
    for (AttributeConstraint& constraint : constraints) constraint.Clear();
  }
}

bool TentativeAllocation::IsTaken(size_t claim, const DeviceRequestData& request,
                                  const DevicePlace& place) const {
  const Count& count = counts_[FlatIndex(place)];
  if (!request.is_admin()) return count.num_whole > 0 || PoolOf(place).IsDedicated(place.device);
  if (count.num_whole == 0) return false;
  const Chosen& chosen = chosen_[claim];
  return std::any_of(chosen.begin(), chosen.end(), [&place](const ChosenDevice& device) {
    return !device.is_shared && device.place.pool == place.pool &&
           device.place.device == place.device;
  });
}

bool TentativeAllocation::HasConsumedCapacity(const DevicePlace& place) const {
  if (counts_[FlatIndex(place)].num_shares > 0) return true;
  const Pool& pool = PoolOf(place);
  if (!pool.has_devices_in_use()) return false;
  const DeviceUse* use = inputs_.allocated.Find(pool.IdOf(DeviceAt(place)));
  return use != nullptr && !use->consumed_capacity.empty();
}

ResourceList TentativeAllocation::ConsumedByOthers(const DevicePlace& place) const {
  ResourceList consumed;
  const Pool& pool = PoolOf(place);
  if (pool.has_devices_in_use()) {
    const DeviceUse* use = inputs_.allocated.Find(pool.IdOf(DeviceAt(place)));
    if (use != nullptr) consumed = use->consumed_capacity;
  }
  if (counts_[FlatIndex(place)].num_shares == 0) return consumed;
  for (const Chosen& chosen : chosen_) {
    for (const ChosenDevice& device : chosen) {
      if (device.place.pool != place.pool || device.place.device != place.device) continue;
      for (const auto& [name, amount] : device.consumed_capacity) consumed[name].Add(amount);
    }
  }
  return consumed;
}

bool TentativeAllocation::FitsCapacity(const DeviceRequestData& request,
                                       const DevicePlace& place) const {
  const Device& device = DeviceAt(place).device();
  const std::optional<CapacityRequirements>& requirements = request.request->capacity;
  if (device.capacity.empty() && !requirements) return true;
  return stowage::FitsCapacity(requirements, device, ConsumedByOthers(place));
}

// A shared device takes its counters once, with its first share.
bool TentativeAllocation::TakeCounters(const DevicePlace& place) {
  const Device& device = DeviceAt(place).device();
  if (device.consumes_counters.empty()) return true;
  if (!inputs_.features.partitionable_devices) return false;
  if (IsShared(device) && HasConsumedCapacity(place)) return true;
  return PoolWithCounters(place).Counters(inputs_.allocated).Consume(device, &counter_log_);
}

Pool& TentativeAllocation::PoolWithCounters(const DevicePlace& place) {
  Pool* pool = pools_->pools[place.pool];
  return *pools_with_counters_.try_emplace(pool->id.pool, pool).value;
}

bool TentativeAllocation::AddToConstraints(size_t claim, const DeviceRequestData& request,
                                           const DevicePlace& place) {
  std::vector<AttributeConstraint>& constraints = constraints_[claim];
  const Device& device = DeviceAt(place).device();
  for (size_t index = 0; index < constraints.size(); ++index) {
    if (!request.is_bound[index]) continue;
    if (constraints[index].Add(device, PoolOf(place).id.driver, request.base_name())) continue;
    RemoveFromConstraints(claim, request, index);
    refusing_constraint_ = index;
    return false;
  }
  return true;
}

void TentativeAllocation::RemoveFromConstraints(size_t claim, const DeviceRequestData& request,
                                                size_t num) {
  for (size_t index = 0; index < num; ++index) {
    if (request.is_bound[index]) constraints_[claim][index].Remove(request.base_name());
  }
}

TentativeAllocation::Outcome TentativeAllocation::Refuse(const DeviceRequestData& request,
                                                         const DevicePlace& place, DeviceRule rule,
                                                         size_t index) {
  if (inputs_.refusals == nullptr) return Outcome::kRefused;
  bool is_shortage = rule == DeviceRule::kCapacity || rule == DeviceRule::kCounters;
  if (is_shortage) index = ShortageAt(request, place, rule);
  inputs_.refusals->Add(request.number, FlatIndex(place), {rule, false, index});
  return Outcome::kRefused;
}

size_t TentativeAllocation::ShortageAt(const DeviceRequestData& request, const DevicePlace& place,
                                       DeviceRule rule) {
  const Device& device = DeviceAt(place).device();
  DeviceShortage shortage;
  if (rule == DeviceRule::kCapacity) {
    stowage::FitsCapacity(request.request->capacity, device, ConsumedByOthers(place), &shortage);
  } else if (inputs_.features.partitionable_devices) {
    shortage = PoolWithCounters(place).Counters(inputs_.allocated).ShortageFor(device);
  }
  return shortage.name.empty() ? 0 : inputs_.refusals->NumberOf(shortage);
}

TentativeAllocation::Outcome TentativeAllocation::Choose(size_t claim,
                                                         const DeviceRequestData& request,
                                                         const DevicePlace& place) {
  return ChooseByRules(claim, request, place, false);
}

TentativeAllocation::Outcome TentativeAllocation::ChooseFromAll(size_t claim,
                                                                const DeviceRequestData& request,
                                                                const DevicePlace& place) {
  if (IsTaken(claim, request, place)) return Refuse(request, place, DeviceRule::kInUse);
  return ChooseByRules(claim, request, place, true);
}

TentativeAllocation::Outcome TentativeAllocation::ChooseByRules(size_t claim,
                                                                const DeviceRequestData& request,
                                                                const DevicePlace& place,
                                                                bool is_one_of_all) {
  const Device& device = DeviceAt(place).device();
  size_t counters_before = counter_log_.size();
  if (!TakeCounters(place)) return Refuse(request, place, DeviceRule::kCounters);
  if (inputs_.features.device_taints && HasUntoleratedTaint(device, *request.request)) {
    counter_log_.UndoTo(counters_before);
    return Refuse(request, place, DeviceRule::kTaint);
  }
  if (!AddToConstraints(claim, request, place)) {
    counter_log_.UndoTo(counters_before);
    Refuse(request, place, DeviceRule::kConstraint, refusing_constraint_);
    if (!is_one_of_all) return Outcome::kRefused;
    const PoolId& pool = PoolOf(place).id;
    fault_ = "claim " + ClaimName(*(*claims_)[claim].claim) + ", request " + request.name.str() +
             ": cannot add device " + pool.driver.str() + "/" + pool.pool.str() + "/" +
             device.name.str() + " because a claim constraint would not be satisfied";
    return Outcome::kFault;
  }
  // The search has tested the capacity just before, but that of all devices only at its start.
  bool tests_capacity = is_one_of_all && inputs_.features.consumable_capacity;
  if (tests_capacity && !FitsCapacity(request, place)) {
    RemoveFromConstraints(claim, request, request.is_bound.size());
    counter_log_.UndoTo(counters_before);
    return Refuse(request, place, DeviceRule::kCapacity);
  }
  ChosenDevice& chosen = chosen_[claim].emplace_back();
  chosen.request = &request;
  chosen.place = place;
  chosen.is_shared = IsShared(device);
  chosen.counters_before = counters_before;
  Count& count = counts_[FlatIndex(place)];
  if (chosen.is_shared) {
    ++count.num_shares;
    chosen.consumed_capacity = ConsumedCapacity(request.request->capacity, device);
  } else {
    ++count.num_whole;
  }
  return Outcome::kChosen;
}

void TentativeAllocation::Undo(size_t claim) {
  const ChosenDevice& last = chosen_[claim].back();
  RemoveFromConstraints(claim, *last.request, last.request->is_bound.size());
  counter_log_.UndoTo(last.counters_before);
  Count& count = counts_[FlatIndex(last.place)];
  --(last.is_shared ? count.num_shares : count.num_whole);
  chosen_[claim].pop_back();
}

}  // namespace stowage
