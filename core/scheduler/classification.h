// Classification says how far a pod is from a node, for those who ask before there is a pod.
#pragma once

#include <string_view>

#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Of a pod that `result` was decided about, while the question lasts: "Now", there is a node;
// "WithPreemption", there would be one; "NotNow"; "Never", no node would take it if that node's
// pods were gone. Plugins whose say about the pod depends on more than the node have no part in
// "Never": what they miss may come.
std::string_view Classify(ProfileRuntime& profile, const Pod& pod, const ScheduleResult& result);

// The last two: of a pod that is held back whatever node there is.
std::string_view ClassifyWithoutNode(ProfileRuntime& profile, const Pod& pod);

}  // namespace stowage
