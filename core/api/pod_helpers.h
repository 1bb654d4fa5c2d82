// Small pod properties that many parts use (spec 01 §9).
// Counterpart: pkg/scheduler/util/utils.go and component-helpers/scheduling/corev1, v1.36.
#pragma once

#include <cstdint>

#include "core/api/pod.h"
#include "core/base/instant.h"

namespace stowage {

// spec.priority, or 0 if absent.
int32_t PodPriority(const Pod& pod);

// Whether the pod has a node, or a nomination if those count.
bool IsAssignedOrNominated(const Pod& pod, bool counts_nominations = true);

// Whether the pod has a deletion timestamp.
bool IsTerminating(const Pod& pod);

// status.startTime, or `now` if the pod has none yet.
Instant PodStartTime(const Pod& pod, const Instant& now);

// Whether this scheduler has asked the pod to terminate.
bool IsTerminatingByPreemption(const Pod& pod);

// Whether preemption keeps `a` rather than `b`: higher priority, or equal priority and earlier
// start.
bool MoreImportantPod(const Pod& a, const Pod& b, const Instant& now);

// A sidecar: an init container with restartPolicy Always.
bool IsRestartableInitContainer(const Container& container);

}  // namespace stowage
