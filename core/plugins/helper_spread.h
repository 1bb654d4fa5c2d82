// The selector of a pod's workload, for default spread constraints.
// Counterpart: framework/plugins/helper/spread.go, v1.36; spec plugins/pod-topology-spread.
#pragma once

#include "core/api/pod.h"
#include "core/api/selector.h"
#include "core/framework/handle.h"

namespace stowage {

// Combines the selectors of all Services that select the pod and of its controller
// (ReplicationController, ReplicaSet or StatefulSet). Empty if there are none; objects that are
// missing or do not parse are ignored.
Selector DefaultSelector(const Pod& pod, const Listers& listers);

}  // namespace stowage
