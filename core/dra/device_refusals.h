// DeviceRefusals hold why an allocator refuses the devices of a node, request by request, to
// explain why a claim has none (spec plugins/dynamic-resources-allocator "Search").
//
// A survey first asks all rules about each device alone, while none is chosen. A device that passes
// may still be refused in the search that follows, because of devices that are chosen with it. The
// search counts for the last request that it reached: the requests before it can be served.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dra/device_requests.h"
#include "core/dra/device_shortage.h"
#include "core/dra/resource_pools.h"

namespace stowage {

// The rule that refuses a device, in the order of a survey.
enum class DeviceRule : uint8_t {
  kNone,
  kBindingConditions,  // the device has some, and their gates are off
  kClassSelector,
  kSelector,  // of the request
  kNode,      // the node cannot use this device of the slice
  kFault,     // an expression or a node selector failed
  kCapacity,
  kInUse,  // allocated, or chosen for another request of these claims
  kCounters,
  kTaint,
  kConstraint,
};

class DeviceRefusals {
 public:
  struct Reason {
    DeviceRule rule = DeviceRule::kInUse;
    bool is_together = false;  // because of other devices that are chosen for these claims
    size_t index = 0;          // of the selector or constraint, or NumberOf the shortage; else 0
  };
  // The devices that one rule refuses for a request.
  struct Count {
    Reason reason;  // its index is the one that refuses most
    size_t num_devices = 0;
    DevicePlace device;  // the first one that the reason concerns
  };

  // Starts anew. Both must outlive what is read from this.
  void Begin(const std::vector<ClaimRequests>& claims, const NodePools& pools);
  void EndSurvey() { is_survey_ = false; }
  // `entry`: the number of the request or alternative. `device`: its number among those of the
  // node. A reason of the search does not replace one of the survey.
  void Add(size_t entry, size_t device, const Reason& reason);
  void SetFault(size_t entry, const std::string& message);
  // The number by which a reason refers to a shortage; 0 if too many are known already.
  size_t NumberOf(const DeviceShortage& shortage);

  // False if the allocator failed before it had the pools; then there is nothing to read.
  bool has_begun() const { return claims_ != nullptr; }
  const std::vector<ClaimRequests>& claims() const { return *claims_; }
  // Whose pools may be incomplete or invalid; these have no devices.
  const NodePools& pools() const { return *pools_; }
  Reason ReasonOf(size_t entry, size_t device) const;
  // By rule; those of single devices come before those of devices together.
  std::vector<Count> CountsOf(size_t entry) const;
  // The number of devices for which the reason is one of these rules.
  size_t NumRefused(size_t entry, DeviceRule first, DeviceRule last) const;
  // The number of devices that no rule refuses.
  size_t NumLeft(size_t entry) const {
    return NumRefused(entry, DeviceRule::kNone, DeviceRule::kNone);
  }
  // How many more devices the request needs than are left; for all devices: those that it selects
  // and cannot have, at least 1 if it selects none.
  size_t NumMissing(const DeviceRequestData& entry) const;
  // Null if the reason is no shortage, or it is not known.
  const DeviceShortage* ShortageOf(const Reason& reason) const;
  // The first fault of an entry; empty if there is none.
  const std::string& FaultOf(size_t entry) const { return faults_[entry]; }

 private:
  const std::vector<ClaimRequests>* claims_ = nullptr;
  const NodePools* pools_ = nullptr;
  std::vector<Reason> reasons_;      // by entry and device
  std::vector<std::string> faults_;  // by entry
  std::vector<DeviceShortage> shortages_;
  std::vector<size_t> first_;  // by entry: the first of the alternatives of its request
  size_t last_tried_ = 0;      // entry
  bool is_survey_ = true;
};

}  // namespace stowage
