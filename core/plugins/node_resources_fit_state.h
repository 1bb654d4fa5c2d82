// NodeResourcesFit's state in CycleState, and its reasons for missing resources. Only the plugin's
// own files include this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/framework/interface.h"
#include "core/plugins/device_totals.h"
#include "core/plugins/insufficient_resources.h"
#include "core/plugins/resource_allocation.h"
#include "core/table/resource.h"

namespace stowage {

// Written by PreFilter: the pod's request without ignored and zero scalars.
struct FitPreFilterState {
  Resource request;
  ServedScalars served;
  std::vector<Symbol> scalar_reasons;  // one for each scalar in `request`
  // Whether a node that could not serve the request even without pods refuses as unresolvable.
  bool is_impossible_unresolvable = true;
};

// Written by PreScore.
struct FitPreScoreState {
  ResourceRequests requests;
  std::optional<DeviceTotals> devices;  // set if devices serve one of the resources
};

// Builds the status for what a node lacks. Consecutive nodes that lack the same share one status.
class FitInsufficiencies {
 public:
  // `wanted` must outlive this object.
  explicit FitInsufficiencies(const FitPreFilterState& wanted) : wanted_(wanted) {}

  // Success if the node has room for the request.
  Status StatusOn(const NodeInfo& node);

 private:
  // What a node lacks. With more scalars, different nodes may be equal.
  struct Lacking {
    static constexpr size_t kMaxScalars = 32;

    uint64_t resources = 0;  // as bits
    bool is_unresolvable = false;

    void Add(const InsufficientResource& one) {
      resources |= uint64_t{1} << (static_cast<size_t>(one.kind) + one.scalar % kMaxScalars);
      is_unresolvable = is_unresolvable || one.is_unresolvable;
    }
    friend bool operator==(const Lacking&, const Lacking&) = default;
  };

  const Symbol& ReasonOf(const InsufficientResource& one) const;

  const FitPreFilterState& wanted_;
  Lacking last_lacking_;  // on the node of last_
  Status last_;
};

}  // namespace stowage
