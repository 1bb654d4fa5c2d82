// AllocationSearch finds the first devices that satisfy all claims, depth-first (spec
// plugins/dynamic-resources-allocator "Search").
//
// The reference recurses once per device, request and claim. Here the frames are a vector, so that
// no claim can exhaust the stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/step_budget.h"
#include "core/dra/allocator.h"
#include "core/dra/device_requests.h"
#include "core/dra/device_selection.h"
#include "core/dra/tentative_allocation.h"

namespace stowage {

// The most devices of one claim (resource.k8s.io/v1 AllocationResultsMaxSize).
inline constexpr int64_t kDevicesPerClaimMax = 32;

class AllocationSearch {
 public:
  enum class Outcome : uint8_t {
    kFound,
    kNotFound,
    kTooMany,    // only devices beyond the limit of the claim would do
    kFault,      // the attempt ends with fault()
    kExhausted,  // no steps are left
  };
  // The devices of an entry for all devices, by number of the entry.
  using AllDevices = std::vector<std::vector<DevicePlace>>;

  // All must outlive this.
  AllocationSearch(const AllocatorInputs& inputs, DeviceSelection& selection,
                   TentativeAllocation& chosen)
      : inputs_(inputs), selection_(selection), chosen_(chosen) {}

  // What it found is in the TentativeAllocation.
  Outcome Run(const std::vector<ClaimRequests>& claims, const NodePools& pools,
              const AllDevices& all_devices, StepBudget* steps);
  const std::string& fault() const { return fault_; }
  // The alternative that was chosen for a request of a claim; 0 if it has none.
  size_t AlternativeOf(size_t claim, size_t request) const;

 private:
  // Which device is to be found next.
  struct Target {
    size_t claim = 0;
    size_t request = 0;
    size_t alternative = 0;
    int64_t device = 0;  // of the request
    bool is_alternative = false;
  };
  struct Frame {
    enum class Kind : uint8_t {
      kNextClaim,     // ends the limit of a claim's devices
      kAlternatives,  // tries the alternatives of a request
      kOneOfAll,      // holds a device of a request for all devices
      kOne,           // tries the devices for a request
    };
    Kind kind;
    Target target;
    DevicePlace place;         // kOne: the device that is tried
    bool all_too_many = true;  // kAlternatives: every one so far needs too many devices
  };
  enum class Step : uint8_t { kDown, kUp };

  Step Enter();
  Step EnterRequest();
  Step ResumeNextClaim();
  Step ResumeAlternatives();
  Step ResumeOneOfAll();
  Step ResumeOne();
  Step TryDevices();
  TentativeAllocation::Outcome TryDevice(const Frame& frame);
  Step Up(Outcome outcome);
  Step PopUp(Outcome outcome);
  Step Fault(const std::string& fault);

  const DeviceRequestRange& RangeOf(const Target& target) const {
    return (*claims_)[target.claim].requests[target.request];
  }
  const DeviceRequestData& EntryOf(const Target& target) const {
    return (*claims_)[target.claim].entries[RangeOf(target).first + target.alternative];
  }

  const AllocatorInputs& inputs_;
  DeviceSelection& selection_;
  TentativeAllocation& chosen_;
  const std::vector<ClaimRequests>* claims_ = nullptr;
  const NodePools* pools_ = nullptr;
  const AllDevices* all_devices_ = nullptr;
  StepBudget* steps_ = nullptr;

  std::vector<Frame> frames_;
  Target next_;                           // of a step down
  Outcome outcome_ = Outcome::kNotFound;  // of a step up
  std::string fault_;
};

}  // namespace stowage
