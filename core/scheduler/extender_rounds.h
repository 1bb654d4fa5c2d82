// The extenders' part of a scheduling cycle: which extenders are called, in which order, and how
// their answers are applied (spec 05 §5.4, §6).
// Counterpart: findNodesThatPassExtenders and prioritizeNodes of schedule_one.go, v1.36.
#pragma once

#include <memory>
#include <vector>

#include "core/framework/diagnosis.h"
#include "core/framework/extender.h"
#include "core/framework/handle.h"
#include "core/loop/task.h"
#include "core/runtime/framework.h"

namespace stowage {

// Whether any extender is interested in the pod.
bool HasInterestedExtender(const Extenders& extenders, const Pod& pod);

// Nodes that passed so far, and the NodeInfos among them that extenders returned.
struct FeasibleNodes {
  std::vector<const NodeInfo*> nodes;
  std::vector<std::shared_ptr<const NodeInfo>> made;
};

// Lets each interested extender reduce `feasible`, and adds its refusals to `statuses`. Returns an
// error if an extender that is not ignorable fails. All arguments must outlive the task.
Task<Status> FindNodesThatPassExtenders(const Handle& handle, const Pod& pod,
                                        FeasibleNodes* feasible, NodeToStatus* statuses);

// Adds the scores of the interested extenders to `scores`, which are parallel to `nodes`. All
// extenders are called at the same time; a failed call adds no score. Returns, by position, whether
// any extender scored the node. All arguments must outlive the task.
Task<std::vector<bool>> AddExtenderScores(const Handle& handle, const Pod& pod, NodeList nodes,
                                          NodeScores* scores);

}  // namespace stowage
