// NodeResourcesFit's state in CycleState, and its reasons for missing resources. Only the plugin's
// own files include this header.
#pragma once

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

// The status for what a node lacks; success if it has room for the request.
Status StatusOn(const NodeInfo& node, const FitPreFilterState& wanted);

}  // namespace stowage
