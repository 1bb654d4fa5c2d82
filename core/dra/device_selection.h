// DeviceSelection tells which devices the selectors of a request allow (spec
// plugins/dynamic-resources-allocator "Search").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dra/allocator.h"
#include "core/dra/device_refusals.h"
#include "core/dra/device_requests.h"
#include "core/dra/resource_pools.h"

namespace stowage {

enum class Selection : uint8_t { kNo, kYes, kFault };

class DeviceSelection {
 public:
  // All must outlive this.
  DeviceSelection(const AllocatorInputs& inputs, ResourcePools& pools)
      : inputs_(inputs), pools_(pools) {}

  // The claims changed; they have so many entries of requests.
  void SetNumEntries(size_t num) { memos_.assign(num, Memo()); }
  void SetNode(const Node& node) { node_ = &node; }

  // kFault: the attempt ends with fault(). If `refusal` is not null, its rule and index are set for
  // kNo.
  Selection IsSelectable(const DeviceRequestData& request, const ResourceClaim& claim,
                         const PoolDevice& device, DeviceRefusals::Reason* refusal);
  const std::string& fault() const { return fault_; }

 private:
  // The verdicts of a request's selectors on the slice of the last device.
  struct Memo {
    PoolSlice* slice = nullptr;
    uint64_t epoch = 0;
    std::vector<PoolSlice::Verdicts*> verdicts;  // of the class's selectors, then the request's
  };

  Memo& MemoOf(const DeviceRequestData& request, PoolSlice* slice);
  Selection Match(const DeviceRequestData& request, const ResourceClaim& claim,
                  const PoolDevice& device, size_t selector);

  const AllocatorInputs& inputs_;
  ResourcePools& pools_;
  const Node* node_ = nullptr;
  std::vector<Memo> memos_;  // by number of the entry
  std::string fault_;
};

}  // namespace stowage
