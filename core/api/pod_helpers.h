// Small facts about pods that many parts ask for (spec 01 §9).
// Counterpart: pkg/scheduler/util/utils.go and component-helpers/scheduling/corev1, v1.36.
#pragma once

#include <cstdint>

#include "core/api/pod.h"
#include "core/base/instant.h"

namespace stowage {

// spec.priority or 0.
int32_t PodPriority(const Pod& pod);

// The pod is on a node, or one is kept for it.
bool IsAssignedOrNominated(const Pod& pod);

// Deletion has been asked for.
bool IsTerminating(const Pod& pod);

// status.startTime, or `now` for a pod that has none yet.
Instant PodStartTime(const Pod& pod, const Instant& now);

// Whether `a` is kept rather than `b`: higher priority, or the same and an earlier start.
bool MoreImportantPod(const Pod& a, const Pod& b, const Instant& now);

// A sidecar: an init container with restartPolicy Always.
bool IsRestartableInitContainer(const Container& container);

}  // namespace stowage
