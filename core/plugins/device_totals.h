// DeviceTotals counts the devices that serve an extended resource on a node, for scores of
// resources (spec plugins/node-resources-fit "DRA totals for a resource on a node").
// Counterpart: framework/plugins/noderesources/resource_allocation.go
// (calculateDRAExtendedResource), v1.36.
#pragma once

#include <cstdint>
#include <optional>

#include "core/api/device_class.h"
#include "core/api/node.h"
#include "core/api/resource_slice.h"
#include "core/base/result.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/resource_allocation.h"

namespace stowage {

class DeviceTotals {
 public:
  struct Totals {
    int64_t capacity = 0;
    int64_t allocated = 0;
  };

  // `dra` must outlive this object.
  explicit DeviceTotals(DraManager& dra) : dra_(dra) {}

  // Zeros if no class serves the resource, or if a selector fails.
  Totals On(const Node& node, const Symbol& resource) const;

 private:
  // Each returns false after an error.
  bool AddSlice(const ResourceSliceRef& slice, const Node& node, const DeviceClass& device_class,
                Totals* totals) const;
  bool AddDevice(const ResourceSliceRef& slice, const Device& device,
                 const DeviceClass& device_class, Totals* totals) const;

  DraManager& dra_;
};

// Set if devices serve one of the resources of `allocation`.
std::optional<DeviceTotals> DeviceTotalsFor(const ResourceAllocation& allocation,
                                            const Features& features, DraManager& dra);

inline const DeviceTotals* PointerTo(const std::optional<DeviceTotals>& totals) {
  return totals ? &*totals : nullptr;
}

}  // namespace stowage
