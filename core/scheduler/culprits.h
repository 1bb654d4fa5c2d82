// Culprits of a pod that nodes refuse: the pods and other obstacles in its way on each node, and
// how much of each resource is missing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/api/encode/json_writer.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// The most nodes that are explained: explaining one reads the pods in its domains.
inline constexpr int64_t kCulpritNodesMax = 100;

// Writes the members
//   culprits         [{node, plugin, reasons, …}], the nearest node first: before all nodes that
//                    PreFilter excludes the others, as the node of a DaemonSet's pod; among these
//                    the node that the fewest plugins refuse; then where the least is missing; then
//                    by name. At most `nodes_max` nodes
//   culpritsOmitted  number of further nodes that refuse the pod, if any
//   refusedBy        [{plugins, count}], the combinations of plugins that refuse a node, with the
//                    number of nodes
// The plugin itself writes the members after `reasons` (CulpritPlugin). `result` must hold the
// nodes' statuses and the state of all plugins.
void WriteCulprits(const Framework& framework, const Pod& pod, const ScheduleResult& result,
                   size_t nodes_max, JsonWriter* json);

}  // namespace stowage
