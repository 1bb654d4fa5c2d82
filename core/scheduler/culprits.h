// Culprits of a pod that nodes refuse: the pods and other obstacles in its way on each node, and
// how much of each resource is missing.
#pragma once

#include "core/api/encode/json_writer.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Writes the members
//   culprits         [{node, plugin, reasons, …}], the nearest node first: the node that the
//                    fewest plugins refuse; among these the node where the least is missing; then
//                    by name
//   culpritsOmitted  number of further nodes that refuse the pod, if any
// The plugin itself writes the members after `reasons` (CulpritPlugin). `result` must hold the
// nodes' statuses.
void WriteCulprits(const Framework& framework, const Pod& pod, const ScheduleResult& result,
                   JsonWriter* json);

}  // namespace stowage
