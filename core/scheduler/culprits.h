// Culprits: of a pod that some nodes refuse, who is in the way there and how much is missing.
#pragma once

#include "core/api/encode/json_writer.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Writes the members
//   culprits         [{node, plugin, reasons, …}], the nearest node first: the one that the fewest
//                    plugins refuse; among these the one where the least is missing; then by name
//   culpritsOmitted  number of further nodes that refuse the pod, if any
// What follows the reasons is the plugin's own (CulpritPlugin). `result` has the nodes' statuses.
void WriteCulprits(const Framework& framework, const Pod& pod, const ScheduleResult& result,
                   JsonWriter* json);

}  // namespace stowage
