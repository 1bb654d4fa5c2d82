// Classification answers how far a pod is from a node, for evaluations that ask for it.
#pragma once

#include <string_view>

#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Classifies the pod of an evaluation from its `result`: "Now" if a node fits; "WithPreemption" if
// preemption would free one; "Never" if no node would take the pod even without that node's pods;
// else "NotNow". Plugins whose verdict depends on more than the pod and the node do not count
// towards "Never": what they miss may still appear.
std::string_view Classify(ProfileRuntime& profile, const Pod& pod, const ScheduleResult& result);

// "NotNow" or "Never", for a pod that is held back independently of the nodes.
std::string_view ClassifyWithoutNode(ProfileRuntime& profile, const Pod& pod);

}  // namespace stowage
