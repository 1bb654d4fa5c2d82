// The extenders' part of a scheduling cycle: who is asked, in which order, and what becomes of the
// answers (spec 05 §5.4, §6).
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

// Whether any extender has a say about the pod.
bool HasInterestedExtender(const Extenders& extenders, const Pod& pod);

// Nodes that passed so far, with those among them that extenders made.
struct NodesUnderWay {
  std::vector<const NodeInfo*> nodes;
  std::vector<std::shared_ptr<const NodeInfo>> made;
};

// Lets each interested extender reduce `under_way`, and notes its refusals in `statuses`. A fault
// is that of an extender which is not ignorable. All arguments outlive the task.
Task<Status> FindNodesThatPassExtenders(const Handle& handle, const Pod& pod,
                                        NodesUnderWay* under_way, NodeToStatus* statuses);

// Adds what the interested extenders give to `scores`, which are parallel to `nodes`. They are
// asked at the same time; errors count as no score. Gives, by position, whether any of them scored
// the node. All arguments outlive the task.
Task<std::vector<bool>> AddExtenderScores(const Handle& handle, const Pod& pod, NodeList nodes,
                                          NodeScores* scores);

}  // namespace stowage
