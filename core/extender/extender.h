// What the scheduler has to know of a configured extender besides how to call it.
// Counterpart: pkg/scheduler/extender.go, v1.36; spec 05 §12.
#pragma once

#include "core/api/pod.h"
#include "core/config/types.h"

namespace stowage {

// An extender without managed resources is asked about every pod, one with them about pods with a
// container or init container that names one in its requests or limits.
bool IsInterested(const Extender& extender, const Pod& pod);

}  // namespace stowage
