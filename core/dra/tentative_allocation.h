// TentativeAllocation holds the devices that a search has chosen so far, with all that depends on
// them: constraints, counters, capacity (spec plugins/dynamic-resources-allocator "Trying a
// device").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dra/allocator.h"
#include "core/dra/constraints.h"
#include "core/dra/device_refusals.h"
#include "core/dra/device_requests.h"
#include "core/dra/resource_pools.h"

namespace stowage {

struct ChosenDevice {
  const DeviceRequestData* request = nullptr;
  DevicePlace place;
  bool is_shared = false;  // one of several allocations of the device
  size_t counters_before = 0;
  ResourceList consumed_capacity;  // of a shared device
};

class TentativeAllocation {
 public:
  enum class Outcome : uint8_t { kChosen, kRefused, kFault };
  using Chosen = std::vector<ChosenDevice>;

  // The inputs must outlive this.
  explicit TentativeAllocation(const AllocatorInputs& inputs) : inputs_(inputs) {}

  // The claims changed.
  void SetClaims(const std::vector<ClaimRequests>& claims);
  // Starts with nothing chosen, for a node with these pools. `epoch`: that of ResourcePools.
  void Begin(const NodePools& pools, uint64_t epoch);
  // Takes back all that was chosen; to be called before anything that the pools refer to changes.
  void End();

  // Whether the request may not have the device because it is allocated, or chosen already.
  bool IsTaken(size_t claim, const DeviceRequestData& request, const DevicePlace& place) const;
  bool FitsCapacity(const DeviceRequestData& request, const DevicePlace& place) const;

  // Chooses a device that is not taken and has enough capacity, if all other rules allow it. What a
  // refused device took is given back.
  Outcome Choose(size_t claim, const DeviceRequestData& request, const DevicePlace& place);
  // Chooses a device of a request for all devices, by all rules. A constraint that refuses it is a
  // fault.
  Outcome ChooseFromAll(size_t claim, const DeviceRequestData& request, const DevicePlace& place);
  // Takes back the last device that was chosen, which was one for this claim.
  void Undo(size_t claim);

  // Notes that the rule refuses the device. `index`: of the constraint.
  Outcome Refuse(const DeviceRequestData& request, const DevicePlace& place, DeviceRule rule,
                 size_t index = 0);

  const Chosen& OfClaim(size_t claim) const { return chosen_[claim]; }
  const Pool& PoolOf(const DevicePlace& place) const { return *pools_->pools[place.pool]; }
  const PoolDevice& DeviceAt(const DevicePlace& place) const {
    return PoolOf(place).devices[place.device];
  }
  // The number of the device among those of the node.
  size_t FlatIndex(const DevicePlace& place) const { return offsets_[place.pool] + place.device; }
  const std::string& fault() const { return fault_; }

 private:
  // How often a device is chosen.
  struct Count {
    uint32_t num_whole = 0;
    uint32_t num_shares = 0;
  };

  bool IsShared(const Device& device) const {
    return inputs_.features.consumable_capacity && device.allow_multiple_allocations;
  }
  bool HasConsumedCapacity(const DevicePlace& place) const;
  ResourceList ConsumedByOthers(const DevicePlace& place) const;
  Outcome ChooseByRules(size_t claim, const DeviceRequestData& request, const DevicePlace& place,
                        bool is_one_of_all);
  bool TakeCounters(const DevicePlace& place);
  bool AddToConstraints(size_t claim, const DeviceRequestData& request, const DevicePlace& place);
  void RemoveFromConstraints(size_t claim, const DeviceRequestData& request, size_t num);
  Pool& PoolWithCounters(const DevicePlace& place);
  // The shortage that refuses the device, as DeviceRefusals number it.
  size_t ShortageAt(const DeviceRequestData& request, const DevicePlace& place, DeviceRule rule);

  const AllocatorInputs& inputs_;
  const std::vector<ClaimRequests>* claims_ = nullptr;
  const NodePools* pools_ = nullptr;
  std::vector<size_t> offsets_;                                // by pool, of its devices in counts_
  std::vector<Count> counts_;                                  // by device; all are 0 between calls
  std::vector<std::vector<AttributeConstraint>> constraints_;  // by claim
  std::vector<Chosen> chosen_;                                 // by claim
  CounterLog counter_log_;
  // The pool whose counters all pools of this name share, as in the reference: the first one that
  // needed some since the allocator was made.
  HashMap<Symbol, Pool*, SymbolNumber> pools_with_counters_;
  uint64_t epoch_ = 0;
  size_t refusing_constraint_ = 0;
  std::string fault_;
};

}  // namespace stowage
