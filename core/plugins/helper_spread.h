// The selector that stands for a pod's workload where its constraints come from the configuration.
// Counterpart: framework/plugins/helper/spread.go, v1.36; spec plugins/pod-topology-spread.
#pragma once

#include "core/api/pod.h"
#include "core/api/selector.h"
#include "core/framework/handle.h"

namespace stowage {

// The selectors of all Services that select the pod and of its controller (ReplicationController,
// ReplicaSet or StatefulSet), as one. Empty when there are none; what can't be found or parsed is
// left out.
Selector DefaultSelector(const Pod& pod, const Listers& listers);

}  // namespace stowage
